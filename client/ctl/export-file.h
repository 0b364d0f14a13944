/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * export-file.h: what an export writes, in parts, and up to where each is safe.
 *
 * FILE.part gets its name once it is whole. The part whose turn it is is written into it, those
 * further behind into FILE.part-K, which is appended and removed when its turn has come: there is
 * never much more on the disk than what was exported. Beside it, FILE.kvsql-export says up to which
 * byte whole pages are safe in each, and by which cursor the next one is fetched.
 *
 * Threads: each part is written by one thread; one more may save and look. Open, begin, finish and
 * clear are for when there is only one.
 */
#pragma once

#include <stdio.h>

#include "client/ctl/state-file.h"

G_BEGIN_DECLS

#define KVSQLCTL_EXPORT_STATE_SUFFIX ".kvsql-export"

/* How far a part is, in whole pages. */
typedef struct
{
  GBytes *cursor; /* of the page behind; NULL: the first one of a whole answer, or none */
  guint64 size;   /* bytes */
  guint64 n_rows;
  gboolean is_done;
} KvsqlctlExportPlace;

typedef struct
{
  KvsqlctlExportPlace now;
  KvsqlctlExportPlace safe; /* as of the last save */
  gdouble progress;         /* what kvsqld guesses, 0 … 1; < 0: nothing */
  gboolean is_inside;       /* FILE.part, and not in a file of its own */
  gboolean is_closed;       /* it is done, and nobody writes it any more */
  FILE *out;                /* while it is written; FILE.part's, if it is inside */
  gchar *buffer;            /* of its own file */
} KvsqlctlExportPart;

typedef struct
{
  const gchar *path; /* NULL: stdout, which cannot be gone on with */
  gchar *part_path;
  FILE *out;
  KvsqlctlStateFile state;
  guint64 n_saved;     /* rows that the next export need not fetch again */
  gboolean is_resumed; /* an earlier export is gone on with */
  gboolean is_kept;
  gboolean is_whole;

  GMutex
      files;   /* guards which file a part is in; taken before @lock, and for as long as it takes */
  GMutex lock; /* guards the numbers, for a moment */
  KvsqlctlExportPart *parts;
  guint n_parts;
  guint head;          /* the part whose turn it is: all before are whole in FILE.part */
  guint64 head_offset; /* where it begins there */
  guint64 head_rows;   /* of all before */
  GPtrArray *joined;   /* files of parts that are in FILE.part now: removed once that is saved */
} KvsqlctlExportFile;

/**
 * kvsqlctl_export_file_open:
 * @self: a cleared file
 * @path: (nullable): its name; %NULL: stdout
 * @options: (array zero-terminated=1): names and values in turn, of what must be the same
 * @restart: whether to disregard an earlier export
 * @error: return location
 *
 * Finds out where an earlier export was interrupted: then it has parts. Nothing is changed.
 */
gboolean kvsqlctl_export_file_open (KvsqlctlExportFile *self, const gchar *path,
                                    const gchar *const *options, gboolean restart, GError **error);
/* @cursors: (element-type GBytes): of each part; if there are none, all is one part without a
 * cursor. */
void kvsqlctl_export_file_set_parts (KvsqlctlExportFile *self, const GPtrArray *cursors);
/* Takes away what is behind the last whole page. */
gboolean kvsqlctl_export_file_begin (KvsqlctlExportFile *self, GError **error);

/* Opens a part that is not done, behind its last whole page. Where to write is in its @out; it
 * may be elsewhere after each page. */
gboolean kvsqlctl_export_file_begin_part (KvsqlctlExportFile *self, guint index, GError **error);
/* After each page. @cursor: (nullable): of the next one; %NULL: the part is done */
gboolean kvsqlctl_export_file_end_page (KvsqlctlExportFile *self, guint index, guint64 n_rows,
                                        GBytes *cursor, gdouble progress, GError **error);

/* What is done is made safe, so that the next export can go on. */
gboolean kvsqlctl_export_file_save (KvsqlctlExportFile *self, GError **error);
/* Bytes, rows, and the part that is done, 0 … 1; < 0: nobody knows. */
void kvsqlctl_export_file_get_done (KvsqlctlExportFile *self, guint64 *out_bytes, guint64 *out_rows,
                                    gdouble *out_part);
/* All parts are done: the file is safe, and gets its name. */
gboolean kvsqlctl_export_file_finish (KvsqlctlExportFile *self, GError **error);
/* What nobody can go on with is removed. */
void kvsqlctl_export_file_clear (KvsqlctlExportFile *self);

/* The file of a part, from 0; free it. */
gchar *kvsqlctl_export_file_name_part (const KvsqlctlExportFile *self, guint index);

/* export-state.c: the places of all parts to and from the state. */
void kvsqlctl_export_state_write (KvsqlctlExportFile *self);
gboolean kvsqlctl_export_state_read (KvsqlctlExportFile *self, GKeyFile *earlier, GError **error);
void kvsqlctl_export_place_clear (KvsqlctlExportPlace *self);
void kvsqlctl_export_place_copy (KvsqlctlExportPlace *self, const KvsqlctlExportPlace *from);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlExportFile, kvsqlctl_export_file_clear)

G_END_DECLS
