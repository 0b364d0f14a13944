/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-value.h: values of a column in PostgreSQL's formats.
 *
 * Each function appends the value of one row, which is not NULL, and allocates nothing but the
 * buffer. Text is that of PostgreSQL with DateStyle ISO, extra_float_digits from 1 to 3, and
 * bytea_output hex.
 */
#pragma once

#include "core/base/vector.h"

G_BEGIN_DECLS

/* STRING, DECIMAL, INTERVAL, maps and lists as text; STRING and BYTES as binary. */
void kvsqld_pg_write_bytes (KvsqlBuffer *out, const KvsqlVector *column, guint row);

void kvsqld_pg_write_bytea_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_boolean_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_integer_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_float4_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_float8_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_date_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_timestamp_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_timestamptz_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_time_text (KvsqlBuffer *out, const KvsqlVector *column, guint row);

void kvsqld_pg_write_boolean_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_int2_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_int4_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_int8_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_float4_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_float8_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_date_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_timestamp_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_time_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_interval_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_numeric_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_uuid_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);
void kvsqld_pg_write_jsonb_binary (KvsqlBuffer *out, const KvsqlVector *column, guint row);

G_END_DECLS
