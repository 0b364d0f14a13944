/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type.h: the types of PostgreSQL, and how the engine's types appear as them.
 *
 * Values are written in PostgreSQL's text and binary formats directly from the vectors of a page,
 * without an allocation per value, and read from parameters. Numbers of types are those of
 * PostgreSQL's catalogue.
 *
 * Threads: any.
 */
#pragma once

#include "core/base/vector.h"
#include "daemon/service/service.h"

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

const KvsqldPgType *kvsqld_pg_type_of (KvsqlType type);

/* The same for a column: an attribute with a limit is a VARCHAR(n), CHAR(n), NUMERIC(p, s) or
 * SMALLINT; n, p and s are in the modifier, as PostgreSQL encodes them. -1: none. */
const KvsqldPgType *kvsqld_pg_type_of_column (const KvsqlResultColumn *column);
gint32 kvsqld_pg_modifier_of_column (const KvsqlResultColumn *column);

/* The array of PostgreSQL that a parameter in the place of a list is. */
guint32 kvsqld_pg_array_of (KvsqlType list);

/* Whether there are parameters of this type; 0 and KVSQLD_PG_UNKNOWN: the type of their place. */
gboolean kvsqld_pg_type_is_known (guint32 oid);

/**
 * kvsqld_pg_type_read:
 * @oid: the type of the parameter
 * @is_binary: its format, else text
 * @bytes: not NULL
 * @out: (out): in @arena
 *
 * Errors: %KVSQL_ERROR_VALUE with PostgreSQL's SQLSTATE, or %KVSQL_ERROR_UNSUPPORTED.
 */
gboolean kvsqld_pg_type_read (guint32 oid, gboolean is_binary, KvsqlSlice bytes, KvsqlArena *arena,
                              KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The type of the engine that a parameter of type @oid becomes; KVSQL_TYPE_NULL: that of its
 * place. */
KvsqlType kvsqld_pg_type_to_engine (guint32 oid);

G_END_DECLS
