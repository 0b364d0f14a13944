/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * collection.h: maps and lists as canonical JSON text.
 *
 * A MAP<STRING, T> is an object, a LIST<T> an array, without blanks; the keys of an object ascend
 * by their bytes and are distinct. Elements are scalars or null: BOOLEAN, INT, BIGINT, FLOAT and
 * DOUBLE as JSON has them (NaN and the infinities as text), all others as text in the form of
 * kvsql_value_append_text(). So equal collections are equal bytes.
 */
#pragma once

#include "core/base/value.h"

G_BEGIN_DECLS

#define KVSQL_COLLECTION_MAX_ELEMENTS 100000

/* Whether a value of @type, which is a map or list, may have @n elements. */
gboolean kvsql_collection_check_size (KvsqlType type, gsize n,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Parses any JSON text of that shape. @type: a map or list. The canonical text lives in @arena. */
gboolean kvsql_collection_parse (KvsqlType type, KvsqlSlice text, KvsqlArena *arena,
                                 KvsqlSlice *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* One value of any type, or NULL, in the JSON form of an element. */
void kvsql_value_append_json (const KvsqlValue *self, GString *out);
/* The reverse, for any JSON text of that shape. */
gboolean kvsql_value_parse_json (KvsqlType type, KvsqlSlice text, KvsqlArena *arena,
                                 KvsqlValue *out);

typedef struct
{
  KvsqlSlice key; /* UTF-8 without NUL */
  KvsqlValue value;
} KvsqlMapEntry;

/* All entries of a canonical map, keys ascending; they live in @arena. */
void kvsql_map_split (KvsqlType type, KvsqlSlice text, KvsqlArena *arena,
                      KvsqlMapEntry **out_entries, guint *out_n);
/* The canonical map of @entries, which this function sorts. Of several entries with one key, one is
 * kept. */
KvsqlSlice kvsql_map_join (KvsqlMapEntry *entries, guint n, KvsqlArena *arena);

/* The element under @key, or NULL if there is none. @text is canonical. */
void kvsql_map_get (KvsqlType type, KvsqlSlice text, KvsqlSlice key, KvsqlArena *arena,
                    KvsqlValue *out);
/* Element @index, from 1, or NULL. */
void kvsql_list_get (KvsqlType type, KvsqlSlice text, gint64 index, KvsqlArena *arena,
                     KvsqlValue *out);
/* All elements of a canonical list; they live in @arena. */
void kvsql_list_split (KvsqlType type, KvsqlSlice text, KvsqlArena *arena, KvsqlValue **out,
                       guint *out_n);
/* The canonical list of @values, all of one type or NULL. */
KvsqlSlice kvsql_list_join (const KvsqlValue *values, guint n, KvsqlArena *arena);
/* The number of elements. */
gint64 kvsql_collection_get_size (KvsqlType type, KvsqlSlice text);

G_END_DECLS
