/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-layout.c: random relations, values full of edges, and random layouts.
 *
 * Layouts need not be valid: the definition proof is what decides, and it is under test too.
 */
#include "config.h"

#include "tests/differential/differential.h"

#include <math.h>

guint
source_pick (Source *self, guint n)
{
  return (guint)g_rand_int_range (self->random, 0, (gint32)n);
}

gboolean
source_chance (Source *self, guint percent)
{
  return source_pick (self, 100) < percent;
}

/* ---- relations */

void
model_relation_make (ModelRelation *self, Source *source)
{
  static const KvsqlType types[]
      = { KVSQL_TYPE_STRING,  KVSQL_TYPE_STRING, KVSQL_TYPE_STRING, KVSQL_TYPE_BYTES,
          KVSQL_TYPE_INT,     KVSQL_TYPE_INT,    KVSQL_TYPE_BIGINT, KVSQL_TYPE_BOOLEAN,
          KVSQL_TYPE_FLOAT,   KVSQL_TYPE_DOUBLE, KVSQL_TYPE_DATE,   KVSQL_TYPE_TIMESTAMP,
          KVSQL_TYPE_DECIMAL, KVSQL_TYPE_TIME,   KVSQL_TYPE_UUID };
  static const gchar *const keys[] = { "k", "k1", "k2" }, *const values[]
                                                          = { "v", "v1", "v2", "w" };
  guint n_keys = 1 + source_pick (source, 3), n_values = 0, k = 0;

  self->n_attributes = MAX (2, n_keys + source_pick (source, MAX_ATTRIBUTES - n_keys + 1));
  n_keys = MIN (n_keys, self->n_attributes);
  self->has_nulls = source_chance (source, 50);
  self->is_tame = source_chance (source, 60);
  for (guint a = 0; a < self->n_attributes; a++)
    {
      ModelAttribute *attribute = &self->attributes[a];
      gboolean must = self->n_attributes - a == n_keys - k;

      attribute->is_key = k < n_keys && (must || source_chance (source, 60));
      attribute->name = attribute->is_key ? keys[k++] : values[n_values++];
      attribute->type = types[source_pick (source, G_N_ELEMENTS (types))];
      if (self->has_collections && !attribute->is_key && source_chance (source, 25))
        attribute->type = model_collection_type (source);
      attribute->is_uuid = attribute->type == KVSQL_TYPE_UUID
                           || (attribute->type == KVSQL_TYPE_STRING && source_chance (source, 15));
      attribute->is_not_null
          = attribute->is_key || (!self->has_nulls && source_chance (source, 30));
    }
}

gchar *
model_relation_to_sql (const ModelRelation *self, Source *source)
{
  GString *sql = g_string_new ("DEFINE RELATION r { ");

  for (guint a = 0; a < self->n_attributes; a++)
    g_string_append_printf (sql, "%s%s %s%s", a > 0 ? ", " : "", self->attributes[a].name,
                            kvsql_type_get_name (self->attributes[a].type),
                            self->attributes[a].is_key        ? " KEY"
                            : self->attributes[a].is_not_null ? " NOT NULL"
                                                              : "");
  /* on HBase the cells are counted, and those of anchors are none of the schema's */
  g_string_append (sql, " } WITH (writes = plain)");
  return g_string_free (sql, FALSE);
}

/* ---- values */

#define S(text) KVSQL_SLICE_LITERAL (text)

/* Values that most layouts can hold. */
static KvsqlSlice
tame_slice (KvsqlType type, Source *source)
{
  static const KvsqlSlice texts[]
      = { S ("a"), S ("ab"), S ("abc"), S ("b"), S ("ba"), S ("c"), S ("aa"), S ("abd"), S ("bb") };
  static const KvsqlSlice decimals[]
      = { S ("0"), S ("1"), S ("2"), S ("0.5"), S ("10"), S ("1.25") };

  return type == KVSQL_TYPE_DECIMAL ? decimals[source_pick (source, G_N_ELEMENTS (decimals))]
                                    : texts[source_pick (source, G_N_ELEMENTS (texts))];
}

static KvsqlSlice
random_slice (KvsqlType type, Source *source)
{
  static const KvsqlSlice texts[]
      = { S (""),    S ("a"),  S ("ab"),       S ("abc"), S ("a-"),   S ("-"),    S ("b"),
          S ("a~"),  S ("a!"), S ("\xc3\xa9"), S ("~"),   S ("ab-c"), S ("abab"), S ("\x01"),
          S ("a b"), S (" "),  S ("--"),       S ("7"),   S ("\x7f"), S ("k1") };
  static const KvsqlSlice bytes[]
      = { S (""),   S ("\0"),  S ("\0\0"), S ("\0\xff"), S ("\xff"), S ("\xff\xff"), S ("a"),
          S ("ab"), S ("a\0"), S ("a-"),   S ("-\xff"),  S ("\x80"), S ("\x01\0") };
  static const KvsqlSlice decimals[] = { S ("0"),
                                         S ("1"),
                                         S ("-1"),
                                         S ("0.5"),
                                         S ("-0.5"),
                                         S ("10"),
                                         S ("1.25"),
                                         S ("100"),
                                         S ("99999999999.999"),
                                         S ("-99999999999.999"),
                                         S ("255") };

  if (type == KVSQL_TYPE_DECIMAL)
    return decimals[source_pick (source, G_N_ELEMENTS (decimals))];
  if (type == KVSQL_TYPE_BYTES)
    return bytes[source_pick (source, G_N_ELEMENTS (bytes))];
  return texts[source_pick (source, G_N_ELEMENTS (texts))];
}

