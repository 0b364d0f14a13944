/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection-set.h: the open connections of a server: their places, their counts, and whether they
 * must end.
 *
 * Threads: any. A lock guards the set. No blocking call is made with the lock held.
 */
#pragma once

#include "daemon/connections/admission.h"
#include "daemon/connections/limits.h"
#include "daemon/session/activity.h"
#include "idl/wire/transport.h"

G_BEGIN_DECLS

typedef struct _KvsqldConnectionSet KvsqldConnectionSet;

/* What the set knows of a connection. A member of the connection, which owns what it points to. The
 * lock guards .place, .is_busy and the counts. */
typedef struct
{
  KvsqldPlace place;        /* its owner is this entry */
  const gchar *refused_for; /* the setting that leaves no place for it; NULL: it was admitted */
  GSocket *socket;
  KvsqlTransport *transport;
  GCancellable *cancellable;
  KvsqldSession *session; /* nullable; set by the thread that adds connections */
  gboolean is_busy;       /* a request is running */
  guint64 bytes_in;       /* included in the set's totals already */
  guint64 bytes_out;
} KvsqldConnectionEntry;

KvsqldConnectionSet *kvsqld_connection_set_new (void);
/* Call it when all connections have ended, and their threads too. */
void kvsqld_connection_set_free (KvsqldConnectionSet *self);

/**
 * kvsqld_connection_set_add:
 * @can_refuse: whether a connection without a place may wait for the answer that refuses it
 * @out_displaced: (transfer full) (nullable): cancels the connection that lost its place to this
 * one
 *
 * Sets @entry->refused_for if no place is free.
 *
 * Returns: %FALSE if the connection was not added; close it at once
 */
gboolean kvsqld_connection_set_add (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry,
                                    const KvsqldConnectionLimits *limits, gboolean can_refuse,
                                    GCancellable **out_displaced);
/* Its place becomes free. @is_clean: no error has ended it. Then free the connection, and call
 * kvsqld_connection_set_note_ended(). */
void kvsqld_connection_set_remove (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry,
                                   gboolean is_clean);
/* The last use of the set by the thread of a connection. */
void kvsqld_connection_set_note_ended (KvsqldConnectionSet *self);

/* The connection waits for a request from now on. FALSE: it must end instead. */
gboolean kvsqld_connection_set_note_waiting (KvsqldConnectionSet *self,
                                             KvsqldConnectionEntry *entry);
/* A request has begun. FALSE: the connection must end. */
gboolean kvsqld_connection_set_note_busy (KvsqldConnectionSet *self, KvsqldConnectionEntry *entry);

/* From now on no connection is added, and none may begin a request. */
void kvsqld_connection_set_stop (KvsqldConnectionSet *self);
/* Cancels the connections for which @is_chosen returns TRUE. */
void kvsqld_connection_set_cancel (KvsqldConnectionSet *self,
                                   gboolean (*is_chosen) (const KvsqldConnectionEntry *entry));
/* Waits until @until_us at the latest. TRUE: all connections have ended. */
gboolean kvsqld_connection_set_await_end (KvsqldConnectionSet *self, gint64 until_us);

/* Sets all members but n_idle and bytes_in_flight. */
void kvsqld_connection_set_get_status (KvsqldConnectionSet *self, KvsqldConnectionStatus *out);

G_END_DECLS
