/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text.h: the text form of values, which kvsqld reads back unchanged.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Days since 1970-01-01 as 2024-02-29. A year outside 1..9999 gives the bare number. */
void _kvsql_text_append_date (GString *out, gint64 days);
/* Milliseconds since 1970-01-01T00:00:00Z as 2024-02-29T12:00:00.000Z. */
void _kvsql_text_append_timestamp (GString *out, gint64 milliseconds);
/* The shortest digits that give the number back; with @is_float as a number of 24 bits. */
void _kvsql_text_append_double (GString *out, gdouble value, gboolean is_float);
/* x'00ff' */
void _kvsql_text_append_bytes (GString *out, gconstpointer bytes, gsize size);

/* These return FALSE if @text, of @size bytes, is not all of a value. */
gboolean _kvsql_text_parse_boolean (const gchar *text, gsize size, gboolean *out);
gboolean _kvsql_text_parse_int64 (const gchar *text, gsize size, gint64 *out);
/* Also NaN, Infinity and -Infinity. */
gboolean _kvsql_text_parse_double (const gchar *text, gsize size, gdouble *out);
/* x'00ff' as bytes; any other text as its own bytes. Returns: (nullable): NULL for bad hex. */
GByteArray *_kvsql_text_parse_bytes (const gchar *text);

G_END_DECLS
