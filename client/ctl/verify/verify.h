/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verify.h: tries an advice on copies of the relations, in the store of a daemon.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"
#include "core/advisor/trial.h"

G_BEGIN_DECLS

typedef struct
{
  gdouble seconds; /* for the statements */
  gdouble share;   /* of the tuples, above 0, at most 1 */
  guint32 seed;
  gboolean as_json;
} KvsqlctlVerifyOptions;

/* A new prefix for the names of copies. (transfer full) */
gchar *kvsqlctl_verify_make_prefix (void);

/**
 * kvsqlctl_verify:
 *
 * Shows the advice and what was found. Removes all that it has made, also after an error, Ctrl-C
 * and SIGTERM; if that is not possible, it prints how.
 *
 * Returns: KVSQLCTL_DONE if all statements together are faster, or nothing is to be changed,
 * KVSQLCTL_NOT_BETTER, KVSQLCTL_DIFFERS, or that of an error
 */
KvsqlctlStatus kvsqlctl_verify (Kvsqlctl *ctl, const KvsqlTrial *trial,
                                const KvsqlctlVerifyOptions *options);

G_END_DECLS
