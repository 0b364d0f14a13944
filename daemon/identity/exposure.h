/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * exposure.h: warns if others than kvsqld may read or write the registry, where roles are.
 *
 * Looks at the start, as soon as the registry can be reached, and then every hour. It logs what it
 * has found if that is not what it has found before.
 *
 * Threads: a thread of its own.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _KvsqldDefinitions KvsqldDefinitions; /* daemon/cluster/definitions.h */
typedef struct _KvsqldExposure KvsqldExposure;

/* @definitions: borrowed */
KvsqldExposure *kvsqld_exposure_new (KvsqldDefinitions *definitions);
void kvsqld_exposure_free (KvsqldExposure *self); /* accepts NULL */

G_END_DECLS
