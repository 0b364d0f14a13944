/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relay.h: is between a client and a server, so that a test can take the server away and bring it
 * back at the same address.
 */
#pragma once

#include <gio/gio.h>

typedef enum
{
  RELAY_PASS,
  RELAY_HANG, /* bytes go in, and none come out; what waits is passed on later */
  RELAY_DOWN, /* all connections are closed, and new ones refused */
} RelayMode;

typedef struct _Relay Relay;

Relay *relay_new (const gchar *server); /* HOST:PORT */
void relay_free (Relay *self);
guint16 relay_get_port (Relay *self);
void relay_set_mode (Relay *self, RelayMode mode);
/* Every connection made from now on is cut once up to @largest bytes have come from the server, how
 * many is chosen by chance, from @seed; 0: no longer. */
void relay_cut_replies (Relay *self, guint32 seed, gsize largest);
guint relay_get_n_cuts (Relay *self);
guint relay_get_n_connections (Relay *self); /* made until now */
/* From now on @from in what goes to the server becomes @to; both of one length, and kept as they
 * are by the caller. */
void relay_replace (Relay *self, const gchar *from, const gchar *to);
/* From now on it is counted how often @text, which the caller keeps, goes to the server. */
void relay_count (Relay *self, const gchar *text);
guint relay_get_n_counted (Relay *self, const gchar *text);
/* When @text, which is counted, comes for the @n-th time, it is not passed on: RELAY_HANG. */
void relay_hang_at (Relay *self, const gchar *text, guint n);
