/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * part-scan.h: a part of a scan, filtered and computed, in chunks that own what they hold.
 *
 * A chunk may be given to another thread; a part belongs to one thread at a time.
 */
#pragma once

#include "core/exec/group-fold.h"
#include "core/exec/misfits.h"
#include "core/exec/tuple-scan.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* What is wanted of a tuple. Immutable. */
typedef struct
{
  const KvsqlSelectPlan *plan;
  KvsqlStore *store;
  KvsqlExpr *const *exprs; /* NULL: the plan's items, which are attributes */
  guint n_columns;
  KvsqlType *types;         /* of the columns */
  gboolean wants_positions; /* of each tuple, for who may have to begin again behind it */
  guint64 max_scan_rows;    /* 0: any number */
  gsize sort_bytes;
  const KvsqlAggregation *aggregation; /* nullable: what rows are folded into where that is asked */
} KvsqlPartOutput;

/* Tuples that satisfy the predicate, in the scan's order. */
typedef struct
{
  KvsqlBatch *rows;        /* dense; none if they are folded */
  KvsqlGroupFold *groups;  /* nullable: of the rows */
  gsize n_bytes;           /* of the rows, about */
  KvsqlArena *arena;       /* of their bytes */
  KvsqlArena *place_arena; /* of the places' */
  KvsqlSlice table;        /* borrowed from the part */
  GArray *places;          /* where each row came from; NULL: nobody asks */
  KvsqlRunCounts counts;   /* what was read for it */
} KvsqlPartChunk;

void kvsql_part_chunk_free (KvsqlPartChunk *self); /* accepts NULL */
/* The place behind a row; its bytes live as long as the chunk and the part. */
void kvsql_part_chunk_get_position (const KvsqlPartChunk *self, guint row, KvsqlScanPosition *out);

typedef struct _KvsqlPartScan KvsqlPartScan;

/* @output, @part's bytes and the bytes of @position (nullable) must outlive it. */
KvsqlPartScan *kvsql_part_scan_new (const KvsqlPartOutput *output, const KvsqlScanPart *part,
                                    const KvsqlScanPosition *position);
void kvsql_part_scan_free (KvsqlPartScan *self); /* accepts NULL */

typedef struct
{
  guint max_rows; /* the chunk ends when it reaches either, or when many tuples were read */
  gsize max_bytes;
  gboolean is_folded; /* rows become groups */
} KvsqlChunkShape;

/**
 * kvsql_part_scan_next:
 * @out_chunk: (out) (transfer full): may be without rows
 * @out_is_at_end: (out): it is the last one
 *
 * On an error the part is of no more use.
 */
gboolean kvsql_part_scan_next (KvsqlPartScan *self, const KvsqlChunkShape *shape,
                               const KvsqlCall *call, KvsqlPartChunk **out_chunk,
                               gboolean *out_is_at_end, GError **error);

/* As long as the part lives. */
void kvsql_part_scan_get_counts (const KvsqlPartScan *self, KvsqlAssemblerCounts *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlPartChunk, kvsql_part_chunk_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlPartScan, kvsql_part_scan_free)

G_END_DECLS
