/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * subquery.c: see the header.
 */
#include "config.h"

#include "core/expr/subquery.h"

#include "core/base/interrupt.h"
#include "core/expr/subquery-rows.h"
#include "core/sql/ast.h"

/* The rows for one list of outer values. */
typedef struct
{
  KvsqlKeyNode node;
  KvsqlSubqueryRows rows;
} Entry;

struct _KvsqlSubqueryCache
{
  KvsqlArena *arena; /* of the entries */
  KvsqlKeyTable entries;
  Entry *others; /* the rows of lists that the second form did not give; NULL: not read yet */
  gboolean is_whole_too_large;
  GString *key;
  KvsqlSubqueryCounts counts;
};

static _Thread_local KvsqlSubqueryHost *host;

void
kvsql_subquery_host_enter (KvsqlSubqueryHost *self)
{
  self->outer = host;
  host = self;
}

void
kvsql_subquery_host_leave (KvsqlSubqueryHost *self)
{
  g_assert (host == self);
  host = self->outer;
}

KvsqlSubqueryCounts
kvsql_subquery_get_counts (const KvsqlSubquery *self)
{
  return self->cache == NULL ? (KvsqlSubqueryCounts){ 0 } : self->cache->counts;
}

/* ---- reading */

typedef struct
{
  const KvsqlSubquery *subquery;
  KvsqlSubqueryCache *cache;
  Entry *entry; /* NULL: rows of the second form */
  KvsqlValue *converted;
} Reading;

static gboolean
too_large (const Reading *self)
{
  return kvsql_arena_get_size (self->cache->arena) > host->max_bytes;
}

static gboolean
fail_too_large (const KvsqlSubquery *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, self->ast->span,
                   "the subquery gives more than %" G_GSIZE_FORMAT " MiB of values",
                   host->max_bytes >> 20);
  return kvsql_error_hint (error, "Narrow the predicate of the subquery, or raise sort_bytes in "
                                  "the daemon's configuration.");
}

/* Adds a row to @entry. Of EXISTS, one row without values is enough; of a scalar subquery, a second
 * one is an error in any case. */
static gboolean
add_to (const Reading *self, Entry *entry, const KvsqlValue *row, GError **error)
{
  const KvsqlSubquery *subquery = self->subquery;
  KvsqlArena *arena = self->cache->arena;
  gboolean has_all
      = subquery->kind == KVSQL_SUBQUERY_COMPARE || subquery->kind == KVSQL_SUBQUERY_ROWS;

  if (!has_all && entry->rows.n_rows > (subquery->kind == KVSQL_SUBQUERY_EXISTS ? 0 : 1))
    return TRUE;
  for (guint c = 0; subquery->columns != NULL && c < subquery->n_columns; c++)
    if (!subquery->convert (subquery->columns[c], row, arena, &self->converted[c], error))
      return FALSE;
  kvsql_subquery_rows_add (&entry->rows, subquery->columns != NULL ? self->converted : row,
                           subquery->n_columns, arena);
  return TRUE;
}

static gboolean
add_row (const KvsqlValue *row, gpointer data, GError **error)
{
  Reading *self = data;

  return add_to (self, self->entry, row, error)
         && (!too_large (self) || fail_too_large (self->subquery, error));
}

static Entry *
new_entry (KvsqlSubqueryCache *cache, KvsqlSlice key)
{
  Entry *entry = kvsql_arena_new0 (cache->arena, Entry);

  entry->node.key = kvsql_slice_dup (cache->arena, key);
  kvsql_key_table_add (&cache->entries, &entry->node, cache->arena);
  return entry;
}

