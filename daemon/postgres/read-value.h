/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-value.h: values of parameters from PostgreSQL's formats.
 *
 * A value is of the type that its parameter has in the engine, or text whose place determines the
 * type. Results are in the arena. Errors: %KVSQL_ERROR_VALUE with PostgreSQL's SQLSTATE (22P02,
 * 22P03, 22003, 22021).
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

typedef gboolean (*KvsqldPgRead) (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                  KvsqlValue *out, GError **error);

/* From the text format; @type NULL: text as it is. */
gboolean kvsqld_pg_read_from_text (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                   KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* @type: a list; the text of an array, or JSON. */
gboolean kvsqld_pg_read_list_from_text (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                        KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A timestamp without time zone: a zone after it means nothing. */
gboolean kvsqld_pg_read_clock_from_text (KvsqlSlice bytes, KvsqlValue *out,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* From the binary format. */
gboolean kvsqld_pg_read_text (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_boolean (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                 KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_bytea (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* int2, int4 or int8, by its size */
gboolean kvsqld_pg_read_integer (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                 KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_oid (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* float4 or float8, by its type */
gboolean kvsqld_pg_read_real (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_numeric (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                 KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_date (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_time (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_interval (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                  KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_timestamp (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena,
                                   KvsqlValue *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_uuid (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsqld_pg_read_jsonb (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
