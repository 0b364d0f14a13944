/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-memory.c: arenas, slices, buffers and vectors.
 */
#include "config.h"

#include "core/base/vector.h"

static void
test_arena (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  gsize total = 0;

  for (guint round = 0; round < 3; round++)
    {
      total = 0;
      for (gsize size = 0; size < 100000; size = size * 2 + 1)
        {
          guint8 *bytes = kvsql_arena_alloc (arena, size);

          g_assert_cmpuint ((guintptr)bytes % 16, ==, 0);
          memset (bytes, 0xaa, size);
          total += size;
        }
      g_assert_cmpuint (kvsql_arena_get_size (arena), >=, total);
      g_assert_cmpstr (kvsql_arena_printf (arena, "%d-%s", 7, "x"), ==, "7-x");
      g_assert_null (kvsql_arena_strdup (arena, NULL));
      kvsql_arena_reset (arena);
      g_assert_cmpuint (kvsql_arena_get_size (arena), ==, 0);
    }
}

static void
test_slices (void)
{
  KvsqlSlice empty = KVSQL_SLICE_EMPTY, a = KVSQL_SLICE_LITERAL ("a"),
             ab = KVSQL_SLICE_LITERAL ("ab"), high = KVSQL_SLICE_LITERAL ("\xff");

  g_assert_cmpint (kvsql_slice_compare (empty, a), <, 0);
  g_assert_cmpint (kvsql_slice_compare (a, ab), <, 0);
  g_assert_cmpint (kvsql_slice_compare (high, ab), >, 0); /* bytes are unsigned */
  g_assert_true (kvsql_slice_has_prefix (ab, a) && kvsql_slice_has_prefix (a, empty));
  g_assert_false (kvsql_slice_has_prefix (a, ab));
}

static void
assert_successor (const gchar *prefix, gsize size, const gchar *expected, gsize expected_size)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice out;

  g_assert_true (kvsql_slice_successor (arena, kvsql_slice (prefix, size), &out));
  g_assert_cmpmem (out.data, out.size, expected, expected_size);
}

/* Lengths of every code path, without a byte too many. */
static void
test_copy_bytes (void)
{
  for (gsize n = 0; n <= 70; n++)
    {
      g_autofree guint8 *from = g_malloc (n + 1), *to = g_malloc (n + 1);

      for (gsize i = 0; i < n; i++)
        from[i] = (guint8)g_test_rand_int_range (0, 256);
      memset (to, 0xaa, n + 1);
      kvsql_copy_bytes (to, from, n);
      g_assert_cmpmem (to, n, from, n);
      g_assert_cmpuint (to[n], ==, 0xaa);
    }
  kvsql_copy_bytes (NULL, NULL, 0);
}

static void
test_successor (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice out;

  assert_successor ("a", 1, "b", 1);
  assert_successor ("a\xff", 2, "b", 1);
  assert_successor ("a\xff\xff\x00", 4, "a\xff\xff\x01", 4);
  g_assert_false (kvsql_slice_successor (arena, KVSQL_SLICE_LITERAL ("\xff\xff"), &out));
  g_assert_false (kvsql_slice_successor (arena, KVSQL_SLICE_EMPTY, &out));
}

/* Adopted memory lives as long as the new owner, and is accounted until then. */
static void
test_arena_adopt (void)
{
  KvsqlAccount *account = kvsql_account_new (NULL);
  KvsqlAccount *outer = kvsql_account_enter (account);
  KvsqlArena *other = kvsql_arena_new ();
  gchar *text = kvsql_arena_strdup (other, "text");
  g_autoptr (KvsqlArena) arena = NULL;
  gsize other_size = kvsql_arena_get_size (other);

  kvsql_account_enter (outer);
  arena = kvsql_arena_new ();
  kvsql_arena_strdup (arena, "another");
  kvsql_arena_adopt (arena, other);
  kvsql_arena_adopt (arena, kvsql_arena_new ());
  g_assert_cmpstr (text, ==, "text");
  g_assert_cmpuint (kvsql_arena_get_size (arena), >, other_size);
  g_assert_cmpuint (kvsql_account_get_used (account), >, 0);
  kvsql_arena_reset (arena);
  g_assert_cmpuint (kvsql_account_get_used (account), ==, 0);
  g_assert_cmpuint (kvsql_arena_get_size (arena), ==, 0);
  kvsql_account_unref (account);
}

