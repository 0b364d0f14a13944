/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * reject.h: rejected rows: reports them on stderr and writes them to a file.
 *
 * The file contains their original bytes, after the header of the input if there is one, so that it
 * can be corrected and imported.
 */
#pragma once

#include "client/ctl/import/batch.h"

G_BEGIN_DECLS

typedef struct
{
  Kvsqlctl *ctl;
  const gchar *input; /* for messages */
  const gchar *path;  /* nullable: rows are not written */
  int descriptor;     /* -1 without a path */
  guint64 size;       /* bytes written */
  GBytes *header;     /* nullable */
} KvsqlctlRejects;

/**
 * kvsqlctl_rejects_open:
 * @self: rejects
 * @ctl: for colours
 * @input: name of the input
 * @path: (nullable): the file to write
 * @size: how many of its bytes to keep: those that the continued import has written
 * @header: (nullable) (transfer full): first line of the input
 * @error: return location
 */
gboolean kvsqlctl_rejects_open (KvsqlctlRejects *self, Kvsqlctl *ctl, const gchar *input,
                                const gchar *path, guint64 size, GBytes *header,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes the file if it is empty. */
void kvsqlctl_rejects_close (KvsqlctlRejects *self);

gboolean kvsqlctl_rejects_add (KvsqlctlRejects *self, const KvsqlctlRow *row, const gchar *bytes,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Syncs the file to disk. */
gboolean kvsqlctl_rejects_sync (KvsqlctlRejects *self, GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
