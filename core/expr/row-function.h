/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * row-function.h: functions in FROM that make several rows of one value.
 *
 * A function is a row of the table of its file, and its file is a line of the table in
 * row-function.c. generate_series() and unnest() are not here: their types follow from their
 * arguments.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

#define KVSQL_ROW_FUNCTION_MAX_ARGUMENTS 3
#define KVSQL_ROW_FUNCTION_MAX_COLUMNS 2

typedef struct _KvsqlRowFunction KvsqlRowFunction;

typedef struct
{
  const gchar *name; /* NULL: the alias, or the name of the function */
  KvsqlType type;
  gboolean is_not_null;
} KvsqlRowColumn;

struct _KvsqlRowFunction
{
  const gchar *name;
  guint n_required;                                      /* the other arguments may be left out */
  KvsqlType arguments[KVSQL_ROW_FUNCTION_MAX_ARGUMENTS]; /* LIST: of any elements; NULL: none */
  KvsqlRowColumn columns[KVSQL_ROW_FUNCTION_MAX_COLUMNS];
  guint n_columns;
  /* Reads the arguments, none of which is NULL. *out_n: how many rows there are. *out_state is in
   * @arena. */
  gboolean (*begin) (const KvsqlRowFunction *self, const KvsqlValue *arguments, guint n_arguments,
                     KvsqlArena *arena, gpointer *out_state, guint *out_n, GError **error);
  /* The columns of row @row, valid as long as the state. */
  void (*get) (const KvsqlRowFunction *self, gpointer state, guint row, KvsqlValue *out);
};

typedef struct
{
  const KvsqlRowFunction *functions;
  guint n_functions;
} KvsqlRowFunctionFamily;

extern const KvsqlRowFunctionFamily kvsql_row_functions_json;
extern const KvsqlRowFunctionFamily kvsql_row_functions_list;

/* NULL: there is none. Case does not matter. */
const KvsqlRowFunction *kvsql_row_function_find (const gchar *name);
/* All functions, in the order of the tables. NULL after the last one. */
const KvsqlRowFunction *kvsql_row_function_get (guint i);

guint kvsql_row_function_get_max_arguments (const KvsqlRowFunction *self);

G_END_DECLS
