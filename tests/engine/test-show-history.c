/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-show-history.c: SHOW HISTORY, in pages that begin in the middle of a version.
 */
#include "config.h"

#include "core/catalog/stored-definition.h"
#include "core/engine/show-history.h"
#include "tests/engine/engine-fixture.h"

#define RELATION "DEFINE RELATION r { k STRING KEY }"
#define PRIMARY "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW k, FAMILY 'f', VALUE '' }"

static const gchar *const definitions[] = { RELATION, PRIMARY, NULL };

static void
add_record (EngineFixture *self, KvsqlDefinitionKind kind, const gchar *name, gint64 epoch,
            const gchar *text)
{
  KvsqlDefinitionRecord *record = g_new0 (KvsqlDefinitionRecord, 1);

  *record = (KvsqlDefinitionRecord){ .kind = kind,
                                     .name = g_strdup (name),
                                     .epoch = epoch,
                                     .at_ms = epoch * 1000,
                                     .by = g_strdup ("user"),
                                     .daemon = g_strdup ("d"),
                                     .statement = g_strdup ("s"),
                                     .text = g_strdup (text) };
  g_ptr_array_add (self->history, record);
}

static void
open_with_history (EngineFixture *self)
{
  engine_fixture_open (self, definitions);
  add_record (self, KVSQL_DEFINITION_RELATION, "r", 0, RELATION);
  add_record (self, KVSQL_DEFINITION_SCHEMA, "p", 2, PRIMARY);
  add_record (self, KVSQL_DEFINITION_SCHEMA, "s", 2, NULL);
  add_record (self, KVSQL_DEFINITION_RELATION, "r", 2, RELATION);
}

static KvsqlResultPage *
show (EngineFixture *self, const gchar *sql, guint max_rows, KvsqlHistoryPlace *place,
      gboolean *out_has_more)
{
  const KvsqlPageBounds bounds = { .max_rows = max_rows, .max_bytes = 1 << 20 };
  g_autoptr (GError) error = NULL;
  KvsqlResultPage *page
      = kvsql_execute_show_history (&self->execution, &engine_fixture_parse (self, sql)->show.name,
                                    bounds, place, out_has_more, &error);

  g_assert_no_error (error);
  return page;
}

static void
test_rows (void)
{
  EngineFixture fixture;
  KvsqlHistoryPlace place = { 0 };
  gboolean has_more;
  KvsqlResultPage *page;

  open_with_history (&fixture);
  page = show (&fixture, "SHOW HISTORY", 100, &place, &has_more);
  g_assert_false (has_more);
  g_assert_cmpuint (page->n_columns, ==, 8);
  engine_fixture_assert_page (page, "0|NULL|r|relation|known|user|d|s\n"
                                    "2|1970-01-01 00:00:02Z|p|schema|defined|user|d|s\n"
                                    "2|1970-01-01 00:00:02Z|s|schema|dropped|user|d|s\n"
                                    "2|1970-01-01 00:00:02Z|r|relation|defined|user|d|s");
  kvsql_result_page_free (page);

  place = (KvsqlHistoryPlace){ 0 };
  page = show (&fixture, "SHOW HISTORY FOR P", 100, &place, &has_more);
  g_assert_false (has_more);
  engine_fixture_assert_page (page, "2|1970-01-01 00:00:02Z|p|schema|defined|user|d|s|" PRIMARY);
  kvsql_result_page_free (page);
  engine_fixture_close (&fixture);
}

static void
test_pages (void)
{
  static const gchar *const names[] = { "r", "p", "s", "r" };
  EngineFixture fixture;
  KvsqlHistoryPlace place = { 0 };

  open_with_history (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gboolean has_more;
      g_autoptr (KvsqlResultPage) page = show (&fixture, "SHOW HISTORY", 1, &place, &has_more);
      KvsqlValue name;

      g_assert_cmpuint (page->rows->n_rows, ==, 1);
      name = kvsql_vector_get (&page->rows->columns[2], 0);
      g_assert_true (kvsql_slice_equal (name.bytes, kvsql_slice_from_text (names[i])));
      g_assert_cmpint (has_more, ==, i + 1 < G_N_ELEMENTS (names));
      if (i == 1) /* an old record is dropped between two pages */
        g_ptr_array_remove_index (fixture.history, 0);
    }
  engine_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/show-history/rows", test_rows);
  g_test_add_func ("/engine/show-history/pages", test_pages);
  return g_test_run ();
}
