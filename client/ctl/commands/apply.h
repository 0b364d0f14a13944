/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * apply.h: defines advised schemas in a daemon, and fills them.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/**
 * kvsqlctl_apply:
 * @script: what kvsql_advise() prints as sql
 *
 * For each schema: DEFINE SCHEMA, BACKFILL SCHEMA, VERIFY SCHEMA. Statements go on in the meantime.
 * Drops nothing. Ends at the first error, and says then what was done, and how to go on.
 */
KvsqlctlStatus kvsqlctl_apply (Kvsqlctl *ctl, const gchar *script);

G_END_DECLS
