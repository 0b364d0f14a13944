/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * export-file.h: what an export writes, and up to where it is safe.
 *
 * FILE.part gets its name once it is whole. Beside it, FILE.kvsql-export says up to which byte
 * whole pages are safe in it, and by which cursor the next one is fetched.
 */
#pragma once

#include <stdio.h>

#include "client/ctl/state-file.h"

G_BEGIN_DECLS

#define KVSQLCTL_EXPORT_STATE_SUFFIX ".kvsql-export"

typedef struct
{
  const gchar *path; /* NULL: stdout, which cannot be gone on with */
  gchar *part;
  FILE *out;
  KvsqlctlStateFile state;
  GBytes *cursor;  /* of the page behind what is done; NULL: the first, or none */
  guint64 offset;  /* behind the last whole page */
  guint64 n_rows;  /* before it */
  guint64 n_saved; /* rows that the next export need not fetch again */
  gboolean is_kept;
  gboolean is_whole;
} KvsqlctlExportFile;

/**
 * kvsqlctl_export_file_open:
 * @self: a cleared file
 * @path: (nullable): its name; %NULL: stdout
 * @options: (array zero-terminated=1): names and values in turn, of what must be the same
 * @restart: whether to disregard an earlier export
 * @error: return location
 *
 * Finds out where an earlier export was interrupted: then there is a cursor. Nothing is changed.
 */
gboolean kvsqlctl_export_file_open (KvsqlctlExportFile *self, const gchar *path,
                                    const gchar *const *options, gboolean restart, GError **error);
/* Takes away what is behind the last whole page. */
gboolean kvsqlctl_export_file_begin (KvsqlctlExportFile *self, GError **error);

/* After each page. @cursor: (nullable): of the next one. It is made safe now and then. */
gboolean kvsqlctl_export_file_end_page (KvsqlctlExportFile *self, guint64 n_rows, GBytes *cursor,
                                        GError **error);
/* What is done is made safe now, so that the next export can go on. */
gboolean kvsqlctl_export_file_save (KvsqlctlExportFile *self, GError **error);
/* It is safe, and gets its name. */
gboolean kvsqlctl_export_file_finish (KvsqlctlExportFile *self, GError **error);
/* What nobody can go on with is removed. */
void kvsqlctl_export_file_clear (KvsqlctlExportFile *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlExportFile, kvsqlctl_export_file_clear)

G_END_DECLS
