/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state-file.h: a small file with the progress of a transfer, so that an interrupted one can
 * continue.
 *
 * One group of it identifies the transfer. The file is replaced as a whole.
 */
#pragma once

#include "client/ctl/terminal/file-format.h"
#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *path;     /* NULL: not saved */
  gchar *new_path; /* a new state is written here, and then renamed */
  GKeyFile *file;  /* the contents to save */
  gint64 saved;
} KvsqlctlStateFile;

/* @path: (nullable) */
void kvsqlctl_state_file_init (KvsqlctlStateFile *self, const gchar *path);
void kvsqlctl_state_file_clear (KvsqlctlStateFile *self);

/* Adds names and values that must be the same to continue any transfer: the kvsqld and the file
 * format. */
gboolean kvsqlctl_state_file_describe (GStrvBuilder *builder, Kvsqlctl *ctl,
                                       const KvsqlctlFileFormat *file_format,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsqlctl_state_file_load:
 * @self: a state
 * @error: return location; not set if there is no file
 *
 * Returns: (transfer full) (nullable): the saved state of an earlier transfer
 */
GKeyFile *kvsqlctl_state_file_load (const KvsqlctlStateFile *self, GError **error);

/* A key of @group with another value in @earlier; NULL if there is none. Free it. */
gchar *kvsqlctl_state_file_find_change (const KvsqlctlStateFile *self, GKeyFile *earlier,
                                        const gchar *group);
/* Fails if there is such a change. @what: "import of this input" */
gboolean kvsqlctl_state_file_check (const KvsqlctlStateFile *self, GKeyFile *earlier,
                                    const gchar *group, const gchar *what,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Whether a second has passed since the last save. */
gboolean kvsqlctl_state_file_is_due (const KvsqlctlStateFile *self);
/* Everything that the state refers to must be safe before. */
gboolean kvsqlctl_state_file_save (KvsqlctlStateFile *self,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes the file after the transfer is complete. */
void kvsqlctl_state_file_remove (const KvsqlctlStateFile *self);

G_END_DECLS
