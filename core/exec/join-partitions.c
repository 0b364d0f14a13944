/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-partitions.c: record = sequence (8) | hash (8) | row. The highest bit of the sequence says
 * that the row had a partner.
 *
 * Rows with a NULL in their key have no partner: those of each side that are wanted are a partition
 * without the other side.
 */
#include "config.h"

#include "core/exec/join-partitions.h"

#include "core/exec/record-streams.h"
#include "core/exec/row-serialization.h"

/* Partitions are divided by this many bits of the hash, from the highest on. The lowest ones choose
 * the buckets of the table. */
#define DIGIT_BITS 4
#define FAN_OUT (1 << DIGIT_BITS)
#define MOST_LEVELS 8
/* A partition that gets more than this share of the rows of the one that was divided is mostly one
 * key: to divide it again would move its rows for nothing. */
#define WHOLE_SHARE 0.9

#define HEAD 16
#define HAD_PARTNER ((guint64)1 << 63)

#define SMALLEST_BLOCK 512
#define LARGEST_BLOCK (64 * 1024)

typedef struct
{
  KvsqlStream streams[2]; /* by side */
  guint level;            /* digits that the hashes of its rows share */
  gboolean is_whole;      /* it is not divided */
} Partition;

/* Rows that were read. */
typedef struct
{
  KvsqlBatch *batch;
  KvsqlArena *arena;
  guint64 sequences[KVSQL_BATCH_ROWS];
  KvsqlSlice records[KVSQL_BATCH_ROWS];
} Rows;

struct _KvsqlJoinPartitions
{
  KvsqlJoinPartitionsSetup setup; /* without the types */
  gsize fixed_bytes;              /* of a row of the table, without its texts */
  KvsqlStreamFile *file;
  KvsqlBuffer bytes; /* one serialized row */

  Partition *first[FAN_OUT]; /* that rows are added to; NULL: all were added */
  Partition *nulls[2];       /* by side */

  GPtrArray *waiting; /* of Partition */
  Partition *current; /* nullable */
  KvsqlStreamReader readers[2];
  KvsqlStream carried;
  gboolean is_last_pass;
  Rows rows[2];
};

/* ---- partitions */

static Partition *
new_partition (guint level)
{
  Partition *self = g_new0 (Partition, 1);

  self->level = level;
  return self;
}

static void
free_partition (KvsqlJoinPartitions *owner, Partition *self)
{
  if (self == NULL)
    return;
  kvsql_stream_clear (&self->streams[KVSQL_JOIN_BUILD], owner->file);
  kvsql_stream_clear (&self->streams[KVSQL_JOIN_PROBE], owner->file);
  g_free (self);
}

static gsize
size_of_row (const KvsqlType *types, guint n)
{
  gsize size = 0;

  for (guint i = 0; i < n; i++)
    size += kvsql_type_get_class (types[i]) == KVSQL_CLASS_SLICE ? sizeof (KvsqlSlice)
                                                                 : sizeof (gint64);
  return size;
}

KvsqlJoinPartitions *
kvsql_join_partitions_new (const KvsqlJoinPartitionsSetup *setup)
{
  KvsqlJoinPartitions *self = g_new0 (KvsqlJoinPartitions, 1);
  gsize block = CLAMP (setup->table_bytes / (8 * FAN_OUT), SMALLEST_BLOCK, LARGEST_BLOCK);

  self->setup = *setup;
  self->fixed_bytes
      = size_of_row (setup->types[KVSQL_JOIN_BUILD], setup->n_types[KVSQL_JOIN_BUILD]);
  self->file = kvsql_stream_file_new (setup->limits.directory, setup->limits.disk_bytes, block);
  self->waiting = g_ptr_array_new ();
  for (guint i = 0; i < FAN_OUT; i++)
    self->first[i] = new_partition (1);
  for (guint side = 0; side < G_N_ELEMENTS (self->rows); side++)
    {
      self->nulls[side] = new_partition (0);
      self->nulls[side]->is_whole = TRUE;
      self->rows[side].batch
          = kvsql_batch_new (setup->types[side], setup->n_types[side], KVSQL_BATCH_ROWS);
      self->rows[side].arena = kvsql_arena_new ();
      self->setup.types[side] = NULL;
    }
  return self;
}

void
kvsql_join_partitions_free (KvsqlJoinPartitions *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < FAN_OUT; i++)
    free_partition (self, self->first[i]);
  for (guint i = 0; i < self->waiting->len; i++)
    free_partition (self, self->waiting->pdata[i]);
  g_ptr_array_unref (self->waiting);
  free_partition (self, self->current);
  kvsql_stream_clear (&self->carried, self->file);
  for (guint side = 0; side < G_N_ELEMENTS (self->rows); side++)
    {
      free_partition (self, self->nulls[side]);
      kvsql_stream_reader_clear (&self->readers[side]);
      kvsql_batch_free (self->rows[side].batch);
      kvsql_arena_free (self->rows[side].arena);
    }
  kvsql_stream_file_free (self->file);
  kvsql_buffer_clear (&self->bytes);
  g_free (self);
}

