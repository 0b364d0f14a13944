/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * runner.c: see the header.
 */
#include "config.h"

#include "tests/slt/runner.h"

#include "tests/harness/service-fixture.h"
#include "tests/slt/answer.h"
#include "tests/slt/layouts.h"

#include <string.h>

typedef struct
{
  SltTable *table;
  GPtrArray *schemas; /* SltSchema */
} Relation;

typedef struct
{
  const SltOptions *options;
  const gchar *file;
  SltTotals *totals;
  ServiceFixture fixture;
  GHashTable *relations; /* name in lower case -> Relation */
  GHashTable *dropped;   /* as above: dropped relations that may be created again */
  GHashTable *labels;    /* label -> MD5 of its answer */
  const SltRecord *record;
  GRand *random;
  guint rotation; /* the index of the next schemas, if not all */
  guint n_drops;  /* of tables */
} Runner;

/* Proving a table's layouts takes a while, and some files drop and create the same table a thousand
 * times. So only the first drops, and some of the others, drop the relation. Otherwise it is
 * emptied and kept until it is created again. */
#define FIRST_REAL_DROPS 4
#define REAL_DROPS_EACH 50

void
slt_totals_init (SltTotals *self)
{
  *self = (SltTotals){ .examples = g_string_new (NULL) };
  self->complaints = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->listed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
slt_totals_clear (SltTotals *self)
{
  g_clear_pointer (&self->complaints, g_hash_table_unref);
  g_clear_pointer (&self->listed, g_hash_table_unref);
  g_string_free (self->examples, TRUE);
}

gboolean
slt_totals_are_good (const SltTotals *self)
{
  return self->n_different == 0 && self->n_refused == 0;
}

static void
relation_free (gpointer data)
{
  Relation *self = data;

  slt_table_free (self->table);
  g_ptr_array_unref (self->schemas);
  g_free (self);
}

/* ---- telling */

static void
count (GHashTable *table, const gchar *text)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (table, text));

  g_hash_table_insert (table, g_strdup (text), GUINT_TO_POINTER (n + 1));
}

/* Complaints that differ only in numbers count as one. */
static gchar *
without_numbers (const gchar *text)
{
  GString *out = g_string_new (NULL);

  for (; *text != '\0'; text++)
    if (!g_ascii_isdigit (*text))
      g_string_append_c (out, *text);
    else if (out->len == 0 || out->str[out->len - 1] != '#')
      g_string_append_c (out, '#');
  return g_string_free (out, FALSE);
}

static void
complain (Runner *self, const gchar *sql, const gchar *what, const gchar *details)
{
  g_autofree gchar *key = without_numbers (what);

  count (self->totals->complaints, key);
  if (self->totals->n_different + self->totals->n_refused > self->options->n_examples)
    return;
  g_string_append_printf (self->totals->examples, "%s:%u: %s\n  %s%s\n", self->file,
                          self->record->line, sql, what, details);
}

/* Counts an error, or an unexpected result. @schema: nullable. */
static void
fail (Runner *self, const gchar *sql, const gchar *schema, const GError *error,
      const gchar *details)
{
  const gchar *message = error == NULL ? NULL : error->message;
  const gchar *listed = slt_differences_find (self->options->differences, self->file,
                                              self->record->line, self->record->sql, message);
  g_autofree gchar *what = NULL;

  if (listed != NULL)
    {
      self->totals->n_listed++;
      count (self->totals->listed, listed);
      return;
    }
  if (error == NULL)
    self->totals->n_different++;
  else
    self->totals->n_refused++;
  what = g_strdup_printf ("%s%s", message != NULL ? message : "another answer on ",
                          message != NULL  ? ""
                          : schema == NULL ? "the planner's choice"
                                           : strchr (schema, '_') + 1);
  complain (self, sql, what, details);
}

/* ---- running */

static KvsqlResultPage *
run (Runner *self, const gchar *sql, guint max_rows, GError **error)
{
  KvsqldRequest request = { .max_rows = max_rows };

  return kvsqld_service_query (self->fixture.service, &request, kvsql_slice_from_text (sql), NULL,
                               0, error);
}