/* A row of the second form: its last columns are a list of outer values. */
static gboolean
add_whole_row (const KvsqlValue *row, gpointer data, GError **error)
{
  Reading *self = data;
  KvsqlSubqueryCache *cache = self->cache;
  const KvsqlValue *keys = row + self->subquery->n_columns;
  KvsqlKeyNode *node;
  KvsqlSlice key;

  g_string_truncate (cache->key, 0);
  for (guint i = 0; i < self->subquery->n_arguments; i++)
    {
      if (kvsql_value_is_null (&keys[i]))
        return TRUE; /* no outer value is equal to it */
      kvsql_key_append (cache->key, &keys[i]);
    }
  key = kvsql_slice (cache->key->str, cache->key->len);
  node = kvsql_key_table_find (&cache->entries, key);
  return add_to (self, node != NULL ? (Entry *)node : new_entry (cache, key), row, error)
         && (!too_large (self) || fail_too_large (self->subquery, error));
}

static gboolean
run (Reading *self, const KvsqlSelect *select, const KvsqlValue *values, KvsqlSubqueryAdd add,
     GError **error)
{
  const KvsqlSubquery *subquery = self->subquery;

  self->converted = kvsql_arena_array (self->cache->arena, KvsqlValue, subquery->n_columns + 1);
  return host->run (select, subquery->types, values, add, self, host->data, error);
}

static void
forget (KvsqlSubqueryCache *self)
{
  self->entries = (KvsqlKeyTable){ 0 };
  self->others = NULL;
  kvsql_arena_reset (self->arena);
}

/* Reads all rows at once. *out_is_read: FALSE: they are too many, or some of them, which may not be
 * asked for, cannot be computed. */
static gboolean
read_whole (KvsqlSubquery *self, const KvsqlValue *values, gboolean *out_is_read, GError **error)
{
  KvsqlSubqueryCache *cache = self->cache;
  Reading reading = { .subquery = self, .cache = cache };
  g_autoptr (GError) problem = NULL;

  forget (cache);
  *out_is_read = run (&reading, self->whole->select, values, add_whole_row, &problem);
  if (!*out_is_read)
    {
      forget (cache);
      cache->is_whole_too_large = TRUE;
      if (g_error_matches (problem, KVSQL_ERROR, KVSQL_ERROR_LIMIT)
          || g_error_matches (problem, KVSQL_ERROR, KVSQL_ERROR_VALUE))
        return kvsql_interrupt_poll (error);
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  cache->counts.is_whole = TRUE;
  cache->others = kvsql_arena_new0 (cache->arena, Entry);
  reading.entry = cache->others;
  return self->whole->no_rows == NULL
         || run (&reading, self->whole->no_rows, values, add_row, error);
}

static KvsqlSubqueryCache *
new_cache (KvsqlSubquery *self)
{
  KvsqlSubqueryCache *cache = kvsql_arena_new0 (self->arena, KvsqlSubqueryCache);

  cache->arena = kvsql_arena_new ();
  kvsql_arena_adopt (self->arena, cache->arena);
  return cache;
}

/* The rows for a list that was not asked for yet. @key: of the list */
static Entry *
read_rows (KvsqlSubquery *self, const KvsqlValue *values, GString *key, GError **error)
{
  KvsqlSubqueryCache *cache = self->cache;
  const KvsqlSlice slice = kvsql_slice (key->str, key->len);
  Reading reading = { .subquery = self, .cache = cache };
  gboolean is_read = FALSE;

  if (self->whole != NULL && !cache->is_whole_too_large
      && cache->counts.run >= self->whole->runs_before)
    {
      g_autoptr (GString) unused = cache->key = g_string_new (NULL);
      gboolean ok = read_whole (self, values, &is_read, error);

      cache->key = NULL;
      if (!ok)
        return NULL;
    }
  if (is_read)
    {
      Entry *found = (Entry *)kvsql_key_table_find (&cache->entries, slice);

      return found != NULL ? found : cache->others;
    }
  if (kvsql_arena_get_size (cache->arena) > host->max_bytes / 2)
    forget (cache);
  reading.entry = kvsql_arena_new0 (cache->arena, Entry);
  reading.entry->node.key = kvsql_slice_dup (cache->arena, slice);
  cache->counts.run++;
  if (!run (&reading, self->select, values, add_row, error))
    return NULL;
  kvsql_key_table_add (&cache->entries, &reading.entry->node, cache->arena);
  return reading.entry;
}

static Entry *
find_rows (KvsqlSubquery *self, const KvsqlValue *values, GError **error)
{
  g_autoptr (GString) key = g_string_new (NULL);
  KvsqlSubqueryCache *cache = self->cache;
  KvsqlKeyNode *node;

  if (cache == NULL)
    cache = self->cache = new_cache (self);
  cache->counts.evaluated++;
  for (guint i = 0; i < self->n_arguments; i++)
    kvsql_key_append (key, &values[i]);
  node = kvsql_key_table_find (&cache->entries, kvsql_slice (key->str, key->len));
  if (node != NULL)
    return (Entry *)node;
  return cache->others != NULL ? cache->others : read_rows (self, values, key, error);
}

/* ---- results */

gboolean
kvsql_subquery_fail_several (KvsqlSpan span, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_VALUE, span,
                          "more than one row returned by a subquery used as an expression")
         || kvsql_error_sqlstate (error, "21000")
         || kvsql_error_hint (error, "Use an aggregate, as max(…), or LIMIT 1; or compare with "
                                     "IN, ANY or ALL.");
}