static KvsqlSlice
uuid_slice (Source *source)
{
  static const KvsqlSlice uuids[]
      = { S ("00000000-0000-0000-0000-000000000000"), S ("00000000-0000-0000-0000-000000000001"),
          S ("0a2d2d2d-2d2d-2d2d-2d2d-2d2d2d2d2d2d"), S ("9fffffff-ffff-ffff-ffff-ffffffffffff"),
          S ("a0000000-0000-4000-8000-000000000000"), S ("ab000000-ffff-4000-8000-0000000000ff"),
          S ("ab000001-0000-4000-8000-000000000000"), S ("ffffffff-ffff-ffff-ffff-ffffffffffff") };

  return uuids[source_pick (source, G_N_ELEMENTS (uuids))];
}

static gint64
random_integer (KvsqlType type, Source *source)
{
  static const gint64 small[]
      = { 0, 1, -1, 2, -2, 10, 45, 127, 128, 255, 256, -128, -129, 9, 99, 100, -10 };
  gboolean is_low = source_chance (source, 50);

  if (source_chance (source, 85))
    {
      gint64 integer = small[source_pick (source, G_N_ELEMENTS (small))];
      return type == KVSQL_TYPE_TIME ? ABS (integer) : integer;
    }
  switch (type)
    {
    case KVSQL_TYPE_TIME:
      return is_low ? 45296789 : KVSQL_MS_PER_DAY;
    case KVSQL_TYPE_INT:
      return is_low ? G_MININT32 : G_MAXINT32;
    case KVSQL_TYPE_DATE:
      return is_low ? KVSQL_DATE_MIN : KVSQL_DATE_MAX;
    case KVSQL_TYPE_TIMESTAMP:
      return is_low ? KVSQL_DATE_MIN * KVSQL_MS_PER_DAY
                    : (KVSQL_DATE_MAX + 1) * KVSQL_MS_PER_DAY - 1;
    default:
      return is_low ? G_MININT64 : G_MAXINT64;
    }
}

static gdouble
random_real (KvsqlType type, Source *source)
{
  static const gdouble reals[]
      = { 0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 255, 1e10, -1e10, 2, -2, 0.1f };

  switch (source_pick (source, 30))
    {
    case 0:
      return NAN;
    case 1:
      return INFINITY;
    case 2:
      return -INFINITY;
    case 3:
      return type == KVSQL_TYPE_FLOAT ? (gdouble)3.4028234663852886e38f : 1.7976931348623157e308;
    case 4:
      return type == KVSQL_TYPE_FLOAT ? (gdouble)1e-45f : 5e-324;
    default:
      return reals[source_pick (source, G_N_ELEMENTS (reals))];
    }
}

KvsqlValue
model_random_value (const ModelRelation *relation, guint attribute, Source *source)
{
  KvsqlValue value = { .type = relation->attributes[attribute].type };

  if (!relation->attributes[attribute].is_key
      && source_chance (source, relation->has_nulls ? 25 : 1))
    return KVSQL_VALUE_NULL;
  switch (kvsql_type_get_class (value.type))
    {
    case KVSQL_CLASS_BOOLEAN:
      value.boolean = source_chance (source, 50);
      break;
    case KVSQL_CLASS_INTEGER:
      value.integer = relation->is_tame && source_chance (source, 90)
                          ? source_pick (source, 12)
                          : random_integer (value.type, source);
      break;
    case KVSQL_CLASS_REAL:
      value.real = random_real (value.type, source);
      /* the engine promises one form of zero in a KEY */
      if (relation->attributes[attribute].is_key && value.real == 0)
        value.real = 0;
      break;
    default:
      if (kvsql_type_is_collection (value.type))
        value.bytes = model_collection_make (
            value.type, source_chance (source, relation->is_tame ? 97 : 85), source);
      else if (relation->attributes[attribute].is_uuid
               && (value.type == KVSQL_TYPE_UUID
                   || source_chance (source, relation->is_tame ? 97 : 85)))
        value.bytes = uuid_slice (source);
      else
        value.bytes = relation->is_tame && source_chance (source, 95)
                          ? tame_slice (value.type, source)
                          : random_slice (value.type, source);
      break;
    }
  return value;
}

/* ---- layouts */

static const gchar *
random_separator (Source *source)
{
  static const gchar *const separators[]
      = { "'-'",  "':'", "'--'", "'~!'", "x'00'", "x'ff'", "x'0001'",
          "'ab'", "'/'", "'/'",  "'#'",  "' '",   "'!~'" };

  return separators[source_pick (source, G_N_ELEMENTS (separators))];
}

