/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-verify.c: VERIFY SCHEMA and REPAIR SCHEMA.
 *
 * Each page is about a second of work, with the differences that were found; it may have none. The
 * cursor says which walk goes on where, so any daemon can, and a client that leaves ends it.
 */
#include "config.h"

#include "core/exec/compare.h"
#include "core/plan/bind.h"
#include "daemon/service-private.h"

#define PAGE_US G_TIME_SPAN_SECOND
#define PAGE_ROWS 1000
#define GATHER_BYTES (256 * 1024 * 1024)

/* What the cursor carries as parameters. */
enum
{
  WALK, /* 0: from the primary, 1: from the schema */
  N_WANTED,
  N_TUPLES,
  N_CELLS,
  N_FOUND, /* and the next two, by kind of difference */
  N_COUNTERS = N_FOUND + KVSQL_N_DIFFERENCES,
};

typedef struct
{
  KvsqldTask *task;
  KvsqldPage *page;
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
  const KvsqlSchema *schema
      = kvsql_catalog_lookup_schema (self->task->catalog, &self->task->statement->maintain.schema);
  g_autofree gchar *key = kvsql_tuple_print_key (schema->relation, tuple);

  if (n_found (self) < self->counters[N_WANTED])
    kvsqld_page_add_row (self->page, (const gchar *[]){ kinds[kind], key, what });
  self->counters[N_FOUND + kind]++;
}

/* ---- one step of a walk */

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
    self->position = kvsql_scan_position_dup (&chunk->next, self->task->arena);
  return TRUE;
}

static gboolean
step_cells (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  KvsqlScanPosition next;
  guint64 n;

  if (!kvsql_compare_cells (comparison, self->position.has_row ? &self->position : NULL,
                            self->task->arena, out_has_next, &next, &n, error))
    return FALSE;
  self->counters[N_CELLS] += n;
  if (*out_has_next)
    self->position = next;
  return TRUE;
}

/* TRUE with *out_is_over at the end of both walks, or of what was asked for. */
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
  KvsqlValue *values = kvsql_arena_array (self->task->arena, KvsqlValue, N_COUNTERS);

  for (guint i = 0; i < N_COUNTERS; i++)
    values[i] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = (gint64)self->counters[i] };
  return kvsqld_seal_statement (self->task, &self->position, values, N_COUNTERS);
}

/* Differences that stay are a reason for a warning. */
static void
summarize (Walk *self)
{
  const guint64 *found_of = self->counters + N_FOUND;

  if (n_found (self) == 0)
    kvsqld_page_note (self->page,
                      "%" G_GUINT64_FORMAT " tuples and %" G_GUINT64_FORMAT
                      " cells were compared, and nothing differs",
                      self->counters[N_TUPLES], self->counters[N_CELLS]);
  else
    (self->is_repair ? kvsqld_page_note : kvsqld_page_warn) (
        self->page,
        "%" G_GUINT64_FORMAT " tuples and %" G_GUINT64_FORMAT " cells were compared: "
        "%" G_GUINT64_FORMAT " missing, %" G_GUINT64_FORMAT " different, %" G_GUINT64_FORMAT
        " extra%s",
        self->counters[N_TUPLES], self->counters[N_CELLS], found_of[KVSQL_DIFFERENCE_MISSING],
        found_of[KVSQL_DIFFERENCE_DIFFERENT], found_of[KVSQL_DIFFERENCE_EXTRA],
        self->is_repair ? ", and mended" : "");
}

static const KvsqlSchema *
find_schema (KvsqldTask *task, const KvsqlCatalogEntry **out_entry, GError **error)
{
  const KvsqlName *name = &task->statement->maintain.schema;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (task->catalog, name, error);
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
  *out_entry = kvsql_plan_find_relation (task->catalog, &relation, error);
  return *out_entry != NULL ? schema : NULL;
}

static KvsqldPage *
give_page (Walk *self, gboolean is_first, GError **error)
{
  static const gchar *const names[] = { "difference", "key", "cell" };
  KvsqldTask *task = self->task;
  KvsqlComparison comparison = { .engine = task->service->engine,
                                 .call = &task->call,
                                 .mends = self->is_repair,
                                 .func = found,
                                 .data = self };
  gint64 now = g_get_monotonic_time ();
  gint64 until_us = MIN (now + PAGE_US, now + (task->call.deadline_us - now) / 2);
  gboolean is_over = FALSE;

  comparison.schema = find_schema (task, &comparison.entry, error);
  if (comparison.schema == NULL)
    return NULL;
  self->page = kvsqld_page_new_table (names, G_N_ELEMENTS (names));
  is_over = !self->is_repair && self->counters[N_WANTED] == 0;
  while (!is_over && self->page->rows->n_rows < PAGE_ROWS && g_get_monotonic_time () < until_us)
    if (!step (self, &comparison, &is_over, error))
      {
        kvsqld_page_free (self->page);
        return NULL;
      }
  if (!is_over)
    self->page->cursor = seal (self);
  else
    summarize (self);
  if (!is_first)
    kvsqld_page_forget_columns (self->page);
  return self->page;
}

static Walk
begin (KvsqldTask *task)
{
  return (Walk){ .task = task, .is_repair = task->statement->kind == KVSQL_STATEMENT_REPAIR };
}

KvsqldPage *
kvsqld_run_verify (KvsqldTask *task, GError **error)
{
  Walk walk = begin (task);
  KvsqlBinder binder = kvsqld_task_get_binder (task);

  if (!kvsql_bind_count (&binder, task->statement->maintain.limit, "LIMIT", KVSQL_NO_LIMIT,
                         &walk.counters[N_WANTED], error))
    return NULL;
  return give_page (&walk, TRUE, error);
}

KvsqldPage *
kvsqld_fetch_verify (KvsqldTask *task, const KvsqldCursorToken *token, GError **error)
{
  Walk walk = begin (task);

  if (token->n_parameters != N_COUNTERS)
    {
      kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE,
                       "this is not a cursor of that statement");
      return NULL;
    }
  for (guint i = 0; i < N_COUNTERS; i++)
    walk.counters[i] = (guint64)token->parameters[i].integer;
  walk.position = token->position.scan;
  return give_page (&walk, FALSE, error);
}
