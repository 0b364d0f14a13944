/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-source.h: the interface of operators: each gives rows, and asks its input for rows.
 *
 * An operator belongs to one thread at a time, and owns its input. Below, "to give" means: to
 * return from kvsql_row_source_poll() and the functions that call it.
 */
#pragma once

#include "core/base/vector.h"
#include "core/scan/assembler-counts.h"
#include "core/scan/scan-position.h"
#include "core/store/call.h"

G_BEGIN_DECLS

typedef struct _KvsqlRowSource KvsqlRowSource;
typedef struct _KvsqlPartChunk KvsqlPartChunk;

/* Rows that an operator gives. They and their bytes belong to the operator, until it is called
 * again. */
typedef struct
{
  const KvsqlBatch *batch; /* NULL only at the end */
  const guint32 *rows;     /* (array length=n): of @batch, ascending, distinct */
  guint n;
  const guint *columns;  /* nullable: the column of @batch for each column of the row; NULL: the
                            first ones, in order */
  KvsqlPartChunk *chunk; /* nullable: the rows are all rows of this chunk, or it has groups in place
                            of rows. The caller may take its rows and their bytes (part-scan.h). */
  gboolean is_end;       /* there are no rows, and there will be none */
} KvsqlRowSlice;

/* What a caller asks for. An operator computes and copies no more rows than this. A blocking
 * operator asks its input for all. */
typedef struct
{
  guint max_rows;       /* for this call */
  guint max_copied;     /* the same for rows that are not a whole chunk, so have to be copied */
  guint64 max_in_total; /* the most rows that will be asked for from now on */
  guint page_rows;      /* the size of a page, for an operator that prepares chunks for pages */
  gsize page_bytes;
} KvsqlRowDemand;

extern const KvsqlRowDemand kvsql_row_demand_all;

typedef struct
{
  /* Gives the next rows. @out is zeroed. No rows without is_end: there may be more. After an error
   * the operator may only be freed. */
  gboolean (*next) (KvsqlRowSource *self, const KvsqlRowDemand *demand, const KvsqlCall *call,
                    KvsqlRowSlice *out, GError **error);
  /* Frees what is the operator's own, and @self. Its input is freed already. */
  void (*free) (KvsqlRowSource *self);
  /* nullable: skips rows without computing them. @out: how many, and whether this is the end */
  gboolean (*skip) (KvsqlRowSource *self, const KvsqlRowDemand *demand, const KvsqlCall *call,
                    KvsqlRowSlice *out, GError **error);
  /* nullable: kvsql_row_source_get_positions() for rows of the last next(); NULL: there are no
   * positions */
  gboolean (*get_positions) (KvsqlRowSource *self, guint first, guint n, KvsqlScanPosition *out);
  /* nullable: adds the counts of reading that the operator does itself */
  void (*add_counts) (const KvsqlRowSource *self, KvsqlAssemblerCounts *inout);
  /* Its rows are those of batches, and many of them may share a large value, as that of a subquery.
   * Each operator above may copy it for each row, so the rows are given in parts. */
  gboolean shares_values;
} KvsqlRowSourceClass;

/* Each operator begins with this. */
struct _KvsqlRowSource
{
  const KvsqlRowSourceClass *klass;
  KvsqlRowSource *input;     /* nullable */
  const guint *columns;      /* nullable: KvsqlRowSlice.columns of all rows that are given */
  guint64 *n_given_in_total; /* nullable: rows that are given or skipped are counted here */

  /* of this file */
  KvsqlRowSlice left; /* rows of the last next() that were not given yet; or of its part */
  guint n_before;     /* of these, rows before those that were given last */
  guint n_given;      /* of these, rows that were given */
  struct _KvsqlRowParts *parts;       /* nullable: those of the last next() with large values */
  struct _KvsqlDroppedInput *dropped; /* nullable */
};

void kvsql_row_source_free (KvsqlRowSource *self); /* accepts NULL */

