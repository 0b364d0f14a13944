/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cutting-proxy.h: is between a ZooKeeper client and its server, and fails at a chosen moment.
 */
#pragma once

#include <gio/gio.h>

typedef enum
{
  PROXY_PASS,
  PROXY_REFUSE,           /* no connection lives */
  PROXY_CUT_BEFORE_MULTI, /* the server never gets the next multi-operation */
  PROXY_CUT_AFTER_MULTI,  /* it applies it, and the client never hears of it */
  PROXY_HANG_AT_MULTI,    /* it applies it, and from then on nothing comes back */
} ProxyMode;

typedef struct _CuttingProxy CuttingProxy;

CuttingProxy *cutting_proxy_new (guint16 server_port);
void cutting_proxy_free (CuttingProxy *self);
guint16 cutting_proxy_get_port (CuttingProxy *self);
/* Does what @mode says from now on. After a cut the mode is @then. */
void cutting_proxy_set_mode (CuttingProxy *self, ProxyMode mode, ProxyMode then);
/* Blocks until a multi-operation was cut, at most ten seconds. */
gboolean cutting_proxy_wait_for_cut (CuttingProxy *self);
