/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-protocol.h: the number of the write protocol: what daemons that share a store have to do,
 * so that their writes do not disturb each other (docs/consistency.md). The registry carries it
 * next to the epoch. A daemon that knows another number writes nothing (daemon/cluster/writable.h).
 *
 * As text: "writes 2", or "writes 2 announced".
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What this build knows. A change increments it after which daemons of the build before must not
 * write to the same tables: the rows of anchors and of the log, the order of the requests of a
 * write, the steps of a change of definitions. A write's work after its answer (checked-end.h) may
 * still be on its way when the new number is in use.
 *
 * Number 1 is the first one.
 *
 * Number 2: anchors of deleted tuples are removed (dead-anchors.h). Before, a daemon that finished
 * a DELETE for another one cleared its anchor without a condition. The log has entries of blind
 * writes (write-log.h). */
#define KVSQLD_WRITE_PROTOCOL 2

typedef struct
{
  guint number;          /* 0: no number: the registry was made by an earlier build */
  gboolean is_announced; /* daemons of other numbers may still write, so nothing is written yet */
} KvsqldWriteProtocol;

/* (transfer full) */
gchar *_kvsqld_write_protocol_print (const KvsqldWriteProtocol *self);
/* FALSE: not the text of a protocol. */
gboolean _kvsqld_write_protocol_parse (const gchar *text, KvsqldWriteProtocol *out);

G_END_DECLS
