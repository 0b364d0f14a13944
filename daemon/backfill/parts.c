/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parts.c: the parts of the primary that workers read side by side, and how far each one is done.
 *
 * A worker reads a chunk of a part, releases the part, and puts the chunk. In the meantime another
 * worker may read the next chunk of the same part. Parts are taken in their order, so only as many
 * are begun as there are workers, and some more.
 */
#include "config.h"

#include "daemon/backfill/backfill-private.h"

struct _KvsqldPart
{
  KvsqlScanPart rows; /* its bytes are those of the parts' arena */
  gboolean is_taken;
  gboolean is_read; /* to its end */
  gboolean is_done; /* and put */
  KvsqlArena *next_arena;
  KvsqlScanPosition next; /* to be read; without a row: its start */
  KvsqlArena *done_arena;
  KvsqlScanPosition done; /* before it all is put */
  KvsqldMarks *marks;
};

struct _KvsqldParts
{
  KvsqlArena *arena;
  KvsqldPart *parts;
  guint n;
};

/* ---- construction */

KvsqldPartProgress
kvsqld_part_progress_dup (const KvsqldPartProgress *self, KvsqlArena *arena)
{
  KvsqldPartProgress copy = *self;

  copy.rows.name = kvsql_slice_dup (arena, self->rows.name);
  copy.rows.rows.start = kvsql_slice_dup (arena, self->rows.rows.start);
  copy.rows.rows.stop = kvsql_slice_dup (arena, self->rows.rows.stop);
  copy.position = kvsql_scan_position_dup (&self->position, arena);
  return copy;
}

static void
part_init (KvsqldPart *self, const KvsqldPartProgress *progress, KvsqlArena *arena)
{
  self->rows = kvsqld_part_progress_dup (progress, arena).rows;
  self->next_arena = kvsql_arena_new ();
  self->next = kvsql_scan_position_dup (&progress->position, self->next_arena);
  self->done_arena = kvsql_arena_new ();
  self->done = kvsql_scan_position_dup (&progress->position, self->done_arena);
  self->marks = kvsqld_marks_new ();
}

KvsqldParts *
kvsqld_parts_new (const KvsqldBackfillProgress *progress)
{
  const KvsqldPartProgress whole = { .position = progress->position };
  const KvsqldPartProgress *parts = progress->n_parts > 0 ? progress->parts : &whole;
  KvsqldParts *self = g_new0 (KvsqldParts, 1);

  self->n = MAX (progress->n_parts, 1);
  self->arena = kvsql_arena_new ();
  self->parts = g_new0 (KvsqldPart, self->n);
  for (guint i = 0; i < self->n; i++)
    part_init (&self->parts[i], &parts[i], self->arena);
  return self;
}

void
kvsqld_parts_free (KvsqldParts *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    {
      kvsql_arena_free (self->parts[i].next_arena);
      kvsql_arena_free (self->parts[i].done_arena);
      kvsqld_marks_free (self->parts[i].marks);
    }
  kvsql_arena_free (self->arena);
  g_free (self->parts);
  g_free (self);
}

guint
kvsqld_parts_count (const KvsqldParts *self)
{
  return self->n;
}

/* ---- reading */

KvsqldPart *
kvsqld_parts_take (KvsqldParts *self, gboolean *out_is_over)
{
  *out_is_over = TRUE;
  for (guint i = 0; i < self->n; i++)
    {
      KvsqldPart *part = &self->parts[i];

      if (part->is_read)
        continue;
      *out_is_over = FALSE;
      if (part->is_taken)
        continue;
      part->is_taken = TRUE;
      return part;
    }
  return NULL;
}

const KvsqlScanPart *
kvsqld_part_get_rows (const KvsqldPart *self)
{
  return self->rows.is_part ? &self->rows : NULL;
}

const KvsqlScanPosition *
kvsqld_part_get_position (const KvsqldPart *self)
{
  return self->next.has_row ? &self->next : NULL;
}

KvsqldMark *
kvsqld_part_release (KvsqldPart *self, const KvsqlTupleChunk *chunk)
{
  self->is_taken = FALSE;
  if (chunk == NULL)
    return NULL;
  self->is_read = !chunk->has_next;
  if (chunk->has_next)
    {
      kvsql_arena_reset (self->next_arena);
      self->next = kvsql_scan_position_dup (&chunk->next, self->next_arena);
    }
  return kvsqld_marks_begin (self->marks, chunk->has_next ? &chunk->next : NULL,
                             chunk->tuples->len);
}

/* ---- progress */

void
kvsqld_part_end (KvsqldPart *self, KvsqldMark *mark)
{
  kvsqld_marks_end (self->marks, mark);
}

static gboolean
advance (KvsqldPart *self, guint64 *inout_n)
{
  KvsqlScanPosition position;
  guint64 n;

  if (!kvsqld_marks_advance (self->marks, &position, &n))
    return FALSE;
  *inout_n += n;
  self->is_done = !position.has_row;
  kvsql_arena_reset (self->done_arena);
  self->done = kvsql_scan_position_dup (&position, self->done_arena);
  return TRUE;
}

gboolean
kvsqld_parts_advance (KvsqldParts *self, KvsqlArena *arena, KvsqldBackfillProgress *inout)
{
  KvsqldPartProgress *parts = kvsql_arena_array (arena, KvsqldPartProgress, self->n);
  gboolean is_new = FALSE;
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    is_new = advance (&self->parts[i], &inout->n_tuples) || is_new;
  for (guint i = 0; i < self->n; i++)
    {
      const KvsqldPartProgress left = { self->parts[i].rows, self->parts[i].done };

      if (!self->parts[i].is_done)
        parts[n++] = kvsqld_part_progress_dup (&left, arena);
    }
  if (!is_new || n == 0)
    return FALSE;
  if (parts[0].rows.is_part)
    {
      inout->parts = parts;
      inout->n_parts = n;
      inout->position = (KvsqlScanPosition){ 0 };
    }
  else
    inout->position = parts[0].position;
  return TRUE;
}

/* What is left of the part. */
static gdouble
share_left (const KvsqldPart *self, const KvsqlRowRange *bounds)
{
  KvsqlSlice from = self->next.has_row ? self->next.row : self->rows.rows.start;
  gdouble start = from.size == 0 ? 0 : kvsql_row_share (bounds, from);
  gdouble stop
      = self->rows.rows.stop.size == 0 ? 1 : kvsql_row_share (bounds, self->rows.rows.stop);

  return self->is_read ? 0 : MAX (stop - start, 0);
}

gdouble
kvsqld_parts_get_share (const KvsqldParts *self, const KvsqlRowRange *bounds)
{
  gdouble left = 0;

  for (guint i = 0; i < self->n; i++)
    left += share_left (&self->parts[i], bounds);
  return CLAMP (1 - left, 0, 1);
}
