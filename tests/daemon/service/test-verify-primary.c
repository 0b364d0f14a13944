/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-verify-primary.c: VERIFY and REPAIR of the primary schema of a relation with checked writes:
 * its rows are compared with the anchors.
 */
#include "config.h"

#include "core/anchor/anchor.h"
#include "core/write/write-log.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define N_MANY 3000
#define TIMEOUT_MS 60  /* of a page, which works for half of it */
#define LATER_MS 60000 /* another program's clock is ahead: its cells hide ours */

static const gchar definitions[]
    = "DEFINE RELATION r { k STRING KEY, v STRING, w STRING };"
      "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER attr_name['k'], "
      "VALUE attr_value['k'] };"
      "DEFINE SCHEMA s FOR r { TABLE 's', ROW suffix('/'){v}:k, FAMILY 'f', VALUE null('-'){w} };"
      "INSERT INTO r VALUES ('a', 'va', 'wa'), ('b', 'vb', 'wb'), ('c', 'vc', NULL), "
      "('d', 'vd', 'wd'), ('e', 've', 'we'); DELETE FROM r WHERE k = 'e'";
static const gchar tuples[] = "a|va|wa\nb|vb|wb\nc|vc|NULL\nd|vd|wd";

/* In the order of the anchors, which is by a hash of the key. */
#define DIFFERENCES                                                                                \
  "different|k = 'c'|table \"p\", row \"c\", column f:w holds \"more\", and the tuple has no "     \
  "such "                                                                                          \
  "cell\ndifferent|k = 'b'|table \"p\", row \"b\", column f:w is absent\n"                         \
  "missing|k = 'd'|table \"p\", row \"d\", column f:v is absent\n"                                 \
  "different|k = 'a'|table \"p\", row \"a\", column f:v holds \"other\", not what the tuple has\n"
#define EXTRA_C "extra|k = 'c'|table \"p\", row \"c\", column f:w is of no tuple\n"
#define EXTRA_E "extra|k = 'e'|table \"p\", row \"e\", column f:v is of no tuple\n"

/* As another program writes. @value: NULL: deletes the cell */
static void
write_cell (ServiceFixture *self, const gchar *row, const gchar *qualifier, const gchar *value)
{
  const KvsqlMutation cell = { .kind = value != NULL ? KVSQL_MUTATION_PUT : KVSQL_MUTATION_DELETE,
                               .table = KVSQL_SLICE_LITERAL ("p"),
                               .row = kvsql_slice_from_text (row),
                               .family = KVSQL_SLICE_LITERAL ("f"),
                               .qualifier = kvsql_slice_from_text (qualifier),
                               .value = kvsql_slice_from_text (value ?: ""),
                               .timestamp = g_get_real_time () / 1000 + LATER_MS };
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (self->service->store, &cell, 1, NULL, &error), error);
}

/* Until nothing is left of the writes: what is pending is put again by the next statement that
 * finds it. */
static void
await_written (ServiceFixture *self)
{
  guint n = 1;

  while (n > 0)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      KvsqlLogEntry *entries;

      g_usleep (1000);
      assert_done (kvsql_log_entries_read (self->service->store, 0, G_MAXUINT64, NULL, arena,
                                           &entries, &n, &error),
                   error);
    }
}

static void
define (ServiceFixture *self)
{
  service_fixture_script (self, definitions);
  await_written (self);
}

static gchar *
run_with_notes (ServiceFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);
  GString *out = g_string_new (NULL);

  assert_done (page != NULL, error);
  g_assert_null (page->cursor);
  service_fixture_append_page (page, out);
  for (guint i = 0; page->warnings != NULL && i < page->warnings->len; i++)
    g_string_append_printf (out, "%s%s", out->len > 0 ? "\n" : "",
                            (const gchar *)page->warnings->pdata[i]);
  return g_string_free (out, FALSE);
}

#define assert_told(self, sql, expected)                                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autofree gchar *_got = run_with_notes ((self), (sql));                                       \
    g_assert_cmpstr (_got, ==, (expected));                                                        \
  }                                                                                                \
  G_STMT_END

static void
test_well (ServiceFixture *self, gconstpointer data)
{
  define (self);
  assert_told (self, "VERIFY SCHEMA p",
               "note: 4 tuples and 7 cells were compared, and nothing differs");
}

/* A cell with other bytes, one that is absent, one too much, a row that is gone, and one of a
 * deleted tuple. */