static gboolean
is_whole (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT;
}

static void
append_text_element (const ModelAttribute *attribute, GString *out, Source *source)
{
  if (is_whole (attribute->type) && source_chance (source, 60))
    g_string_append_printf (out, "text(%u){%s}", 1 + source_pick (source, 21), attribute->name);
  else
    g_string_append_printf (out, "text{%s}", attribute->name);
}

/* What has a form for NULL. */
static void
append_nullable (const ModelAttribute *attribute, GString *out, Source *source)
{
  static const gchar *const forms[] = { "''", "'-'", "'N'", "x'00'", "x'ff'", "x'0000'", "'null'" };
  const gchar *form = forms[source_pick (source, G_N_ELEMENTS (forms))];

  switch (source_pick (source, 9))
    {
    case 0:
      g_string_append_printf (out, "null(%s){%s}", form, attribute->name);
      break;
    case 8:
      g_string_append_printf (out, "json{%s}", attribute->name);
      break;
    case 1:
      g_string_append_printf (out, "null(%s){text{%s}}", form, attribute->name);
      break;
    case 2:
      g_string_append_printf (out, "null(%s){hex{%s}}", form, attribute->name);
      break;
    case 3:
      g_string_append_printf (out, "hex{ordered{%s}}", attribute->name);
      break;
    case 4:
      g_string_append_printf (out, "desc{ordered{%s}}", attribute->name);
      break;
    default:
      g_string_append_printf (out, "ordered{%s}", attribute->name);
      break;
    }
}

static void
append_pattern (const gchar *pattern, const gchar *name, GString *out)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "%", 2);

  g_string_append_printf (out, "%s%s%s", parts[0], name, parts[1]);
}

/* Of a list of INT or STRING. */
static void
append_array (const ModelAttribute *attribute, GString *out, Source *source)
{
  static const gchar *const patterns[]
      = { "phoenix{%}",          "phoenix{%}",           "hex{phoenix{%}}",    "desc{phoenix{%}}",
          "size(2){phoenix{%}}", "phoenix(smallint){%}", "phoenix(char, 2){%}" };
  static const gchar *const nullable[]
      = { "null(''){phoenix{%}}", "null('-'){phoenix{%}}", "null(''){phoenix(unsigned_int){%}}" };

  append_pattern (attribute->needs_null ? nullable[source_pick (source, G_N_ELEMENTS (nullable))]
                                        : patterns[source_pick (source, G_N_ELEMENTS (patterns))],
                  attribute->name, out);
}

static void
append_collection (const ModelAttribute *attribute, GString *out, Source *source)
{
  static const gchar *const patterns[]
      = { "%", "json{%}", "json{%}", "text{%}", "hex{%}", "base64{json{%}}", "null(''){%}" };
  static const gchar *const nullable[]
      = { "json{%}",           "json{%}",      "null('-'){%}",
          "null(''){text{%}}", "hex{json{%}}", "null(x'00'){base64{%}}" };

  if (kvsql_type_is_list (attribute->type) && source_chance (source, 40))
    {
      append_array (attribute, out, source);
      return;
    }
  append_pattern (attribute->needs_null ? nullable[source_pick (source, G_N_ELEMENTS (nullable))]
                                        : patterns[source_pick (source, G_N_ELEMENTS (patterns))],
                  attribute->name, out);
}

static void
append_uuid (const ModelAttribute *attribute, GString *out, Source *source)
{
  static const gchar *const patterns[]
      = { "uuid{%}", "uuid{%}", "uuid{%}", "desc{uuid{%}}", "hex{uuid{%}}", "null('-'){uuid{%}}" };
  guint n = G_N_ELEMENTS (patterns);

  append_pattern (patterns[attribute->needs_null ? n - 1 : source_pick (source, n)],
                  attribute->name, out);
}

/* Elements that change the bytes or their order. */
static void
append_changed (const ModelAttribute *attribute, GString *out, Source *source)
{
  static const gchar *const patterns[] = { "ordered{%}",
                                           "ordered{%}",
                                           "desc{%}",
                                           "desc{%}",
                                           "desc{ordered{%}}",
                                           "hex{%}",
                                           "base64{%}",
                                           "desc{suffix(x'00'){%}}",
                                           "hex{desc{%}}",
                                           "null('-'){%}",
                                           "json{%}",
                                           "desc{fixed(8, x'00'){%}}",
                                           "phoenix{%}",
                                           "phoenix{%}",
                                           "suffix(x'00'){phoenix{%}}",
                                           "desc{suffix(x'00'){phoenix{%}}}",
                                           "suffix(x'00'){phoenix_decimal{%}}",
                                           "flipped{%}",
                                           "flipped(5){%}",
                                           "desc{flipped{%}}",
                                           "unsigned(4){%}",
                                           "unsigned(8){%}",
                                           "unsigned(2, 4, 7){%}",
                                           "seconds(4){%}",
                                           "hive{%}",
                                           "hive{%}",
                                           "hive(2){%}",
                                           "suffix(x'01'){hive{%}}",
                                           "short{%}",
                                           "byte{%}",
                                           "reversed('-'){%}",
                                           "reversed('-'){%}",
                                           "reversed('ab'){%}",
                                           "suffix('/'){reversed('-'){%}}",
                                           "desc{suffix(x'00'){reversed('-'){%}}}" };

  append_pattern (patterns[source_pick (source, G_N_ELEMENTS (patterns))], attribute->name, out);
}

