/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * range-filter.c: a MultiRowRangeFilter as HBase serializes it, by protobuf (Filter.proto). HBase's
 * filter language has none.
 *
 * A region server with this filter goes from the end of a range to the start of the next one.
 */
#include "config.h"

#include "daemon/stores/hbase/range-filter.h"

#define CLASS KVSQL_SLICE_LITERAL ("org.apache.hadoop.hbase.filter.MultiRowRangeFilter")

enum
{
  VARINT = 0,
  BYTES = 2,
  FILTER_NAME = 1,
  FILTER_SERIALIZED = 2,
  FILTER_RANGES = 1,
  RANGE_START = 1,
  RANGE_HAS_START = 2, /* the start itself is in the range; without it it is not */
  RANGE_STOP = 3,      /* its end itself is not, unless it is said */
};

static void
append_varint (KvsqlBuffer *out, gsize number)
{
  for (; number >= 0x80; number >>= 7)
    kvsql_buffer_append_byte (out, (guint8)(number | 0x80));
  kvsql_buffer_append_byte (out, (guint8)number);
}

static void
append_bytes_field (KvsqlBuffer *out, guint id, KvsqlSlice bytes)
{
  append_varint (out, id << 3 | BYTES);
  append_varint (out, bytes.size);
  kvsql_buffer_append_slice (out, bytes);
}

static void
append_range (KvsqlBuffer *out, const KvsqlRowRange *range, KvsqlBuffer *scratch)
{
  g_assert (range->stop.size > 0);
  scratch->size = 0;
  append_bytes_field (scratch, RANGE_START, range->start);
  append_varint (scratch, RANGE_HAS_START << 3 | VARINT);
  append_varint (scratch, TRUE);
  append_bytes_field (scratch, RANGE_STOP, range->stop);
  append_bytes_field (out, FILTER_RANGES, kvsql_buffer_slice (scratch));
}

void
kvsqld_hbase_range_filter_append (const KvsqlRowRange *ranges, guint n_ranges, KvsqlBuffer *out)
{
  KvsqlBuffer serialized = { 0 }, scratch = { 0 };

  for (guint i = 0; i < n_ranges; i++)
    append_range (&serialized, &ranges[i], &scratch);
  append_bytes_field (out, FILTER_NAME, CLASS);
  append_bytes_field (out, FILTER_SERIALIZED, kvsql_buffer_slice (&serialized));
  kvsql_buffer_clear (&serialized);
  kvsql_buffer_clear (&scratch);
}
