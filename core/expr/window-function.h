/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-function.h: the functions that need OVER, by name. All aggregates can have OVER, too.
 */
#pragma once

#include "core/base/type.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQL_WINDOW_ROW_NUMBER,
  KVSQL_WINDOW_RANK,
  KVSQL_WINDOW_DENSE_RANK,
  KVSQL_WINDOW_PERCENT_RANK,
  KVSQL_WINDOW_CUME_DIST,
  KVSQL_WINDOW_NTILE,
  KVSQL_WINDOW_LAG,
  KVSQL_WINDOW_LEAD,
  KVSQL_WINDOW_FIRST_VALUE,
  KVSQL_WINDOW_LAST_VALUE,
  KVSQL_WINDOW_NTH_VALUE,
  KVSQL_N_WINDOW_FUNCTIONS,
  KVSQL_WINDOW_AGGREGATE = KVSQL_N_WINDOW_FUNCTIONS, /* an aggregate with OVER */
} KvsqlWindowFunction;

typedef struct
{
  const gchar *name;
  guint n_least, n_most; /* arguments */
  KvsqlType type;        /* of the result; NULL: that of the first argument */
  /* the argument that is an INT: the number of groups, the distance, the position. 0: none */
  guint number;
} KvsqlWindowFunctionFacts;

/* Ignores case. FALSE: there is no such function. */
gboolean kvsql_window_function_find (const gchar *name, KvsqlWindowFunction *out);
const KvsqlWindowFunctionFacts *kvsql_window_function_get (KvsqlWindowFunction self);
void kvsql_window_function_add_names (GPtrArray *names); /* of all; static strings */

G_END_DECLS
