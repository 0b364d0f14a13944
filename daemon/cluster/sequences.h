/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequences.h: the numbers of sequences that this daemon has leased, and what sessions got last.
 *
 * A block of numbers is leased by a commit of the sequence's entry, at the epoch that was read.
 * Blocks get larger while one is used up within seconds, so that commits stay rare.
 *
 * Threads: all functions may be called by any thread.
 */
#pragma once

#include "daemon/cluster/definitions.h"

G_BEGIN_DECLS

typedef struct _KvsqldSequences KvsqldSequences;

/* @definitions is borrowed. */
KvsqldSequences *kvsqld_sequences_new (KvsqldDefinitions *definitions);
void kvsqld_sequences_free (KvsqldSequences *self); /* accepts NULL */

/* @name: in the registry. @session: 0: none, and nothing is remembered for currval () */
gboolean kvsqld_sequences_next (KvsqldSequences *self, gint64 session, const gchar *name,
                                const KvsqlCall *call, gint64 *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @name: (nullable): the last number of any sequence. Errors: SQLSTATE 55000 */
gboolean kvsqld_sequences_current (KvsqldSequences *self, gint64 session, const gchar *name,
                                   gint64 *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Numbers that daemons have leased before are not given any more, once they know of the change. */
gboolean kvsqld_sequences_set (KvsqldSequences *self, gint64 session, const gchar *name,
                               gint64 value, gboolean is_called, const KvsqlCall *call,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The session has ended. */
void kvsqld_sequences_forget (KvsqldSequences *self, gint64 session);

G_END_DECLS
