/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * assign.h: applies SET to an old tuple.
 */
#pragma once

#include "core/plan/write-plan.h"

G_BEGIN_DECLS

/**
 * kvsql_write_plan_assign:
 * @columns: the old tuple; in ON CONFLICT, followed by the new one
 * @out: (out): n_attributes values in @arena; attributes that are not assigned are borrowed from
 *   @columns
 *
 * Every expression sees the old values. Fails if a value does not fit its attribute.
 */
gboolean kvsql_write_plan_assign (const KvsqlWritePlan *self, const KvsqlValue *columns,
                                  KvsqlArena *arena, KvsqlValue **out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Evaluates ON CONFLICT … WHERE. */
gboolean kvsql_write_plan_admits (const KvsqlWritePlan *self, const KvsqlValue *columns,
                                  KvsqlArena *arena, gboolean *out_admits,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
