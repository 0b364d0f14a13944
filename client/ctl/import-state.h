/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import-state.h: up to where a file is imported, so that an interrupted import can go on.
 *
 * A small file says which input and options it belongs to, and up to which byte every row was
 * acknowledged or refused. It is replaced only after what it speaks of is safe.
 */
#pragma once

#include "client/ctl/import-reject.h"
#include "client/ctl/state-file.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlctlStateFile file;

  guint64 offset;
  guint64 line;
  guint64 n_rows; /* acknowledged */
  guint64 n_rejected;
  const gchar *rejects; /* nullable: where they are kept, */
  guint64 rejects_size; /* and how many bytes of it belong to what is done */
} KvsqlctlState;

/**
 * kvsqlctl_state_open:
 * @self: a state
 * @path: (nullable): its file; %NULL: it is kept nowhere
 * @input: descriptor of the file to be imported
 * @rejects: (nullable): where refused rows are kept now, which may be elsewhere than before
 * @options: (array zero-terminated=1): names and values in turn, of what must be the same
 * @restart: whether to disregard an earlier import
 * @error: return location
 *
 * Reads the state of an earlier import of this input, if there is one; else all counts are 0.
 */
gboolean kvsqlctl_state_open (KvsqlctlState *self, const gchar *path, int input,
                              const gchar *rejects, const gchar *const *options, gboolean restart,
                              GError **error);
void kvsqlctl_state_clear (KvsqlctlState *self);

/* Once a second. */
gboolean kvsqlctl_state_save_now_and_then (KvsqlctlState *self, KvsqlctlRejects *rejects,
                                           GError **error);
gboolean kvsqlctl_state_save (KvsqlctlState *self, KvsqlctlRejects *rejects, GError **error);
/* All is done: there is nothing to go on with. */
void kvsqlctl_state_remove (KvsqlctlState *self);

G_END_DECLS