/* Fetches all pages of a result. */
static gboolean
fetch (Runner *self, const gchar *sql, SltAnswer *answer, GError **error)
{
  KvsqldRequest request = { .max_rows = self->record->line % 3 == 0 ? 4 : 0 };
  g_autoptr (KvsqlResultPage) page = run (self, sql, request.max_rows, error);

  while (page != NULL)
    {
      g_autoptr (GBytes) cursor = NULL;
      gconstpointer data;
      gsize size;

      if (!slt_answer_add (answer, page, self->record->types))
        {
          g_set_error (error, KVSQL_ERROR, KVSQL_ERROR_INTERNAL, "another number of columns: %u",
                       page->n_columns);
          return FALSE;
        }
      if (page->cursor == NULL)
        return TRUE;
      cursor = g_bytes_ref (page->cursor);
      data = g_bytes_get_data (cursor, &size);
      kvsql_result_page_free (page);
      page
          = kvsqld_service_fetch (self->fixture.service, &request, kvsql_slice (data, size), error);
    }
  return FALSE;
}

static gboolean
fits_label (Runner *self, const SltAnswer *answer)
{
  g_autofree gchar *hash = NULL;
  const gchar *known;

  if (self->record->label == NULL)
    return TRUE;
  hash = slt_answer_hash (answer);
  known = g_hash_table_lookup (self->labels, self->record->label);
  if (known != NULL)
    return g_str_equal (known, hash);
  g_hash_table_insert (self->labels, g_strdup (self->record->label), g_steal_pointer (&hash));
  return TRUE;
}

static gchar *
describe (const SltRecord *record, const SltAnswer *answer)
{
  GString *out = g_string_new ("\n  expected:");

  for (guint i = 0; i < MIN (record->expected->len, 24); i++)
    g_string_append_printf (out, " %s", (const gchar *)record->expected->pdata[i]);
  if (record->hash != NULL)
    g_string_append_printf (out, " %u values hashing to %s", record->n_hashed, record->hash);
  g_string_append (out, "\n  got:     ");
  slt_answer_append (answer, out);
  return g_string_free (out, FALSE);
}

/* FALSE: an error, which other schemas would most likely have, too. */
static gboolean
check_query (Runner *self, const gchar *sql, const gchar *schema)
{
  SltAnswer answer;
  g_autoptr (GError) error = NULL;

  slt_answer_init (&answer, (guint)strlen (self->record->types));
  self->totals->n_runs++;
  if (!fetch (self, sql, &answer, &error))
    fail (self, sql, schema, error, "");
  else if (slt_answer_matches (&answer, self->record) && fits_label (self, &answer))
    self->totals->n_passed++;
  else
    {
      g_autofree gchar *details = describe (self->record, &answer);
      fail (self, sql, schema, NULL, details);
    }
  slt_answer_clear (&answer);
  return error == NULL;
}

static SltTable *
look_up (gpointer data, const gchar *name)
{
  Runner *self = data;
  g_autofree gchar *key = g_ascii_strdown (name, -1);
  Relation *relation = g_hash_table_lookup (self->relations, key);

  return relation == NULL ? NULL : relation->table;
}

static Relation *
find_relation (Runner *self, const gchar *name)
{
  g_autofree gchar *key = name == NULL ? NULL : g_ascii_strdown (name, -1);

  return key == NULL ? NULL : g_hash_table_lookup (self->relations, key);
}

typedef struct
{
  Runner *runner;
  guint at; /* of the next relation's schemas */
} Pick;

/* Each relation of a join has another one of its schemas. */
static const gchar *
pick_schema (gpointer data, const gchar *table)
{
  Pick *self = data;
  const Relation *relation = find_relation (self->runner, table);

  if (relation == NULL || relation->schemas->len == 0)
    return NULL;
  return ((SltSchema *)relation->schemas->pdata[self->at++ % relation->schemas->len])->name;
}

static void
check_query_on_schemas (Runner *self)
{
  g_autofree gchar *sql = slt_rewrite (self->record->sql, look_up, self);
  g_autofree gchar *name = slt_main_table (sql);
  const Relation *relation = find_relation (self, name);
  guint n = relation == NULL ? 0 : relation->schemas->len;
  guint wanted = self->options->n_schemas == 0 ? n : MIN (n, self->options->n_schemas);

  self->totals->n_queries++;
  if (!check_query (self, sql, NULL))
    return;
  for (guint i = 0; i < wanted; i++)
    {
      Pick pick = { .runner = self, .at = self->rotation + i };
      const SltSchema *schema = relation->schemas->pdata[pick.at % n];
      g_autofree gchar *on_schemas = slt_use_schemas (sql, pick_schema, &pick);

      check_query (self, on_schemas, schema->name);
    }
  self->rotation += wanted;
}

/* ---- definitions */

static gboolean
must_run (Runner *self, const gchar *sql, GError **error)
{
  G_GNUC_UNUSED g_autoptr (KvsqlResultPage) page = run (self, sql, 0, error);

  return page != NULL;
}

