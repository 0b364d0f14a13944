/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-collection.c: a few maps and lists, and what they hold, written by hand.
 */
#include "config.h"

#include "tests/differential/differential.h"

#define MAP_OF(type) ((KvsqlType)(KVSQL_TYPE_MAP + (type)-1))
#define LIST_OF(type) ((KvsqlType)(KVSQL_TYPE_LIST + (type)-1))
#define S(text) KVSQL_SLICE_LITERAL (text)

static const KvsqlType types[] = { MAP_OF (KVSQL_TYPE_INT), MAP_OF (KVSQL_TYPE_STRING),
                                   LIST_OF (KVSQL_TYPE_INT), LIST_OF (KVSQL_TYPE_STRING) };

typedef enum
{
  NOTHING, /* under the key or number that is asked for */
  NUMBER,
  TEXT,
} Found;

/* What is found under 'a', or at 1. */
typedef struct
{
  KvsqlType type;
  KvsqlSlice text;
  guint size;
  gboolean is_odd; /* what cells for entries cannot hold */
  Found found;
  gint64 number;
  KvsqlSlice element;
} Collection;

/* clang-format off */
static const Collection collections[] = {
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"a\":1}"), 1, FALSE, NUMBER, .number = 1 },
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"a\":1,\"b\":2}"), 2, FALSE, NUMBER, .number = 1 },
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"\":0,\"a\":-2,\"ab\":5}"), 3, FALSE, NUMBER, .number = -2 },
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"b\":2}"), 1, FALSE, NOTHING },
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"$\":127,\"_\":9,\"a:\":255}"), 3, FALSE, NOTHING },
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"a\":10,\"\xc3\xa9\":2147483647}"), 2, FALSE, NUMBER, .number = 10 },
  { MAP_OF (KVSQL_TYPE_INT), S ("{}"), 0, TRUE, NOTHING },
  { MAP_OF (KVSQL_TYPE_INT), S ("{\"a\":null}"), 1, TRUE, NOTHING },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{\"a\":\"a\"}"), 1, FALSE, TEXT, .element = S ("a") },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{\"a\":\"ab\",\"b\":\"\"}"), 2, FALSE, TEXT, .element = S ("ab") },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{\"A\":\"a\",\"k\":\"b-\"}"), 2, FALSE, NOTHING },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{\"a\":\"\"}"), 1, FALSE, TEXT, .element = S ("") },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{\"a\":\"\\\"\\\\\",\"m:\":\"\xc3\xa9\"}"), 2, FALSE, TEXT, .element = S ("\"\\") },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{}"), 0, TRUE, NOTHING },
  { MAP_OF (KVSQL_TYPE_STRING), S ("{\"a\":\"b\",\"b\":null}"), 2, TRUE, TEXT, .element = S ("b") },
  { LIST_OF (KVSQL_TYPE_INT), S ("[]"), 0, FALSE, NOTHING },
  { LIST_OF (KVSQL_TYPE_INT), S ("[1]"), 1, FALSE, NUMBER, .number = 1 },
  { LIST_OF (KVSQL_TYPE_INT), S ("[1,2]"), 2, FALSE, NUMBER, .number = 1 },
  { LIST_OF (KVSQL_TYPE_INT), S ("[-2147483648,0,1]"), 3, FALSE, NUMBER, .number = G_MININT32 },
  { LIST_OF (KVSQL_TYPE_INT), S ("[null,7]"), 2, FALSE, NOTHING },
  { LIST_OF (KVSQL_TYPE_INT), S ("[32767,-32768,0,0]"), 4, FALSE, NUMBER, .number = 32767 },
  { LIST_OF (KVSQL_TYPE_STRING), S ("[]"), 0, FALSE, NOTHING },
  { LIST_OF (KVSQL_TYPE_STRING), S ("[\"a\"]"), 1, FALSE, TEXT, .element = S ("a") },
  { LIST_OF (KVSQL_TYPE_STRING), S ("[\"\",\"a-\"]"), 2, FALSE, TEXT, .element = S ("") },
  { LIST_OF (KVSQL_TYPE_STRING), S ("[\"ab\",null]"), 2, FALSE, TEXT, .element = S ("ab") },
  { LIST_OF (KVSQL_TYPE_STRING), S ("[null]"), 1, FALSE, NOTHING },
  { LIST_OF (KVSQL_TYPE_STRING), S ("[null,\"a\",null,null,\"b\",null]"), 6, FALSE, NOTHING },
};
/* clang-format on */

KvsqlType
model_collection_type (Source *source)
{
  return types[source_pick (source, G_N_ELEMENTS (types))];
}

KvsqlSlice
model_collection_make (KvsqlType type, gboolean is_tame, Source *source)
{
  const Collection *made;

  do
    made = &collections[source_pick (source, G_N_ELEMENTS (collections))];
  while (made->type != type || (is_tame && made->is_odd));
  return made->text;
}

static const Collection *
find (const KvsqlValue *value)
{
  for (guint i = 0; i < G_N_ELEMENTS (collections); i++)
    if (collections[i].type == value->type && kvsql_slice_equal (collections[i].text, value->bytes))
      return &collections[i];
  g_assert_not_reached ();
}

guint
model_collection_size (const KvsqlValue *value)
{
  return find (value)->size;
}

const gchar *
model_collection_subscript (KvsqlType type)
{
  return kvsql_type_is_map (type) ? "['a']" : "[1]";
}

KvsqlValue
model_collection_element (const KvsqlValue *value)
{
  const Collection *whole = find (value);

  if (whole->found == NUMBER)
    return (KvsqlValue){ .type = KVSQL_TYPE_INT, .integer = whole->number };
  if (whole->found == TEXT)
    return (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = whole->element };
  return KVSQL_VALUE_NULL;
}
