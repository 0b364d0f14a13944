/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * state.h: records the progress of an import, so that an interrupted one can continue.
 *
 * A small file identifies the input and the options, and contains the offset up to which every row
 * was acknowledged or rejected. It is replaced only after everything it refers to is safe.
 */
#pragma once

#include "client/ctl/import/reject.h"
#include "client/ctl/state-file.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlctlStateFile file;

  guint64 offset;
  guint64 line;
  guint64 n_rows; /* acknowledged */
  guint64 n_rejected;
  const gchar *rejects; /* nullable: file of the rejected rows */
  guint64 rejects_size; /* its bytes that belong to the finished part */
} KvsqlctlState;

/**
 * kvsqlctl_state_open:
 * @self: a state
 * @path: (nullable): its file; %NULL: the state is not saved
 * @input: descriptor of the file to be imported
 * @rejects: (nullable): file of rejected rows of this run; an earlier run may have used another one
 * @options: (array zero-terminated=1): names and values, alternating, that must be the same to
 * continue
 * @restart: whether to ignore an earlier import
 * @error: return location
 *
 * Reads the state of an earlier import of this input, if there is one; else all counts are 0.
 */
gboolean kvsqlctl_state_open (KvsqlctlState *self, const gchar *path, int input,
                              const gchar *rejects, const gchar *const *options, gboolean restart,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqlctl_state_clear (KvsqlctlState *self);

/* Saves once a second. */
gboolean kvsqlctl_state_save_now_and_then (KvsqlctlState *self, KvsqlctlRejects *rejects,
                                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqlctl_state_save (KvsqlctlState *self, KvsqlctlRejects *rejects,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Removes the file after the import is complete. */
void kvsqlctl_state_remove (KvsqlctlState *self);

G_END_DECLS
