/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * admission.h: limits the number of connections, and chooses the connection that ends for a new
 * one.
 *
 * There are max_connections places for all peers, and max_connections_per_peer of them for one
 * peer. In addition there are reserved places, for connections over a UNIX socket only: the first
 * half of them for all UNIX users, the second half only for the operator, which is root or the user
 * of the daemon. So the operator can always connect and ask for the cause.
 *
 * If no place is free, the connection that has run no statement for the longest time loses its
 * place to the new one, if that time is long enough.
 *
 * Threads: not locked; the caller holds a lock.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqldAdmission KvsqldAdmission;

typedef struct
{
  guint max;
  guint max_of_peer;
  guint reserved;
  gint64 idle_us; /* a connection that is idle this long can lose its place */
  /* Whether the connection runs a statement. Then it keeps its place. */
  gboolean (*is_running) (gpointer owner);
} KvsqldAdmissionBounds;

/* The place of a connection. A member of its owner, which sets the first four fields. */
typedef struct
{
  gpointer owner;
  const gchar *peer; /* must live as long as the place is held */
  gboolean is_local; /* connected over a UNIX socket */
  gboolean is_operator;

  gboolean is_held;
  gboolean is_reserved;
  gint64 since_us; /* time of the last answer */
  GList link;
} KvsqldPlace;

KvsqldAdmission *kvsqld_admission_new (void);
void kvsqld_admission_free (KvsqldAdmission *self); /* accepts NULL */

/**
 * kvsqld_admission_enter:
 * @place: is held afterwards
 * @out_displaced: (nullable): the place that was taken away; the caller must end its connection
 *
 * Returns: (nullable): the setting that leaves no place; %NULL: @place is held
 */
const gchar *kvsqld_admission_enter (KvsqldAdmission *self, KvsqldPlace *place,
                                     const KvsqldAdmissionBounds *bounds, gint64 now_us,
                                     KvsqldPlace **out_displaced);
/* No effect if it is not held. */
void kvsqld_admission_leave (KvsqldAdmission *self, KvsqldPlace *place);
/* Call it after a request of the connection was answered. */
void kvsqld_admission_touch (KvsqldAdmission *self, KvsqldPlace *place, gint64 now_us);
guint kvsqld_admission_count (const KvsqldAdmission *self); /* number of held places */

G_END_DECLS