guint64
kvsql_join_partitions_get_written (const KvsqlJoinPartitions *self)
{
  return kvsql_stream_file_get_written (self->file);
}

/* ---- writing */

static guint
get_digit (const KvsqlJoinPartitions *self, guint64 hash, guint level)
{
  return self->setup.has_keys ? hash >> (64 - level * DIGIT_BITS) & (FAN_OUT - 1) : 0;
}

gboolean
kvsql_join_partitions_add (KvsqlJoinPartitions *self, KvsqlJoinSide side, const KvsqlBatch *rows,
                           guint32 row, const guint64 *hash, guint64 sequence, GError **error)
{
  guint64 head[2] = { sequence, hash == NULL ? 0 : *hash };
  Partition *to = hash == NULL ? self->nulls[side] : self->first[get_digit (self, *hash, 1)];
  gsize size = kvsql_row_get_serialized_size (rows, row);

  g_assert (sizeof head == HEAD);
  if (hash == NULL && !self->setup.is_alone[side])
    return TRUE;
  self->bytes.size = 0;
  kvsql_row_serialize (rows, row, kvsql_buffer_extend (&self->bytes, size));
  return kvsql_stream_append (&to->streams[side], self->file, kvsql_slice (head, sizeof head),
                              kvsql_buffer_slice (&self->bytes), error);
}

static gboolean
end_partition (KvsqlJoinPartitions *self, Partition *partition, GError **error)
{
  return kvsql_stream_end (&partition->streams[KVSQL_JOIN_BUILD], self->file, error)
         && kvsql_stream_end (&partition->streams[KVSQL_JOIN_PROBE], self->file, error);
}

/* Whether the partition has no row that is given, with a partner or without. */
static gboolean
is_fruitless (const KvsqlJoinPartitions *self, const Partition *partition)
{
  gboolean has_build = partition->streams[KVSQL_JOIN_BUILD].n_records > 0,
           has_probe = partition->streams[KVSQL_JOIN_PROBE].n_records > 0;

  return !(has_build && (has_probe || self->setup.is_alone[KVSQL_JOIN_BUILD]))
         && !(has_probe && (has_build || self->setup.is_alone[KVSQL_JOIN_PROBE]));
}

/* @partitions: (transfer full): what a partition, or all rows, were divided into */
static gboolean
add_waiting (KvsqlJoinPartitions *self, Partition **partitions, GError **error)
{
  guint64 n_build = 0;
  gboolean ok = TRUE;

  for (guint i = 0; i < FAN_OUT; i++)
    n_build += partitions[i]->streams[KVSQL_JOIN_BUILD].n_records;
  for (guint i = FAN_OUT; i-- > 0;)
    {
      Partition *one = g_steal_pointer (&partitions[i]);

      one->is_whole
          = one->level == MOST_LEVELS
            || (gdouble)one->streams[KVSQL_JOIN_BUILD].n_records > (gdouble)n_build * WHOLE_SHARE;
      ok = ok && end_partition (self, one, error);
      if (ok && !is_fruitless (self, one))
        g_ptr_array_add (self->waiting, one);
      else
        free_partition (self, one);
    }
  return ok;
}

gboolean
kvsql_join_partitions_end_adding (KvsqlJoinPartitions *self, GError **error)
{
  for (guint side = 0; side < G_N_ELEMENTS (self->nulls); side++)
    {
      if (!end_partition (self, self->nulls[side], error))
        return FALSE;
      if (!is_fruitless (self, self->nulls[side]))
        g_ptr_array_add (self->waiting, g_steal_pointer (&self->nulls[side]));
    }
  return add_waiting (self, self->first, error);
}

/* ---- dividing again */

static guint64
hash_of (KvsqlSlice record)
{
  guint64 hash;

  memcpy (&hash, record.data + sizeof hash, sizeof hash);
  return hash;
}

static gboolean
divide_side (KvsqlJoinPartitions *self, Partition *from, KvsqlJoinSide side, Partition **to,
             const KvsqlCall *call, GError **error)
{
  KvsqlStreamReader *reader = &self->readers[side];
  KvsqlArena *arena = self->rows[side].arena;
  KvsqlSlice record;

  kvsql_stream_reader_init (reader, self->file, &from->streams[side], TRUE);
  for (guint64 n = 0; !kvsql_stream_reader_is_at_end (reader); n++)
    {
      if (n % KVSQL_BATCH_ROWS == 0 && !kvsql_call_check (call, error))
        return FALSE;
      kvsql_arena_reset (arena);
      if (!kvsql_stream_reader_next (reader, arena, &record, error)
          || !kvsql_stream_append (
              &to[get_digit (self, hash_of (record), from->level + 1)]->streams[side], self->file,
              KVSQL_SLICE_EMPTY, record, error))
        return FALSE;
    }
  kvsql_stream_reader_clear (reader);
  return TRUE;
}

