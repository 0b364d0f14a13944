/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uuid.h: UUIDs as text and as 16 bytes (RFC 4122, big-endian).
 *
 * The value of a UUID is its canonical text: 32 digits 0-9 and a-f in groups of 8, 4, 4, 4 and 12,
 * joined by '-'. All texts have their dashes at the same places, and the digits sort as their
 * numbers. So the bytes sort as the texts do, and equal UUIDs are equal texts.
 */
#pragma once

#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_UUID_BYTES 16
#define KVSQL_UUID_TEXT 36

/* Every form that PostgreSQL reads: digits of either case, in braces or not, with a dash after any
 * group of four digits. No blanks. FALSE: @text is not a UUID. */
gboolean kvsql_uuid_parse (KvsqlSlice text, guint8 *out_bytes);
/* FALSE: @text is not the canonical text of a UUID. */
gboolean kvsql_uuid_read (KvsqlSlice text, guint8 *out_bytes);
/* Writes KVSQL_UUID_TEXT characters, without a NUL. */
void kvsql_uuid_write (const guint8 *bytes, guint8 *out_text);
/* The canonical text, in @arena. */
KvsqlSlice kvsql_uuid_to_text (const guint8 *bytes, KvsqlArena *arena);

G_END_DECLS
