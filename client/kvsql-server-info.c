/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-server-info.c: what kvsqld says about itself.
 */
#include "config.h"

#include "client/kvsql-connection.h"

#include "client/connection-calls.h"

G_DEFINE_BOXED_TYPE (KvsqlServerInfo, kvsql_server_info, kvsql_server_info_ref,
                     kvsql_server_info_unref)

KvsqlServerInfo *
kvsql_server_info_ref (KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_rc_box_acquire (self);
}

void
kvsql_server_info_unref (KvsqlServerInfo *self)
{
  _kvsql_server_info_release (self);
}

const gchar *
kvsql_server_info_get_version (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->version;
}

gint
kvsql_server_info_get_api_version (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->api_version;
}

const gchar *
kvsql_server_info_get_store (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->store;
}

const gchar *
kvsql_server_info_get_registry (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->registry;
}

gint64
kvsql_server_info_get_epoch (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->epoch;
}

gboolean
kvsql_server_info_get_definitions_writable (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, FALSE);
  return self->definitions_writable;
}

const gchar *
kvsql_server_info_get_message (const KvsqlServerInfo *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return self->message;
}
