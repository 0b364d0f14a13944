/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * engine-fixture.c: see the header.
 */
#include "config.h"

#include "tests/engine/engine-fixture.h"

#include "core/catalog/stored-definition.h"
#include "core/engine/write.h"
#include "core/sql/parser.h"
#include "core/store/memory.h"

static void
note_skipped (const KvsqlSchema *schema, guint64 n, const gchar *const *samples, guint n_samples,
              gpointer data)
{
  EngineFixture *self = data;

  self->n_skipped += n;
}

static GPtrArray *
list_history (const gchar *name, gpointer data, GError **error)
{
  EngineFixture *self = data;
  GPtrArray *records = g_ptr_array_new ();

  for (guint i = 0; i < self->history->len; i++)
    {
      KvsqlDefinitionRecord *record = self->history->pdata[i];

      if (name == NULL || strcmp (name, record->name) == 0)
        g_ptr_array_add (records, record);
    }
  return records;
}

static gchar *
describe_filling (const KvsqlSchema *schema, gpointer data)
{
  return g_strdup_printf ("filling of %s", schema->name);
}

void
engine_fixture_open (EngineFixture *self, const gchar *const *definitions)
{
  KvsqlCatalog *catalog = kvsql_catalog_new (1);

  for (guint i = 0; definitions[i] != NULL; i++)
    kvsql_catalog_add_definition (catalog, NULL, definitions[i]);
  g_assert_cmpstr (catalog->load_errors->len > 0 ? catalog->load_errors->pdata[0] : NULL, ==, NULL);
  *self
      = (EngineFixture){ .store = kvsql_memory_store_new (),
                         .arena = kvsql_arena_new (),
                         .history = g_ptr_array_new_with_free_func (kvsql_definition_record_free) };
  self->call.deadline_us = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  self->execution = (KvsqlExecution){ .storage = kvsql_storage_new (self->store),
                                      .catalog = catalog,
                                      .binder = { .arena = self->arena },
                                      .limits = { .sort_bytes = 1 << 20 },
                                      .call = &self->call,
                                      .data = self,
                                      .skipped = note_skipped,
                                      .list_history = list_history,
                                      .describe_filling = describe_filling };
}

void
engine_fixture_close (EngineFixture *self)
{
  kvsql_storage_free (self->execution.storage);
  kvsql_store_close (self->store);
  kvsql_catalog_unref (self->execution.catalog);
  kvsql_arena_free (self->arena);
  g_ptr_array_unref (self->history);
}

const KvsqlAstStatement *
engine_fixture_parse (EngineFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), self->arena, &error);

  g_assert_no_error (error);
  return statement;
}

void
engine_fixture_write (EngineFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsql_execute_write_page (&self->execution, engine_fixture_parse (self, sql), &error);

  g_assert_no_error (error);
}

KvsqlSelectPlan *
engine_fixture_plan (EngineFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  KvsqlSelectPlan *plan = kvsql_execution_plan_select (
      &self->execution, &engine_fixture_parse (self, sql)->select, &error);

  g_assert_no_error (error);
  return plan;
}

gchar *
engine_fixture_text (const KvsqlResultPage *page)
{
  GString *out = g_string_new (NULL);

  for (guint row = 0; row < page->rows->n_rows; row++)
    for (guint i = 0; i < page->n_columns; i++)
      {
        KvsqlValue value = kvsql_vector_get (&page->rows->columns[i], row);

        if (i > 0)
          g_string_append_c (out, '|');
        else if (row > 0)
          g_string_append_c (out, '\n');
        kvsql_value_append_text (&value, out);
      }
  return g_string_free (out, FALSE);
}

gchar *
engine_fixture_names (const KvsqlResultColumn *columns, guint n)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? "|" : "", columns[i].name);
  return g_string_free (names, FALSE);
}
