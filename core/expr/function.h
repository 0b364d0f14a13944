/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * function.h: the table of functions and operators.
 *
 * A family of functions is a file fn-FAMILY.c with a table. A line of the table is a function: its
 * name, the types of its arguments, the type of its result, and its body. Several lines with one
 * name are overloads. To add a family, add a line to function.c.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/vector.h"

G_BEGIN_DECLS

#define KVSQL_FUNCTION_MAX_ARGUMENTS 7

/* The context of a body. Bytes of results are in @arena, or are (parts of) bytes of arguments. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlType type; /* of the result */
} KvsqlFunctionCall;

/* The body for one row. No argument is NULL, unless the function takes NULLs. @out is initially
 * NULL. An error needs no position. */
typedef gboolean (*KvsqlFunctionRow) (const KvsqlFunctionCall *call, const KvsqlValue *arguments,
                                      KvsqlValue *out, GError **error);

/* The body for the @n rows in @rows (NULL: 0 to n - 1), except rows that are already NULL in @out.
 * FALSE if any row fails; the caller then uses the body for one row to find the row and the error.
 */
typedef gboolean (*KvsqlFunctionRows) (const KvsqlVector *const *arguments, const guint32 *rows,
                                       guint n, KvsqlVector *out);

/* How many digits after the point a DECIMAL result is shown with, as in PostgreSQL. */
typedef enum
{
  KVSQL_DIGITS_UNKNOWN, /* as many as it has */
  KVSQL_DIGITS_MOST,    /* as many as the argument with the most */
  KVSQL_DIGITS_SUM,     /* as many as all arguments together */
  KVSQL_DIGITS_GIVEN,   /* the last argument says it */
} KvsqlDigits;

/* Whether a result of type TIMESTAMP is a TIMESTAMPTZ. */
typedef enum
{
  KVSQL_ZONE_OF_ARGUMENTS, /* if an argument is one */
  KVSQL_ZONE_ALWAYS,
  KVSQL_ZONE_NEVER,
} KvsqlZoneOfResult;

typedef struct
{
  const gchar *name; /* lower case, or an operator's symbol */
  guint n_arguments;
  KvsqlType arguments[KVSQL_FUNCTION_MAX_ARGUMENTS];
  KvsqlType result;
  KvsqlFunctionRow row;
  KvsqlFunctionRows rows; /* nullable: use @row for each row */
  gboolean never_fails;
  gboolean
      takes_nulls; /* the body handles NULL arguments; else the result is NULL. @rows is NULL */
  gboolean is_volatile; /* each call may have another result: never computed in advance */
  KvsqlZoneOfResult zone;
  KvsqlDigits digits;
} KvsqlFunction;

typedef struct
{
  const KvsqlFunction *functions;
  guint n_functions;
} KvsqlFunctionFamily;

extern const KvsqlFunctionFamily kvsql_functions_angle;
extern const KvsqlFunctionFamily kvsql_functions_bits;
extern const KvsqlFunctionFamily kvsql_functions_bytes;
extern const KvsqlFunctionFamily kvsql_functions_clock;
extern const KvsqlFunctionFamily kvsql_functions_collection;
extern const KvsqlFunctionFamily kvsql_functions_exact;
extern const KvsqlFunctionFamily kvsql_functions_limit;
extern const KvsqlFunctionFamily kvsql_functions_format;
extern const KvsqlFunctionFamily kvsql_functions_interval;
extern const KvsqlFunctionFamily kvsql_functions_interval_part;
extern const KvsqlFunctionFamily kvsql_functions_json;
extern const KvsqlFunctionFamily kvsql_functions_json_build;
extern const KvsqlFunctionFamily kvsql_functions_json_change;
extern const KvsqlFunctionFamily kvsql_functions_list;
extern const KvsqlFunctionFamily kvsql_functions_list_set;
extern const KvsqlFunctionFamily kvsql_functions_number;
extern const KvsqlFunctionFamily kvsql_functions_operator;
extern const KvsqlFunctionFamily kvsql_functions_quote;
extern const KvsqlFunctionFamily kvsql_functions_regexp;
extern const KvsqlFunctionFamily kvsql_functions_sequence;
extern const KvsqlFunctionFamily kvsql_functions_text;
extern const KvsqlFunctionFamily kvsql_functions_time;
extern const KvsqlFunctionFamily kvsql_functions_time_parse;
extern const KvsqlFunctionFamily kvsql_functions_time_text;
extern const KvsqlFunctionFamily kvsql_functions_zone;

/* The families by index, to list all functions; NULL after the last one. */
const KvsqlFunctionFamily *kvsql_function_get_family (guint index);

/* All overloads of @name (lower case), in the order of preference among equal matches. Returns
 * their number. */
guint kvsql_function_find (const gchar *name, const KvsqlFunction **out, guint n_out);
#define KVSQL_FUNCTION_MAX_OVERLOADS 32

/* Whether the function, without arguments, has the time of the statement, as now (). */
gboolean kvsql_function_is_of_clock (const gchar *name);
/* Whether one of the overloads is volatile. */
gboolean kvsql_function_is_volatile (const gchar *name);

/* (nullable): the name that is most similar. */
const gchar *kvsql_function_suggest (const gchar *name);

/* For the tables of functions. */
#define KVSQL_TYPE_INT_LIST ((KvsqlType)(KVSQL_TYPE_LIST + KVSQL_TYPE_INT - 1))
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

#define KVSQL_FUNCTION_4(name, a, b, c, d, result, ...)                                            \
  {                                                                                                \
    name, 4, { KVSQL_TYPE_##a, KVSQL_TYPE_##b, KVSQL_TYPE_##c, KVSQL_TYPE_##d },                   \
        KVSQL_TYPE_##result, __VA_ARGS__                                                           \
  }

/* For the bodies: memory for a result whose size depends on the arguments, or NULL with an error.
 * One text has at most KVSQL_FUNCTION_MAX_BYTES, all texts of a batch sixteen times as many. */
#define KVSQL_FUNCTION_MAX_BYTES (16 * 1024 * 1024)
gpointer kvsql_function_allocate (const KvsqlFunctionCall *call, gsize size, GError **error);
gboolean kvsql_function_fail_too_long (GError **error);
/* The result is a copy of @text in such memory. */
gboolean kvsql_function_set_text (const KvsqlFunctionCall *call, KvsqlSlice text, KvsqlValue *out,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* For the bodies: an error without a position. */
#define kvsql_function_fail(error, ...)                                                            \
  kvsql_error_set ((error), KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, __VA_ARGS__)
/* The same, with the SQLSTATE that PostgreSQL has for it. */
#define kvsql_function_fail_as(error, sqlstate, ...)                                               \
  (kvsql_function_fail (error, __VA_ARGS__), kvsql_error_sqlstate ((error), (sqlstate)))

G_END_DECLS
