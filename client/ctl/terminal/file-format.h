/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * file-format.h: the formats of results, and of rows in files with their delimiters and quotes.
 *
 * CSV is RFC 4180; TSV is PostgreSQL's text format; NDJSON has an object on each line.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_FORMAT_TABLE,
  KVSQLCTL_FORMAT_CSV,
  KVSQLCTL_FORMAT_TSV,
  KVSQLCTL_FORMAT_JSON,
  KVSQLCTL_FORMAT_NDJSON,
  KVSQLCTL_FORMAT_VERTICAL,
} KvsqlctlFormat;

#define KVSQLCTL_N_FORMATS 6

const gchar *kvsqlctl_format_get_name (KvsqlctlFormat format);
gboolean kvsqlctl_format_from_name (const gchar *name, KvsqlctlFormat *out);

typedef struct
{
  KvsqlctlFormat format; /* CSV, TSV or NDJSON */
  gchar delimiter;
  gchar quote;       /* of CSV */
  const gchar *null; /* the form of NULL; in CSV without quotes */
  gboolean has_header;
} KvsqlctlFileFormat;

/* The format without any options. */
KvsqlctlFileFormat kvsqlctl_file_format_default (KvsqlctlFormat format);

/**
 * kvsqlctl_format_of_path:
 * @path: (nullable): a file's name
 * @out: the format of its suffix: .csv, .tsv, .tab, .ndjson or .jsonl
 *
 * Returns: %FALSE if it has none of them
 */
gboolean kvsqlctl_format_of_path (const gchar *path, KvsqlctlFormat *out);

/* The options of a command. */
typedef struct
{
  gboolean header;
  gboolean no_header;
  gchar *delimiter; /* nullable: one byte of ASCII, or \t */
  gchar *quote;     /* nullable: one byte of ASCII */
  gchar *null;      /* nullable */
} KvsqlctlMarks;

/**
 * kvsqlctl_file_format_read:
 * @self: is set
 * @format: from --format, or of the file's name
 * @marks: must live as long as @self
 *
 * Returns: (transfer none) (nullable): an error text
 */
const gchar *kvsqlctl_file_format_read (KvsqlctlFileFormat *self, KvsqlctlFormat format,
                                        const KvsqlctlMarks *marks);

/* Appends a row of CSV or TSV with its line end: CR LF for CSV, LF for TSV. A NULL text is NULL. */
void kvsqlctl_file_format_append_row (const KvsqlctlFileFormat *self, GString *out,
                                      const gchar *const *texts, guint n_texts);

G_END_DECLS
