/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * writable.c: see the header.
 */
#include "config.h"

#include "daemon/cluster/writable.h"

#include "core/base/error.h"

gboolean
kvsqld_protocol_check_known (const KvsqldWriteProtocol *self, GError **error)
{
  if (self->number <= KVSQLD_WRITE_PROTOCOL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, KVSQL_SPAN_NONE,
                   "this daemon cannot write: the daemons of its registry use write protocol %u, "
                   "and it knows only write protocol %u",
                   self->number, KVSQLD_WRITE_PROTOCOL);
  return kvsql_error_hint (error, "Upgrade this daemon (kvsqld " KVSQL_VERSION
                                  ") to the build of the others, or write through one of them.");
}

/* A registry without definitions gets its number with the first of them. */
static gboolean
is_in_use (const KvsqldWriteProtocol *self, gint64 epoch)
{
  return self->number == 0 ? epoch <= 0
                           : self->number == KVSQLD_WRITE_PROTOCOL && !self->is_announced;
}

gboolean
kvsqld_protocol_check_in_use (const KvsqldWriteProtocol *self, gint64 epoch, GError **error)
{
  if (!kvsqld_protocol_check_known (self, error))
    return FALSE;
  if (is_in_use (self, epoch))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "nothing is written now: the daemons of this registry change to write protocol "
                   "%d",
                   KVSQLD_WRITE_PROTOCOL);
  return kvsql_error_hint (error, "Try again; SHOW STATUS says for which daemon they wait.");
}
