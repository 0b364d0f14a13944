/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type.h: the types of attributes. Their numbers are those of SqlType on the wire.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  KVSQL_TYPE_NULL = 0, /* the type of a bare NULL */
  KVSQL_TYPE_STRING = 1,
  KVSQL_TYPE_BYTES = 2,
  KVSQL_TYPE_BOOLEAN = 3,
  KVSQL_TYPE_INT = 4,
  KVSQL_TYPE_BIGINT = 5,
  KVSQL_TYPE_FLOAT = 6,
  KVSQL_TYPE_DOUBLE = 7,
  KVSQL_TYPE_DECIMAL = 8,
  KVSQL_TYPE_DATE = 9,       /* days since 1970-01-01 */
  KVSQL_TYPE_TIMESTAMP = 10, /* milliseconds since 1970-01-01T00:00:00Z */
} KvsqlType;

#define KVSQL_N_TYPES 11

/* How a value of a type is held in memory. */
typedef enum
{
  KVSQL_CLASS_NONE,
  KVSQL_CLASS_BOOLEAN,
  KVSQL_CLASS_INTEGER, /* gint64: INT, BIGINT, DATE, TIMESTAMP */
  KVSQL_CLASS_REAL,    /* gdouble: FLOAT, DOUBLE */
  KVSQL_CLASS_SLICE,   /* bytes: STRING (UTF-8), BYTES, DECIMAL (canonical text, see decimal.h) */
} KvsqlTypeClass;

const gchar *kvsql_type_get_name (KvsqlType type); /* "STRING", … */
gboolean
kvsql_type_from_name (const gchar *name,
                      KvsqlType *out_type); /* without regard to case; also common aliases */
KvsqlTypeClass kvsql_type_get_class (KvsqlType type);
gboolean kvsql_type_is_number (KvsqlType type);

G_END_DECLS
