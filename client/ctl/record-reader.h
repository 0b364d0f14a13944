/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-reader.h: the rows of a file or pipe, one after the other, with where they stand.
 */
#pragma once

#include "client/ctl/record.h"

G_BEGIN_DECLS

/* The longest row; a quote that is never closed must not read the whole file into memory. */
#define KVSQLCTL_MAX_RECORD_BYTES (64 * 1024 * 1024)

typedef enum
{
  KVSQLCTL_READ_RECORD,
  KVSQLCTL_READ_EMPTY, /* a line that says nothing */
  KVSQLCTL_READ_BAD,
  KVSQLCTL_READ_NOTHING, /* nothing came for a while; ask again */
  KVSQLCTL_READ_END,
  KVSQLCTL_READ_ERROR,
} KvsqlctlRead;

typedef struct
{
  int descriptor;
  const gchar *name; /* for messages */
  KvsqlctlDialect dialect;
  KvsqlctlRecord record; /* the last one */
  const gchar *bytes;    /* its bytes, until the next one is read */
  guint64 offset;        /* of its first byte in the file */
  guint64 line;          /* of its first byte, from 1 */

  GByteArray *buffer;
  gsize start;   /* in buffer: of what is not read yet */
  guint n_lines; /* of the last record */
  gboolean is_end;
} KvsqlctlReader;

/* Reads from where @descriptor is, which it does not own: @offset, @line. @name must stay alive. */
void kvsqlctl_reader_init (KvsqlctlReader *self, int descriptor, const gchar *name,
                           const KvsqlctlDialect *dialect, guint64 offset, guint64 line);
void kvsqlctl_reader_clear (KvsqlctlReader *self);

/**
 * kvsqlctl_reader_next:
 * @self: a reader
 * @error: return location; only for %KVSQLCTL_READ_ERROR
 *
 * Waits for a tenth of a second at most.
 */
KvsqlctlRead kvsqlctl_reader_next (KvsqlctlReader *self, GError **error);

/* Line and column, in characters, of a place in @bytes, whose first byte stands in @line. */
void kvsqlctl_locate (const gchar *bytes, gsize place, guint64 line, guint64 *out_line,
                      guint64 *out_column);

G_END_DECLS
