/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * part-scan.h: reads the rows of a part of a scan, in chunks that own their data.
 *
 * A chunk may be passed to another thread. A part belongs to one thread at a time.
 */
#pragma once

#include "core/exec/partial-aggregate.h"
#include "core/exec/row-source.h"
#include "core/plan/plan-node.h"
#include "core/scan/run-counts.h"

G_BEGIN_DECLS

typedef struct _KvsqlPartOutput KvsqlPartOutput;

/* What the rows of a part are. Immutable. */
struct _KvsqlPartOutput
{
  /* The operators that read a part. What they read is added to @counts. @self, and the bytes of
   * @part and @position (nullable), outlive them. */
  KvsqlRowSource *(*open) (const KvsqlPartOutput *self, const KvsqlScanPart *part,
                           const KvsqlScanPosition *position, KvsqlRunCounts *counts);
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
  guint64 max_scan_rows; /* 0: any number */
  gboolean counts_given; /* as in KvsqlSelectLimits */
  gsize max_bytes;       /* of assembling tuples of scattered cells */
  guint n_columns;
  KvsqlType *types;         /* of the columns */
  gboolean wants_positions; /* of each row, for a caller that may have to resume after it */
  const KvsqlAggregation *aggregation; /* nullable: how rows can be aggregated */
};

/* Rows of a part, in the scan's order. */
struct _KvsqlPartChunk
{
  KvsqlBatch *rows;              /* dense; none if they are aggregated */
  KvsqlPartialAggregate *groups; /* nullable: of the rows */
  gsize n_bytes;                 /* of the rows, about */
  KvsqlArena *arena;             /* of their bytes */
  KvsqlArena *place_arena;       /* of the places' bytes */
  KvsqlSlice table;              /* borrowed from the part */
  GArray *places;                /* the origin of each row; NULL: not asked for */
  KvsqlRunCounts counts;         /* of reading this chunk */
};

void kvsql_part_chunk_free (KvsqlPartChunk *self); /* accepts NULL */
/* The position after a row. Its bytes live as long as the chunk and the part. */
void kvsql_part_chunk_get_position (const KvsqlPartChunk *self, guint row, KvsqlScanPosition *out);

typedef struct _KvsqlPartScan KvsqlPartScan;

/* @output, and the bytes of @part and @position (nullable), must outlive the part. */
KvsqlPartScan *kvsql_part_scan_new (const KvsqlPartOutput *output, const KvsqlScanPart *part,
                                    const KvsqlScanPosition *position);
void kvsql_part_scan_free (KvsqlPartScan *self); /* accepts NULL */

typedef struct
{
  guint
      max_rows; /* the chunk ends when it reaches one of the two, or after many tuples were read */
  gsize max_bytes;
  gboolean is_aggregated; /* rows become groups */
} KvsqlChunkShape;

/**
 * kvsql_part_scan_next:
 * @out_chunk: (out) (transfer full): may have no rows
 * @out_is_at_end: (out): this is the last chunk
 *
 * After an error the part may only be freed.
 */
gboolean kvsql_part_scan_next (KvsqlPartScan *self, const KvsqlChunkShape *shape,
                               const KvsqlCall *call, KvsqlPartChunk **out_chunk,
                               gboolean *out_is_at_end, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Valid while the part lives. */
void kvsql_part_scan_get_counts (const KvsqlPartScan *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlPartChunk, kvsql_part_chunk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlPartScan, kvsql_part_scan_free)

G_END_DECLS
