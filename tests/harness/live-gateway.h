/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * live-gateway.h: Thrift2 gateways of a test's own, which tests/live/hbase starts in addition to
 * the HBase of KVSQL_TEST_HBASE_DIR.
 */
#pragma once

#include <gio/gio.h>
#include <signal.h>

#include "core/store/store.h"

typedef struct
{
  gchar *url;
  gchar *address; /* 127.0.0.1:PORT */
  gchar *name;
} LiveGateway;

const gchar *live_hbase_folder (void); /* NULL: there is none */
gchar *live_hbase_script (void);       /* (transfer full) */

/* With up to two options of tests/live/hbase; either may be NULL.
 * Where that of KVSQL_TEST_HBASE_URL speaks HTTP or TLS, so does it. */
void live_gateway_start (LiveGateway *self, const gchar *first_option, const gchar *second_option);
void live_gateway_stop (LiveGateway *self);
void live_gateway_signal (const LiveGateway *self, gint number);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LiveGateway, live_gateway_stop)

/* Of KVSQL_TEST_HBASE_URL; HOST:PORT. (transfer full) */
gchar *live_gateway_first (void);
/* It speaks TLS: what passes a relay cannot be changed. */
gboolean live_gateway_is_tls (void);
/* It speaks HTTP, with TLS or without. */
gboolean live_gateway_is_http (void);
/* @authority: HOST:PORT, or several. With the transport of KVSQL_TEST_HBASE_URL, if that is HTTP.
 */
KvsqlStore *live_store_open (const gchar *authority);
/* @settings: more of the URL's, KEY=VALUE with & between them; may be empty. */
KvsqlStore *live_store_open_with (const gchar *authority, const gchar *settings);

/* Admin.java, which does what an operator does. */
typedef struct
{
  GSubprocess *process;
  GDataInputStream *answers;
} LiveAdmin;

void live_admin_start (LiveAdmin *self);
void live_admin_end (LiveAdmin *self);
gchar *live_admin_ask (LiveAdmin *self, const gchar *command); /* (transfer full) */

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (LiveAdmin, live_admin_end)
