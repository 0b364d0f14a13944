/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-streams.h: streams of records in one temporary file, of which many grow at the same time.
 *
 * The file is divided into blocks. A stream is a list of blocks, and has one more in memory while
 * it grows. A reader that consumes its stream gives the blocks back, and other streams use them
 * again: so rows that are moved from stream to stream need their space once.
 */
#pragma once

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

typedef struct _KvsqlStreamFile KvsqlStreamFile;

/* Zeroed: an empty stream. */
typedef struct
{
  guint64 n_records;
  guint64 size; /* bytes */

  /* of this file */
  GArray *blocks;   /* nullable: of guint32: their numbers */
  guint n_consumed; /* released blocks */
  guint8 *buffer;   /* nullable: the last block, which is not written yet */
  gsize filled;     /* of it */
} KvsqlStream;

typedef struct
{
  KvsqlStreamFile *file;
  KvsqlStream *stream;
  gboolean consumes;
  guint8 *buffer;
  guint next_block;
  gsize at, filled; /* of @buffer */
  guint64 left;     /* bytes that were not read into it */
} KvsqlStreamReader;

/* @directory: (nullable): the system's directory of temporary files; @max_bytes: of the file */
KvsqlStreamFile *kvsql_stream_file_new (const gchar *directory, guint64 max_bytes,
                                        gsize block_bytes);
/* Its streams are cleared. Accepts NULL. */
void kvsql_stream_file_free (KvsqlStreamFile *self);
/* All bytes that were written until now. */
guint64 kvsql_stream_file_get_written (const KvsqlStreamFile *self);

/* Appends a record of two parts. Errors: those of a temporary file. */
gboolean kvsql_stream_append (KvsqlStream *self, KvsqlStreamFile *file, KvsqlSlice head,
                              KvsqlSlice body, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Writes the last block, so that the stream can be read. */
gboolean kvsql_stream_end (KvsqlStream *self, KvsqlStreamFile *file,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Releases the blocks. The stream is empty then. */
void kvsql_stream_clear (KvsqlStream *self, KvsqlStreamFile *file);

/* @consumes: the stream is read once, and only cleared after that */
void kvsql_stream_reader_init (KvsqlStreamReader *self, KvsqlStreamFile *file, KvsqlStream *stream,
                               gboolean consumes);
void kvsql_stream_reader_clear (KvsqlStreamReader *self); /* of a zeroed one, too */
gboolean kvsql_stream_reader_is_at_end (const KvsqlStreamReader *self);
/* The next record, in @arena. The reader is not at its end. */
gboolean kvsql_stream_reader_next (KvsqlStreamReader *self, KvsqlArena *arena, KvsqlSlice *out,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlStreamFile, kvsql_stream_file_free)

G_END_DECLS
