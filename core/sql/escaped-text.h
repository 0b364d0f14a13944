/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * escaped-text.h: the text of E'…', with PostgreSQL's escapes: \b \f \n \r \t, \\ \' and '', \ooo,
 * \xhh, \uXXXX and \UXXXXXXXX. Any other character after \ is itself.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

/* Moves *offset from the opening quote to the byte after the closing one. FALSE: there is none. */
gboolean kvsql_escaped_text_skip (const guint8 *text, gsize size, gsize *offset);

/* @inside: what is between the quotes. @out: (nullable): has room for as many bytes.
 * Returns: NULL, or what is wrong, with *out_at and *out_length in @inside. */
const gchar *kvsql_escaped_text_read (KvsqlSlice inside, guint8 *out, gsize *out_size,
                                      gsize *out_at, gsize *out_length);

G_END_DECLS