/* Runs a statement that continues while its rows are fetched. */
static gboolean
must_run_to_end (Runner *self, const gchar *sql, GError **error)
{
  g_autoptr (KvsqlResultPage) page = run (self, sql, 0, error);

  while (page != NULL && page->cursor != NULL)
    {
      g_autoptr (GBytes) cursor = g_bytes_ref (page->cursor);
      gsize size;
      gconstpointer data = g_bytes_get_data (cursor, &size);

      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (self->fixture.service, NULL, kvsql_slice (data, size), error);
    }
  return page != NULL;
}

static gboolean
needs_backfill (const KvsqlResultPage *page)
{
  for (guint i = 0; page->warnings != NULL && i < page->warnings->len; i++)
    if (strstr (page->warnings->pdata[i], "BACKFILL SCHEMA") != NULL)
      return TRUE;
  return FALSE;
}

/* A schema has to be filled if the relation has tuples, or if its tables have old cells. */
static gboolean
define_and_fill (Runner *self, const SltSchema *schema, GError **error)
{
  g_autoptr (KvsqlResultPage) page = run (self, schema->sql, 0, error);
  g_autofree gchar *backfill = g_strdup_printf ("BACKFILL SCHEMA %s", schema->name);

  return page != NULL && (!needs_backfill (page) || must_run_to_end (self, backfill, error));
}

/* A layout that cannot be defined counts as an error and is omitted. */
static void
define_schema (Runner *self, Relation *relation, SltSchema *schema)
{
  g_autoptr (GError) error = NULL;

  if (define_and_fill (self, schema, &error))
    g_ptr_array_add (relation->schemas, schema);
  else
    {
      fail (self, schema->sql, NULL, error, "");
      slt_schema_free (schema);
    }
}

static gboolean
define_relation (Runner *self, SltTable *table, GError **error)
{
  g_autofree gchar *sql = slt_table_define (table);
  g_autoptr (GPtrArray) schemas = NULL;
  Relation *relation;

  if (!must_run (self, sql, error))
    {
      slt_table_free (table);
      return FALSE;
    }
  relation = g_new0 (Relation, 1);
  relation->table = table;
  relation->schemas = g_ptr_array_new_with_free_func ((GDestroyNotify)slt_schema_free);
  g_hash_table_insert (self->relations, g_ascii_strdown (table->name, -1), relation);
  schemas = slt_layouts_define (table, self->options->layouts, self->options->is_shared);
  while (schemas->len > 0)
    define_schema (self, relation, g_ptr_array_steal_index (schemas, 0));
  return TRUE;
}

/* Reuses a dropped relation that was kept. */
static gboolean
revive_relation (Runner *self, const SltTable *table, GError **error)
{
  g_autofree gchar *key = g_ascii_strdown (table->name, -1), *sql = slt_table_define (table),
                   *drop = g_strdup_printf ("DROP RELATION %s", table->name);
  g_autofree gchar *old_sql = NULL, *old_key = NULL;
  Relation *relation;

  if (!g_hash_table_steal_extended (self->dropped, key, (gpointer *)&old_key,
                                    (gpointer *)&relation))
    return FALSE;
  old_sql = slt_table_define (relation->table);
  if (g_str_equal (sql, old_sql))
    {
      g_hash_table_insert (self->relations, g_steal_pointer (&key), relation);
      return TRUE;
    }
  relation_free (relation);
  must_run (self, drop, error);
  return FALSE;
}

static gboolean
create_table (Runner *self, const SltWords *words, GError **error)
{
  SltTable *table = slt_table_parse (words, error);
  GError *failure = NULL;
  gboolean is_there;

  if (table == NULL)
    return FALSE;
  if (look_up (self, table->name) != NULL)
    g_set_error (&failure, KVSQL_ERROR, KVSQL_ERROR_ALREADY_EXISTS, "table \"%s\" already exists",
                 table->name);
  is_there = failure == NULL && revive_relation (self, table, &failure);
  if (failure == NULL && !is_there)
    return define_relation (self, table, error);
  slt_table_free (table);
  if (failure != NULL)
    g_propagate_error (error, failure);
  return is_there;
}

/* The rows of a query as an INSERT INTO @name; NULL: it has none. (transfer full) */
static gchar *
dump (Runner *self, const gchar *query, const gchar *name, GError **error)
{
  g_autoptr (KvsqlResultPage) page = run (self, query, 0, error);
  GString *insert;

  if (page == NULL || page->rows->n_rows == 0)
    return NULL;
  insert = g_string_new (NULL);
  g_string_append_printf (insert, "INSERT INTO %s VALUES ", name);
  for (guint row = 0; row < page->rows->n_rows; row++)
    {
      g_string_append (insert, row > 0 ? "), (" : "(");
      for (guint c = 0; c < page->n_columns; c++)
        {
          KvsqlValue value = kvsql_vector_get (&page->rows->columns[c], row);
          g_string_append (insert, c > 0 ? ", " : "");
          kvsql_value_append_literal (&value, insert);
        }
    }
  g_string_append_c (insert, ')');
  return g_string_free (insert, FALSE);
}

