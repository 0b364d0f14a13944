/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type.h: the types of attributes. The numbers of scalar types are those of SqlType on the wire.
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
  KVSQL_TYPE_MAP = 11,       /* MAP<STRING, T>: KVSQL_TYPE_MAP + T - 1, T a scalar type */
  KVSQL_TYPE_LIST = 21,      /* LIST<T>: KVSQL_TYPE_LIST + T - 1 */
  KVSQL_TYPE_TIME = 31,      /* milliseconds since midnight, up to 24:00 */
  KVSQL_TYPE_INTERVAL = 32,  /* not of attributes; see duration.h */
  KVSQL_TYPE_UUID = 33,
  KVSQL_TYPE_JSON = 34,
  KVSQL_TYPE_JSONB = 35,
} KvsqlType;

/* Anchors hold these numbers, so none changes. They are in groups of ten: scalar types, maps of
 * them, lists of them. The second group of scalar types begins at 31. Not all numbers are used. */
#define KVSQL_TYPE_GROUP 10
#define KVSQL_N_TYPES 61

/* The representation of a type's values in memory. */
typedef enum
{
  KVSQL_CLASS_NONE,
  KVSQL_CLASS_BOOLEAN,
  KVSQL_CLASS_INTEGER, /* gint64: INT, BIGINT, DATE, TIMESTAMP, TIME */
  KVSQL_CLASS_REAL,    /* gdouble: FLOAT, DOUBLE */
  KVSQL_CLASS_SLICE,   /* bytes: STRING (UTF-8), BYTES, DECIMAL (canonical text, see decimal.h),
                          INTERVAL (see duration.h), maps and lists (canonical JSON, see
                          collection.h), UUID (36 characters, see uuid.h), JSON (its text), JSONB
                          (canonical text, see json.h) */
} KvsqlTypeClass;

static inline gboolean
kvsql_type_is_map (KvsqlType type)
{
  return ((guint)type + KVSQL_TYPE_GROUP - 1) / KVSQL_TYPE_GROUP % 3 == 2;
}

static inline gboolean
kvsql_type_is_list (KvsqlType type)
{
  return type != KVSQL_TYPE_NULL
         && ((guint)type + KVSQL_TYPE_GROUP - 1) / KVSQL_TYPE_GROUP % 3 == 0;
}

static inline gboolean
kvsql_type_is_collection (KvsqlType type)
{
  return kvsql_type_is_map (type) || kvsql_type_is_list (type);
}

static inline gboolean
kvsql_type_is_scalar (KvsqlType type)
{
  return type != KVSQL_TYPE_NULL && !kvsql_type_is_collection (type);
}

/* JSON and JSONB: no type of keys. JSON has no order and no equality either. */
static inline gboolean
kvsql_type_is_json (KvsqlType type)
{
  return type == KVSQL_TYPE_JSON || type == KVSQL_TYPE_JSONB;
}

/* The element type of a map or list; the type itself for all others. */
static inline KvsqlType
kvsql_type_get_element (KvsqlType type)
{
  if (kvsql_type_is_list (type))
    return (KvsqlType)(type - KVSQL_TYPE_LIST + 1);
  return kvsql_type_is_map (type) ? (KvsqlType)(type - KVSQL_TYPE_MAP + 1) : type;
}

/* The types of which values are numbers of days or milliseconds, written as text. */
static inline gboolean
kvsql_type_is_time (KvsqlType type)
{
  return type == KVSQL_TYPE_DATE || type == KVSQL_TYPE_TIMESTAMP || type == KVSQL_TYPE_TIME;
}

/* Whether equal values always have equal bytes. */
static inline gboolean
kvsql_type_has_one_form (KvsqlType type)
{
  return type != KVSQL_TYPE_DECIMAL && type != KVSQL_TYPE_INTERVAL && type != KVSQL_TYPE_FLOAT
         && type != KVSQL_TYPE_DOUBLE;
}

/* For a type of another system: the name of ours that comes closest. (nullable) */
const gchar *kvsql_type_find_closest (const gchar *name);
const gchar *kvsql_type_get_name (KvsqlType type); /* "STRING", "MAP<STRING, INT>", … */
/* Whether there is a type, or NULL, with this number. */
gboolean kvsql_type_is_known (guint number);
gboolean
kvsql_type_from_name (const gchar *name,
                      KvsqlType *out_type); /* ignores case and blanks; knows common aliases, too */
KvsqlTypeClass kvsql_type_get_class (KvsqlType type);
gboolean kvsql_type_is_number (KvsqlType type);

G_END_DECLS