static void
test_other_program (ServiceFixture *self, gconstpointer data)
{
  define (self);
  write_cell (self, "a", "v", "other");
  write_cell (self, "b", "w", NULL);
  write_cell (self, "c", "w", "more");
  for (guint i = 0; i < 3; i++)
    write_cell (self, "d", (const gchar *[]){ "", "v", "w" }[i], NULL);
  write_cell (self, "e", "v", "back");
  assert_told (self, "VERIFY SCHEMA p",
               DIFFERENCES EXTRA_C EXTRA_E
               "4 tuples and 6 cells were compared: 1 missing, 3 different, 2 extra");
  assert_told (
      self, "REPAIR SCHEMA p",
      DIFFERENCES EXTRA_E
      "note: 4 tuples and 8 cells were compared: 1 missing, 3 different, 1 extra, and mended");
  assert_told (self, "VERIFY SCHEMA p",
               "note: 4 tuples and 7 cells were compared, and nothing differs");
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA p ORDER BY k", tuples);
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA s ORDER BY k", tuples);
  assert_told (self, "VERIFY SCHEMA s",
               "note: 4 tuples and 4 cells were compared, and nothing differs");
}

/* Tuples that have no anchor, as another program has made one, and after the anchors were lost. */
static void
test_without_anchors (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  define (self);
  write_cell (self, "f", "v", "vf");
  assert_told (self, "VERIFY SCHEMA p",
               "note: 4 tuples and 8 cells were compared, and nothing differs\n"
               "note: 1 tuple had no anchor: REPAIR SCHEMA makes one, and so does the next write");
  assert_done (kvsql_store_drop_table (self->service->store, KVSQL_ANCHOR_TABLE, NULL, &error),
               error);
  assert_told (self, "VERIFY SCHEMA p",
               "note: 0 tuples and 8 cells were compared, and nothing differs\n"
               "note: 5 tuples had no anchor: REPAIR SCHEMA makes one, and so does the next write");
  assert_told (self, "REPAIR SCHEMA p",
               "note: 0 tuples and 8 cells were compared, and nothing differs\n"
               "note: 5 tuples had no anchor, and have one now");
  assert_told (self, "VERIFY SCHEMA p",
               "note: 5 tuples and 8 cells were compared, and nothing differs");
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA s WHERE v = 'vf'", "f|vf|NULL");
}

/* More anchors than one portion has, and more differences than one page. */
static void
test_many (ServiceFixture *self, gconstpointer data)
{
  g_autoptr (GString) insert = g_string_new ("INSERT INTO r VALUES ");
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GBytes) cursor = NULL;
  guint n_pages = 0;

  define (self);
  for (guint i = 0; i < N_MANY; i++)
    g_string_append_printf (insert, "%s('m%04u', 'v%u', 'w')", i > 0 ? ", " : "", i, i % 7);
  service_fixture_script (self, insert->str);
  await_written (self);
  for (guint i = 0; i < N_MANY; i += 2)
    {
      g_autofree gchar *row = g_strdup_printf ("m%04u", i);

      write_cell (self, row, "v", "other");
    }
  do
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlResultPage) page
          = cursor == NULL ? kvsqld_service_query (
                self->service, NULL, KVSQL_SLICE_LITERAL ("VERIFY SCHEMA p"), NULL, 0, &error)
                           : kvsqld_service_fetch (self->service, NULL,
                                                   kvsql_slice (g_bytes_get_data (cursor, NULL),
                                                                g_bytes_get_size (cursor)),
                                                   &error);

      assert_done (page != NULL, error);
      service_fixture_append_page (page, found);
      g_clear_pointer (&cursor, g_bytes_unref);
      cursor = page->cursor != NULL ? g_bytes_ref (page->cursor) : NULL;
      for (guint i = 0; cursor == NULL && i < page->warnings->len; i++)
        g_string_append_printf (found, "\n%s", (const gchar *)page->warnings->pdata[i]);
      n_pages++;
    }
  while (cursor != NULL);
  g_assert_cmpuint (n_pages, >, 1);
  g_assert_nonnull (strstr (found->str, "different|k = 'm2998'|"));
  g_assert_null (strstr (found->str, "different|k = 'm2999'|"));
  g_assert_nonnull (strstr (found->str,
                            "\n3004 tuples and 6007 cells were compared: 0 missing, 1500 "
                            "different, 0 extra"));
}

/* Without anchors there is nothing to compare it with. */
static void
test_refused (ServiceFixture *self, gconstpointer data)
{
  define (self);
  service_fixture_script (self, "ALTER RELATION r WITH (writes = plain)");
  service_fixture_assert_fails (self, "VERIFY SCHEMA p", KVSQL_ERROR_INVALID,
                                "schema \"p\" is the primary, which others are compared with");
}

int
main (int argc, char **argv)
{
  static const ServiceFixtureTest tests[] = { { "well", test_well },
                                              { "other-program", test_other_program },
                                              { "without-anchors", test_without_anchors },
                                              { "many", test_many },
                                              { "refused", test_refused } };

  g_test_init (&argc, &argv, NULL);
  service_fixture_add_tests ("/verify-primary", "rows", tests, G_N_ELEMENTS (tests));
  return g_test_run ();
}
