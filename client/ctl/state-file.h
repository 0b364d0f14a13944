/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state-file.h: a small file that says how far a transfer is, so that an interrupted one can go on.
 *
 * One group of it says which transfer it belongs to. It is replaced whole.
 */
#pragma once

#include "client/ctl/dialect.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *path;    /* NULL: kept nowhere */
  GKeyFile *file; /* what will be saved */
  gint64 saved;
} KvsqlctlStateFile;

/* @path: (nullable) */
void kvsqlctl_state_file_init (KvsqlctlStateFile *self, const gchar *path);
void kvsqlctl_state_file_clear (KvsqlctlStateFile *self);

/* Adds the names and values of what must be the same for any transfer to be gone on with: where
 * from or to, and in which dialect. */
gboolean kvsqlctl_state_file_describe (GStrvBuilder *builder, Kvsqlctl *ctl,
                                       const KvsqlctlDialect *dialect, GError **error);

/**
 * kvsqlctl_state_file_load:
 * @self: a state
 * @error: return location; not set if there is no file
 *
 * Returns: (transfer full) (nullable): what an earlier transfer has saved
 */
GKeyFile *kvsqlctl_state_file_load (const KvsqlctlStateFile *self, GError **error);

/* A key of @group that had another value in @earlier; NULL if there is none. Free it. */
gchar *kvsqlctl_state_file_find_change (const KvsqlctlStateFile *self, GKeyFile *earlier,
                                        const gchar *group);
/* Refuses such a change. @what: "import of this input" */
gboolean kvsqlctl_state_file_check (const KvsqlctlStateFile *self, GKeyFile *earlier,
                                    const gchar *group, const gchar *what, GError **error);

/* Whether a second has passed since it was saved. */
gboolean kvsqlctl_state_file_is_due (const KvsqlctlStateFile *self);
/* What it takes for done must be safe before. */
gboolean kvsqlctl_state_file_save (KvsqlctlStateFile *self, GError **error);
/* All is done: there is nothing to go on with. */
void kvsqlctl_state_file_remove (const KvsqlctlStateFile *self);

G_END_DECLS
