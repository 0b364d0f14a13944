/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record-reader.h: reads the rows of a file or pipe, with their positions.
 */
#pragma once

#include "client/ctl/import/record.h"

G_BEGIN_DECLS

/* The longest row. Without it an unclosed quote would read the whole file into memory. */
#define KVSQLCTL_MAX_RECORD_BYTES (64 * 1024 * 1024)

typedef enum
{
  KVSQLCTL_READ_RECORD,
  KVSQLCTL_READ_EMPTY, /* an empty line */
  KVSQLCTL_READ_BAD,
  KVSQLCTL_READ_NOTHING, /* no bytes arrived for some time; call again */
  KVSQLCTL_READ_END,
  KVSQLCTL_READ_ERROR,
} KvsqlctlRead;

typedef struct
{
  int descriptor;
  const gchar *name; /* for messages */
  KvsqlctlFileFormat file_format;
  KvsqlctlRecord record; /* the last one */
  const gchar *bytes;    /* its bytes; valid until the next read */
  guint64 offset;        /* offset of its first byte in the file */
  guint64 line;          /* line of its first byte, from 1 */

  GByteArray *buffer;
  gsize start;   /* in buffer: start of the unread bytes */
  guint n_lines; /* of the last record */
  gboolean is_end;
} KvsqlctlReader;

/* Reads from the current position of @descriptor, which is @offset and @line in the file. Does not
 * own the descriptor. @name must stay alive. */
void kvsqlctl_reader_init (KvsqlctlReader *self, int descriptor, const gchar *name,
                           const KvsqlctlFileFormat *file_format, guint64 offset, guint64 line);
void kvsqlctl_reader_clear (KvsqlctlReader *self);

/**
 * kvsqlctl_reader_next:
 * @self: a reader
 * @error: return location; only for %KVSQLCTL_READ_ERROR
 *
 * Waits for at most a tenth of a second.
 */
KvsqlctlRead kvsqlctl_reader_next (KvsqlctlReader *self, GError **error);

/* Line and column, in characters, of @place in @bytes, whose first byte is in line @line. */
void kvsqlctl_locate (const gchar *bytes, gsize place, guint64 line, guint64 *out_line,
                      guint64 *out_column);

G_END_DECLS
