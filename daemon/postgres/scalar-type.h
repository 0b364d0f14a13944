/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * scalar-type.h: the types of PostgreSQL that are no arrays, and how values appear as them.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLD_PG_BOOL = 16,
  KVSQLD_PG_BYTEA = 17,
  KVSQLD_PG_NAME = 19,
  KVSQLD_PG_INT8 = 20,
  KVSQLD_PG_INT2 = 21,
  KVSQLD_PG_INT4 = 23,
  KVSQLD_PG_TEXT = 25,
  KVSQLD_PG_OID = 26,
  KVSQLD_PG_JSON = 114,
  KVSQLD_PG_FLOAT4 = 700,
  KVSQLD_PG_FLOAT8 = 701,
  KVSQLD_PG_UNKNOWN = 705,
  KVSQLD_PG_BPCHAR = 1042,
  KVSQLD_PG_VARCHAR = 1043,
  KVSQLD_PG_DATE = 1082,
  KVSQLD_PG_TIME = 1083,
  KVSQLD_PG_TIMESTAMP = 1114,
  KVSQLD_PG_TIMESTAMPTZ = 1184,
  KVSQLD_PG_INTERVAL = 1186,
  KVSQLD_PG_NUMERIC = 1700,
  KVSQLD_PG_UUID = 2950,
  KVSQLD_PG_JSONB = 3802,
} KvsqldPgOid;

/* How values of a type of the engine are sent. */
typedef struct
{
  KvsqldPgOid oid;
  gint16 size; /* of a value, for RowDescription; -1: it varies */
  /* Append the value of @row, which is not NULL. */
  void (*write_text) (KvsqlBuffer *out, const KvsqlVector *column, guint row);
  void (*write_binary) (KvsqlBuffer *out, const KvsqlVector *column, guint row);
} KvsqldPgType;

/* @type: neither map nor list */
const KvsqldPgType *kvsqld_pg_scalar_type_of (KvsqlType type);

G_END_DECLS