static void
append_leaf (const ModelAttribute *attribute, GString *out, Source *source)
{
  if (kvsql_type_is_collection (attribute->type))
    {
      append_collection (attribute, out, source);
      return;
    }
  if (attribute->is_uuid && source_chance (source, 60))
    {
      append_uuid (attribute, out, source);
      return;
    }
  if (attribute->needs_null)
    {
      append_nullable (attribute, out, source);
      return;
    }
  if (source_chance (source, 30))
    {
      append_changed (attribute, out, source);
      return;
    }
  if (attribute->type != KVSQL_TYPE_BYTES && source_chance (source, 35))
    append_text_element (attribute, out, source);
  else
    g_string_append (out, attribute->name);
}

static void
append_regexp (const ModelAttribute *attribute, GString *out, Source *source)
{
  static const gchar *const patterns[]
      = { "[a-z]*", "[^-]*", "[^/]*", "[-0-9]*", "(a|b|ab)*", ".*", "..", "[a-z0-9.]+", "(ab)?" };

  g_string_append_printf (out, "regexp('%s'){",
                          patterns[source_pick (source, G_N_ELEMENTS (patterns))]);
  append_leaf (attribute, out, source);
  g_string_append_c (out, '}');
}

/* One element around @inner, which is already written. */
static void
append_wrapped (const gchar *inner, GString *out, Source *source)
{
  switch (source_pick (source, 11))
    {
    case 10:
      g_string_append_printf (out, "optional(%s){%s}", random_separator (source), inner);
      break;
    case 8:
      g_string_append_printf (out, "hex{%s}", inner);
      break;
    case 9:
      g_string_append_printf (out, "base64{%s}", inner);
      break;
    case 0:
    case 1:
    case 2:
      g_string_append_printf (out, "suffix(%s){%s}", random_separator (source), inner);
      break;
    case 3:
      g_string_append_printf (out, "prefix(%s){%s}", random_separator (source), inner);
      break;
    case 4:
      g_string_append_printf (out, "size{%s}", inner);
      break;
    case 5:
      g_string_append_printf (out, "size(%u){%s}", 1 + source_pick (source, 4), inner);
      break;
    case 6:
      g_string_append_printf (out, "fixed(%u){%s}", 1 + source_pick (source, 9), inner);
      break;
    default:
      g_string_append_printf (out, "fixed(%u, %s){%s}", 1 + source_pick (source, 24),
                              source_chance (source, 50) ? "x'00'" : "' '", inner);
      break;
    }
}

static gboolean
is_time (KvsqlType type)
{
  return type == KVSQL_TYPE_DATE || type == KVSQL_TYPE_TIMESTAMP;
}

static guint
random_width (Source *source)
{
  static const guint widths[] = { 1, 2, 3, 5, 10, 100, 256, 86400000 };

  return widths[source_pick (source, G_N_ELEMENTS (widths))];
}

/* A part of a number, or all of it in two parts. */
static void
append_buckets (const ModelAttribute *attribute, gboolean are_both, GString *out, Source *source)
{
  g_autoptr (GString) leaf = g_string_new (NULL);
  guint width = random_width (source);
  gboolean is_bucket = source_chance (source, 70);

  if (source_chance (source, 60))
    g_string_append (leaf, attribute->name);
  else if (source_chance (source, 50))
    g_string_append_printf (leaf, "ordered{%s}", attribute->name);
  else if (source_chance (source, 50))
    g_string_append_printf (leaf, "desc{%s}", attribute->name);
  else
    g_string_append_printf (leaf, "size{text{%s}}", attribute->name);
  if (!are_both)
    g_string_append_printf (out, "%s(%u){%s}", is_bucket ? "bucket" : "offset", width, leaf->str);
  else if (is_bucket)
    g_string_append_printf (out, "bucket(%u){%s}:offset(%u){%s}", width, leaf->str, width,
                            leaf->str);
  else
    g_string_append_printf (out, "offset(%u){%s}:bucket(%u){%s}", width, leaf->str, width,
                            leaf->str);
}

