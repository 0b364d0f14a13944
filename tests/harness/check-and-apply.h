/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * check-and-apply.h: a compare and set with mutations that have whole cell keys.
 */
#pragma once

#include "core/store/store.h"

/* @mutations: of the row of @check */
static inline gboolean
check_and_apply (KvsqlStore *store, const KvsqlCheck *check, const KvsqlMutation *mutations,
                 guint n_mutations, const KvsqlCall *call, gboolean *out_applied, GError **error)
{
  g_auto (KvsqlMutationRows) rows = { 0 };

  kvsql_mutation_rows_init (&rows, mutations, n_mutations);
  g_assert_cmpuint (rows.n_rows, ==, 1);
  g_assert_true (kvsql_slice_equal (rows.rows[0].row, check->row));
  return kvsql_store_check_and_apply (store, check, rows.cells, n_mutations, call, out_applied,
                                      error);
}
