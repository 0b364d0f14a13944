/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * parts.c: see the header.
 *
 * A worker reads a chunk of a part, releases the part, and puts the chunk. In the meantime another
 * worker may read the next chunk of the same part. Parts are taken in their order, so only as many
 * are begun as there are workers, and some more.
 */
#include "config.h"

#include "daemon/backfill/parts.h"

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
  return (KvsqldPartProgress){ kvsql_scan_part_dup (&self->rows, arena),
                               kvsql_scan_position_dup (&self->position, arena) };
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
kvsqld_parts_new (const KvsqldPartProgress *parts, guint n)
{
  KvsqldParts *self = g_new0 (KvsqldParts, 1);

  self->n = n;
  self->arena = kvsql_arena_new ();
  self->parts = g_new0 (KvsqldPart, n);
  for (guint i = 0; i < n; i++)
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

void
kvsqld_part_return (KvsqldPart *self)
{
  self->is_taken = FALSE;
}

KvsqldMark *
kvsqld_part_release (KvsqldPart *self, const KvsqlScanPosition *next, guint64 n_tuples)
{
  self->is_taken = FALSE;
  self->is_read = next == NULL;
  if (next != NULL)
    {
      kvsql_arena_reset (self->next_arena);
      self->next = kvsql_scan_position_dup (next, self->next_arena);
    }
  return kvsqld_marks_begin (self->marks, next, n_tuples);
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
kvsqld_parts_advance (KvsqldParts *self, KvsqlArena *arena, KvsqldPartProgress **out, guint *out_n,
                      guint64 *inout_n)
{
  KvsqldPartProgress *parts = kvsql_arena_array (arena, KvsqldPartProgress, self->n);
  gboolean is_new = FALSE;
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    is_new = advance (&self->parts[i], inout_n) || is_new;
  for (guint i = 0; i < self->n; i++)
    {
      const KvsqldPartProgress left = { self->parts[i].rows, self->parts[i].done };

      if (!self->parts[i].is_done)
        parts[n++] = kvsqld_part_progress_dup (&left, arena);
    }
  *out = parts;
  *out_n = n;
  return is_new && n > 0;
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
