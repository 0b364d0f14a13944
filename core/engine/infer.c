/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * infer.c: see infer.h.
 */
#include "config.h"

#include "core/engine/infer.h"

#include "core/base/interrupt.h"
#include "core/catalog/store-table.h"
#include "core/engine/infer-proof.h"
#include "core/scan/store-tables.h"
#include "core/sql/lexer.h"

#define DEFAULT_ROWS 2000
#define MAX_ROWS 100000
/* Definitions are compared on about so many cells. */
#define MAX_FIRST_CELLS 20000
/* The first one, and two more. */
#define MAX_READINGS 3

/* The last part of the table's name, as far as it can be a name, and unused. */
static gchar *
choose_name (const KvsqlExecution *execution, KvsqlSlice table)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree gchar *chosen = NULL;

  for (gsize i = 0; i < table.size; i++)
    if (table.data[i] == ':')
      g_string_truncate (name, 0);
    else if (g_ascii_isalnum ((gchar)table.data[i]))
      g_string_append_c (name, g_ascii_tolower ((gchar)table.data[i]));
    else if (name->len > 0 && name->str[name->len - 1] != '_')
      g_string_append_c (name, '_');
  if (name->len == 0 || g_ascii_isdigit (name->str[0])
      || kvsql_keyword_is_reserved (kvsql_keyword_find (name->str, name->len)))
    g_string_prepend (name, "t_");
  chosen = g_strdup (name->str);
  for (guint i = 2;; i++)
    {
      const KvsqlName used = { .text = chosen };

      if (kvsql_catalog_lookup (execution->catalog, &used) == NULL)
        return g_steal_pointer (&chosen);
      g_free (chosen);
      chosen = g_strdup_printf ("%s_%u", name->str, i);
    }
}

/* ---- proofs of all that was found: the shortest first */

static void
proof_free (gpointer data)
{
  kvsql_infer_proof_free (data);
}

static gint
compare_proofs (gconstpointer a, gconstpointer b)
{
  const KvsqlInferProof *x = *(const KvsqlInferProof *const *)a;
  const KvsqlInferProof *y = *(const KvsqlInferProof *const *)b;

  if ((x->error != NULL) != (y->error != NULL))
    return x->error != NULL ? 1 : -1;
  return (x->bits > y->bits) - (x->bits < y->bits);
}

/* Some differ in names only. */
static gboolean
is_known (const GPtrArray *proofs, guint n, const KvsqlInferProof *proof)
{
  for (guint i = 0; i < n; i++)
    {
      const KvsqlInferProof *other = proofs->pdata[i];
      g_autofree gchar *fields
          = kvsql_inferred_definition_compare (proof->definition, other->definition);

      if (fields == NULL)
        return TRUE;
    }
  return FALSE;
}

static void
prove (const KvsqlInferredDefinition *definition, KvsqlSlice table, const KvsqlInferSample *sample,
       guint step, GPtrArray *out)
{
  g_ptr_array_add (out, kvsql_infer_proof_new (definition, table, sample, step));
}

/* Of many cells, some tell which definitions are the best, and only these are proved on all. */
static GPtrArray *
prove_all (const GPtrArray *definitions, KvsqlSlice table, const KvsqlInferSample *sample)
{
  g_autoptr (GPtrArray) out = g_ptr_array_new_with_free_func (proof_free);
  g_autoptr (GPtrArray) best = g_ptr_array_new_with_free_func (proof_free);
  guint step = 1 + sample->rows.n_cells / MAX_FIRST_CELLS;

  for (guint i = 0; i < definitions->len && kvsql_interrupt_tick (); i++)
    prove (definitions->pdata[i], table, sample, step, out);
  g_ptr_array_sort (out, compare_proofs);
  if (step == 1)
    return g_steal_pointer (&out);
  for (guint i = 0; i < out->len && best->len < MAX_READINGS && kvsql_interrupt_tick (); i++)
    if (!is_known (out, i, out->pdata[i]))
      prove (((const KvsqlInferProof *)out->pdata[i])->definition, table, sample, 1, best);
  g_ptr_array_sort (best, compare_proofs);
  return g_steal_pointer (&best);
}

/* ---- the answer */

static void
add_row (KvsqlResultPage *page, const gchar *definition, const gchar *note, const gchar *about)
{
  kvsql_result_page_add_row (page, (const gchar *[]){ definition, note, about });
}

static gchar *
dup_sample_text (const KvsqlInferSample *sample)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, "a guess from %u row%s", sample->rows.n_rows,
                          sample->rows.n_rows == 1 ? "" : "s");
  if (sample->is_whole)
    g_string_append (out, sample->rows.n_rows == 1 ? ", which is all" : ", which are all");
  else
    g_string_append_printf (out, ": %u from the start", sample->n_first);
  if (sample->n_between > 0)
    g_string_append_printf (out, ", %u from %u places between", sample->n_between,
                            sample->n_places);
  if (sample->n_last > 0)
    g_string_append_printf (out, ", %u from the end", sample->n_last);
  g_string_append_printf (out, "; %" G_GSIZE_FORMAT " bytes", sample->n_bytes);
  return g_string_free (out, FALSE);
}

