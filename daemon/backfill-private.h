/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill-private.h: what the files of the backfill share.
 */
#pragma once

#include "daemon/backfill.h"

G_BEGIN_DECLS

/* The schema holds every tuple: it is readable from now on. */
gboolean kvsqld_backfill_finish (KvsqldDefinitions *definitions, const gchar *schema,
                                 const KvsqlCall *call, GError **error);

G_END_DECLS
