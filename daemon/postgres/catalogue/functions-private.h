/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * functions-private.h: what the files with functions of the catalogue share.
 */
#pragma once

#include "daemon/postgres/catalogue/functions.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  gint n_arguments;   /* -1: any number */
  gboolean is_strict; /* NULL if an argument is NULL */
  KvsqldPgFunction function;
} KvsqldPgFunctionEntry;

typedef struct
{
  const gchar *name;
  KvsqldPgAggregate function;
} KvsqldPgAggregateEntry;

/* Each ends with a NULL name. */
extern const KvsqldPgFunctionEntry _kvsqld_pg_functions_of_arrays[];
extern const KvsqldPgAggregateEntry _kvsqld_pg_aggregates_of_arrays[];
extern const KvsqldPgFunctionEntry _kvsqld_pg_functions_of_texts[];

#define MAX_PATTERN 1000 /* bytes of a regular expression */

/* ---- values */

static inline KvsqlSlice
text_of (const KvsqlValue *value, KvsqlArena *arena)
{
  switch (value->type)
    {
    case KVSQL_TYPE_STRING:
      return value->bytes;
    case KVSQL_TYPE_NULL:
      return KVSQL_SLICE_EMPTY;
    case KVSQL_TYPE_DOUBLE:
      return kvsql_slice_from_text (kvsql_arena_printf (arena, "%.15g", value->real));
    default:
      return kvsql_slice_from_text (
          kvsql_arena_printf (arena, "%" G_GINT64_FORMAT, value->integer));
    }
}

static inline const gchar *
string_of (const KvsqlValue *value, KvsqlArena *arena)
{
  KvsqlSlice text = text_of (value, arena);

  return kvsql_arena_strndup (arena, (const gchar *)text.data ?: "", text.size);
}

static inline gint64
integer_of (const KvsqlValue *value)
{
  if (value->type == KVSQL_TYPE_DOUBLE)
    return (gint64)value->real;
  return value->type == KVSQL_TYPE_BIGINT ? value->integer : 0;
}

/* A place in a text or an array: sums of two are no more than 64 bits. */
static inline gint64
place_of (const KvsqlValue *value)
{
  return CLAMP (integer_of (value), G_MININT32, G_MAXINT32);
}

static inline gboolean
give_text (KvsqlSlice text, KvsqlValue *out)
{
  *out = text.data == NULL ? KVSQL_VALUE_NULL
                           : (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = text };
  return TRUE;
}

static inline gboolean
give_string (const gchar *text, KvsqlArena *arena, KvsqlValue *out)
{
  return give_text (kvsql_slice_from_text (kvsql_arena_strdup (arena, text)), out);
}

static inline gboolean
give_integer (gint64 integer, KvsqlValue *out)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = integer };
  return TRUE;
}

/* Numbers by their value, other values as texts. */
static inline gint
compare (const KvsqlValue *a, const KvsqlValue *b, KvsqlArena *arena)
{
  if (a->type == KVSQL_TYPE_BIGINT && b->type == KVSQL_TYPE_BIGINT)
    return a->integer < b->integer ? -1 : a->integer > b->integer;
  return kvsql_slice_compare (text_of (a, arena), text_of (b, arena));
}

/* The elements of an array or vector. FALSE with an error: it is none. */
gboolean _kvsqld_pg_read_array (const KvsqlValue *value, KvsqlArena *arena, KvsqlSlice **out,
                                guint *out_n, GError **error) G_GNUC_WARN_UNUSED_RESULT;

#define FUNCTION(name)                                                                             \
  static gboolean name (G_GNUC_UNUSED const KvsqlValue *arguments, G_GNUC_UNUSED guint n,          \
                        G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED KvsqlArena *arena,              \
                        G_GNUC_UNUSED KvsqlValue *out, G_GNUC_UNUSED GError **error)

G_END_DECLS
