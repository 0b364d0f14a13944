/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * writer.h: writes rows to stdout in one of the formats.
 *
 * Call begin, then row any number of times, then end. csv, tsv and ndjson write each row at once,
 * json too, between its brackets. A table is drawn a thousand rows at a time, so that memory stays
 * bounded.
 */
#pragma once

#include "client/ctl/terminal/file-format.h"
#include "client/kvsql.h"

#include <stdio.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  KvsqlColumnType type;
} KvsqlctlColumn;

typedef struct _KvsqlctlWriter KvsqlctlWriter;

typedef struct
{
  void (*begin) (KvsqlctlWriter *self);
  /* Texts of kvsql_result_get_text(); NULL for NULL. */
  void (*row) (KvsqlctlWriter *self, const gchar *const *texts);
  void (*end) (KvsqlctlWriter *self, gboolean is_complete);
  gsize size;
} KvsqlctlWriterClass;

struct _KvsqlctlWriter
{
  const KvsqlctlWriterClass *class;
  FILE *out;
  KvsqlctlFileFormat file_format; /* for csv and tsv */
  gboolean colour;
  KvsqlctlColumn *columns;
  gchar **titles; /* the names, escaped for a terminal */
  guint n_columns;
  guint64 n_rows;
};

extern const KvsqlctlWriterClass kvsqlctl_table_writer, kvsqlctl_vertical_writer,
    kvsqlctl_csv_writer, kvsqlctl_tsv_writer, kvsqlctl_json_writer, kvsqlctl_ndjson_writer;

/* The names of @columns must live as long as the writer. */
KvsqlctlWriter *kvsqlctl_writer_begin (KvsqlctlFormat format, FILE *out, gboolean colour,
                                       const KvsqlctlColumn *columns, guint n_columns);
/* In a file format, with its delimiter, quotes and header. */
KvsqlctlWriter *kvsqlctl_writer_begin_file (const KvsqlctlFileFormat *file_format, FILE *out,
                                            const KvsqlctlColumn *columns, guint n_columns);
void kvsqlctl_writer_row (KvsqlctlWriter *self, const gchar *const *texts);
/* Frees it. @is_complete: FALSE after an error, when rows are missing. */
void kvsqlctl_writer_end (KvsqlctlWriter *self, gboolean is_complete);

/* Appends "…" with the escapes of JSON. */
void kvsqlctl_append_json_string (GString *out, const gchar *text);

G_END_DECLS
