/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection-calls.h: the calls that a connection makes by itself, while it opens a channel and
 * before the call of a program.
 */
#pragma once

#include "client/kvsql-types.h"
#include "client/message.h"

G_BEGIN_DECLS

#define KVSQL_API_VERSION 1

struct _KvsqlServerInfo
{
  gint32 api_version;
  gchar *version;
  gchar *store;
  gchar *registry;
  gint64 epoch;
  gboolean definitions_writable;
  gchar *message; /* nullable */
};

/* kvsql_server_info_unref(). Accepts NULL. */
void _kvsql_server_info_release (KvsqlServerInfo *self);

/* *@out is set to a new info. */
KvsqlMessageCall _kvsql_call_hello (KvsqlServerInfo **out);
KvsqlMessageCall _kvsql_call_close_statement (gint64 *id);
KvsqlMessageCall _kvsql_call_close_cursor (GBytes *cursor);

G_END_DECLS
