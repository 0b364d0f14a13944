/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * json.h: JSON as PostgreSQL has it: a strict reader, the canonical text of JSONB, and its order.
 *
 * The value of a JSON is the text as it was written. The value of a JSONB is its canonical text:
 * one blank after ':' and ',', the keys of an object by length and then by bytes, the last member
 * of a key, and numbers as NUMERIC prints them. Numbers are decimal text and keep all their digits,
 * which is why json-glib, which makes a double of them, is not used here.
 *
 * Limits: KVSQL_JSON_MAX_DEPTH levels, so that functions may recurse; a canonical text of
 * KVSQL_JSON_MAX_BYTES, as "1e131071" has 131,072 digits there.
 */
#pragma once

#include "core/base/error.h"
#include "core/base/slice.h"

G_BEGIN_DECLS

#define KVSQL_JSON_MAX_DEPTH 1000
#define KVSQL_JSON_MAX_ITEMS 1000000 /* in all arrays and objects that are open at one place */
#define KVSQL_JSON_MAX_BYTES (16 * 1024 * 1024)

/* In the order of JSONB. */
typedef enum
{
  KVSQL_JSON_NULL,
  KVSQL_JSON_STRING,
  KVSQL_JSON_NUMBER,
  KVSQL_JSON_BOOLEAN,
  KVSQL_JSON_ARRAY,
  KVSQL_JSON_OBJECT,
} KvsqlJsonKind;

typedef struct _KvsqlJson KvsqlJson;

/* A tree in an arena. Its bytes may be those of the text that was read. */
struct _KvsqlJson
{
  KvsqlJsonKind kind;
  guint n; /* of items; of a BOOLEAN: 0 or 1 */
  union
  {
    KvsqlSlice string; /* STRING: without escapes; NUMBER: its text */
    struct
    {
      KvsqlJson *items;
      KvsqlSlice *keys; /* OBJECT: of each item, without escapes */
    };
  };
  KvsqlSlice text; /* as it was read, without blanks around it; empty if it was made */
};

/* ---- reading */

/* Checks what may be stored as JSON. Errors: 22P02 with the place in the text; 54001 for too many
 * levels. */
gboolean kvsql_json_check (KvsqlSlice text, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Reads @text; members of objects stay as they are. Errors: also 22P05 for \u0000 and half
 * surrogates. */
gboolean kvsql_json_read (KvsqlSlice text, KvsqlArena *arena, KvsqlJson *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Makes a JSONB of it, with all that is in it. Errors: 22003 for a number that NUMERIC does not
 * have. */
gboolean kvsql_json_normalise (KvsqlJson *self, KvsqlArena *arena,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- making */

KvsqlJson kvsql_json_string (KvsqlSlice string);
KvsqlJson kvsql_json_number (KvsqlSlice number);
KvsqlJson kvsql_json_boolean (gboolean truth);
#define KVSQL_JSON_VALUE_NULL ((KvsqlJson){ .kind = KVSQL_JSON_NULL })

/* The last item under @key. (nullable) */
KvsqlJson *kvsql_json_find (const KvsqlJson *self, KvsqlSlice key);
/* The item at @index; a negative one counts from the end. (nullable) */
KvsqlJson *kvsql_json_at (const KvsqlJson *self, gint64 index);

/* Equality of normalised trees: numbers by value. */
gboolean kvsql_json_equal (const KvsqlJson *a, const KvsqlJson *b);

/* ---- writing */

/* A JSON string, with PostgreSQL's escapes. */
void kvsql_json_append_string (KvsqlSlice string, GString *out);
/* The text of JSONB, if the tree is normalised. */
void kvsql_json_append (const KvsqlJson *self, GString *out);
/* As jsonb_pretty(). */
void kvsql_json_append_pretty (const KvsqlJson *self, GString *out);

/* The canonical text of JSONB of any JSON text, in @arena. Errors: as above, and LIMIT. */
gboolean kvsql_jsonb_parse (KvsqlSlice text, KvsqlArena *arena, KvsqlSlice *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The canonical text of a normalised tree, in @arena. Errors: LIMIT. */
gboolean kvsql_jsonb_write (const KvsqlJson *self, KvsqlArena *arena, KvsqlSlice *out,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* ---- order of canonical texts */

gint kvsql_jsonb_compare (KvsqlSlice a, KvsqlSlice b);
/* Bytes that compare as the values do; equal values have equal bytes. No key is a prefix of another
 * one. */
void kvsql_jsonb_append_key (KvsqlSlice text, KvsqlBuffer *out);

G_END_DECLS
