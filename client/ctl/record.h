/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * record.h: one row of a file, found and taken apart.
 *
 * The parsers look at bytes only: they know neither files nor relations. Where the end of a
 * record is not in sight they ask for more, and are called again with more bytes from the
 * same start.
 *
 * Threads: a record belongs to one thread.
 */
#pragma once

#include "client/ctl/dialect.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_FIELD_TEXT, /* of CSV and TSV */
  KVSQLCTL_FIELD_NULL,
  KVSQLCTL_FIELD_MISSING, /* no such member */
  KVSQLCTL_FIELD_STRING,  /* the others: of JSON */
  KVSQLCTL_FIELD_NUMBER,
  KVSQLCTL_FIELD_BOOLEAN,
  KVSQLCTL_FIELD_ARRAY,
  KVSQLCTL_FIELD_OBJECT,
} KvsqlctlFieldKind;

typedef struct
{
  KvsqlctlFieldKind kind;
  gboolean is_unescaped; /* start counts in the record's `unescaped`, else in its bytes */
  gsize start;
  gsize size;
  gsize place; /* in the record's bytes: where an error points */
} KvsqlctlField;

typedef struct
{
  GArray *fields;     /* KvsqlctlField; of NDJSON a name and a value in turn */
  GString *unescaped; /* values that differ from the bytes of the file */
  gsize size;         /* of its bytes, with the line end; of a bad one what is to be set aside */

  const gchar *problem; /* of a bad one: what, */
  const gchar *hint;    /* nullable */
  gsize place;          /* and where in its bytes; of an unfinished one where it was opened */
} KvsqlctlRecord;

typedef enum
{
  KVSQLCTL_RECORD_WHOLE,
  KVSQLCTL_RECORD_EMPTY, /* a line that says nothing */
  KVSQLCTL_RECORD_BAD,
  KVSQLCTL_RECORD_MORE, /* its end is not here */
} KvsqlctlRecordStatus;

void kvsqlctl_record_init (KvsqlctlRecord *self);
void kvsqlctl_record_clear (KvsqlctlRecord *self);

/**
 * kvsqlctl_record_parse:
 * @self: what becomes of it
 * @dialect: how it is written
 * @bytes: (array length=size): where it begins; at least one byte
 * @size: how many there are
 * @is_end: whether nothing follows them
 *
 * Returns: what it is; never %KVSQLCTL_RECORD_MORE with @is_end
 */
KvsqlctlRecordStatus kvsqlctl_record_parse (KvsqlctlRecord *self, const KvsqlctlDialect *dialect,
                                            const gchar *bytes, gsize size, gboolean is_end);

/* The value of a field, which does not end with NUL. @bytes: those that were parsed. */
const gchar *kvsqlctl_record_get (const KvsqlctlRecord *self, const gchar *bytes,
                                  const KvsqlctlField *field);

/* ---- for the parsers */

KvsqlctlRecordStatus kvsqlctl_record_parse_csv (KvsqlctlRecord *self,
                                                const KvsqlctlDialect *dialect, const gchar *bytes,
                                                gsize size, gboolean is_end);
KvsqlctlRecordStatus kvsqlctl_record_parse_tsv (KvsqlctlRecord *self,
                                                const KvsqlctlDialect *dialect, const gchar *bytes,
                                                gsize size, gboolean is_end);
KvsqlctlRecordStatus kvsqlctl_record_parse_ndjson (KvsqlctlRecord *self, const gchar *bytes,
                                                   gsize size, gboolean is_end);

/* Says what is wrong. Returns: KVSQLCTL_RECORD_BAD */
KvsqlctlRecordStatus kvsqlctl_record_refuse (KvsqlctlRecord *self, gsize place,
                                             const gchar *problem, const gchar *hint);

G_END_DECLS
