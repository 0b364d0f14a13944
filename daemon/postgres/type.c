/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type.c: the table of types: one row for each type of the engine, one for each type of a
 * parameter.
 */
#include "config.h"

#include "daemon/postgres/type.h"

#include "daemon/postgres/read-array.h"
#include "daemon/postgres/read-value.h"
#include "daemon/postgres/scalar-type.h"
#include "daemon/postgres/write-array.h"
#include "daemon/postgres/write-value.h"

/* ---- of results */

/* Lists whose elements PostgreSQL has no array of, and maps. */
static const KvsqldPgType json_type
    = { KVSQLD_PG_JSON, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_bytes };

#define ARRAY_TYPE(oid)                                                                            \
  {                                                                                                \
    oid, -1, kvsqld_pg_write_array_text, kvsqld_pg_write_array_binary                              \
  }

/* By the type of the elements. */
static const KvsqldPgType array_types[KVSQL_N_TYPES] = {
  [KVSQL_TYPE_STRING] = ARRAY_TYPE (1009),  [KVSQL_TYPE_BYTES] = ARRAY_TYPE (1001),
  [KVSQL_TYPE_BOOLEAN] = ARRAY_TYPE (1000), [KVSQL_TYPE_INT] = ARRAY_TYPE (1007),
  [KVSQL_TYPE_BIGINT] = ARRAY_TYPE (1016),  [KVSQL_TYPE_FLOAT] = ARRAY_TYPE (1021),
  [KVSQL_TYPE_DOUBLE] = ARRAY_TYPE (1022),  [KVSQL_TYPE_DECIMAL] = ARRAY_TYPE (1231),
  [KVSQL_TYPE_DATE] = ARRAY_TYPE (1182),    [KVSQL_TYPE_TIMESTAMP] = ARRAY_TYPE (1115),
  [KVSQL_TYPE_TIME] = ARRAY_TYPE (1183),    [KVSQL_TYPE_INTERVAL] = ARRAY_TYPE (1187),
  [KVSQL_TYPE_UUID] = ARRAY_TYPE (2951),    [KVSQL_TYPE_JSON] = ARRAY_TYPE (199),
  [KVSQL_TYPE_JSONB] = ARRAY_TYPE (3807),
};

const KvsqldPgType *
kvsqld_pg_type_of (KvsqlType type)
{
  const KvsqldPgType *array
      = kvsql_type_is_list (type) ? &array_types[kvsql_type_get_element (type)] : NULL;

  if (array != NULL && array->oid != 0)
    return array;
  return kvsql_type_is_collection (type) ? &json_type : kvsqld_pg_scalar_type_of (type);
}

#define MODIFIER_HEADER 4 /* PostgreSQL counts the header of a value */

static const KvsqldPgType limited_types[] = {
  [KVSQL_LIMIT_LENGTH] = { KVSQLD_PG_VARCHAR, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_bytes },
  [KVSQL_LIMIT_BLANKS] = { KVSQLD_PG_BPCHAR, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_bytes },
  [KVSQL_LIMIT_DIGITS]
  = { KVSQLD_PG_NUMERIC, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_numeric_binary },
  [KVSQL_LIMIT_SMALL]
  = { KVSQLD_PG_INT2, 2, kvsqld_pg_write_integer_text, kvsqld_pg_write_int2_binary },
  [KVSQL_LIMIT_ZONE] = { KVSQLD_PG_TIMESTAMPTZ, 8, kvsqld_pg_write_timestamptz_text,
                         kvsqld_pg_write_timestamp_binary },
};

const KvsqldPgType *
kvsqld_pg_type_of_limited (KvsqlType type, KvsqlLimitKind limit)
{
  return limit < G_N_ELEMENTS (limited_types) && limited_types[limit].oid != 0
             ? &limited_types[limit]
             : kvsqld_pg_type_of (type);
}

const KvsqldPgType *
kvsqld_pg_type_of_column (const KvsqlResultColumn *column)
{
  return kvsqld_pg_type_of_limited (column->type, column->limit.kind);
}

gint32
kvsqld_pg_modifier_of_column (const KvsqlResultColumn *column)
{
  switch (column->limit.kind)
    {
    case KVSQL_LIMIT_LENGTH:
    case KVSQL_LIMIT_BLANKS:
      return column->limit.size == 0 ? -1 : (gint32)column->limit.size + MODIFIER_HEADER;
    case KVSQL_LIMIT_DIGITS:
      return (gint32)(column->limit.size << 16 | column->limit.scale) + MODIFIER_HEADER;
    case KVSQL_LIMIT_TIMESTAMP:
    case KVSQL_LIMIT_TIME:
      return (gint32)column->limit.size;
    case KVSQL_LIMIT_ZONE:
      return kvsql_type_limit_is_checked (&column->limit) ? (gint32)column->limit.size : -1;
    default:
      return -1;
    }
}

/* ---- of parameters */

typedef struct
{
  guint32 oid;
  KvsqlType type; /* of the engine */
  KvsqldPgRead read_binary;
} ParameterType;

