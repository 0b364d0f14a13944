/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.c: VERIFY SCHEMA and REPAIR SCHEMA.
 *
 * Each page is about a second of work, with the differences that were found, or without rows.
 */
#include "config.h"

#include "core/engine/verify.h"

#include "core/engine/write-mode.h"
#include "core/maintain/compare-anchors.h"
#include "core/plan/bind.h"
#include "core/plan/find-relation.h"
#include "core/scan/tuple-key.h"

#define PAGE_US G_TIME_SPAN_SECOND
#define PAGE_ROWS 1000
#define GATHER_BYTES (256 * 1024 * 1024)

enum
{
  WALK, /* the pass, a Pass */
  N_WANTED,
  N_TUPLES,
  N_CELLS,
  N_UNANCHORED,
  N_FOUND, /* and the next two, by kind of difference */
};

typedef enum
{
  FROM_TUPLES, /* those of the primary, or for a primary those of the anchors */
  FROM_CELLS,
  FROM_ROWS, /* of a primary: which of them have no anchor */
} Pass;

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

static KvsqlTupleChunk *
read_chunk (const Walk *self, const KvsqlComparison *comparison, GError **error)
{
  return kvsql_tuple_chunk_read (comparison->storage, comparison->entry, NULL,
                                 self->state->position.has_row ? &self->state->position : NULL,
                                 GATHER_BYTES, comparison->call, error);
}

static void
set_next (Walk *self, const KvsqlTupleChunk *chunk, gboolean *out_has_next)
{
  *out_has_next = chunk->has_next;
  if (chunk->has_next)
    self->state->position = kvsql_scan_position_dup (&chunk->next, self->execution->binder.arena);
}

static gboolean
step_tuples (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  g_autoptr (KvsqlTupleChunk) chunk = read_chunk (self, comparison, error);

  if (chunk == NULL || !kvsql_compare_tuples (comparison, chunk, error))
    return FALSE;
  self->counters[N_TUPLES] += chunk->tuples->len;
  set_next (self, chunk, out_has_next);
  return TRUE;
}

/* A pass whose portions are no chunks of tuples. */
typedef gboolean (*CompareFunc) (const KvsqlComparison *comparison,
                                 const KvsqlScanPosition *position, KvsqlArena *arena,
                                 gboolean *out_has_next, KvsqlScanPosition *out_next,
                                 guint64 *out_n, GError **error);

static gboolean
step_portion (Walk *self, const KvsqlComparison *comparison, CompareFunc compare, guint64 *inout_n,
              gboolean *out_has_next, GError **error)
{
  KvsqlScanPosition next;
  guint64 n;

  if (!compare (comparison, self->state->position.has_row ? &self->state->position : NULL,
                self->execution->binder.arena, out_has_next, &next, &n, error))
    return FALSE;
  *inout_n += n;
  if (*out_has_next)
    self->state->position = next;
  return TRUE;
}

static gboolean
step_rows (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  g_autoptr (KvsqlTupleChunk) chunk = read_chunk (self, comparison, error);
  guint64 n;

  if (chunk == NULL || !kvsql_compare_unanchored (comparison, chunk, &n, error))
    return FALSE;
  self->counters[N_UNANCHORED] += n;
  set_next (self, chunk, out_has_next);
  return TRUE;
}

static gboolean
step_pass (Walk *self, const KvsqlComparison *comparison, gboolean *out_has_next, GError **error)
{
  switch ((Pass)self->counters[WALK])
    {
    case FROM_TUPLES:
      return comparison->schema->is_primary
                 ? step_portion (self, comparison, kvsql_compare_anchors, &self->counters[N_TUPLES],
                                 out_has_next, error)
                 : step_tuples (self, comparison, out_has_next, error);
    case FROM_CELLS:
      return step_portion (self, comparison, kvsql_compare_cells, &self->counters[N_CELLS],
                           out_has_next, error);
    case FROM_ROWS:
    default:
      return step_rows (self, comparison, out_has_next, error);
    }
}

/* TRUE with *out_is_over at the end of all passes, or if as much was found as was asked for. */
static gboolean
step (Walk *self, const KvsqlComparison *comparison, gboolean *out_is_over, GError **error)
{
  const Pass last = comparison->schema->is_primary ? FROM_ROWS : FROM_CELLS;
  gboolean has_next;

  *out_is_over = FALSE;
  if (!step_pass (self, comparison, &has_next, error))
    return FALSE;
  if (!has_next)
    {
      *out_is_over = self->counters[WALK] == last;
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
  if (self->counters[N_UNANCHORED] > 0 && self->is_repair)
    kvsql_result_page_note (self->page,
                            "%" G_GUINT64_FORMAT " tuple%s had no anchor, and %s one now",
                            self->counters[N_UNANCHORED], plural (self->counters[N_UNANCHORED]),
                            self->counters[N_UNANCHORED] == 1 ? "has" : "have");
  else if (self->counters[N_UNANCHORED] > 0)
    kvsql_result_page_note (self->page,
                            "%" G_GUINT64_FORMAT " tuple%s had no anchor: REPAIR SCHEMA makes one, "
                            "and so does the next write",
                            self->counters[N_UNANCHORED], plural (self->counters[N_UNANCHORED]));
}

/* What a schema has to have that can be compared. */
static gboolean
check_comparable (const KvsqlSchema *schema, const KvsqlName *name, GError **error)
{
  if (schema->options.role == KVSQL_ROLE_READ)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                            "schema \"%s\" is only read, and not kept in step", schema->name);
  return kvsql_schema_is_filled (schema)
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                             "schema \"%s\" is not filled yet", schema->name)
         || kvsql_error_hint (error, "Fill it with BACKFILL SCHEMA %s.", schema->name);
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
  if (!check_comparable (schema, name, error))
    return NULL;
  relation = (KvsqlName){ .span = name->span,
                          .text = schema->relation->name,
                          .is_quoted = schema->relation->is_quoted };
  *out_entry = kvsql_plan_find_relation (catalog, &relation, error);
  if (*out_entry == NULL)
    return NULL;
  if (!schema->is_primary
      || kvsql_primary_has_anchors (schema, *out_entry, self->execution->storage))
    return schema;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                   "schema \"%s\" is the primary, which others are compared with", schema->name);
  return NULL;
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
