/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text.h: the text forms of values. kvsqld reads them back as the same values.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Appends days since 1970-01-01 as 2024-02-29; the bare number if the year is outside 1..9999. */
void _kvsql_text_append_date (GString *out, gint64 days);
/* Appends milliseconds since 1970-01-01T00:00:00Z as 2024-02-29T12:00:00.000Z. */
void _kvsql_text_append_timestamp (GString *out, gint64 milliseconds);
/* A time of day, in milliseconds: 12:34:56, 12:34:56.5. */
void _kvsql_text_append_clock (GString *out, gint64 milliseconds);
/* Appends the shortest digits that read back as the same number; with @is_float, the same number of
 * 24 bits. */
void _kvsql_text_append_double (GString *out, gdouble value, gboolean is_float);
/* x'00ff' */
void _kvsql_text_append_bytes (GString *out, gconstpointer bytes, gsize size);

/* FALSE: the whole of @text, of @size bytes, is not a value. */
gboolean _kvsql_text_parse_boolean (const gchar *text, gsize size, gboolean *out);
gboolean _kvsql_text_parse_int64 (const gchar *text, gsize size, gint64 *out);
/* Also reads NaN, Infinity and -Infinity. */
gboolean _kvsql_text_parse_double (const gchar *text, gsize size, gdouble *out);
/* The bytes of x'00ff'; for any other text, its own bytes. Returns: (nullable): NULL: invalid
 * hex. */
GByteArray *_kvsql_text_parse_bytes (const gchar *text);

G_END_DECLS
