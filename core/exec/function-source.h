/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function-source.h: the rows of a function in FROM, batch by batch.
 */
#pragma once

#include "core/exec/row-source.h"
#include "core/plan/function-rows.h"

G_BEGIN_DECLS

/* @plan must outlive it. */
KvsqlRowSource *kvsql_function_source_new (const KvsqlFunctionPlan *plan);

G_END_DECLS
