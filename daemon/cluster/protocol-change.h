/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * protocol-change.h: gives the registry the number of this build's write protocol, if it has a
 * smaller one or none (writable.h).
 *
 * Any daemon that knows the announced number can take the second step. A daemon that has no session
 * may still write by the protocol before, until its lease is over: it is waited for.
 *
 * Threads: a thread of its own. The functions may be called by any thread.
 */
#pragma once

#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

typedef struct _KvsqldProtocolChange KvsqldProtocolChange;

/* @definitions: borrowed; their daemons share a store from now on. Waits for the first attempt, a
 * second at most. */
KvsqldProtocolChange *kvsqld_protocol_change_new (KvsqldDefinitions *definitions);
void kvsqld_protocol_change_free (KvsqldProtocolChange *self); /* accepts NULL */

/* For what a change waits. (nullable) (transfer full): NULL: there is no change */
gchar *kvsqld_protocol_change_describe (KvsqldProtocolChange *self);

G_END_DECLS