static void
append_format (const ModelAttribute *attribute, gboolean is_whole_time, GString *out,
               Source *source)
{
  static const gchar *const days[] = { "yyyyMMdd", "yyyy-MM-dd", "dd.MM.yyyy" };
  static const gchar *const coarse[] = { "yyyyMM", "yyyy", "MM-dd", "yyyyMMdd" };
  static const gchar *const times[]
      = { "yyyyMMddHHmmssSSS", "yyyy-MM-dd''T''HH:mm:ss.SSS", "SSSssmmHHddMMyyyy" };
  static const gchar *const parts[]
      = { "yyyyMMddHH", "yyyyMMdd", "HHmm", "SSS", "yyyyMMddHHmm", "mm.HH" };
  static const gchar *const zones[] = { "", "", "", ", '+09:00'", ", 'America/New_York'" };
  guint which = source_pick (source, 3);

  if (attribute->type == KVSQL_TYPE_DATE)
    g_string_append_printf (out, "format('%s'){%s}",
                            is_whole_time ? days[which] : coarse[source_pick (source, 4)],
                            attribute->name);
  else
    g_string_append_printf (out, "format('%s'%s){%s}",
                            is_whole_time ? times[which] : parts[source_pick (source, 6)],
                            zones[source_pick (source, 5)], attribute->name);
}

/* The whole of a number or a time, by parts. */
static gboolean
append_parts (const ModelAttribute *attribute, GString *out, Source *source)
{
  if (is_time (attribute->type) && source_chance (source, 15))
    append_format (attribute, TRUE, out, source);
  else if (kvsql_type_get_class (attribute->type) == KVSQL_CLASS_INTEGER
           && source_chance (source, 12))
    append_buckets (attribute, TRUE, out, source);
  else
    return FALSE;
  return TRUE;
}

/* Something that only repeats what the attributes in @list say. */
static void
append_derived (const ModelRelation *relation, const guint *list, guint n, GString *out,
                Source *source)
{
  static const gchar *const digests[] = { "md5, ",  "",         "crc32, ",       "murmur3, ",
                                          "java, ", "sha256, ", "java_string, ", "java_mask, " };
  static const gchar *const salts[] = { "", ", java", ", crc32" };
  const ModelAttribute *attribute = &relation->attributes[list[source_pick (source, n)]];
  const ModelAttribute *other = &relation->attributes[list[source_pick (source, n)]];

  gboolean is_hex = source_chance (source, 25);
  guint which = source_pick (source, 4);

  if (which < 2 && is_hex)
    g_string_append (out, "hex{");
  switch (which)
    {
    case 0:
      g_string_append_printf (
          out, "hash(%s%u){%s%s%s}", digests[source_pick (source, 6)], 1 + source_pick (source, 4),
          attribute->name, attribute == other ? "" : ", ", attribute == other ? "" : other->name);
      break;
    case 1:
      g_string_append_printf (out, "salt(%u%s){%s}", 2 + source_pick (source, 9),
                              salts[source_pick (source, 3)], attribute->name);
      break;
    default:
      if (is_time (attribute->type) && source_chance (source, 60))
        append_format (attribute, FALSE, out, source);
      else if (kvsql_type_get_class (attribute->type) == KVSQL_CLASS_INTEGER)
        append_buckets (attribute, FALSE, out, source);
      else
        return;
      break;
    }
  g_string_append (out, which < 2 && is_hex ? "}:" : ":");
}

static void
append_element (const ModelAttribute *attribute, gboolean is_last, GString *out, Source *source)
{
  g_autoptr (GString) leaf = g_string_new (NULL);
  gboolean is_fixed = kvsql_type_get_class (attribute->type) != KVSQL_CLASS_SLICE;

  if (source_chance (source, 8))
    {
      append_regexp (attribute, out, source);
      return;
    }
  if (append_parts (attribute, out, source))
    return;
  append_leaf (attribute, leaf, source);
  if (source_chance (source, is_last ? 55 : is_fixed ? 50 : 5))
    g_string_append (out, leaf->str);
  else if (source_chance (source, 12))
    {
      g_autoptr (GString) inner = g_string_new (NULL);
      append_wrapped (leaf->str, inner, source);
      append_wrapped (inner->str, out, source);
    }
  else
    append_wrapped (leaf->str, out, source);
}

/* The attributes in @list, in any order, joined and wrapped at random. */
static void
append_sequence (const ModelRelation *relation, const guint *list, guint n, GString *out,
                 Source *source)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GString) pair = g_string_new (NULL);

      if (out->len > 0)
        g_string_append_c (out, ':');
      if (source_chance (source, 12))
        g_string_append_printf (out, "%s:", random_separator (source));
      if (source_chance (source, 12))
        append_derived (relation, list, n, out, source);
      if (i + 1 < n && source_chance (source, 15))
        {
          append_element (&relation->attributes[list[i]], FALSE, pair, source);
          g_string_append_c (pair, ':');
          append_element (&relation->attributes[list[i + 1]], TRUE, pair, source);
          append_wrapped (pair->str, out, source);
          i++;
        }
      else
        append_element (&relation->attributes[list[i]], i + 1 == n, out, source);
    }
}

typedef struct
{
  guint list[MAX_ATTRIBUTES];
  guint n;
} List;

static void
add (List *self, guint attribute)
{
  self->list[self->n++] = attribute;
}

static void
shuffle (List *self, Source *source)
{
  for (guint i = self->n; i > 1; i--)
    {
      guint j = source_pick (source, i), kept = self->list[j];
      self->list[j] = self->list[i - 1];
      self->list[i - 1] = kept;
    }
}

