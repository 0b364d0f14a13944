/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advise-private.h: the steps of kvsql_advise(), for a trial of the advice.
 */
#pragma once

#include "core/advisor/advice.h"
#include "core/advisor/advise.h"

G_BEGIN_DECLS

/* The advice for a workload, which must live on. */
KvsqlAdvice *kvsql_advise_workload (KvsqlWorkload *workload, const KvsqlAdviseOptions *options,
                                    GError **error);
/* The advice in a format. (transfer full) */
gchar *kvsql_advise_print (const KvsqlAdvice *advice, const gchar *format, GError **error);
void kvsql_advise_error_copy (const GError *from, KvsqlAdviseError *out);

G_END_DECLS
