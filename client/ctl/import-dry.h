/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * import-dry.h: what the first rows of a file would become.
 */
#pragma once

#include "client/ctl/import-batch.h"

G_BEGIN_DECLS

/* Shows the key-values of the first rows on stdout; writes nothing. */
KvsqlctlStatus kvsqlctl_import_dry (Kvsqlctl *ctl, const KvsqlctlTarget *target,
                                    KvsqlctlReader *reader);

G_END_DECLS
