/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-steps.c: see the header.
 */
#include "config.h"

#include "core/write/checked-steps.h"

#include "core/write/checked-cells.h"

/* *out_has_room: FALSE: the write before it has to be finished first. */
static gboolean
make_anchor (const KvsqlCheckedWriter *self, const KvsqlCheckedChange *change, gboolean is_load,
             KvsqlArena *arena, KvsqlAnchor *out, gboolean *out_has_room, GError **error)
{
  const KvsqlCheckedTuple *before = change->before;
  gint64 timestamp = _kvsql_checked_timestamp (self, before->key, before->newest, error);
  KvsqlSlice record
      = change->new != NULL ? _kvsql_checked_record (self, change->new, arena) : KVSQL_SLICE_EMPTY;

  *out_has_room = TRUE;
  if (is_load)
    kvsql_anchor_load (&before->anchor, record, timestamp, out);
  else
    *out_has_room = kvsql_anchor_succeed (&before->anchor, record, timestamp, out);
  return timestamp != 0;
}

/* If the write before was finished, only what differs. */
static const KvsqlValue *
get_finished (const KvsqlCheckedChange *change)
{
  const KvsqlCheckedTuple *before = change->before;

  return change->is_whole || before->anchor.timestamp == 0 || before->anchor.is_pending
             ? NULL
             : before->tuple;
}

static gboolean
prepare_step (KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer, KvsqlCheckedChange *change,
              gboolean is_load, GError **error)
{
  KvsqlCheckedStep *step = &self->steps[self->n];
  gboolean has_room;

  *step = (KvsqlCheckedStep){ .change = change, .first = self->list->mutations->len };
  if (!make_anchor (writer, change, is_load, self->arena, &step->anchor, &has_room, error))
    return FALSE;
  if (!has_room)
    return kvsql_checked_write_cells (writer, change->before, 1, error);
  if (!kvsql_checked_add_cells (writer, &step->anchor, change->new, get_finished (change),
                                self->arena, self->list, error)
      || !kvsql_mutation_list_check (self->list, step->first, writer->storage, error))
    {
      change->is_rejected = TRUE;
      return FALSE;
    }
  step->n = self->list->mutations->len - step->first;
  self->n++;
  return TRUE;
}

gboolean
kvsql_checked_steps_prepare (KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer,
                             KvsqlCheckedChange *changes, guint n, gboolean is_load, GError **error)
{
  *self = (KvsqlCheckedSteps){ .arena = kvsql_arena_new (), .list = kvsql_mutation_list_new () };
  self->steps = kvsql_arena_array (self->arena, KvsqlCheckedStep, n);
  for (guint i = 0; i < n; i++)
    changes[i].is_applied = changes[i].is_rejected = FALSE;
  for (guint i = 0; i < n; i++)
    if (!prepare_step (self, writer, &changes[i], is_load, error))
      return FALSE;
  return kvsql_mutation_list_ensure_tables (self->list, writer->storage, writer->call, error);
}

void
kvsql_checked_steps_clear (KvsqlCheckedSteps *self)
{
  kvsql_mutation_list_free (self->list);
  kvsql_arena_free (self->arena);
  *self = (KvsqlCheckedSteps){ 0 };
}

static gboolean
is_to_write (const KvsqlCheckedStep *step)
{
  return step->change->is_applied && !step->is_over;
}

static void
remove_cells (KvsqlCheckedSteps *self)
{
  for (guint i = self->n; i > 0; i--)
    {
      const KvsqlCheckedStep *step = &self->steps[i - 1];

      if ((!is_to_write (step) || step->is_redone) && step->n > 0)
        kvsql_mutation_list_remove (self->list, step->first, step->n);
    }
}

static gboolean
write_cells (KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer, GError **error)
{
  remove_cells (self);
  for (guint i = 0; i < self->n; i++)
    {
      const KvsqlCheckedStep *step = &self->steps[i];

      if (is_to_write (step) && step->is_redone
          && !kvsql_checked_add_cells (writer, &step->anchor, step->change->new, NULL, self->arena,
                                       self->list, error))
        return FALSE;
    }
  return kvsql_mutation_list_apply (self->list, writer->storage, writer->call, error);
}

static void
clear_anchors (const KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer)
{
  g_autoptr (KvsqlCheckedClears) own = writer->clears == NULL ? kvsql_checked_clears_new () : NULL;

  for (guint i = 0; i < self->n; i++)
    if (is_to_write (&self->steps[i]))
      _kvsql_checked_add_clear (writer, self->steps[i].change->before->key, &self->steps[i].anchor,
                                writer->clears ?: own);
  if (own != NULL)
    kvsql_checked_clears_run_locked (own, writer->storage, writer->call);
}

gboolean
kvsql_checked_steps_finish (KvsqlCheckedSteps *self, const KvsqlCheckedWriter *writer,
                            GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (!write_cells (self, writer, &failure))
    {
      for (guint i = 0; i < self->n; i++)
        self->steps[i].change->is_applied = FALSE;
      return kvsql_checked_fail_unfinished (failure, error);
    }
  clear_anchors (self, writer);
  return TRUE;
}
