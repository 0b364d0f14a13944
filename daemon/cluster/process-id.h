/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * process-id.h: a globally unique name of a process, and whether that process has ended.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The name of this process: one word without spaces. (transfer full) */
gchar *kvsqld_process_id_new (void);

/* TRUE if the process of @id has certainly ended: it ran since the last boot of this machine, its
 * number can be looked up here, and there is no such process. FALSE if it runs, or if that is not
 * known: for example a process on another machine or in another container. */
gboolean kvsqld_process_id_has_ended (const gchar *id);

G_END_DECLS
