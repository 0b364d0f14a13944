/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * interrupt.h: Ctrl-C cancels the running statement, not the program.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* From this call on SIGINT does not end the program. Call it once. */
void kvsqlctl_interrupt_catch (void);
/* The same also for SIGTERM and SIGHUP, in place of it: for a command that has to clean up. */
void kvsqlctl_interrupt_catch_ends (void);
/* Sets what SIGINT cancels; NULL: nothing. */
void kvsqlctl_interrupt_set_target (GCancellable *target);
/* Whether SIGINT arrived since the last call. */
gboolean kvsqlctl_interrupt_take (void);

G_END_DECLS
