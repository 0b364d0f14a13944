/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hint.h: kvsqlctl infer --hint: what the user knows of the key.
 */
#pragma once

#include "client/ctl/commands/proposal.h"

G_BEGIN_DECLS

/**
 * kvsqlctl_hint_apply:
 * @hint: names of the key's attributes in order, each with its type if that is known: "region,
 * login STRING"
 * @out_renames: (out) (transfer full) (element-type utf8): the statements that give these names
 *
 * Returns: (transfer none) (nullable): the first reading whose key has such attributes and no
 *   others; if there is none, the first that begins with such attributes. NULL: no reading does
 */
const KvsqlctlReading *kvsqlctl_hint_apply (const gchar *hint, const KvsqlctlProposal *proposal,
                                            GPtrArray **out_renames);

/* "s STRING, n INT": the key of a reading, in the form of a hint. (transfer full) */
gchar *kvsqlctl_reading_show_key (const KvsqlctlReading *self);

G_END_DECLS