/* attr_name or attr_value with all attributes that are not fanned. */
static gchar *
fan_element (const ModelSchema *self, const ModelRelation *relation, const gchar *name)
{
  GString *text = g_string_new (name);
  guint n = 0;

  g_string_append_c (text, '[');
  for (guint a = 0; a < relation->n_attributes; a++)
    if (!self->is_fanned[a])
      g_string_append_printf (text, "%s%s", n++ > 0 ? ", " : "", relation->attributes[a].name);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

enum
{
  TABLE,
  ROW,
  FAMILY,
  QUALIFIER,
  VALUE,
  N_FIELDS,
};

/* Which field an attribute that is no part of the fan goes to. */
static guint
random_field (const ModelAttribute *attribute, Source *source)
{
  guint which = source_pick (source, 100);

  if (attribute->is_key)
    return which < 78 ? ROW : which < 88 ? QUALIFIER : which < 95 ? TABLE : FAMILY;
  return which < 70   ? VALUE
         : which < 85 ? ROW
         : which < 93 ? QUALIFIER
         : which < 97 ? TABLE
                      : FAMILY;
}

static void
place_fan (const ModelSchema *self, const ModelRelation *relation, GString **fields, Source *source)
{
  g_autofree gchar *name = fan_element (self, relation, "attr_name"),
                   *value = fan_element (self, relation, "attr_value");
  guint name_field = source_chance (source, 70) ? QUALIFIER : source_pick (source, VALUE);
  guint value_field = source_chance (source, 80) ? VALUE : 1 + source_pick (source, VALUE);
  GString *at = fields[name_field];

  /* the name comes first as often as last */
  if (at->len == 0)
    g_string_append (at, name);
  else if (source_chance (source, 50))
    g_string_append_printf (at, ":%s", name);
  else
    {
      g_string_prepend (at, source_chance (source, 50) ? ":'/':" : ":");
      g_string_prepend (at, name);
    }
  at = fields[value_field];
  if (at->len > 0)
    g_string_append (at, source_chance (source, 50) ? ":'=':" : ":");
  if (source_chance (source, 60))
    g_string_append (at, value);
  else if (source_chance (source, 40))
    g_string_append_printf (at, source_chance (source, 60) ? "ordered{%s}" : "null('-'){%s}",
                            value);
  else
    append_wrapped (value, at, source);
}

/* map_key and map_value, which go with nothing in VALUE, nor in the QUALIFIER of a marker. */
static void
place_map (const ModelSchema *self, const ModelRelation *relation, GString **fields, Source *source)
{
  static const gchar *const keys[] = {
    "map_key(%)",         "map_key(%)",      "prefix('m:'){map_key(%)}", "suffix('$'){map_key(%)}",
    "size{map_key(%)}",   "hex{map_key(%)}", "ordered{map_key(%)}",      "'/':map_key(%)",
    "base64{map_key(%)}", "desc{map_key(%)}"
  };
  static const gchar *const values[]
      = { "map_value(%)",       "map_value(%)",       "ordered{map_value(%)}", "text{map_value(%)}",
          "json{map_value(%)}", "size{map_value(%)}", "hex{map_value(%)}" };
  const gchar *name = relation->attributes[self->map_attribute].name;
  GString *qualifier = fields[QUALIFIER];

  if (qualifier->len > 0)
    g_string_append_c (qualifier, ':');
  append_pattern (keys[source_pick (source, G_N_ELEMENTS (keys))], name, qualifier);
  append_pattern (values[source_pick (source, G_N_ELEMENTS (values))], name, fields[VALUE]);
}

static void
choose_map (ModelSchema *self, const ModelRelation *relation, Source *source)
{
  guint a = source_pick (source, relation->n_attributes);

  self->map_attribute = -1;
  for (guint i = 0; i < relation->n_attributes; i++, a = (a + 1) % relation->n_attributes)
    if (kvsql_type_is_map (relation->attributes[a].type) && source_chance (source, 60))
      self->map_attribute = a;
}

static void
choose_fan (ModelSchema *self, const ModelRelation *relation, Source *source)
{
  choose_map (self, relation, source);
  self->has_fan = self->map_attribute < 0 && (relation->has_nulls || source_chance (source, 35));
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      self->is_fanned[a] = self->has_fan && !relation->attributes[a].is_key
                           && source_chance (source, relation->has_nulls ? 80 : 70);
      /* an index may leave attributes out */
      self->holds[a] = relation->attributes[a].is_key || self->is_primary || self->is_fanned[a]
                       || self->map_attribute == (gint)a || source_chance (source, 85);
    }
  self->has_fan = FALSE;
  for (guint a = 0; a < relation->n_attributes; a++)
    self->has_fan = self->has_fan || self->is_fanned[a];
  self->has_marker = self->has_fan || self->map_attribute >= 0 ? source_chance (source, 60)
                                                               : source_chance (source, 3);
}

