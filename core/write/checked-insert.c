/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-insert.c: before the anchors are changed, the keys are logged, and anchors and rows are
 * read. An INSERT knows its keys, so all this is done at the same time.
 */
#include "config.h"

#include "core/write/checked-insert.h"

#include "core/catalog/catalog.h"
#include "core/scan/read-by-keys.h"
#include "core/write/checked-end.h"
#include "core/write/checked-load.h"
#include "core/write/checked-settle.h"

/* Of so many tuples each anchor is replaced by a compare-and-set, and rows are read at the same
 * time as anchors, although a tuple with an anchor does not need its row. If all keys are probably
 * new, only the rows are read, and if they are known, only the anchors. Of more tuples only the
 * rows that are needed are read, and the anchors are put in one request. */
#define FEW_TUPLES 8

typedef enum
{
  LOG,
  READ_ANCHORS,
  READ_ROWS,
  N_TASKS,
} Task;

typedef struct
{
  const KvsqlCheckedWriter *writer;
  const KvsqlValue *const *tuples;
  guint n;
  KvsqlArena *arena; /* of the following */
  KvsqlSlice *keys;
  KvsqlCheckedTuple *found;
  KvsqlKeysExpected expected;
  Task tasks[N_TASKS]; /* that are done at the same time */
  guint n_tasks;
  KvsqlTupleMap *rows; /* of the primary schema; NULL: not read yet */
  KvsqlLogEntry logged;
  gboolean is_logged;
} Insertion;

static gboolean
begin_task (gpointer data, guint index, GError **error)
{
  Insertion *self = data;
  const KvsqlCheckedWriter *writer = self->writer;

  switch (self->tasks[index])
    {
    case LOG:
      self->is_logged = kvsql_checked_log (writer, self->keys, self->n, &self->logged, error);
      return self->is_logged;
    case READ_ANCHORS:
      return _kvsql_checked_read_anchors (writer, self->keys, self->n, self->arena, self->found,
                                          error);
    case READ_ROWS:
    default:
      return kvsql_read_primary_by_keys (kvsql_storage_get_store (writer->storage), writer->entry,
                                         self->tuples, self->n, &writer->entry->relation->all,
                                         writer->call, self->rows, error);
    }
}

static void
choose_tasks (Insertion *self)
{
  const KvsqlCheckedWriter *writer = self->writer;
  const KvsqlCatalogEntry *entry = writer->entry;

  self->expected = KVSQL_KEYS_KNOWN;
  if (self->n <= FEW_TUPLES && entry->schemas[0]->is_located_by_key)
    self->expected = kvsql_key_forecast_get (kvsql_storage_get_forecast (writer->storage),
                                             writer->relation_id);
  self->tasks[self->n_tasks++] = LOG;
  if (self->expected != KVSQL_KEYS_NEW)
    self->tasks[self->n_tasks++] = READ_ANCHORS;
  if (self->expected == KVSQL_KEYS_KNOWN)
    return;
  self->tasks[self->n_tasks++] = READ_ROWS;
  self->rows = kvsql_tuple_map_new (entry->relation, 0);
}

/* Without a row there is probably no anchor either. If there is one, it is not replaced. */
static gboolean
read_missing_anchors (Insertion *self, GError **error)
{
  if (self->expected != KVSQL_KEYS_NEW)
    return TRUE;
  if (kvsql_tuple_map_get_size (self->rows) > 0)
    return _kvsql_checked_read_anchors (self->writer, self->keys, self->n, self->arena, self->found,
                                        error);
  for (guint i = 0; i < self->n; i++)
    self->found[i] = (KvsqlCheckedTuple){ .key = self->keys[i] };
  return TRUE;
}

/* A row that was read before its anchor is the current one if there is no anchor. */
static gboolean
complete (Insertion *self, GError **error)
{
  const KvsqlCheckedWriter *writer = self->writer;

  if (!read_missing_anchors (self, error)
      || !kvsql_checked_settle_all (writer, self->keys, self->n, self->arena, self->found, error))
    return FALSE;
  if (self->rows == NULL)
    return kvsql_checked_adopt_stored (writer, self->tuples, self->n, self->arena, self->found,
                                       error);
  kvsql_checked_adopt (writer, self->tuples, self->n, self->rows, self->arena, self->found);
  return TRUE;
}

static gboolean
begin (Insertion *self, GError **error)
{
  const KvsqlCheckedWriter *writer = self->writer;

  for (guint i = 0; i < self->n; i++)
    self->keys[i] = kvsql_checked_key (writer, self->tuples[i], self->arena);
  choose_tasks (self);
  return kvsql_storage_ensure_anchors (writer->storage, writer->call, error)
         && kvsql_store_run_tasks (kvsql_storage_get_store (writer->storage), self->n_tasks,
                                   begin_task, self, error)
         && complete (self, error);
}

/* A change that was not applied has met an anchor. */
static void
learn (const Insertion *self, const KvsqlCheckedChange *changes)
{
  guint n_known = 0;

  for (guint i = 0; i < self->n; i++)
    n_known += !changes[i].is_applied || changes[i].before->anchor.timestamp != 0;
  kvsql_key_forecast_learn (kvsql_storage_get_forecast (self->writer->storage),
                            self->writer->relation_id, self->n - n_known, n_known);
}

static gboolean
write_all (const Insertion *self, KvsqlCheckedChange *changes, const KvsqlValue **out_rejected,
           GError **error)
{
  for (guint i = 0; i < self->n; i++)
    changes[i] = (KvsqlCheckedChange){ .before = &self->found[i], .new = self->tuples[i] };
  if (self->n <= FEW_TUPLES ? kvsql_checked_apply (self->writer, changes, self->n, error)
                            : kvsql_checked_load (self->writer, changes, self->n, error))
    return TRUE;
  for (guint i = 0; i < self->n; i++)
    if (changes[i].is_rejected)
      *out_rejected = self->tuples[i];
  return FALSE;
}

/* Keeps those that are to be inserted again. */
static guint
keep_lost (const KvsqlCheckedChange *changes, const KvsqlValue **tuples, guint n)
{
  guint n_lost = 0;

  for (guint i = 0; i < n; i++)
    if (!changes[i].is_applied)
      tuples[n_lost++] = tuples[i];
  return n_lost;
}

gboolean
kvsql_checked_insert (KvsqlStorage *storage, const KvsqlCatalogEntry *entry,
                      const KvsqlValue **tuples, guint *n, const KvsqlCall *call,
                      const KvsqlValue **out_rejected, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (KvsqlCheckedClears) clears = kvsql_checked_clears_new ();
  g_autofree KvsqlCheckedChange *changes = g_new (KvsqlCheckedChange, *n);
  const KvsqlCheckedWriter writer = kvsql_checked_writer (storage, entry, call, clears);
  Insertion self = {
    .writer = &writer,
    .tuples = tuples,
    .n = *n,
    .arena = arena,
    .keys = kvsql_arena_array (arena, KvsqlSlice, *n),
    .found = kvsql_arena_array (arena, KvsqlCheckedTuple, *n),
  };
  GError *failure = NULL;

  if (begin (&self, &failure) && write_all (&self, changes, out_rejected, &failure))
    {
      learn (&self, changes);
      *n = keep_lost (changes, tuples, *n);
    }
  kvsql_tuple_map_free (self.rows);
  if (self.is_logged)
    return kvsql_checked_end (storage, g_steal_pointer (&clears), &self.logged, failure, error);
  g_propagate_error (error, failure);
  return FALSE;
}
