/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-uuid.c: the forms of UUIDs that PostgreSQL reads, and their order.
 */
#include "config.h"

#include "core/base/uuid.h"
#include "core/base/value.h"

static void
test_forms (void)
{
  static const struct
  {
    const gchar *text, *canonical; /* NULL: an error */
  } cases[] = {
    { "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    { "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    { "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    { "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    { "a0eebc999c0b4ef8bb6d6bb9bd380a11", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" },
    { "a0eebc999c0b4ef8bb6d6bb9bd380a1", NULL },
    { "a0eebc999c0b4ef8bb6d6bb9bd380a111", NULL },
    { "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11-", NULL },
    { "-a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", NULL },
    { "a0e-ebc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11", NULL },
    { "a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11", NULL },
    { "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", NULL },
    { "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", NULL },
    { " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", NULL },
    { "g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", NULL },
    { "{}", NULL },
    { "", NULL },
  };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree gchar *text = NULL;
      KvsqlValue value;
      gboolean ok = kvsql_value_parse_scalar (
          KVSQL_TYPE_UUID, kvsql_slice_from_text (cases[i].text), arena, &value, &error);

      g_assert_cmpint (ok, ==, cases[i].canonical != NULL);
      if (!ok)
        {
          g_assert_cmpstr (kvsql_error_get_sqlstate (error), ==, "22P02");
          continue;
        }
      text = kvsql_value_to_text (&value);
      g_assert_cmpstr (text, ==, cases[i].canonical);
    }
}

static void
test_bytes (void)
{
  static const guint8 bytes[KVSQL_UUID_BYTES] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice text = kvsql_uuid_to_text (bytes, arena);
  guint8 again[KVSQL_UUID_BYTES];

  g_assert_true (
      kvsql_slice_equal (text, kvsql_slice_from_text ("00112233-4455-6677-8899-aabbccddeeff")));
  g_assert_true (kvsql_uuid_read (text, again));
  g_assert_cmpmem (again, sizeof again, bytes, sizeof bytes);
  g_assert_false (
      kvsql_uuid_read (kvsql_slice_from_text ("00112233-4455-6677-8899-AABBCCDDEEFF"), again));
  g_assert_false (
      kvsql_uuid_read (kvsql_slice_from_text ("001122334455-66778899-aabb-ccddeeff--"), again));
}

/* Texts sort as bytes do. */
static void
test_order (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  for (guint i = 0; i < 10000; i++)
    {
      guint8 a[KVSQL_UUID_BYTES], b[KVSQL_UUID_BYTES];
      gint bytes, texts;

      for (guint k = 0; k < KVSQL_UUID_BYTES; k++)
        {
          a[k] = (guint8)g_test_rand_int_range (0, 256);
          b[k] = g_test_rand_int_range (0, 8) > 0 ? a[k] : (guint8)g_test_rand_int_range (0, 256);
        }
      bytes = memcmp (a, b, sizeof a);
      texts = kvsql_slice_compare (kvsql_uuid_to_text (a, arena), kvsql_uuid_to_text (b, arena));
      g_assert_cmpint ((bytes > 0) - (bytes < 0), ==, (texts > 0) - (texts < 0));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/uuid/forms", test_forms);
  g_test_add_func ("/uuid/bytes", test_bytes);
  g_test_add_func ("/uuid/order", test_order);
  return g_test_run ();
}
