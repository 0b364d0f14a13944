/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scalar-type.c: the table of types of results that are neither map nor list.
 */
#include "config.h"

#include "daemon/postgres/scalar-type.h"

#include "daemon/postgres/write-value.h"

static const KvsqldPgType text_type
    = { KVSQLD_PG_TEXT, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_bytes };
static const KvsqldPgType scalar_types[KVSQL_N_TYPES] = {
  [KVSQL_TYPE_BYTES] = { KVSQLD_PG_BYTEA, -1, kvsqld_pg_write_bytea_text, kvsqld_pg_write_bytes },
  [KVSQL_TYPE_BOOLEAN]
  = { KVSQLD_PG_BOOL, 1, kvsqld_pg_write_boolean_text, kvsqld_pg_write_boolean_binary },
  [KVSQL_TYPE_INT]
  = { KVSQLD_PG_INT4, 4, kvsqld_pg_write_integer_text, kvsqld_pg_write_int4_binary },
  [KVSQL_TYPE_BIGINT]
  = { KVSQLD_PG_INT8, 8, kvsqld_pg_write_integer_text, kvsqld_pg_write_int8_binary },
  [KVSQL_TYPE_FLOAT]
  = { KVSQLD_PG_FLOAT4, 4, kvsqld_pg_write_float4_text, kvsqld_pg_write_float4_binary },
  [KVSQL_TYPE_DOUBLE]
  = { KVSQLD_PG_FLOAT8, 8, kvsqld_pg_write_float8_text, kvsqld_pg_write_float8_binary },
  [KVSQL_TYPE_DECIMAL]
  = { KVSQLD_PG_NUMERIC, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_numeric_binary },
  [KVSQL_TYPE_DATE] = { KVSQLD_PG_DATE, 4, kvsqld_pg_write_date_text, kvsqld_pg_write_date_binary },
  [KVSQL_TYPE_TIMESTAMP]
  = { KVSQLD_PG_TIMESTAMP, 8, kvsqld_pg_write_timestamp_text, kvsqld_pg_write_timestamp_binary },
  [KVSQL_TYPE_TIME] = { KVSQLD_PG_TIME, 8, kvsqld_pg_write_time_text, kvsqld_pg_write_time_binary },
  [KVSQL_TYPE_INTERVAL]
  = { KVSQLD_PG_INTERVAL, 16, kvsqld_pg_write_bytes, kvsqld_pg_write_interval_binary },
  [KVSQL_TYPE_UUID] = { KVSQLD_PG_UUID, 16, kvsqld_pg_write_bytes, kvsqld_pg_write_uuid_binary },
  [KVSQL_TYPE_JSON] = { KVSQLD_PG_JSON, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_bytes },
  [KVSQL_TYPE_JSONB] = { KVSQLD_PG_JSONB, -1, kvsqld_pg_write_bytes, kvsqld_pg_write_jsonb_binary },
};

const KvsqldPgType *
kvsqld_pg_scalar_type_of (KvsqlType type)
{
  return scalar_types[type].oid != 0 ? &scalar_types[type] : &text_type;
}
