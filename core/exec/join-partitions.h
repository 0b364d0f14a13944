/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * join-partitions.h: the rows of both sides of a join in temporary files, a part of them at a time.
 *
 * A Grace hash join (Kitsuregawa, Tanaka and Moto-oka, "Application of Hash to Data Base Machine
 * and Its Architecture", 1983): rows with equal keys are in the same partition, so partitions are
 * joined one by one. A partition whose build side is too large is divided again, by other bits of
 * the hash. If that does not help, because one key has too many rows, or if there are no keys, its
 * build side is joined in chunks: there is one pass over its probe side for each chunk.
 *
 * A row of the probe side that is given without a partner, or once, is carried from pass to pass
 * until its answer is known.
 */
#pragma once

#include "core/base/vector.h"
#include "core/exec/sort.h"
#include "core/store/call.h"

G_BEGIN_DECLS

typedef struct _KvsqlJoinPartitions KvsqlJoinPartitions;

typedef enum
{
  KVSQL_JOIN_BUILD,
  KVSQL_JOIN_PROBE,
} KvsqlJoinSide;

typedef struct
{
  const KvsqlType *types[2]; /* by side: of the columns of its rows */
  guint n_types[2];
  gboolean is_alone[2];   /* by side: its rows may be given without a row of the other side */
  gboolean has_keys;      /* else there is one partition */
  gboolean carries_probe; /* what becomes of a probe row depends on all chunks */
  KvsqlSortLimits limits;
  gsize table_bytes; /* of a build side that is joined at once */
} KvsqlJoinPartitionsSetup;

KvsqlJoinPartitions *kvsql_join_partitions_new (const KvsqlJoinPartitionsSetup *setup);
void kvsql_join_partitions_free (KvsqlJoinPartitions *self);                 /* accepts NULL */
guint64 kvsql_join_partitions_get_written (const KvsqlJoinPartitions *self); /* bytes */

/* ---- writing */

/* @hash: (nullable): of the key, without its secret seed; NULL: a part of the key is NULL.
 * @sequence: below 2^62: the place of the row among those of its side */
gboolean kvsql_join_partitions_add (KvsqlJoinPartitions *self, KvsqlJoinSide side,
                                    const KvsqlBatch *rows, guint32 row, const guint64 *hash,
                                    guint64 sequence, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* All rows of both sides were added. */
gboolean kvsql_join_partitions_end_adding (KvsqlJoinPartitions *self,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- reading */

/* Goes on to the next partition. *out_any FALSE: there is none. */
gboolean kvsql_join_partitions_next (KvsqlJoinPartitions *self, const KvsqlCall *call,
                                     gboolean *out_any, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The next rows of the partition; none at the end of the side. They are valid until the next call
 * for this side. */
gboolean kvsql_join_partitions_read (KvsqlJoinPartitions *self, KvsqlJoinSide side,
                                     const KvsqlBatch **out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* By row of the last read. */
const guint64 *kvsql_join_partitions_get_sequences (const KvsqlJoinPartitions *self,
                                                    KvsqlJoinSide side);

/* Begins to read the probe side for the build rows that were read since the last pass. */
void kvsql_join_partitions_begin_pass (KvsqlJoinPartitions *self);
/* Whether all rows of the build side were read. */
gboolean kvsql_join_partitions_is_last_pass (const KvsqlJoinPartitions *self);
/* Whether probe row @row of the last read has had a partner in an earlier pass. */
gboolean kvsql_join_partitions_had_partner (const KvsqlJoinPartitions *self, guint32 row);
/* Carries that row to the next pass. */
gboolean kvsql_join_partitions_carry (KvsqlJoinPartitions *self, guint32 row, gboolean has_partner,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_join_partitions_end_pass (KvsqlJoinPartitions *self,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
