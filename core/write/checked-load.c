/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * checked-load.c: see the header.
 */
#include "config.h"

#include "core/write/checked-load.h"

#include "core/write/checked-cells.h"
#include "core/write/checked-settle.h"
#include "core/write/checked-steps.h"

static gboolean
put_versions (const KvsqlCheckedWriter *self, const KvsqlCheckedSteps *steps, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlMutation *cells = kvsql_arena_array (arena, KvsqlMutation, 2 * steps->n);

  for (guint i = 0; i < steps->n; i++)
    _kvsql_checked_put_loaded (self, steps->steps[i].change->before->key, &steps->steps[i].anchor,
                               arena, &cells[2 * i]);
  return kvsql_store_apply (kvsql_storage_get_store (self->storage), cells, 2 * steps->n,
                            self->call, error);
}

/* ---- what became of them */

/* An older version than the one that was put: the anchors are those of another table by now, so
 * nothing is known. */
static gboolean
fail_older (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "the table of the anchors was dropped in between");
}

static gboolean
judge (const KvsqlCheckedTuple *now, KvsqlCheckedStep *step, GError **error)
{
  const KvsqlAnchor *mine = &step->anchor;

  if (now->anchor.timestamp < mine->timestamp)
    return fail_older (error);
  step->change->is_applied = TRUE;
  if (now->anchor.timestamp > mine->timestamp)
    {
      step->is_over = TRUE;
      step->change->is_applied
          = now->anchor.is_loaded || !kvsql_anchor_has_load (&now->anchor, mine->timestamp);
      return TRUE;
    }
  step->is_redone = now->anchor.n_old != mine->n_old || now->anchor.checked > mine->previous;
  step->anchor = now->anchor;
  return TRUE;
}

/* Of those that were never current the payloads are deleted. Those that were replaced have their
 * answer when the schemas have what replaced them: no reader may find an older tuple after it. */
static gboolean
end_lost (const KvsqlCheckedWriter *self, const KvsqlCheckedSteps *steps,
          const KvsqlCheckedTuple *now, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlMutation *deletes = kvsql_arena_array (arena, KvsqlMutation, steps->n);
  guint n = 0;

  for (guint i = 0; i < steps->n; i++)
    {
      const KvsqlCheckedStep *step = &steps->steps[i];

      if (!step->change->is_applied)
        _kvsql_checked_add_load_delete (self, step->change->before->key, step->anchor.timestamp,
                                        arena, &deletes[n++]);
      else if (step->is_over && !kvsql_checked_write_cells (self, &now[i], 1, error))
        return FALSE;
    }
  return n == 0
         || kvsql_store_apply (kvsql_storage_get_store (self->storage), deletes, n, self->call,
                               error);
}

/* The versions are put, so after any error another daemon may still finish them. */
static gboolean
fail_unknown (const KvsqlCheckedSteps *steps, const GError *cause, GError **error)
{
  for (guint i = 0; i < steps->n; i++)
    steps->steps[i].change->is_applied = FALSE;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the tuples may or may not have been written: %s", cause->message);
  return kvsql_error_hint (error, "Read the data before you repeat the statement.");
}

static gboolean
look (const KvsqlCheckedWriter *self, KvsqlCheckedSteps *steps, KvsqlArena *arena, GError **error)
{
  KvsqlSlice *keys = kvsql_arena_array (arena, KvsqlSlice, steps->n);
  KvsqlCheckedTuple *now = kvsql_arena_array (arena, KvsqlCheckedTuple, steps->n);

  for (guint i = 0; i < steps->n; i++)
    keys[i] = steps->steps[i].change->before->key;
  if (!kvsql_checked_read_settled (self, keys, steps->n, arena, now, error))
    return FALSE;
  for (guint i = 0; i < steps->n; i++)
    if (!judge (&now[i], &steps->steps[i], error))
      return FALSE;
  return end_lost (self, steps, now, error);
}

static gboolean
load (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_auto (KvsqlCheckedSteps) steps = { 0 };
  g_autoptr (GError) failure = NULL;

  if (!kvsql_checked_steps_prepare (&steps, self, changes, n, TRUE, error)
      || !put_versions (self, &steps, error))
    return FALSE;
  if (!look (self, &steps, arena, &failure))
    return fail_unknown (&steps, failure, error);
  return kvsql_checked_steps_finish (&steps, self, error);
}

/* ---- both ways */

gboolean
kvsql_checked_load (const KvsqlCheckedWriter *self, KvsqlCheckedChange *changes, guint n,
                    GError **error)
{
  g_autofree KvsqlCheckedChange *sorted = g_new (KvsqlCheckedChange, n);
  g_autofree guint *places = g_new (guint, n);
  guint n_loads = 0, n_others = 0;
  gboolean ok;

  for (guint i = 0; i < n; i++)
    {
      guint place = changes[i].before->anchor.is_pending ? n - ++n_others : n_loads++;

      sorted[place] = changes[i];
      sorted[place].is_applied = sorted[place].is_rejected = FALSE;
      places[i] = place;
    }
  ok = (n_loads == 0 || load (self, sorted, n_loads, error))
       && (n_others == 0 || kvsql_checked_apply (self, sorted + n_loads, n_others, error));
  for (guint i = 0; i < n; i++)
    changes[i] = sorted[places[i]];
  return ok;
}
