/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record.h: parses one row of a file.
 *
 * The parsers look at bytes only: they know neither files nor relations. If the end of a record is
 * missing they ask for more bytes, and are called again with more bytes from the same start.
 *
 * Threads: a record belongs to one thread.
 */
#pragma once

#include "client/ctl/terminal/file-format.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_FIELD_TEXT, /* of CSV and TSV */
  KVSQLCTL_FIELD_NULL,
  KVSQLCTL_FIELD_MISSING, /* no such member */
  KVSQLCTL_FIELD_STRING,  /* this and the following are for JSON */
  KVSQLCTL_FIELD_NUMBER,
  KVSQLCTL_FIELD_BOOLEAN,
  KVSQLCTL_FIELD_ARRAY,
  KVSQLCTL_FIELD_OBJECT,
} KvsqlctlFieldKind;

typedef struct
{
  KvsqlctlFieldKind kind;
  gboolean is_unescaped; /* the position is in the record's `unescaped`, not in its bytes */
  gsize start;
  gsize size;
  gsize place; /* in the record's bytes: position for an error message */
} KvsqlctlField;

typedef struct
{
  GArray *fields;     /* KvsqlctlField; of NDJSON a name and a value, alternating */
  GString *unescaped; /* values that differ from the bytes of the file */
  gsize size;         /* of its bytes, with the line end; of a bad record: the bytes to reject */

  const gchar *problem; /* of a bad record: the error text */
  const gchar *hint;    /* nullable */
  gsize place; /* offset of the error; of an unfinished record, of its opening quote or bracket */
} KvsqlctlRecord;

typedef enum
{
  KVSQLCTL_RECORD_WHOLE,
  KVSQLCTL_RECORD_EMPTY, /* an empty line */
  KVSQLCTL_RECORD_BAD,
  KVSQLCTL_RECORD_MORE, /* its end is missing */
} KvsqlctlRecordStatus;

void kvsqlctl_record_init (KvsqlctlRecord *self);
void kvsqlctl_record_clear (KvsqlctlRecord *self);

/**
 * kvsqlctl_record_parse:
 * @self: gets the result
 * @file_format: the format
 * @bytes: (array length=size): start of the record; at least one byte
 * @size: number of bytes
 * @is_end: whether no more bytes follow
 *
 * Returns: the kind of record; never %KVSQLCTL_RECORD_MORE with @is_end
 */
KvsqlctlRecordStatus kvsqlctl_record_parse (KvsqlctlRecord *self,
                                            const KvsqlctlFileFormat *file_format,
                                            const gchar *bytes, gsize size, gboolean is_end);

/* The value of a field, without a NUL at its end. @bytes: the parsed bytes. */
const gchar *kvsqlctl_record_get (const KvsqlctlRecord *self, const gchar *bytes,
                                  const KvsqlctlField *field);

/* ---- for the parsers */

KvsqlctlRecordStatus kvsqlctl_record_parse_csv (KvsqlctlRecord *self,
                                                const KvsqlctlFileFormat *file_format,
                                                const gchar *bytes, gsize size, gboolean is_end);
KvsqlctlRecordStatus kvsqlctl_record_parse_tsv (KvsqlctlRecord *self,
                                                const KvsqlctlFileFormat *file_format,
                                                const gchar *bytes, gsize size, gboolean is_end);
KvsqlctlRecordStatus kvsqlctl_record_parse_ndjson (KvsqlctlRecord *self, const gchar *bytes,
                                                   gsize size, gboolean is_end);

/* Sets the error text. Returns: KVSQLCTL_RECORD_BAD */
KvsqlctlRecordStatus kvsqlctl_record_reject (KvsqlctlRecord *self, gsize place,
                                             const gchar *problem, const gchar *hint);

G_END_DECLS
