/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.c: VERIFY SCHEMA and REPAIR SCHEMA.
 *
 * Each page is about a second of work, with the differences that were found, or without rows.
 */
#include "config.h"

#include "core/engine/verify.h"

#include "core/engine/write-mode.h"
#include "core/maintain/compare.h"
#include "core/plan/bind.h"
#include "core/plan/find-relation.h"
#include "core/scan/tuple-key.h"

#define PAGE_US G_TIME_SPAN_SECOND
#define PAGE_ROWS 1000
#define GATHER_BYTES (256 * 1024 * 1024)

enum
{
  WALK, /* the pass; 0: from the primary, 1: from the schema */
  N_WANTED,
  N_TUPLES,
  N_CELLS,
  N_FOUND, /* and the next two, by kind of difference */
};

G_STATIC_ASSERT (N_FOUND + KVSQL_N_DIFFERENCES == KVSQL_N_VERIFY_COUNTERS);

typedef struct
{
  const KvsqlExecution *execution;
  const KvsqlMaintain *statement;
  KvsqlResultPage *page;
  KvsqlVerifyState *state;
  guint64 *counters; /* of the state */
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
      = kvsql_catalog_lookup_schema (self->execution->catalog, &self->statement->schema);
  g_autofree gchar *key = kvsql_tuple_print_key (schema->relation, tuple);

  if (n_found (self) < self->counters[N_WANTED])
    kvsql_result_page_add_row (self->page, (const gchar *[]){ kinds[kind], key, what });
  self->counters[N_FOUND + kind]++;
}

/* ---- one step of a pass */

static gboolean
step_tuples (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  g_autoptr (KvsqlTupleChunk) chunk
      = kvsql_tuple_chunk_read (comparison->storage, comparison->entry, NULL,
                                self->state->position.has_row ? &self->state->position : NULL,
                                GATHER_BYTES, comparison->call, error);

  if (chunk == NULL || !kvsql_compare_tuples (comparison, chunk, error))
    return FALSE;
  self->counters[N_TUPLES] += chunk->tuples->len;
  *out_has_next = chunk->has_next;
  if (chunk->has_next)
    self->state->position = kvsql_scan_position_dup (&chunk->next, self->execution->binder.arena);
  return TRUE;
}

static gboolean
step_cells (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  KvsqlScanPosition next;
  guint64 n;

  if (!kvsql_compare_cells (comparison,
                            self->state->position.has_row ? &self->state->position : NULL,
                            self->execution->binder.arena, out_has_next, &next, &n, error))
    return FALSE;
  self->counters[N_CELLS] += n;
  if (*out_has_next)
    self->state->position = next;
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
      self->state->position = (KvsqlScanPosition){ 0 };
    }
  *out_is_over = *out_is_over || (!self->is_repair && n_found (self) >= self->counters[N_WANTED]);
  return TRUE;
}

/* ---- pages */

static const gchar *
plural (guint64 n)
{
  return n == 1 ? "" : "s";
}

/* Adds a warning if differences remain. */
static void
summarize (Walk *self)
{
  const guint64 *found_of = self->counters + N_FOUND;

  if (n_found (self) == 0)
    kvsql_result_page_note (self->page,
                            "%" G_GUINT64_FORMAT " tuple%s and %" G_GUINT64_FORMAT
                            " cell%s were compared, and nothing differs",
                            self->counters[N_TUPLES], plural (self->counters[N_TUPLES]),
                            self->counters[N_CELLS], plural (self->counters[N_CELLS]));
  else
    (self->is_repair ? kvsql_result_page_note : kvsql_result_page_warn) (
        self->page,
        "%" G_GUINT64_FORMAT " tuple%s and %" G_GUINT64_FORMAT " cell%s were compared: "
        "%" G_GUINT64_FORMAT " missing, %" G_GUINT64_FORMAT " different, %" G_GUINT64_FORMAT
        " extra%s",
        self->counters[N_TUPLES], plural (self->counters[N_TUPLES]), self->counters[N_CELLS],
        plural (self->counters[N_CELLS]), found_of[KVSQL_DIFFERENCE_MISSING],
        found_of[KVSQL_DIFFERENCE_DIFFERENT], found_of[KVSQL_DIFFERENCE_EXTRA],
        self->is_repair ? ", and mended" : "");
}

static const KvsqlSchema *
find_schema (const Walk *self, const KvsqlCatalogEntry **out_entry, GError **error)
{
  const KvsqlName *name = &self->statement->schema;
  const KvsqlCatalog *catalog = self->execution->catalog;
  const KvsqlSchema *schema = kvsql_catalog_find_schema (catalog, name, error);
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
  *out_entry = kvsql_plan_find_relation (catalog, &relation, error);
  return *out_entry != NULL ? schema : NULL;
}

/* The way to repair depends on the way to write. */
static gboolean
may_repair (const KvsqlCatalogEntry *entry, GError **error)
{
  return entry->relation->writes != KVSQL_WRITES_PAUSED
         || kvsql_fail_paused (entry->relation, error);
}

gboolean
kvsql_verify_begin (const KvsqlExecution *execution, const KvsqlMaintain *statement,
                    KvsqlVerifyState *out, GError **error)
{
  *out = (KvsqlVerifyState){ 0 };
  return kvsql_bind_count (&execution->binder, statement->limit, "LIMIT", KVSQL_NO_LIMIT,
                           &out->counters[N_WANTED], error);
}

KvsqlResultPage *
kvsql_execute_verify (const KvsqlExecution *execution, const KvsqlAstStatement *statement,
                      KvsqlVerifyState *state, gboolean *out_has_more, GError **error)
{
  static const gchar *const names[] = { "difference", "key", "cell" };
  Walk self = { .execution = execution,
                .statement = &statement->maintain,
                .state = state,
                .counters = state->counters,
                .is_repair = statement->kind == KVSQL_STATEMENT_REPAIR };
  KvsqlComparison comparison = { .storage = execution->storage,
                                 .call = execution->call,
                                 .repairs = self.is_repair,
                                 .func = found,
                                 .data = &self };
  gint64 now = g_get_monotonic_time ();
  gint64 until_us = MIN (now + PAGE_US, now + (execution->call->deadline_us - now) / 2);
  gboolean is_over;

  comparison.schema = find_schema (&self, &comparison.entry, error);
  if (comparison.schema == NULL || (self.is_repair && !may_repair (comparison.entry, error)))
    return NULL;
  self.page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  is_over = !self.is_repair && self.counters[N_WANTED] == 0;
  while (!is_over && self.page->rows->n_rows < PAGE_ROWS && g_get_monotonic_time () < until_us)
    if (!step (&self, &comparison, &is_over, error))
      {
        kvsql_result_page_free (self.page);
        return NULL;
      }
  if (is_over)
    summarize (&self);
  *out_has_more = !is_over;
  return self.page;
}
