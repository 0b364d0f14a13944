/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relay.h: stands in front of a server, so that a test can take the server away and bring it back
 * at the same address.
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
