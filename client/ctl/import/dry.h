/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dry.h: shows the key-values of the first rows of a file.
 */
#pragma once

#include "client/ctl/import/batch.h"

G_BEGIN_DECLS

/* Writes the key-values of the first rows to stdout; inserts nothing. */
KvsqlctlStatus kvsqlctl_import_dry (Kvsqlctl *ctl, const KvsqlctlTarget *target,
                                    KvsqlctlReader *reader);

G_END_DECLS
