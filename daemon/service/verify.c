/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.c: VERIFY SCHEMA and REPAIR SCHEMA.
 *
 * Each page is about a second of work, with the differences that were found, or without rows. The
 * cursor holds the pass and its position, so any daemon can resume. If the client stops fetching,
 * the work ends.
 */
#include "config.h"

#include "core/maintain/compare.h"
#include "core/scan/tuple-key.h"
#include "core/plan/bind.h"
#include "daemon/service/service-private.h"

#define PAGE_US G_TIME_SPAN_SECOND
#define PAGE_ROWS 1000
#define GATHER_BYTES (256 * 1024 * 1024)

/* The parameters of the cursor. */
enum
{
  WALK, /* the pass; 0: from the primary, 1: from the schema */
  N_WANTED,
  N_TUPLES,
  N_CELLS,
  N_FOUND, /* and the next two, by kind of difference */
  N_COUNTERS = N_FOUND + KVSQL_N_DIFFERENCES,
};

typedef struct
{
  KvsqldContext *context;
  KvsqlResultPage *page;
  guint64 counters[N_COUNTERS];
  KvsqlScanPosition position;
  gboolean is_repair;
} Walk;

static guint64
n_found (const Walk *self)
{
  return self->counters[N_FOUND] + self->counters[N_FOUND + 1] + self->counters[N_FOUND + 2];
}

static void
found (KvsqlDifferenceKind kind, const KvsqlValue *tuple, const gchar *what, gpointer data)
{
  static const gchar *const kinds[] = { "missing", "different", "extra" };
  Walk *self = data;
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (
      self->context->catalog, &self->context->statement->maintain.schema);
  g_autofree gchar *key = kvsql_tuple_print_key (schema->relation, tuple);

  if (n_found (self) < self->counters[N_WANTED])
    kvsql_result_page_add_row (self->page, (const gchar *[]){ kinds[kind], key, what });
  self->counters[N_FOUND + kind]++;
}

/* ---- one step of a pass */

static gboolean
step_tuples (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  g_autoptr (KvsqlTupleChunk) chunk = kvsql_tuple_chunk_read (
      comparison->engine, comparison->entry, self->position.has_row ? &self->position : NULL,
      GATHER_BYTES, comparison->call, error);

  if (chunk == NULL || !kvsql_compare_tuples (comparison, chunk, error))
    return FALSE;
  self->counters[N_TUPLES] += chunk->tuples->len;
  *out_has_next = chunk->has_next;
  if (chunk->has_next)
    self->position = kvsql_scan_position_dup (&chunk->next, self->context->arena);
  return TRUE;
}

static gboolean
step_cells (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  KvsqlScanPosition next;
  guint64 n;

  if (!kvsql_compare_cells (comparison, self->position.has_row ? &self->position : NULL,
                            self->context->arena, out_has_next, &next, &n, error))
    return FALSE;
  self->counters[N_CELLS] += n;
  if (*out_has_next)
    self->position = next;
  return TRUE;
}

/* TRUE with *out_is_over at the end of both passes, or of the one that was asked for. */
static gboolean
step (Walk *self, const KvsqlComparison *comparison, gboolean *out_is_over, GError **error)
{
  gboolean has_next;

  *out_is_over = FALSE;
  if (!(self->counters[WALK] == 0 ? step_tuples : step_cells) (self, comparison, &has_next, error))
    return FALSE;
  if (!has_next)
    {
      *out_is_over = self->counters[WALK] == 1;
      self->counters[WALK]++;
      self->position = (KvsqlScanPosition){ 0 };
    }
  *out_is_over = *out_is_over || (!self->is_repair && n_found (self) >= self->counters[N_WANTED]);
  return TRUE;
}

/* ---- pages */

static GBytes *
seal (Walk *self)
{
  KvsqlValue *values = kvsql_arena_array (self->context->arena, KvsqlValue, N_COUNTERS);

  for (guint i = 0; i < N_COUNTERS; i++)
    values[i] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = (gint64)self->counters[i] };
  return kvsqld_seal_statement (self->context, &self->position, values, N_COUNTERS);
}

