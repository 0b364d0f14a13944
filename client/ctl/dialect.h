/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dialect.h: how rows are written in files: CSV, TSV or NDJSON, and with which marks.
 *
 * CSV is RFC 4180; TSV is PostgreSQL's text format; NDJSON has an object on each line.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlctlFormat format; /* CSV, TSV or NDJSON */
  gchar delimiter;
  gchar quote;       /* of CSV */
  const gchar *null; /* what stands for NULL; in CSV without quotes */
  gboolean has_header;
} KvsqlctlDialect;

/* As it is unless options say otherwise. */
KvsqlctlDialect kvsqlctl_dialect_default (KvsqlctlFormat format);

/**
 * kvsqlctl_dialect_of_name:
 * @path: (nullable): a file's name
 * @out: the format that its end asks for: .csv, .tsv, .tab, .ndjson or .jsonl
 *
 * Returns: %FALSE if it asks for none
 */
gboolean kvsqlctl_dialect_of_name (const gchar *path, KvsqlctlFormat *out);

/* What the options of a command say. */
typedef struct
{
  gboolean header;
  gboolean no_header;
  gchar *delimiter; /* nullable: one byte of ASCII, or \t */
  gchar *quote;     /* nullable: one byte of ASCII */
  gchar *null;      /* nullable */
} KvsqlctlMarks;

/**
 * kvsqlctl_dialect_read:
 * @self: is set
 * @format: what is asked for, or what the file's name says
 * @marks: must live as long as @self
 *
 * Returns: (transfer none) (nullable): what is wrong with them
 */
const gchar *kvsqlctl_dialect_read (KvsqlctlDialect *self, KvsqlctlFormat format,
                                    const KvsqlctlMarks *marks);

/* A row of CSV or TSV with its line end: CR LF for CSV, LF for TSV; NULL for NULL. */
void kvsqlctl_dialect_append_row (const KvsqlctlDialect *self, GString *out,
                                  const gchar *const *texts, guint n_texts);

G_END_DECLS