static gboolean
create_index (Runner *self, const SltWords *words, GError **error)
{
  g_autofree gchar *name = NULL;
  SltIndex *index = slt_index_parse (words, &name, error);
  Relation *relation = find_relation (self, name);

  if (index == NULL || relation == NULL)
    {
      slt_index_free (index);
      g_set_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME, "no such table");
      return FALSE;
    }
  g_ptr_array_add (relation->table->indexes, index);
  define_schema (self, relation,
                 slt_layouts_define_index (relation->table, index, self->options->is_shared));
  return TRUE;
}

static gboolean
drop_schema (Runner *self, Relation *relation, guint index, GError **error)
{
  const SltIndex *which = relation->table->indexes->pdata[index];
  g_autofree gchar *name = g_strdup_printf ("%s_%s", relation->table->name, which->name);
  g_autofree gchar *sql = g_strdup_printf ("DROP SCHEMA %s", name);

  if (!must_run (self, sql, error))
    return FALSE;
  for (guint s = relation->schemas->len; s-- > 0;)
    if (g_str_equal (((SltSchema *)relation->schemas->pdata[s])->name, name))
      g_ptr_array_remove_index (relation->schemas, s);
  g_ptr_array_remove_index (relation->table->indexes, index);
  return TRUE;
}

/* Cells of other schemas than the primary stay in the tables, which belong to the next relation of
 * that name. Its schemas must not read them as tuples. */
static gboolean
drop_for_good (Runner *self, Relation *relation, GError **error)
{
  const gchar *name = relation->table->name;
  g_autofree gchar *empty = g_strdup_printf ("DELETE FROM %s", name);
  g_autofree gchar *drop = g_strdup_printf ("DROP RELATION %s", name);

  for (guint s = relation->schemas->len; s-- > 1;)
    {
      const SltSchema *schema = relation->schemas->pdata[s];
      g_autofree gchar *sql = g_strdup_printf ("DROP SCHEMA %s", schema->name);

      if (!must_run (self, sql, error))
        return FALSE;
    }
  return must_run (self, empty, error) && must_run (self, drop, error);
}

static gboolean
drop_for_now (Runner *self, Relation *relation, GError **error)
{
  g_autofree gchar *empty = g_strdup_printf ("DELETE FROM %s", relation->table->name);

  if (!must_run (self, empty, error))
    return FALSE;
  while (relation->table->indexes->len > 0)
    if (!drop_schema (self, relation, relation->table->indexes->len - 1, error))
      return FALSE;
  relation->table->last_row = 0;
  return TRUE;
}

static gboolean
drop_relation (Runner *self, const gchar *name, GError **error)
{
  g_autofree gchar *key = g_ascii_strdown (name, -1), *old_key = NULL;
  Relation *relation = g_hash_table_lookup (self->relations, key);
  guint n = self->n_drops++;
  gboolean is_real = n < FIRST_REAL_DROPS || n % REAL_DROPS_EACH == 0;

  if (!(is_real ? drop_for_good : drop_for_now) (self, relation, error))
    return FALSE;
  g_hash_table_steal_extended (self->relations, key, (gpointer *)&old_key, NULL);
  if (is_real)
    relation_free (relation);
  else
    g_hash_table_insert (self->dropped, g_steal_pointer (&key), relation);
  return TRUE;
}

static gboolean
drop_table (Runner *self, const SltWords *words, GError **error)
{
  guint at = slt_words_are (words, 2, "IF", "EXISTS", NULL) ? 4 : 2;
  g_autofree gchar *name = slt_words_dup (words, at);

  if (look_up (self, name) != NULL)
    return drop_relation (self, name, error);
  if (at == 4)
    return TRUE;
  g_set_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME, "no such table");
  return FALSE;
}

static gboolean
drop_index (Runner *self, const SltWords *words, GError **error)
{
  g_autofree gchar *name = slt_words_dup (words, 2);
  GHashTableIter iterator;
  gpointer value;

  g_hash_table_iter_init (&iterator, self->relations);
  while (g_hash_table_iter_next (&iterator, NULL, &value))
    {
      Relation *relation = value;
      for (guint i = 0; i < relation->table->indexes->len; i++)
        if (g_ascii_strcasecmp (((SltIndex *)relation->table->indexes->pdata[i])->name, name) == 0)
          return drop_schema (self, relation, i, error);
    }
  g_set_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_NAME, "no such index");
  return FALSE;
}