/* Adds a warning if differences remain. */
static void
summarize (Walk *self)
{
  const guint64 *found_of = self->counters + N_FOUND;

  if (n_found (self) == 0)
    kvsql_result_page_note (self->page,
                            "%" G_GUINT64_FORMAT " tuples and %" G_GUINT64_FORMAT
                            " cells were compared, and nothing differs",
                            self->counters[N_TUPLES], self->counters[N_CELLS]);
  else
    (self->is_repair ? kvsql_result_page_note : kvsql_result_page_warn) (
        self->page,
        "%" G_GUINT64_FORMAT " tuples and %" G_GUINT64_FORMAT " cells were compared: "
        "%" G_GUINT64_FORMAT " missing, %" G_GUINT64_FORMAT " different, %" G_GUINT64_FORMAT
        " extra%s",
        self->counters[N_TUPLES], self->counters[N_CELLS], found_of[KVSQL_DIFFERENCE_MISSING],
        found_of[KVSQL_DIFFERENCE_DIFFERENT], found_of[KVSQL_DIFFERENCE_EXTRA],
        self->is_repair ? ", and mended" : "");
}

static const KvsqlSchema *
find_schema (KvsqldContext *context, const KvsqlCatalogEntry **out_entry, GError **error)
{
  const KvsqlName *name = &context->statement->maintain.schema;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (context->catalog, name, error);
  KvsqlName relation;

  if (schema == NULL)
    return NULL;
  if (schema->is_primary || schema->options.role == KVSQL_ROLE_READ)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "schema \"%s\" is %s", schema->name,
                       schema->is_primary ? "the primary, which others are compared with"
                                          : "only read, and not kept in step");
      return NULL;
    }
  if (!kvsql_schema_is_filled (schema))
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "schema \"%s\" is not filled yet",
                       schema->name);
      kvsql_error_hint (error, "Fill it with BACKFILL SCHEMA %s.", schema->name);
      return NULL;
    }
  relation = (KvsqlName){ .span = name->span,
                          .text = schema->relation->name,
                          .is_quoted = schema->relation->is_quoted };
  *out_entry = kvsql_plan_find_relation (context->catalog, &relation, error);
  return *out_entry != NULL ? schema : NULL;
}

static KvsqlResultPage *
next_page (Walk *self, gboolean is_first, GError **error)
{
  static const gchar *const names[] = { "difference", "key", "cell" };
  KvsqldContext *context = self->context;
  KvsqlComparison comparison = { .engine = context->service->engine,
                                 .call = &context->call,
                                 .repairs = self->is_repair,
                                 .func = found,
                                 .data = self };
  gint64 now = g_get_monotonic_time ();
  gint64 until_us = MIN (now + PAGE_US, now + (context->call.deadline_us - now) / 2);
  gboolean is_over = FALSE;

  comparison.schema = find_schema (context, &comparison.entry, error);
  if (comparison.schema == NULL)
    return NULL;
  self->page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  is_over = !self->is_repair && self->counters[N_WANTED] == 0;
  while (!is_over && self->page->rows->n_rows < PAGE_ROWS && g_get_monotonic_time () < until_us)
    if (!step (self, &comparison, &is_over, error))
      {
        kvsql_result_page_free (self->page);
        return NULL;
      }
  if (!is_over)
    self->page->cursor = seal (self);
  else
    summarize (self);
  if (!is_first)
    kvsql_result_page_forget_columns (self->page);
  return self->page;
}

static Walk
begin (KvsqldContext *context)
{
  return (Walk){ .context = context,
                 .is_repair = context->statement->kind == KVSQL_STATEMENT_REPAIR };
}

KvsqlResultPage *
kvsqld_run_verify (KvsqldContext *context, GError **error)
{
  Walk walk = begin (context);
  KvsqlBinder binder = kvsqld_context_get_binder (context);

  if (!kvsql_bind_count (&binder, context->statement->maintain.limit, "LIMIT", KVSQL_NO_LIMIT,
                         &walk.counters[N_WANTED], error))
    return NULL;
  return next_page (&walk, TRUE, error);
}

KvsqlResultPage *
kvsqld_fetch_verify (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  Walk walk = begin (context);

  if (token->n_parameters != N_COUNTERS)
    {
      kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE,
                       "this is not a cursor of that statement");
      return NULL;
    }
  for (guint i = 0; i < N_COUNTERS; i++)
    walk.counters[i] = (guint64)token->parameters[i].integer;
  walk.position = token->position.scan;
  return next_page (&walk, FALSE, error);
}
