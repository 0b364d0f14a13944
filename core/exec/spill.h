/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spill.h: a temporary file of sorted runs: records of a key and a row.
 *
 * The file is made when the first run begins. It has no name after it was opened, so it never
 * outlives the process. One run is written at a time; any number are read.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlSpill KvsqlSpill;
typedef struct _KvsqlSpillReader KvsqlSpillReader;

/* The place of a run in the file. */
typedef struct
{
  guint64 start;
  guint64 end;
} KvsqlSpillRun;

/* @directory: (nullable): the system's directory of temporary files; @max_bytes: of the file */
KvsqlSpill *kvsql_spill_new (const gchar *directory, guint64 max_bytes);
void kvsql_spill_free (KvsqlSpill *self); /* accepts NULL */

/* Errors: KVSQL_ERROR_LIMIT if the file would be larger than @max_bytes, or the device is full.
 * KVSQL_ERROR_INTERNAL if the directory cannot be used. */
gboolean kvsql_spill_begin_run (KvsqlSpill *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_spill_append (KvsqlSpill *self, KvsqlSlice key, KvsqlSlice row,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_spill_end_run (KvsqlSpill *self, KvsqlSpillRun *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @self must outlive the reader. */
KvsqlSpillReader *kvsql_spill_reader_new (const KvsqlSpill *self, const KvsqlSpillRun *run,
                                          gsize buffer_bytes);
void kvsql_spill_reader_free (KvsqlSpillReader *self); /* accepts NULL */
/* The next record, valid until the next call; FALSE in *out_any at the end. */
gboolean kvsql_spill_reader_next (KvsqlSpillReader *self, KvsqlSlice *out_key, KvsqlSlice *out_row,
                                  gboolean *out_any, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSpill, kvsql_spill_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlSpillReader, kvsql_spill_reader_free)

G_END_DECLS