/* Each relation and each schema is a row; only the first has the note. */
static void
add_statements (KvsqlResultPage *page, const KvsqlInferredDefinition *definition,
                const gchar *first_note, const gchar *second_note, const gchar *about)
{
  for (guint i = 0; i < definition->relations->len; i++)
    {
      const KvsqlInferredRelation *relation = definition->relations->pdata[i];

      add_row (page, relation->relation, i == 0 ? first_note : "", about);
      add_row (page, relation->schema, i == 0 ? second_note : "", about);
    }
}

static void
add_definition (KvsqlResultPage *page, const KvsqlInferProof *proof, const KvsqlInferSample *sample)
{
  g_autofree gchar *read = dup_sample_text (sample);
  g_autofree gchar *fit = g_strdup_printf ("%u of %u rows fit", proof->n_fit, sample->rows.n_rows);

  add_statements (page, proof->definition, read, fit, "definition");
}

static void
add_texts (KvsqlResultPage *page, const GPtrArray *texts, const gchar *before, const gchar *about)
{
  for (guint i = 0; i < texts->len; i++)
    {
      g_autofree gchar *note = g_strdup_printf ("%s%s", before, (const gchar *)texts->pdata[i]);

      add_row (page, NULL, note, about);
    }
}

static void
add_reading (KvsqlResultPage *page, const KvsqlInferProof *proof, const gchar *fields, guint n_rows)
{
  g_autofree gchar *note = g_strdup_printf ("a further reading, with %s; %u of %u rows fit", fields,
                                            proof->n_fit, n_rows);

  add_statements (page, proof->definition, note, "", "reading");
  add_texts (page, proof->undecodable, "this reading does not fit: ", "reading");
}

static void
add_readings (KvsqlResultPage *page, const GPtrArray *proofs, guint n_rows)
{
  const KvsqlInferProof *first = proofs->pdata[0];
  guint n = 1;

  for (guint i = 1; i < proofs->len && n < MAX_READINGS; i++)
    {
      const KvsqlInferProof *proof = proofs->pdata[i];
      g_autofree gchar *fields
          = kvsql_inferred_definition_compare (proof->definition, first->definition);

      if (proof->error != NULL || is_known (proofs, i, proof))
        continue;
      add_reading (page, proof, fields, n_rows);
      n++;
    }
}

static void
add_users (const KvsqlExecution *execution, KvsqlSlice table, KvsqlResultPage *page)
{
  const KvsqlCatalog *catalog = execution->catalog;

  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      for (guint s = 0; s < entry->n_schemas; s++)
        if (kvsql_schema_may_use_table (entry->schemas[s], table))
          {
            g_autofree gchar *note
                = g_strdup_printf ("relation %s uses this table already, by its schema %s",
                                   entry->relation->name, entry->schemas[s]->name);

            add_row (page, NULL, note, "note");
          }
    }
}

/* At least one proof. */
static KvsqlResultPage *
show (const KvsqlExecution *execution, KvsqlSlice table, const GPtrArray *proofs,
      const KvsqlInferSample *sample)
{
  static const gchar *const columns[] = { "definition", "note", "about" };
  KvsqlResultPage *page = kvsql_result_page_new_table (columns, G_N_ELEMENTS (columns));
  const KvsqlInferProof *first = proofs->pdata[0];

  add_definition (page, first, sample);
  if (first->error != NULL)
    kvsql_result_page_warn (page, "the definition is not possible as it is: %s", first->error);
  add_users (execution, table, page);
  add_texts (page, first->definition->notes, "", "note");
  add_texts (page, first->undecodable, "does not fit: ", "undecodable");
  add_readings (page, proofs, sample->rows.n_rows);
  add_texts (page, first->shown, "", "row");
  return page;
}

KvsqlResultPage *
kvsql_execute_infer (const KvsqlExecution *execution, const KvsqlName *name, guint64 max_rows,
                     GError **error)
{
  KvsqlStore *store = kvsql_execution_get_store (execution);
  const KvsqlCatalogEntry *entry = kvsql_catalog_find_store_table (execution->catalog, name, error);
  g_auto (KvsqlInferSample) sample = { 0 };
  g_autoptr (GPtrArray) definitions = NULL, proofs = NULL;
  g_autofree gchar *relation = NULL;
  KvsqlSlice table;

  if (entry == NULL || !kvsql_check_store_table (entry, store, execution->call, error))
    return NULL;
  table = entry->schemas[0]->table;
  if (!kvsql_infer_sample_read (&sample, store, table,
                                (guint)MIN (max_rows > 0 ? max_rows : DEFAULT_ROWS, MAX_ROWS),
                                execution->call, error))
    return NULL;
  if (sample.rows.n_rows == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                       "the table has no rows, so nothing can be said of its layout");
      return NULL;
    }
  relation = choose_name (execution, table);
  definitions = kvsql_infer_definitions (name->text + strlen ("TABLE "), relation, &sample.rows);
  proofs = prove_all (definitions, table, &sample);
  if (!kvsql_interrupt_check (error))
    return NULL;
  if (proofs->len == 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "no layout fits the rows");
      return NULL;
    }
  return show (execution, table, proofs, &sample);
}
