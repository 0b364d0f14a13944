/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * holding.c: the memory that front ends hold for their sessions between requests.
 */
#include "config.h"

#include "daemon/service/service-private.h"

KvsqlAccount *
kvsqld_service_new_holding (KvsqldService *self)
{
  return kvsql_account_new (self->holdings);
}

/* The memory of the page counts once in that of all statements. */
void
kvsqld_service_hold (KvsqldService *self, KvsqlAccount *holding, gssize bytes)
{
  kvsql_account_add (holding, bytes);
  kvsql_account_add (self->account, -bytes);
}

static gboolean
fail (const gchar *whose, gsize bytes, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "what %s between requests needs more than %" G_GSIZE_FORMAT " KiB of memory",
                   whose, bytes >> 10);
  return kvsql_error_hint (error,
                           "Close prepared statements, portals and cursors that are no longer "
                           "used, or raise max_memory in the daemon's configuration.");
}

gboolean
kvsqld_service_check_holding (KvsqldService *self, const KvsqlAccount *holding, GError **error)
{
  gsize max_memory, most;

  g_mutex_lock (&self->mutex);
  max_memory = self->limits.max_memory;
  g_mutex_unlock (&self->mutex);
  most = max_memory / KVSQLD_SESSION_PART;
  if (kvsql_account_get_used (holding) > most)
    return fail ("this session holds", most, error);
  most = max_memory / KVSQLD_HOLDINGS_PART;
  return kvsql_account_get_used (self->holdings) <= most || fail ("all sessions hold", most, error);
}
