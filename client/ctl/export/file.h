/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * file.h: writes an export in parts, and records up to where each part is safe.
 *
 * FILE.part is renamed to FILE when it is complete. The head, which is the first unfinished part,
 * is written into FILE.part; later parts into FILE.part-K, which is appended and removed when the
 * head reaches it. So the disk never holds much more than the exported rows. FILE.kvsql-export
 * records up to which byte complete pages of each part are safe, and the cursor of the next page.
 *
 * Threads: each part is written by one thread; one more may save and get the progress. Open, begin,
 * finish and clear are for a single thread.
 */
#pragma once

#include <stdio.h>

#include "client/ctl/state-file.h"

G_BEGIN_DECLS

#define KVSQLCTL_EXPORT_STATE_SUFFIX ".kvsql-export"

/* Progress of a part, in complete pages. */
typedef struct
{
  GBytes *cursor; /* of the next page; NULL: the first page of an undivided result, or the part is
                     done */
  guint64 size;   /* bytes */
  guint64 n_rows;
  gboolean is_done;
} KvsqlctlExportPlace;

typedef struct
{
  KvsqlctlExportPlace now;
  KvsqlctlExportPlace safe; /* at the last save */
  gdouble progress;         /* estimate of kvsqld, 0 … 1; < 0: none */
  gboolean is_inside;       /* written into FILE.part, not into a file of its own */
  gboolean is_closed;       /* done, and no thread writes it any more */
  FILE *out;                /* while the part is written; that of FILE.part if is_inside */
  gchar *buffer;            /* of its own file */
} KvsqlctlExportPart;

typedef struct
{
  const gchar *path; /* NULL: stdout; then the export cannot be continued */
  gchar *part_path;
  FILE *out;
  KvsqlctlStateFile state;
  guint64 n_saved;     /* rows that the next export need not fetch again */
  gboolean is_resumed; /* continues an earlier export */
  gboolean is_kept;
  gboolean is_whole;

  GMutex files; /* guards which file a part is in; locked before @lock, and held during I/O */
  GMutex lock;  /* guards the numbers; held for a moment */
  KvsqlctlExportPart *parts;
  guint n_parts;
  guint head;          /* the head: all parts before it are complete in FILE.part */
  guint64 head_offset; /* its offset in FILE.part */
  guint64 head_rows;   /* rows of all parts before it */
  GPtrArray *joined; /* files of parts that are already in FILE.part; removed after the next save */
} KvsqlctlExportFile;

/**
 * kvsqlctl_export_file_open:
 * @self: a cleared file
 * @path: (nullable): its name; %NULL: stdout
 * @options: (array zero-terminated=1): names and values, alternating, that must be the same to
 * continue an earlier export
 * @restart: whether to ignore an earlier export
 * @error: return location
 *
 * Finds out where an earlier export was interrupted: then @self has parts. Changes no file.
 */
gboolean kvsqlctl_export_file_open (KvsqlctlExportFile *self, const gchar *path,
                                    const gchar *const *options, gboolean restart,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @cursors: (element-type GBytes): one for each part; if there are none, the result is one part
 * without a cursor. */
void kvsqlctl_export_file_set_parts (KvsqlctlExportFile *self, const GPtrArray *cursors);
/* Removes bytes after the last complete page. */
gboolean kvsqlctl_export_file_begin (KvsqlctlExportFile *self,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Opens an unfinished part after its last complete page. Write to its @out, which may change after
 * each page. */
gboolean kvsqlctl_export_file_begin_part (KvsqlctlExportFile *self, guint index,
                                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Call it after each page. @cursor: (nullable): of the next page; %NULL: the part is done */
gboolean kvsqlctl_export_file_end_page (KvsqlctlExportFile *self, guint index, guint64 n_rows,
                                        GBytes *cursor, gdouble progress,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Makes the finished pages safe, so that the next export can continue after them. */
gboolean kvsqlctl_export_file_save (KvsqlctlExportFile *self,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Bytes, rows, and the part that is done, 0 … 1; < 0: unknown. */
void kvsqlctl_export_file_get_done (KvsqlctlExportFile *self, guint64 *out_bytes, guint64 *out_rows,
                                    gdouble *out_part);
/* Call it when all parts are done: makes the file safe and renames it. */
gboolean kvsqlctl_export_file_finish (KvsqlctlExportFile *self,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes files that cannot be continued. */
void kvsqlctl_export_file_clear (KvsqlctlExportFile *self);

/* The name of a part's file; @index from 0. Free it. */
gchar *kvsqlctl_export_file_name_part (const KvsqlctlExportFile *self, guint index);

/* state.c: converts the progress of all parts to the state and back. */
void kvsqlctl_export_state_write (KvsqlctlExportFile *self);
gboolean kvsqlctl_export_state_read (KvsqlctlExportFile *self, GKeyFile *earlier,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqlctl_export_place_clear (KvsqlctlExportPlace *self);
void kvsqlctl_export_place_copy (KvsqlctlExportPlace *self, const KvsqlctlExportPlace *from);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlExportFile, kvsqlctl_export_file_clear)

G_END_DECLS
