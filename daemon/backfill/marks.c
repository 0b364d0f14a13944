/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * marks.c: finds the position before which all chunks are done, when several workers
 * process them.
 */
#include "config.h"

#include "daemon/backfill/parts.h"

struct _KvsqldMark
{
  KvsqlArena *arena;
  KvsqlScanPosition next; /* without a row: the end */
  guint64 n_tuples;
  gboolean is_done;
};

struct _KvsqldMarks
{
  GQueue marks;     /* in order; the first one is not done */
  KvsqldMark *done; /* the last mark before which all are done; NULL: none */
  gboolean is_new;  /* not returned by kvsqld_marks_advance() yet */
  guint64 n_tuples; /* not returned yet */
};

static void
mark_free (gpointer data)
{
  KvsqldMark *self = data;

  if (self == NULL)
    return;
  kvsql_arena_free (self->arena);
  g_free (self);
}

KvsqldMarks *
kvsqld_marks_new (void)
{
  return g_new0 (KvsqldMarks, 1);
}

void
kvsqld_marks_free (KvsqldMarks *self)
{
  g_queue_clear_full (&self->marks, mark_free);
  mark_free (self->done);
  g_free (self);
}

KvsqldMark *
kvsqld_marks_begin (KvsqldMarks *self, const KvsqlScanPosition *next, guint64 n_tuples)
{
  KvsqldMark *mark = g_new0 (KvsqldMark, 1);

  mark->arena = kvsql_arena_new ();
  if (next != NULL)
    mark->next = kvsql_scan_position_dup (next, mark->arena);
  mark->n_tuples = n_tuples;
  g_queue_push_tail (&self->marks, mark);
  return mark;
}

void
kvsqld_marks_end (KvsqldMarks *self, KvsqldMark *mark)
{
  KvsqldMark *first;

  mark->is_done = TRUE;
  while ((first = g_queue_peek_head (&self->marks)) != NULL && first->is_done)
    {
      mark_free (self->done);
      self->done = g_queue_pop_head (&self->marks);
      self->n_tuples += first->n_tuples;
      self->is_new = TRUE;
    }
}

gboolean
kvsqld_marks_advance (KvsqldMarks *self, KvsqlScanPosition *out, guint64 *out_n)
{
  if (!self->is_new)
    return FALSE;
  *out = self->done->next;
  *out_n = self->n_tuples;
  self->n_tuples = 0;
  self->is_new = FALSE;
  return TRUE;
}
