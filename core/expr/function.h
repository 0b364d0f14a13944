/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function.h: the functions and operators there are.
 *
 * A family of functions is a file fn-FAMILY.c with a table, one line a function: its name, the
 * types of its arguments, that of its result, and its body. Several lines with one name are
 * overloads. A new family is one line in function.c.
 */
#pragma once

#include "core/base/vector.h"
#include "core/expr/expr.h"

G_BEGIN_DECLS

#define KVSQL_FUNCTION_MAX_ARGUMENTS 4

/* What a body may use. Bytes of results go to @arena, or are (parts of) the arguments'. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlType type; /* of the result */
} KvsqlFunctionCall;

/* One row. No argument is NULL, unless the function takes NULLs. @out comes as NULL; an error needs
 * no place. */
typedef gboolean (*KvsqlFunctionRow) (const KvsqlFunctionCall *call, const KvsqlValue *arguments,
                                      KvsqlValue *out, GError **error);

/* The same for @n rows, those in @rows (NULL: 0 to n - 1), skipping those that are null in @out
 * already. FALSE if any row fails; the caller then looks with the row's body which and why. */
typedef gboolean (*KvsqlFunctionRows) (const KvsqlVector *const *arguments, const guint32 *rows,
                                       guint n, KvsqlVector *out);

struct _KvsqlFunction
{
  const gchar *name; /* lower case, or an operator's symbol */
  guint n_arguments;
  KvsqlType arguments[KVSQL_FUNCTION_MAX_ARGUMENTS];
  KvsqlType result;
  KvsqlFunctionRow row;
  KvsqlFunctionRows rows; /* nullable: row by row */
  gboolean never_fails;
  gboolean takes_nulls; /* its body decides what they mean; else the result is NULL. Has no @rows */
};

typedef struct
{
  const KvsqlFunction *functions;
  guint n_functions;
} KvsqlFunctionFamily;

extern const KvsqlFunctionFamily kvsql_functions_bytes;
extern const KvsqlFunctionFamily kvsql_functions_collection;
extern const KvsqlFunctionFamily kvsql_functions_number;
extern const KvsqlFunctionFamily kvsql_functions_operator;
extern const KvsqlFunctionFamily kvsql_functions_text;
extern const KvsqlFunctionFamily kvsql_functions_time;

/* The families, for those who list them; NULL behind the last. */
const KvsqlFunctionFamily *kvsql_function_get_family (guint index);

/* All overloads of @name (lower case), best first where all else is equal; 0 if there are none. */
guint kvsql_function_find (const gchar *name, const KvsqlFunction **out, guint n_out);
#define KVSQL_FUNCTION_MAX_OVERLOADS 16

/* The name that was most likely meant; nullable. */
const gchar *kvsql_function_suggest (const gchar *name);

/* For the tables. */
#define KVSQL_FUNCTION_0(name, result, ...)                                                        \
  {                                                                                                \
    name, 0, { 0 }, KVSQL_TYPE_##result, __VA_ARGS__                                               \
  }
#define KVSQL_FUNCTION_1(name, a, result, ...)                                                     \
  {                                                                                                \
    name, 1, { KVSQL_TYPE_##a }, KVSQL_TYPE_##result, __VA_ARGS__                                  \
  }
#define KVSQL_FUNCTION_2(name, a, b, result, ...)                                                  \
  {                                                                                                \
    name, 2, { KVSQL_TYPE_##a, KVSQL_TYPE_##b }, KVSQL_TYPE_##result, __VA_ARGS__                  \
  }
#define KVSQL_FUNCTION_3(name, a, b, c, result, ...)                                               \
  {                                                                                                \
    name, 3, { KVSQL_TYPE_##a, KVSQL_TYPE_##b, KVSQL_TYPE_##c }, KVSQL_TYPE_##result, __VA_ARGS__  \
  }

/* For the bodies: room for a result whose size the arguments decide, or NULL with an error: one
 * text has at most KVSQL_FUNCTION_MAX_BYTES, all of a batch sixteen times that. */
#define KVSQL_FUNCTION_MAX_BYTES (16 * 1024 * 1024)
gpointer kvsql_function_allocate (const KvsqlFunctionCall *call, gsize size, GError **error);
gboolean kvsql_function_too_long (GError **error);

/* For the bodies: an error without a place. */
#define kvsql_function_fail(error, ...)                                                            \
  kvsql_error_set ((error), KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, __VA_ARGS__)

G_END_DECLS