/* Every cell of an entry, and a marker, has to hold the rest. */
static guint
pick_field (const ModelSchema *self, const ModelAttribute *attribute, Source *source)
{
  guint field = random_field (attribute, source);

  if (self->map_attribute >= 0 && (field == VALUE || (field == QUALIFIER && self->has_marker)))
    return ROW;
  return field;
}

static void
fill_fields (ModelSchema *self, const ModelRelation *relation, GString **fields, guint number,
             Source *source)
{
  List lists[N_FIELDS] = { 0 };

  for (guint a = 0; a < relation->n_attributes; a++)
    if (self->holds[a] && !self->is_fanned[a] && self->map_attribute != (gint)a)
      add (&lists[pick_field (self, &relation->attributes[a], source)], a);
  /* what a fan does not list would be fanned: those left out may not be */
  if (lists[ROW].n == 0 && source_chance (source, 80))
    for (guint field = 0; field < VALUE; field++)
      while (lists[field].n > 0 && lists[ROW].n == 0)
        add (&lists[ROW], lists[field].list[--lists[field].n]);
  for (guint field = 0; field < N_FIELDS; field++)
    {
      shuffle (&lists[field], source);
      if (field == VALUE && source_chance (source, 10))
        model_append_members (relation, lists[field].list, lists[field].n, fields[field], source);
      else
        append_sequence (relation, lists[field].list, lists[field].n, fields[field], source);
    }
  if (self->has_fan)
    place_fan (self, relation, fields, source);
  if (self->map_attribute >= 0)
    place_map (self, relation, fields, source);
  if (fields[ROW]->len == 0)
    g_string_append (fields[ROW], "'row'");
  if (fields[FAMILY]->len == 0)
    g_string_append (fields[FAMILY], source_chance (source, 80) ? "'f'" : "'cf'");
  /* tables of their own, or one that all share, kept apart by the rows */
  g_string_prepend (fields[TABLE], fields[TABLE]->len > 0 ? ":" : "");
  if (source_chance (source, 85))
    {
      g_autofree gchar *own = g_strdup_printf ("'t%u'", number);
      g_string_prepend (fields[TABLE], own);
    }
  else
    {
      g_autofree gchar *own = g_strdup_printf ("'%u':", number);
      g_string_prepend (fields[TABLE], "'all'");
      g_string_prepend (fields[ROW], own);
    }
}

/* ---- CELLS */

/* A line for each attribute that is not in the row key, or for two of them. */
static void
choose_lines (ModelSchema *self, const ModelRelation *relation, Source *source)
{
  gboolean may_join = FALSE;

  self->map_attribute = -1;
  for (guint a = 0; a < relation->n_attributes; a++)
    {
      const ModelAttribute *attribute = &relation->attributes[a];

      self->holds[a] = attribute->is_key || self->is_primary || source_chance (source, 85);
      if (!self->holds[a] || attribute->is_key || source_chance (source, 8))
        continue;
      self->is_mapped[a] = kvsql_type_is_map (attribute->type) && source_chance (source, 60);
      if (!may_join || self->is_mapped[a] || source_chance (source, 70))
        self->n_lines++;
      self->line[a] = self->n_lines;
      may_join = !self->is_mapped[a];
    }
  self->has_marker = self->n_lines == 0 || source_chance (source, 50);
}

static gboolean
is_alone (const ModelSchema *self, guint attribute)
{
  guint n = 0;

  for (guint a = 0; a < MAX_ATTRIBUTES; a++)
    n += self->line[a] == self->line[attribute];
  return self->line[attribute] > 0 && n == 1;
}

static const gchar *
random_family_of_line (Source *source)
{
  static const gchar *const families[] = { "'f'", "'f'", "'g'", "'0'", "'long':''" };

  return families[source_pick (source, G_N_ELEMENTS (families))];
}

static void
append_line (const ModelSchema *self, const ModelRelation *relation, guint line,
             const gchar *in_each, GString *out, Source *source)
{
  static const gchar *const values[]
      = { "map_value(%)", "ordered{map_value(%)}", "text{map_value(%)}", "json{map_value(%)}" };
  List list = { 0 };

  for (guint a = 0; a < relation->n_attributes; a++)
    if (self->line[a] == line)
      add (&list, a);
  g_string_append_printf (out, "%s%s%s", out->len > 0 ? ", " : "", random_family_of_line (source),
                          in_each);
  g_assert_cmpuint (list.n, >, 0);
  if (self->is_mapped[list.list[0]])
    {
      const gchar *name = relation->attributes[list.list[0]].name;

      g_string_append_printf (out, ":'m%u_':map_key(%s) = ", line, name);
      append_pattern (values[source_pick (source, G_N_ELEMENTS (values))], name, out);
      return;
    }
  if (source_chance (source, 30))
    g_string_append_printf (out, ":x'80%02x' = ", line);
  else
    g_string_append_printf (out, ":'c%u' = ", line);
  {
    g_autoptr (GString) value = g_string_new (NULL);

    if (source_chance (source, 15))
      model_append_members (relation, list.list, list.n, value, source);
    else
      append_sequence (relation, list.list, list.n, value, source);
    g_string_append (out, value->str);
  }
}

