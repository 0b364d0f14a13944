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

#include "daemon/postgres/scalar-type.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

const KvsqldPgType *kvsqld_pg_type_of (KvsqlType type);

/* The same for one with a limit, as SMALLINT. */
const KvsqldPgType *kvsqld_pg_type_of_limited (KvsqlType type, KvsqlLimitKind limit);
/* The same for a column: an attribute with a limit is a VARCHAR(n), CHAR(n), NUMERIC(p, s) or
 * SMALLINT; n, p and s are in the modifier, as PostgreSQL encodes them. -1: none. */
const KvsqldPgType *kvsqld_pg_type_of_column (const KvsqlResultColumn *column);
gint32 kvsqld_pg_modifier_of_column (const KvsqlResultColumn *column);

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
