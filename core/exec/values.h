/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * values.h: the rows of VALUES.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/select-plan.h"

G_BEGIN_DECLS

/* @plan must outlive it. */
KvsqlRowSource *kvsql_values_new (const KvsqlSelectPlan *plan);

G_END_DECLS
