/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dialogue.h: kvsqlctl infer --interactive: asks what the rows of a table cannot tell.
 */
#pragma once

#include "client/ctl/commands/proposal.h"

G_BEGIN_DECLS

/* Asks which reading is right, for names, and whether to define it; defines it, or prints the
 * script. Answers are lines of the standard input, which need not be a terminal. */
KvsqlctlStatus kvsqlctl_dialogue_run (Kvsqlctl *ctl, const KvsqlctlProposal *proposal);

G_END_DECLS
