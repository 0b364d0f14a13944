/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import-reject.h: rows that were refused: said on stderr, and kept in a file.
 *
 * The file has their bytes as they were, behind the header of the input if there is one, so that
 * it can be mended and imported.
 */
#pragma once

#include "client/ctl/import-batch.h"

G_BEGIN_DECLS

typedef struct
{
  Kvsqlctl *ctl;
  const gchar *input; /* for messages */
  const gchar *path;  /* nullable: kept nowhere */
  int descriptor;     /* -1 without a path */
  guint64 size;       /* bytes written */
  GBytes *header;     /* nullable */
} KvsqlctlRejects;

/**
 * kvsqlctl_rejects_open:
 * @self: rejects
 * @ctl: for colours
 * @input: name of the file that is read
 * @path: (nullable): where to keep them
 * @size: how much of the file there is to keep: what an import that is gone on with has written
 * @header: (nullable) (transfer full): first line of the input
 * @error: return location
 */
gboolean kvsqlctl_rejects_open (KvsqlctlRejects *self, Kvsqlctl *ctl, const gchar *input,
                                const gchar *path, guint64 size, GBytes *header, GError **error);
/* Removes the file if nothing is in it. */
void kvsqlctl_rejects_close (KvsqlctlRejects *self);

gboolean kvsqlctl_rejects_add (KvsqlctlRejects *self, const KvsqlctlRow *row, const gchar *bytes,
                               GError **error);

/* So that they survive whatever happens now. */
gboolean kvsqlctl_rejects_sync (KvsqlctlRejects *self, GError **error);

G_END_DECLS