static const ParameterType parameter_types[] = {
  { 0, KVSQL_TYPE_NULL, kvsqld_pg_read_text },
  { KVSQLD_PG_UNKNOWN, KVSQL_TYPE_NULL, kvsqld_pg_read_text },
  { KVSQLD_PG_TEXT, KVSQL_TYPE_STRING, kvsqld_pg_read_text },
  { KVSQLD_PG_VARCHAR, KVSQL_TYPE_STRING, kvsqld_pg_read_text },
  { KVSQLD_PG_BPCHAR, KVSQL_TYPE_STRING, kvsqld_pg_read_text },
  { KVSQLD_PG_NAME, KVSQL_TYPE_STRING, kvsqld_pg_read_text },
  { KVSQLD_PG_JSON, KVSQL_TYPE_NULL, kvsqld_pg_read_text },
  { KVSQLD_PG_BOOL, KVSQL_TYPE_BOOLEAN, kvsqld_pg_read_boolean },
  { KVSQLD_PG_BYTEA, KVSQL_TYPE_BYTES, kvsqld_pg_read_bytea },
  { KVSQLD_PG_INT2, KVSQL_TYPE_INT, kvsqld_pg_read_integer },
  { KVSQLD_PG_INT4, KVSQL_TYPE_INT, kvsqld_pg_read_integer },
  { KVSQLD_PG_INT8, KVSQL_TYPE_BIGINT, kvsqld_pg_read_integer },
  { KVSQLD_PG_OID, KVSQL_TYPE_BIGINT, kvsqld_pg_read_oid },
  { KVSQLD_PG_FLOAT4, KVSQL_TYPE_FLOAT, kvsqld_pg_read_real },
  { KVSQLD_PG_FLOAT8, KVSQL_TYPE_DOUBLE, kvsqld_pg_read_real },
  { KVSQLD_PG_NUMERIC, KVSQL_TYPE_DECIMAL, kvsqld_pg_read_numeric },
  { KVSQLD_PG_DATE, KVSQL_TYPE_DATE, kvsqld_pg_read_date },
  { KVSQLD_PG_TIME, KVSQL_TYPE_TIME, kvsqld_pg_read_time },
  { KVSQLD_PG_INTERVAL, KVSQL_TYPE_INTERVAL, kvsqld_pg_read_interval },
  { KVSQLD_PG_TIMESTAMP, KVSQL_TYPE_TIMESTAMP, kvsqld_pg_read_timestamp },
  { KVSQLD_PG_TIMESTAMPTZ, KVSQL_TYPE_TIMESTAMP, kvsqld_pg_read_timestamp },
  { KVSQLD_PG_UUID, KVSQL_TYPE_UUID, kvsqld_pg_read_uuid },
  { KVSQLD_PG_JSONB, KVSQL_TYPE_JSONB, kvsqld_pg_read_jsonb },
};

static const ParameterType *
find_parameter_type (guint32 oid)
{
  for (guint i = 0; i < G_N_ELEMENTS (parameter_types); i++)
    if (parameter_types[i].oid == oid)
      return &parameter_types[i];
  return NULL;
}

static const struct
{
  guint32 oid, element;
} arrays[] = {
  { 1000, KVSQLD_PG_BOOL },        { 1001, KVSQLD_PG_BYTEA },  { 1007, KVSQLD_PG_INT4 },
  { 1005, KVSQLD_PG_INT2 },        { 1016, KVSQLD_PG_INT8 },   { 1009, KVSQLD_PG_TEXT },
  { 1015, KVSQLD_PG_VARCHAR },     { 1014, KVSQLD_PG_BPCHAR }, { 1003, KVSQLD_PG_NAME },
  { 1021, KVSQLD_PG_FLOAT4 },      { 1022, KVSQLD_PG_FLOAT8 }, { 1231, KVSQLD_PG_NUMERIC },
  { 1182, KVSQLD_PG_DATE },        { 1183, KVSQLD_PG_TIME },   { 1115, KVSQLD_PG_TIMESTAMP },
  { 1185, KVSQLD_PG_TIMESTAMPTZ }, { 2951, KVSQLD_PG_UUID },   { 1187, KVSQLD_PG_INTERVAL },
  { 3807, KVSQLD_PG_JSONB },       { 199, KVSQLD_PG_JSON },
};

/* Alone, a json may also be a MAP or LIST. */
static const ParameterType json_element
    = { KVSQLD_PG_JSON, KVSQL_TYPE_JSON, kvsqld_pg_read_from_text };

/* The type of the elements; NULL: @oid is no array. */
static const ParameterType *
find_element_type (guint32 oid)
{
  for (guint i = 0; i < G_N_ELEMENTS (arrays); i++)
    if (arrays[i].oid == oid)
      return arrays[i].element == KVSQLD_PG_JSON ? &json_element
                                                 : find_parameter_type (arrays[i].element);
  return NULL;
}

gboolean
kvsqld_pg_type_is_known (guint32 oid)
{
  return find_parameter_type (oid) != NULL || find_element_type (oid) != NULL;
}

KvsqlType
kvsqld_pg_type_to_engine (guint32 oid)
{
  const ParameterType *found = find_parameter_type (oid), *element = find_element_type (oid);

  if (element != NULL)
    return KVSQL_TYPE_LIST + (KvsqlType)(element->type - 1);
  return found != NULL ? found->type : KVSQL_TYPE_NULL;
}

gboolean
kvsqld_pg_type_read (guint32 oid, gboolean is_binary, KvsqlSlice bytes, KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  const ParameterType *found = find_parameter_type (oid), *element = find_element_type (oid);

  if (element != NULL && is_binary)
    return kvsqld_pg_read_array (bytes, element->type, element->oid, element->read_binary, arena,
                                 out, error);
  if (element != NULL)
    return kvsqld_pg_read_list_from_text (bytes, kvsqld_pg_type_to_engine (oid), arena, out, error);
  if (found == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "parameters of type %u are not supported", oid);
      return kvsql_error_hint (error, "Leave the type open, and send the value as text.");
    }
  if (is_binary)
    return found->read_binary (bytes, found->type, arena, out, error);
  if (oid == KVSQLD_PG_TIMESTAMP)
    return kvsqld_pg_read_clock_from_text (bytes, out, error);
  return kvsqld_pg_read_from_text (bytes, found->type, arena, out, error);
}