static gboolean
divide (KvsqlJoinPartitions *self, Partition *from, const KvsqlCall *call, GError **error)
{
  Partition *to[FAN_OUT];
  gboolean ok;

  for (guint i = 0; i < FAN_OUT; i++)
    to[i] = new_partition (from->level + 1);
  ok = divide_side (self, from, KVSQL_JOIN_BUILD, to, call, error)
       && divide_side (self, from, KVSQL_JOIN_PROBE, to, call, error)
       && add_waiting (self, to, error);
  for (guint i = 0; i < FAN_OUT; i++)
    free_partition (self, to[i]);
  return ok;
}

/* The table may have room for more rows than it has, so this is about what it needs. */
static gboolean
is_too_large (const KvsqlJoinPartitions *self, const Partition *partition)
{
  const KvsqlStream *build = &partition->streams[KVSQL_JOIN_BUILD];

  return build->size + build->n_records * self->fixed_bytes > self->setup.table_bytes;
}

/* ---- reading */

gboolean
kvsql_join_partitions_next (KvsqlJoinPartitions *self, const KvsqlCall *call, gboolean *out_any,
                            GError **error)
{
  for (;;)
    {
      kvsql_stream_reader_clear (&self->readers[KVSQL_JOIN_BUILD]);
      free_partition (self, g_steal_pointer (&self->current));
      *out_any = self->waiting->len > 0;
      if (!*out_any)
        return TRUE;
      self->current = g_ptr_array_steal_index (self->waiting, self->waiting->len - 1);
      if (self->current->is_whole || !is_too_large (self, self->current))
        break;
      if (!divide (self, self->current, call, error))
        return FALSE;
    }
  kvsql_stream_reader_init (&self->readers[KVSQL_JOIN_BUILD], self->file,
                            &self->current->streams[KVSQL_JOIN_BUILD], TRUE);
  return TRUE;
}

gboolean
kvsql_join_partitions_read (KvsqlJoinPartitions *self, KvsqlJoinSide side, const KvsqlBatch **out,
                            GError **error)
{
  Rows *rows = &self->rows[side];
  KvsqlStreamReader *reader = &self->readers[side];

  kvsql_batch_reset (rows->batch);
  kvsql_arena_reset (rows->arena);
  while (rows->batch->n_rows < KVSQL_BATCH_ROWS && !kvsql_stream_reader_is_at_end (reader)
         && kvsql_arena_get_size (rows->arena) <= self->setup.table_bytes / 8)
    {
      guint row = rows->batch->n_rows++;
      KvsqlSlice record;

      if (!kvsql_stream_reader_next (reader, rows->arena, &record, error))
        return FALSE;
      rows->records[row] = record;
      memcpy (&rows->sequences[row], record.data, sizeof rows->sequences[row]);
      kvsql_row_deserialize (record.data + HEAD, rows->batch, row);
    }
  *out = rows->batch;
  return TRUE;
}

const guint64 *
kvsql_join_partitions_get_sequences (const KvsqlJoinPartitions *self, KvsqlJoinSide side)
{
  return self->rows[side].sequences;
}

/* ---- passes */

void
kvsql_join_partitions_begin_pass (KvsqlJoinPartitions *self)
{
  self->is_last_pass = kvsql_stream_reader_is_at_end (&self->readers[KVSQL_JOIN_BUILD]);
  kvsql_stream_reader_init (&self->readers[KVSQL_JOIN_PROBE], self->file,
                            &self->current->streams[KVSQL_JOIN_PROBE],
                            self->is_last_pass || self->setup.carries_probe);
}

gboolean
kvsql_join_partitions_is_last_pass (const KvsqlJoinPartitions *self)
{
  return self->is_last_pass;
}

gboolean
kvsql_join_partitions_had_partner (const KvsqlJoinPartitions *self, guint32 row)
{
  return (self->rows[KVSQL_JOIN_PROBE].sequences[row] & HAD_PARTNER) != 0;
}

gboolean
kvsql_join_partitions_carry (KvsqlJoinPartitions *self, guint32 row, gboolean has_partner,
                             GError **error)
{
  const Rows *rows = &self->rows[KVSQL_JOIN_PROBE];
  guint64 sequence = rows->sequences[row] | (has_partner ? HAD_PARTNER : 0);
  KvsqlSlice rest = kvsql_slice (rows->records[row].data + sizeof sequence,
                                 rows->records[row].size - sizeof sequence);

  return kvsql_stream_append (&self->carried, self->file, kvsql_slice (&sequence, sizeof sequence),
                              rest, error);
}

gboolean
kvsql_join_partitions_end_pass (KvsqlJoinPartitions *self, GError **error)
{
  KvsqlStream *probe = &self->current->streams[KVSQL_JOIN_PROBE];

  kvsql_stream_reader_clear (&self->readers[KVSQL_JOIN_PROBE]);
  if (self->is_last_pass || !self->setup.carries_probe)
    return TRUE;
  if (!kvsql_stream_end (&self->carried, self->file, error))
    return FALSE;
  kvsql_stream_clear (probe, self->file);
  *probe = self->carried;
  self->carried = (KvsqlStream){ 0 };
  return TRUE;
}
