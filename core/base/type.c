/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type.c: names and classes of the types.
 */
#include "config.h"

#include "core/base/type.h"

#include <string.h>

static const struct
{
  const gchar *name;
  KvsqlTypeClass type_class;
  gboolean is_number;
} types[KVSQL_N_TYPES] = {
  [KVSQL_TYPE_NULL] = { "NULL", KVSQL_CLASS_NONE, FALSE },
  [KVSQL_TYPE_STRING] = { "STRING", KVSQL_CLASS_SLICE, FALSE },
  [KVSQL_TYPE_BYTES] = { "BYTES", KVSQL_CLASS_SLICE, FALSE },
  [KVSQL_TYPE_BOOLEAN] = { "BOOLEAN", KVSQL_CLASS_BOOLEAN, FALSE },
  [KVSQL_TYPE_INT] = { "INT", KVSQL_CLASS_INTEGER, TRUE },
  [KVSQL_TYPE_BIGINT] = { "BIGINT", KVSQL_CLASS_INTEGER, TRUE },
  [KVSQL_TYPE_FLOAT] = { "FLOAT", KVSQL_CLASS_REAL, TRUE },
  [KVSQL_TYPE_DOUBLE] = { "DOUBLE", KVSQL_CLASS_REAL, TRUE },
  [KVSQL_TYPE_DECIMAL] = { "DECIMAL", KVSQL_CLASS_SLICE, TRUE },
  [KVSQL_TYPE_DATE] = { "DATE", KVSQL_CLASS_INTEGER, FALSE },
  [KVSQL_TYPE_TIMESTAMP] = { "TIMESTAMP", KVSQL_CLASS_INTEGER, FALSE },
  [KVSQL_TYPE_UUID] = { "UUID", KVSQL_CLASS_SLICE, FALSE },
  [KVSQL_TYPE_JSON] = { "JSON", KVSQL_CLASS_SLICE, FALSE },
  [KVSQL_TYPE_JSONB] = { "JSONB", KVSQL_CLASS_SLICE, FALSE },
#define MAP(element)                                                                               \
  [KVSQL_TYPE_MAP + KVSQL_TYPE_##element - 1]                                                      \
      = { "MAP<STRING, " #element ">", KVSQL_CLASS_SLICE, FALSE }
#define LIST(element)                                                                              \
  [KVSQL_TYPE_LIST + KVSQL_TYPE_##element - 1] = { "LIST<" #element ">", KVSQL_CLASS_SLICE, FALSE }
  MAP (STRING),
  MAP (BYTES),
  MAP (BOOLEAN),
  MAP (INT),
  MAP (BIGINT),
  MAP (FLOAT),
  MAP (DOUBLE),
  MAP (DECIMAL),
  MAP (DATE),
  MAP (TIMESTAMP),
  MAP (UUID),
  MAP (JSON),
  MAP (JSONB),
  LIST (STRING),
  LIST (BYTES),
  LIST (BOOLEAN),
  LIST (INT),
  LIST (BIGINT),
  LIST (FLOAT),
  LIST (DOUBLE),
  LIST (DECIMAL),
  LIST (DATE),
  LIST (TIMESTAMP),
  [KVSQL_TYPE_TIME] = { "TIME", KVSQL_CLASS_INTEGER, FALSE },
  [KVSQL_TYPE_INTERVAL] = { "INTERVAL", KVSQL_CLASS_SLICE, FALSE },
  MAP (TIME),
  MAP (INTERVAL),
  LIST (TIME),
  LIST (INTERVAL),
  LIST (UUID),
  LIST (JSON),
  LIST (JSONB),
};

/* Names of types in other systems. */
static const struct
{
  const gchar *name;
  KvsqlType type;
} aliases[] = {
  { "TEXT", KVSQL_TYPE_STRING },     { "VARCHAR", KVSQL_TYPE_STRING },
  { "BINARY", KVSQL_TYPE_BYTES },    { "BYTEA", KVSQL_TYPE_BYTES },
  { "BOOL", KVSQL_TYPE_BOOLEAN },    { "INTEGER", KVSQL_TYPE_INT },
  { "LONG", KVSQL_TYPE_BIGINT },     { "REAL", KVSQL_TYPE_FLOAT },
  { "NUMERIC", KVSQL_TYPE_DECIMAL }, { "INT4", KVSQL_TYPE_INT },
  { "INT8", KVSQL_TYPE_BIGINT },     { "FLOAT4", KVSQL_TYPE_FLOAT },
  { "FLOAT8", KVSQL_TYPE_DOUBLE },   { "TIMESTAMPTZ", KVSQL_TYPE_TIMESTAMP },
};

/* Types of other systems that are not here, and what comes closest. */
static const struct
{
  const gchar *name;
  KvsqlType type;
} closest[] = {
  { "SMALLINT", KVSQL_TYPE_INT },       { "INT2", KVSQL_TYPE_INT },
  { "TINYINT", KVSQL_TYPE_INT },        { "SERIAL", KVSQL_TYPE_INT },
  { "BIGSERIAL", KVSQL_TYPE_BIGINT },   { "UNIQUEIDENTIFIER", KVSQL_TYPE_UUID },
  { "CHAR", KVSQL_TYPE_STRING },        { "CHARACTER", KVSQL_TYPE_STRING },
  { "BLOB", KVSQL_TYPE_BYTES },         { "VARBINARY", KVSQL_TYPE_BYTES },
  { "DATETIME", KVSQL_TYPE_TIMESTAMP }, { "TIMETZ", KVSQL_TYPE_TIME },
  { "MONEY", KVSQL_TYPE_DECIMAL },
};

const gchar *
kvsql_type_find_closest (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (closest); i++)
    if (g_ascii_strcasecmp (name, closest[i].name) == 0)
      return types[closest[i].type].name;
  return NULL;
}

const gchar *
kvsql_type_get_name (KvsqlType type)
{
  g_return_val_if_fail (kvsql_type_is_known (type), "?");
  return types[type].name;
}

gboolean
kvsql_type_is_known (guint number)
{
  return number < KVSQL_N_TYPES && types[number].name != NULL;
}

static gboolean
scalar_from_name (const gchar *name, KvsqlType *out_type)
{
  for (guint i = KVSQL_TYPE_STRING; i < KVSQL_N_TYPES; i++)
    if (types[i].name != NULL && kvsql_type_is_scalar (i)
        && g_ascii_strcasecmp (name, types[i].name) == 0)
      {
        *out_type = i;
        return TRUE;
      }
  for (guint i = 0; i < G_N_ELEMENTS (aliases); i++)
    if (g_ascii_strcasecmp (name, aliases[i].name) == 0)
      {
        *out_type = aliases[i].type;
        return TRUE;
      }
  return FALSE;
}

/* The next word or sign of a type's name. (transfer full) */
static gchar *
take_word (const gchar **at)
{
  const gchar *start;

  while (g_ascii_isspace (**at))
    (*at)++;
  start = *at;
  if (**at != '\0' && strchr ("<>,", **at) != NULL)
    (*at)++;
  else
    *at += strcspn (*at, "<>, \t\n");
  return g_strndup (start, *at - start);
}

static gboolean
take_sign (const gchar **at, const gchar *sign)
{
  g_autofree gchar *word = take_word (at);

  return strcmp (word, sign) == 0;
}

/* MAP<STRING, T>, LIST<T> */
static gboolean
collection_from_name (const gchar *name, KvsqlType *out_type)
{
  const gchar *at = name;
  g_autofree gchar *kind = take_word (&at);
  gboolean is_map = g_ascii_strcasecmp (kind, "MAP") == 0;
  g_autofree gchar *element = NULL;
  KvsqlType type;

  if ((!is_map && g_ascii_strcasecmp (kind, "LIST") != 0) || !take_sign (&at, "<"))
    return FALSE;
  if (is_map)
    {
      g_autofree gchar *key = take_word (&at);
      if (!scalar_from_name (key, &type) || type != KVSQL_TYPE_STRING || !take_sign (&at, ","))
        return FALSE;
    }
  element = take_word (&at);
  if (!scalar_from_name (element, &type) || !take_sign (&at, ">") || !take_sign (&at, ""))
    return FALSE;
  *out_type = (is_map ? KVSQL_TYPE_MAP : KVSQL_TYPE_LIST) + type - 1;
  return TRUE;
}

gboolean
kvsql_type_from_name (const gchar *name, KvsqlType *out_type)
{
  return scalar_from_name (name, out_type) || collection_from_name (name, out_type);
}

KvsqlTypeClass
kvsql_type_get_class (KvsqlType type)
{
  return types[type].type_class;
}

gboolean
kvsql_type_is_number (KvsqlType type)
{
  return types[type].is_number;
}
