/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * merge.c: a heap of readers, with the smallest key on top.
 */
#include "config.h"

#include "core/exec/merge.h"

#define SMALLEST_BUFFER (16 * 1024)
#define LARGEST_BUFFER (1024 * 1024)

typedef struct
{
  KvsqlSpillReader *reader;
  guint run;
  KvsqlSlice key;
  KvsqlSlice row;
} Source;

struct _KvsqlMerge
{
  Source *heap;
  guint n_heap; /* readers that have a record */
  guint n_sources;
  gboolean is_begun;
};

KvsqlMerge *
kvsql_merge_new (const KvsqlSpill *spill, const KvsqlSpillRun *runs, guint n_runs,
                 gsize memory_bytes)
{
  KvsqlMerge *self = g_new0 (KvsqlMerge, 1);
  gsize buffer = CLAMP (memory_bytes / MAX (n_runs, 1), SMALLEST_BUFFER, LARGEST_BUFFER);

  self->heap = g_new0 (Source, n_runs);
  self->n_sources = n_runs;
  for (guint i = 0; i < n_runs; i++)
    {
      self->heap[i].reader = kvsql_spill_reader_new (spill, &runs[i], buffer);
      self->heap[i].run = i;
    }
  return self;
}

void
kvsql_merge_free (KvsqlMerge *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n_sources; i++)
    kvsql_spill_reader_free (self->heap[i].reader);
  g_free (self->heap);
  g_free (self);
}

static gboolean
is_before (const Source *a, const Source *b)
{
  gint order = kvsql_slice_compare (a->key, b->key);

  return order != 0 ? order < 0 : a->run < b->run;
}

static void
swap (Source *a, Source *b)
{
  Source held = *a;

  *a = *b;
  *b = held;
}

static void
sink (KvsqlMerge *self, guint at)
{
  for (;;)
    {
      guint least = at;

      for (guint child = 2 * at + 1; child <= 2 * at + 2 && child < self->n_heap; child++)
        if (is_before (&self->heap[child], &self->heap[least]))
          least = child;
      if (least == at)
        return;
      swap (&self->heap[at], &self->heap[least]);
      at = least;
    }
}

/* Reads the next record of heap[at]. A reader at its end leaves the heap. */
static gboolean
advance (KvsqlMerge *self, guint at, GError **error)
{
  Source *source = &self->heap[at];
  gboolean any;

  if (!kvsql_spill_reader_next (source->reader, &source->key, &source->row, &any, error))
    return FALSE;
  if (!any)
    swap (source, &self->heap[--self->n_heap]);
  return TRUE;
}

static gboolean
begin (KvsqlMerge *self, GError **error)
{
  self->is_begun = TRUE;
  self->n_heap = self->n_sources;
  for (guint i = self->n_sources; i-- > 0;)
    if (!advance (self, i, error))
      return FALSE;
  for (guint i = self->n_heap / 2; i-- > 0;)
    sink (self, i);
  return TRUE;
}

gboolean
kvsql_merge_next (KvsqlMerge *self, KvsqlSlice *out_key, KvsqlSlice *out_row, gboolean *out_any,
                  GError **error)
{
  if (!self->is_begun)
    {
      if (!begin (self, error))
        return FALSE;
    }
  else if (self->n_heap > 0)
    {
      if (!advance (self, 0, error))
        return FALSE;
      sink (self, 0);
    }
  *out_any = self->n_heap > 0;
  if (!*out_any)
    return TRUE;
  *out_key = self->heap[0].key;
  *out_row = self->heap[0].row;
  return TRUE;
}
