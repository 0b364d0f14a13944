/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * extended.h: the extended protocol: Parse, Bind, Describe, Execute, Close and Sync.
 *
 * After an error, all messages up to Sync are skipped.
 */
#pragma once

#include "daemon/postgres/message.h"
#include "daemon/postgres/session.h"

G_BEGIN_DECLS

/* FALSE if @message is not one of the extended protocol. */
gboolean kvsqld_pg_extended (KvsqldPgSession *session, KvsqldPgMessage *message);

G_END_DECLS