/* ---- statements */

/* INSERT INTO t SELECT … for a table with a slt_row, which the SELECT does not have. */
static gboolean
insert_rows (Runner *self, const SltWords *words, GError **error)
{
  g_autofree gchar *name = slt_words_dup (words, 2);
  g_autofree gchar *query = slt_rewrite (words->sql + slt_words_offset (words, 3), look_up, self);
  GError *failure = NULL;
  g_autofree gchar *plain = dump (self, query, name, &failure);
  g_autofree gchar *insert = plain == NULL ? NULL : slt_rewrite (plain, look_up, self);

  if (failure != NULL)
    g_propagate_error (error, failure);
  return failure == NULL && (insert == NULL || must_run (self, insert, error));
}

/* Whether it is an INSERT … SELECT into a table that needs a slt_row. */
static gboolean
needs_rows (Runner *self, const SltWords *words)
{
  g_autofree gchar *name = slt_words_dup (words, 2);
  const SltTable *table = look_up (self, name);

  return slt_words_are (words, 0, "INSERT", "INTO", NULL) && slt_words_is (words, 3, "SELECT")
         && table != NULL && table->has_row;
}

/* Each view reads another one of the schemas of its table, since its own queries cannot say which.
 */
static gboolean
create_view (Runner *self, GError **error)
{
  g_autofree gchar *sql = slt_rewrite (self->record->sql, look_up, self);
  Pick pick = { .runner = self, .at = self->rotation++ };
  g_autofree gchar *on_schema = slt_use_schemas (sql, pick_schema, &pick);

  return must_run (self, on_schema, error);
}

static gboolean
execute_statement (Runner *self, GError **error)
{
  g_auto (SltWords) words = { 0 };
  g_autofree gchar *sql = NULL;

  slt_words_init (&words, self->record->sql);
  if (slt_words_are (&words, 0, "CREATE", "TABLE", NULL))
    return create_table (self, &words, error);
  if (slt_words_are (&words, 0, "CREATE", "INDEX", NULL)
      || slt_words_are (&words, 0, "CREATE", "UNIQUE", "INDEX", NULL))
    return create_index (self, &words, error);
  if (slt_words_are (&words, 0, "CREATE", "VIEW", NULL))
    return create_view (self, error);
  if (slt_words_are (&words, 0, "DROP", "TABLE", NULL))
    return drop_table (self, &words, error);
  if (slt_words_are (&words, 0, "DROP", "INDEX", NULL))
    return drop_index (self, &words, error);
  if (needs_rows (self, &words))
    return insert_rows (self, &words, error);
  sql = slt_rewrite (self->record->sql, look_up, self);
  return must_run (self, sql, error);
}

static void
check_statement (Runner *self)
{
  g_autoptr (GError) error = NULL;
  gboolean is_done = execute_statement (self, &error);

  self->totals->n_statements++;
  if (is_done == self->record->is_error)
    fail (self, self->record->sql, NULL, error, is_done ? "\n  but it must be refused" : "");
}

/* ---- files */

static void
runner_open (Runner *self)
{
  service_fixture_open (&self->fixture, self->options->store);
  self->relations = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, relation_free);
  self->dropped = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, relation_free);
  self->labels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->random = g_rand_new_with_seed (self->options->seed ^ g_str_hash (self->file));
}

static void
runner_close (Runner *self)
{
  service_fixture_close (&self->fixture);
  g_hash_table_unref (self->relations);
  g_hash_table_unref (self->dropped);
  g_hash_table_unref (self->labels);
  g_rand_free (self->random);
}

gboolean
slt_run_file (const gchar *path, const gchar *name, const SltOptions *options, SltTotals *totals,
              GError **error)
{
  Runner self = { .options = options, .file = name, .totals = totals };
  g_autoptr (SltScript) script = slt_script_load (path, error);

  if (script == NULL)
    return FALSE;
  runner_open (&self);
  for (guint i = 0; i < script->records->len; i++)
    {
      self.record = script->records->pdata[i];
      if (!slt_record_is_for (self.record, options->database))
        totals->n_skipped++;
      else if (self.record->kind == SLT_HALT)
        {
          totals->n_skipped += script->records->len - i - 1;
          break;
        }
      else if (self.record->kind == SLT_STATEMENT)
        check_statement (&self);
      else if (g_rand_double_range (self.random, 0, 100) < options->percent)
        check_query_on_schemas (&self);
    }
  runner_close (&self);
  return TRUE;
}