/* The next rows. There may be none, although this is not the end: the operator returns after some
 * work, so that an operator above can react to what was read. */
gboolean kvsql_row_source_poll (KvsqlRowSource *self, const KvsqlRowDemand *demand,
                                const KvsqlCall *call, KvsqlRowSlice *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The next rows; none at the end. */
gboolean kvsql_row_source_next (KvsqlRowSource *self, const KvsqlRowDemand *demand,
                                const KvsqlCall *call, KvsqlRowSlice *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* All next rows of an operator whose rows are those of its batches; n_rows 0 is the end. */
gboolean kvsql_row_source_next_batch (KvsqlRowSource *self, const KvsqlCall *call,
                                      const KvsqlBatch **out_batch,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Keeps the first @n of the rows that were given last. The others are given again. */
void kvsql_row_source_keep (KvsqlRowSource *self, guint n, KvsqlRowSlice *inout);
/* Skips at most demand->max_rows rows. The rest of @demand is about the rows after those that are
 * skipped. @out: how many (n), and whether this is the end. */
gboolean kvsql_row_source_skip (KvsqlRowSource *self, const KvsqlRowDemand *demand,
                                const KvsqlCall *call, KvsqlRowSlice *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether there are more rows. They are computed, but not given. */
gboolean kvsql_row_source_peek (KvsqlRowSource *self, const KvsqlCall *call, gboolean *out_any,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_row_source_get_positions:
 * @first: number of a row among those that were given or skipped last
 * @out: (array length=n): the position of the scan after each of the rows
 *
 * The bytes live as long as the rows. FALSE: the operator's rows are not those of a scan, in its
 * order, or the scan has no positions. After kvsql_row_source_peek(), @first may not be among the
 * rows given last; that does no harm, as only plans with a blocking operator peek, and these have
 * no positions.
 */
gboolean kvsql_row_source_get_positions (KvsqlRowSource *self, guint first, guint n,
                                         KvsqlScanPosition *out);

/* The rows have only these columns (array) of the batches. To be called before the first row; the
 * array must outlive the operator. */
void kvsql_row_source_choose_columns (KvsqlRowSource *self, const guint *columns);

/* Whether all rows that were read were given. */
gboolean kvsql_row_source_is_drained (const KvsqlRowSource *self);

/* Adds the cells that were read, of @self and its inputs. Samples live as long as @self. */
void kvsql_row_source_add_counts (const KvsqlRowSource *self, KvsqlAssemblerCounts *inout);

/* ---- for operators */

/* As kvsql_row_source_skip(), with rows of next() in any case. */
gboolean kvsql_row_source_skip_read (KvsqlRowSource *self, const KvsqlRowDemand *demand,
                                     const KvsqlCall *call, KvsqlRowSlice *out,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Frees the input, which has given all its rows, and keeps its counts. */
void kvsql_row_source_drop_input (KvsqlRowSource *self);

/* Forgets the rows that were not given yet: the operator begins again. */
void kvsql_row_source_reset (KvsqlRowSource *self);

/* 0, 1, … KVSQL_ROW_NUMBERS - 1: the rows of a batch that is given as a whole. */
#define KVSQL_ROW_NUMBERS 8192
const guint32 *kvsql_row_numbers (void);

/* The number of rows, one at least, of which each of the first @n_columns columns has at most
 * @max_bytes. A value that all rows share is counted for each of them. */
guint kvsql_row_slice_count_fitting (const KvsqlRowSlice *self, guint n_columns, gsize max_bytes);

/* All rows of @batch, which has at most KVSQL_ROW_NUMBERS. No rows: the end. */
void kvsql_row_slice_set_batch (KvsqlRowSlice *self, const KvsqlBatch *batch);
/* The rows as a selection for functions where NULL means all. */
static inline const guint32 *
kvsql_row_slice_get_selection (const KvsqlRowSlice *self)
{
  return self->n == self->batch->n_rows ? NULL : self->rows;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlRowSource, kvsql_row_source_free)

G_END_DECLS