static KvsqlTruth
compare (const KvsqlSubquery *self, KvsqlSubqueryRows *rows, const KvsqlValue *operands)
{
  KvsqlArena *arena = self->cache->arena;
  KvsqlOperator op = self->is_all ? kvsql_operator_negate (self->op) : self->op;
  KvsqlTruth truth = kvsql_subquery_rows_any (rows, op, operands, self->n_columns, arena);

  return self->is_all != self->is_negated ? kvsql_truth_not (truth) : truth;
}

const KvsqlValue *
kvsql_subquery_get_rows (KvsqlSubquery *self, const KvsqlValue *values, guint *out_n,
                         GError **error)
{
  static const KvsqlValue none;
  Entry *entry;

  if (host == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, self->ast->span,
                       "a lateral query is not possible here");
      return NULL;
    }
  entry = find_rows (self, values, error);
  if (entry == NULL)
    return NULL;
  *out_n = entry->rows.n_rows;
  return entry->rows.n_rows > 0 ? entry->rows.values : &none;
}

gboolean
kvsql_subquery_evaluate (const KvsqlExpr *expr, const KvsqlValue *values, KvsqlArena *arena,
                         KvsqlValue *out, GError **error)
{
  KvsqlSubquery *self = expr->subquery;
  KvsqlTruth truth;
  Entry *entry;

  if (host == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, expr->span,
                            "a subquery is not possible here");
  entry = find_rows (self, values, error);
  if (entry == NULL)
    return FALSE;
  *out = KVSQL_VALUE_NULL;
  if ((self->kind == KVSQL_SUBQUERY_SCALAR || self->kind == KVSQL_SUBQUERY_ROW)
      && entry->rows.n_rows > 1)
    return kvsql_subquery_fail_several (self->ast->span, error);
  switch (self->kind)
    {
    case KVSQL_SUBQUERY_SCALAR:
      if (entry->rows.n_rows > 0)
        *out = kvsql_value_dup (&entry->rows.values[0], arena);
      return TRUE;
    case KVSQL_SUBQUERY_EXISTS:
      truth = entry->rows.n_rows > 0 ? KVSQL_TRUTH_TRUE : KVSQL_TRUTH_FALSE;
      break;
    case KVSQL_SUBQUERY_ROW:
      if (entry->rows.n_rows == 0)
        return TRUE;
      G_GNUC_FALLTHROUGH;
    default:
      truth = compare (self, &entry->rows, values + self->n_arguments);
      break;
    }
  if (truth != KVSQL_TRUTH_UNKNOWN)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = truth == KVSQL_TRUTH_TRUE };
  return TRUE;
}
