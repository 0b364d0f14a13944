/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * helpers.h: the daemon's threads that read parts of long scans for statements.
 *
 * Who has waited longest has his turn, so statements that ask at once share them. They are started
 * when they are first needed.
 *
 * Threads: any.
 */
#pragma once

#include "core/exec/helpers.h"
#include "core/store/usage.h"

G_BEGIN_DECLS

typedef struct
{
  KvsqlCount n_threads;
  KvsqlCount n_busy;
  KvsqlCount n_turns; /* since the daemon began */
} KvsqldHelpersReport;

KvsqlHelpers *kvsqld_helpers_new (void);
/* Nobody may ask any more. */
void kvsqld_helpers_free (KvsqlHelpers *self); /* accepts NULL */
/* How many threads there may be, from now on; 0: nobody is to ask. */
void kvsqld_helpers_set_n (KvsqlHelpers *self, guint n);
void kvsqld_helpers_report (KvsqlHelpers *self, KvsqldHelpersReport *out);

G_END_DECLS
