/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * interrupt.h: Ctrl-C cancels the statement that runs, not the program.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* From now on SIGINT no longer ends the program. Call it once. */
void kvsqlctl_interrupt_catch (void);
/* What SIGINT cancels; NULL: nothing. */
void kvsqlctl_interrupt_set_target (GCancellable *target);
/* Whether there was one since the last time this was asked. */
gboolean kvsqlctl_interrupt_take (void);

G_END_DECLS