static gchar *
make_lines (ModelSchema *self, const ModelRelation *relation, List *keys, Source *source)
{
  GString *lines = g_string_new (NULL);
  g_autoptr (GString) in_each = g_string_new (NULL);

  /* a wide row */
  if (keys->n > 1 && source_chance (source, 25))
    {
      g_autoptr (GString) element = g_string_new (NULL);

      append_element (&relation->attributes[keys->list[--keys->n]], FALSE, element, source);
      g_string_append_printf (in_each, ":%s", element->str);
    }
  for (guint line = 1; line <= self->n_lines; line++)
    append_line (self, relation, line, in_each->str, lines, source);
  if (self->has_marker)
    g_string_append_printf (lines, "%s%s%s:'_' = %s", lines->len > 0 ? ", " : "",
                            random_family_of_line (source), in_each->str,
                            source_chance (source, 50) ? "''" : "'x'");
  return g_string_free (lines, FALSE);
}

static void
make_cells (ModelSchema *self, const ModelRelation *relation, guint number, GString *sql,
            Source *source)
{
  g_autoptr (GString) row = g_string_new (NULL);
  g_autofree gchar *lines = NULL;
  List keys = { 0 };

  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_key)
      add (&keys, a);
  shuffle (&keys, source);
  lines = make_lines (self, relation, &keys, source);
  for (guint a = 0; a < relation->n_attributes; a++)
    if (self->holds[a] && !relation->attributes[a].is_key && self->line[a] == 0)
      add (&keys, a);
  shuffle (&keys, source);
  append_sequence (relation, keys.list, keys.n, row, source);
  g_string_append_printf (sql, "TABLE 't%u', ROW %s, CELLS { %s } }", number,
                          row->len > 0 ? row->str : "'row'", lines);
}

static guint
count_lines (const ModelSchema *self, const ModelRelation *relation, const KvsqlValue *tuple)
{
  guint n = self->has_marker;

  for (guint line = 1; line <= self->n_lines; line++)
    {
      gboolean is_there = FALSE;

      for (guint a = 0; a < relation->n_attributes; a++)
        if (self->line[a] == line && tuple[a].type != KVSQL_TYPE_NULL)
          {
            is_there = !self->is_mapped[a];
            n += self->is_mapped[a] ? model_collection_size (&tuple[a]) : 0;
          }
      n += is_there;
    }
  return n;
}

/* ---- */

void
model_schema_make (ModelSchema *self, const ModelRelation *made, guint number, Source *source)
{
  ModelRelation copy = *made;
  const ModelRelation *relation = &copy;
  static const gchar *const names[] = { "TABLE", "ROW", "FAMILY", "QUALIFIER", "VALUE" };
  GString *fields[N_FIELDS], *sql = g_string_new (NULL);

  *self = (ModelSchema){ .is_primary = number == 0 };
  self->name = kvsql_arena_printf (source->arena, "s%u", number);
  self->has_cells = source_chance (source, 25);
  if (self->has_cells)
    choose_lines (self, relation, source);
  else
    choose_fan (self, relation, source);
  for (guint a = 0; a < copy.n_attributes; a++)
    copy.attributes[a].needs_null = made->has_nulls && !made->attributes[a].is_not_null
                                    && !self->is_fanned[a] && !is_alone (self, a);
  g_string_append_printf (sql, "DEFINE %sSCHEMA %s FOR r { ", self->is_primary ? "PRIMARY " : "",
                          self->name);
  if (self->has_cells)
    {
      make_cells (self, relation, number, sql, source);
      self->sql = kvsql_arena_strdup (source->arena, sql->str);
      g_string_free (sql, TRUE);
      return;
    }
  for (guint field = 0; field < N_FIELDS; field++)
    fields[field] = g_string_new (NULL);
  fill_fields (self, relation, fields, number, source);
  for (guint field = 0; field < N_FIELDS; field++)
    {
      if (fields[field]->len > 0)
        g_string_append_printf (sql, "%s%s %s", field > 0 ? ", " : "", names[field],
                                fields[field]->str);
      g_string_free (fields[field], TRUE);
    }
  g_string_append (sql, " }");
  if (self->has_marker)
    g_string_append (sql, source_chance (source, 50) ? " WITH (marker = x'00')"
                                                     : " WITH (marker = '_')");
  self->sql = kvsql_arena_strdup (source->arena, sql->str);
  g_string_free (sql, TRUE);
}

guint
model_schema_count_cells (const ModelSchema *self, const ModelRelation *relation,
                          const KvsqlValue *tuple)
{
  gint map = self->map_attribute;
  guint n;

  if (self->has_cells)
    return count_lines (self, relation, tuple);
  n = self->has_marker + (!self->has_fan && map < 0);

  if (map >= 0 && tuple[map].type != KVSQL_TYPE_NULL)
    n += model_collection_size (&tuple[map]);
  for (guint a = 0; a < relation->n_attributes; a++)
    n += self->is_fanned[a] && tuple[a].type != KVSQL_TYPE_NULL;
  return n;
}