/* What an arena holds beyond a large text is small, whichever comes first. */
static void
test_arena_large (void)
{
  const gsize large = (1 << 20) + 1000;
  KvsqlAccount *account = kvsql_account_new (NULL);
  KvsqlAccount *outer = kvsql_account_enter (account);
  KvsqlArena *arena = kvsql_arena_new ();
  gchar *small;

  memset (kvsql_arena_alloc (arena, large), 'x', large);
  small = kvsql_arena_strdup (arena, "small");
  g_assert_cmpuint (kvsql_account_get_used (account), <, large + 8 * 1024);
  memset (kvsql_arena_alloc (arena, large), 'y', large);
  for (guint i = 0; i < 100; i++)
    kvsql_arena_strdup (arena, "a few words");
  g_assert_cmpstr (small, ==, "small");
  g_assert_cmpuint (kvsql_account_get_used (account), <, 2 * large + 16 * 1024);
  kvsql_arena_reset (arena);
  g_assert_cmpuint (kvsql_account_get_used (account), <, large + 1024);
  kvsql_account_enter (outer);
  kvsql_arena_free (arena);
  g_assert_cmpuint (kvsql_account_get_used (account), ==, 0);
  kvsql_account_unref (account);
}

static void
test_readable (void)
{
  g_autofree gchar *shown = kvsql_readable (KVSQL_SLICE_LITERAL ("a\\\0\x7f\xff"));
  g_autofree gchar *hex = kvsql_hex (KVSQL_SLICE_LITERAL ("\x00\xab"));

  g_assert_cmpstr (shown, ==, "a\\\\\\x00\\x7f\\xff");
  g_assert_cmpstr (hex, ==, "00ab");
}

static void
test_buffer_grows (void)
{
  KvsqlBuffer buffer = { 0 };

  for (guint i = 0; i < 10000; i++)
    kvsql_buffer_append_byte (&buffer, i & 0xff);
  kvsql_buffer_append (&buffer, NULL, 0);
  g_assert_cmpuint (buffer.size, ==, 10000);
  for (guint i = 0; i < 10000; i++)
    g_assert_cmpuint (buffer.data[i], ==, i & 0xff);
  kvsql_buffer_clear (&buffer);
}

/* Rows of all classes, every third one NULL. */
static KvsqlBatch *
make_batch (guint n_rows)
{
  static const KvsqlType types[] = { KVSQL_TYPE_BIGINT, KVSQL_TYPE_STRING, KVSQL_TYPE_DOUBLE,
                                     KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_NULL };
  KvsqlBatch *batch = kvsql_batch_new (types, G_N_ELEMENTS (types), 8);

  kvsql_batch_reserve (batch, n_rows);
  for (guint i = 0; i < n_rows; i++)
    {
      KvsqlValue values[] = { { .type = KVSQL_TYPE_BIGINT, .integer = i },
                              { .type = KVSQL_TYPE_STRING, .bytes = KVSQL_SLICE_LITERAL ("text") },
                              { .type = KVSQL_TYPE_DOUBLE, .real = i / 2.0 },
                              { .type = KVSQL_TYPE_BOOLEAN, .boolean = i % 2 } };
      for (guint c = 0; c < G_N_ELEMENTS (values); c++)
        kvsql_vector_set (&batch->columns[c], i, i % 3 == 0 ? &KVSQL_VALUE_NULL : &values[c]);
    }
  batch->n_rows = n_rows;
  return batch;
}

static void
test_batch_compact (void)
{
  g_autoptr (KvsqlBatch) batch = make_batch (100);
  guint32 selection[50];

  for (guint i = 0; i < 50; i++)
    selection[i] = 2 * i + 1;
  kvsql_batch_compact (batch, selection, 50);
  g_assert_cmpuint (batch->n_rows, ==, 50);
  for (guint i = 0; i < 50; i++)
    for (guint c = 0; c < 4; c++)
      {
        KvsqlValue value = kvsql_vector_get (&batch->columns[c], i);

        g_assert_cmpint (kvsql_value_is_null (&value), ==, (2 * i + 1) % 3 == 0);
        if (c == 0 && !kvsql_value_is_null (&value))
          g_assert_cmpint (value.integer, ==, 2 * i + 1);
      }
  kvsql_batch_reset (batch);
  g_assert_cmpuint (batch->n_rows, ==, 0);
  g_assert_false (batch->columns[0].has_nulls);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/memory/arena", test_arena);
  g_test_add_func ("/base/memory/arena-adopt", test_arena_adopt);
  g_test_add_func ("/base/memory/arena-large", test_arena_large);
  g_test_add_func ("/base/memory/slices", test_slices);
  g_test_add_func ("/base/memory/copy-bytes", test_copy_bytes);
  g_test_add_func ("/base/memory/successor", test_successor);
  g_test_add_func ("/base/memory/readable", test_readable);
  g_test_add_func ("/base/memory/buffer-grows", test_buffer_grows);
  g_test_add_func ("/base/memory/batch-compact", test_batch_compact);
  return g_test_run ();
}
