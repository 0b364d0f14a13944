/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type.c: names and classes of the types.
 */
#include "config.h"

#include "core/base/type.h"

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
};

/* What people coming from other systems write. */
static const struct
{
  const gchar *name;
  KvsqlType type;
} aliases[] = {
  { "TEXT", KVSQL_TYPE_STRING },     { "VARCHAR", KVSQL_TYPE_STRING },
  { "BINARY", KVSQL_TYPE_BYTES },    { "BYTEA", KVSQL_TYPE_BYTES },
  { "BOOL", KVSQL_TYPE_BOOLEAN },    { "INTEGER", KVSQL_TYPE_INT },
  { "LONG", KVSQL_TYPE_BIGINT },     { "REAL", KVSQL_TYPE_FLOAT },
  { "NUMERIC", KVSQL_TYPE_DECIMAL },
};

const gchar *
kvsql_type_get_name (KvsqlType type)
{
  g_return_val_if_fail ((guint)type < KVSQL_N_TYPES, "?");
  return types[type].name;
}

gboolean
kvsql_type_from_name (const gchar *name, KvsqlType *out_type)
{
  for (guint i = KVSQL_TYPE_STRING; i < KVSQL_N_TYPES; i++)
    if (g_ascii_strcasecmp (name, types[i].name) == 0)
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
