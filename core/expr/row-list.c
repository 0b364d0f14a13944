/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-list.c: functions in FROM that go through a list.
 */
#include "config.h"

#include "core/base/collection.h"
#include "core/expr/row-function.h"

typedef struct
{
  guint n;
  gboolean is_reverse;
} Subscripts;

/* Lists have one dimension. */
static gboolean
begin_subscripts (const KvsqlRowFunction *self, const KvsqlValue *arguments, guint n_arguments,
                  KvsqlArena *arena, gpointer *out_state, guint *out_n, GError **error)
{
  Subscripts *subscripts = kvsql_arena_new0 (arena, Subscripts);

  if (arguments[1].integer == 1)
    subscripts->n = (guint)kvsql_collection_get_size (arguments[0].type, arguments[0].bytes);
  subscripts->is_reverse = n_arguments > 2 && arguments[2].boolean;
  *out_state = subscripts;
  *out_n = subscripts->n;
  return TRUE;
}

static void
get_subscript (const KvsqlRowFunction *self, gpointer state, guint row, KvsqlValue *out)
{
  const Subscripts *subscripts = state;

  out[0] = (KvsqlValue){ .type = KVSQL_TYPE_INT,
                         .integer = subscripts->is_reverse ? subscripts->n - row : row + 1 };
}

static const KvsqlRowFunction functions[] = {
  { "generate_subscripts",
    2,
    { KVSQL_TYPE_LIST, KVSQL_TYPE_INT, KVSQL_TYPE_BOOLEAN },
    { { NULL, KVSQL_TYPE_INT, TRUE } },
    1,
    begin_subscripts,
    get_subscript },
};

const KvsqlRowFunctionFamily kvsql_row_functions_list = { functions, G_N_ELEMENTS (functions) };
