/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-predicate.c: random predicates, as SQL and as what they mean.
 */
#include "config.h"

#include "tests/differential/differential.h"

#include <math.h>
#include <stdlib.h>

typedef enum
{
  COMPARE,
  ATTRIBUTES,
  BETWEEN,
  IN,
  LIKE,
  IS_NULL,
  TRUTH, /* a BOOLEAN attribute alone */
  CONSTANT,
  AND,
  OR,
  NOT,
  N_KINDS,
} Kind;

typedef enum
{
  CONSTANT_NULL,
  CONSTANT_SAME, /* a value of the attribute's own type */
  CONSTANT_INTEGER,
  CONSTANT_DECIMAL,
  CONSTANT_DOUBLE,
} ConstantKind;

typedef struct
{
  ConstantKind kind;
  KvsqlValue value; /* SAME */
  gint64 integer;   /* INTEGER */
  gdouble real;     /* DOUBLE */
  const gchar *sql; /* as written; the text of a DECIMAL */
} Constant;

struct _ModelPredicate
{
  Kind kind;
  gboolean is_negated;
  gboolean is_mirrored; /* constant op attribute */
  gboolean has_element; /* about an element of the attribute, a map or list */
  guint attribute, other;
  guint op;
  Constant *constants;
  guint n_constants;
  const gchar *pattern; /* LIKE; STRING only */
  ModelPredicate *children[4];
  guint n_children;
};

static const gchar *const operators[] = { "=", "<>", "<", "<=", ">", ">=" };
static const gchar *const mirrored[] = { "=", "<>", ">", ">=", "<", "<=" };

static gboolean
holds (guint op, gint order)
{
  const gboolean truths[] = { order == 0, order != 0, order<0, order <= 0, order> 0, order >= 0 };

  return truths[op];
}

/* ---- order */

static gint
order_of_doubles (gdouble a, gdouble b)
{
  if (isnan (a) || isnan (b))
    return (isnan (a) ? 1 : 0) - (isnan (b) ? 1 : 0);
  return a < b ? -1 : a > b ? 1 : 0;
}

static gint
order_of_long_doubles (long double a, long double b)
{
  return a < b ? -1 : a > b ? 1 : 0;
}

static gint
order_of_bytes (KvsqlSlice a, KvsqlSlice b)
{
  for (gsize i = 0; i < a.size && i < b.size; i++)
    if (a.data[i] != b.data[i])
      return a.data[i] < b.data[i] ? -1 : 1;
  return a.size < b.size ? -1 : a.size > b.size ? 1 : 0;
}

static gchar *
text_of (KvsqlSlice bytes)
{
  return g_strndup ((const gchar *)bytes.data, bytes.size);
}

/* Exact for all the integers and decimals that this test makes up: they have 64 bits at most. */
static long double
exact_number (const KvsqlValue *value)
{
  g_autofree gchar *text = NULL;

  if (value->type != KVSQL_TYPE_DECIMAL)
    return value->integer;
  text = text_of (value->bytes);
  return strtold (text, NULL);
}

static gdouble
double_number (const KvsqlValue *value)
{
  g_autofree gchar *text = NULL;

  if (value->type == KVSQL_TYPE_FLOAT || value->type == KVSQL_TYPE_DOUBLE)
    return value->real;
  if (value->type != KVSQL_TYPE_DECIMAL)
    return value->integer;
  text = text_of (value->bytes);
  return strtod (text, NULL);
}

static gboolean
is_real (KvsqlType type)
{
  return type == KVSQL_TYPE_FLOAT || type == KVSQL_TYPE_DOUBLE;
}

static gboolean
is_number (KvsqlType type)
{
  return type == KVSQL_TYPE_INT || type == KVSQL_TYPE_BIGINT || type == KVSQL_TYPE_DECIMAL
         || is_real (type);
}

/* Neither is NULL. */
static gint
order_of_values (const KvsqlValue *a, const KvsqlValue *b)
{
  gint64 day = 24 * 60 * 60 * 1000;

  if (a->type == KVSQL_TYPE_STRING || a->type == KVSQL_TYPE_BYTES || a->type == KVSQL_TYPE_UUID
      || kvsql_type_is_collection (a->type))
    return order_of_bytes (a->bytes, b->bytes);
  if (a->type == KVSQL_TYPE_BOOLEAN)
    return (a->boolean ? 1 : 0) - (b->boolean ? 1 : 0);
  if (is_real (a->type) || is_real (b->type))
    return order_of_doubles (double_number (a), double_number (b));
  if (is_number (a->type))
    return order_of_long_doubles (exact_number (a), exact_number (b));
  return order_of_long_doubles (
      a->integer * (a->type == KVSQL_TYPE_DATE && b->type != a->type ? day : 1),
      b->integer * (b->type == KVSQL_TYPE_DATE && b->type != a->type ? day : 1));
}

gint
model_compare (const KvsqlValue *a, const KvsqlValue *b)
{
  gboolean a_is_null = a->type == KVSQL_TYPE_NULL, b_is_null = b->type == KVSQL_TYPE_NULL;

  if (a_is_null || b_is_null)
    return a_is_null - b_is_null;
  return order_of_values (a, b);
}

static gint
order_to_constant (const KvsqlValue *value, const Constant *constant)
{
  if (constant->kind == CONSTANT_SAME)
    return order_of_values (value, &constant->value);
  if (is_real (value->type))
    {
      gdouble real = constant->kind == CONSTANT_INTEGER   ? (gdouble)constant->integer
                     : constant->kind == CONSTANT_DECIMAL ? strtod (constant->sql, NULL)
                                                          : constant->real;
      return order_of_doubles (value->real, real);
    }
  if (constant->kind == CONSTANT_INTEGER)
    return order_of_long_doubles (exact_number (value), constant->integer);
  if (constant->kind == CONSTANT_DOUBLE && value->type != KVSQL_TYPE_DECIMAL)
    return order_of_long_doubles (value->integer, constant->real);
  return order_of_long_doubles (exact_number (value), strtold (constant->sql, NULL));
}

/* ---- truth */

static ModelTruth not(ModelTruth truth)
{
  return truth == MODEL_UNKNOWN ? MODEL_UNKNOWN : truth == MODEL_TRUE ? MODEL_FALSE : MODEL_TRUE;
}

static ModelTruth and (ModelTruth a, ModelTruth b)
{
  if (a == MODEL_FALSE || b == MODEL_FALSE)
    return MODEL_FALSE;
  return a == MODEL_TRUE && b == MODEL_TRUE ? MODEL_TRUE : MODEL_UNKNOWN;
}

static ModelTruth or (ModelTruth a, ModelTruth b) { return not(and(not(a), not(b))); }

static ModelTruth
compare_constant (const KvsqlValue *value, guint op, const Constant *constant)
{
  if (value->type == KVSQL_TYPE_NULL || constant->kind == CONSTANT_NULL)
    return MODEL_UNKNOWN;
  return holds (op, order_to_constant (value, constant)) ? MODEL_TRUE : MODEL_FALSE;
}

static gboolean
like (const gchar *pattern, const gchar *text)
{
  if (*pattern == '\0')
    return *text == '\0';
  if (*pattern == '%')
    return like (pattern + 1, text) || (*text != '\0' && like (pattern, g_utf8_next_char (text)));
  if (*text == '\0')
    return FALSE;
  if (*pattern == '_')
    return like (pattern + 1, g_utf8_next_char (text));
  if (*pattern == '\\')
    pattern++;
  return *pattern == *text && like (pattern + 1, text + 1);
}

static ModelTruth
evaluate_leaf (const ModelPredicate *self, const KvsqlValue *tuple)
{
  const KvsqlValue *value = &tuple[self->attribute], *other = &tuple[self->other];
  ModelTruth truth = MODEL_FALSE;
  KvsqlValue element;

  if (self->has_element && value->type != KVSQL_TYPE_NULL)
    {
      element = model_collection_element (value);
      value = &element;
    }
  switch (self->kind)
    {
    case COMPARE:
      return compare_constant (value, self->op, &self->constants[0]);
    case ATTRIBUTES:
      if (value->type == KVSQL_TYPE_NULL || other->type == KVSQL_TYPE_NULL)
        return MODEL_UNKNOWN;
      return holds (self->op, order_of_values (value, other)) ? MODEL_TRUE : MODEL_FALSE;
    case BETWEEN:
      return and(compare_constant (value, 5, &self->constants[0]),
                 compare_constant (value, 3, &self->constants[1]));
    case IN:
      for (guint i = 0; i < self->n_constants; i++)
        truth = or (truth, compare_constant (value, 0, &self->constants[i]));
      return truth;
    case LIKE:
      {
        g_autofree gchar *text = value->type == KVSQL_TYPE_NULL ? NULL : text_of (value->bytes);
        return text == NULL ? MODEL_UNKNOWN : like (self->pattern, text) ? MODEL_TRUE : MODEL_FALSE;
      }
    case TRUTH:
      return value->type == KVSQL_TYPE_NULL ? MODEL_UNKNOWN
             : value->boolean               ? MODEL_TRUE
                                            : MODEL_FALSE;
    default:
      return value->type == KVSQL_TYPE_NULL ? MODEL_TRUE : MODEL_FALSE;
    }
}

ModelTruth
model_predicate_evaluate (const ModelPredicate *self, const ModelRelation *relation,
                          const KvsqlValue *tuple)
{
  ModelTruth truth;

  if (self->kind == CONSTANT)
    truth = self->op == 2 ? MODEL_UNKNOWN : self->op == 1 ? MODEL_TRUE : MODEL_FALSE;
  else if (self->kind < AND)
    truth = evaluate_leaf (self, tuple);
  else
    {
      truth = model_predicate_evaluate (self->children[0], relation, tuple);
      for (guint i = 1; i < self->n_children; i++)
        {
          ModelTruth next = model_predicate_evaluate (self->children[i], relation, tuple);
          truth = self->kind == AND ? and(truth, next) : or (truth, next);
        }
      if (self->kind == NOT)
        truth = not(truth);
    }
  return self->is_negated ? not(truth) : truth;
}

void
model_predicate_collect (const ModelPredicate *self, gboolean *used)
{
  if (self->kind < CONSTANT)
    used[self->attribute] = TRUE;
  if (self->kind == ATTRIBUTES)
    used[self->other] = TRUE;
  for (guint i = 0; i < self->n_children; i++)
    model_predicate_collect (self->children[i], used);
}

/* ---- making */

static Constant
integer_constant (gint64 integer, Source *source)
{
  return (Constant){ .kind = CONSTANT_INTEGER,
                     .integer = integer,
                     .sql = kvsql_arena_printf (source->arena, "%" G_GINT64_FORMAT, integer) };
}

static Constant
double_constant (gdouble real, Source *source)
{
  gchar text[64];

  g_ascii_formatd (text, sizeof text, "%.17e", real);
  return (Constant){ .kind = CONSTANT_DOUBLE,
                     .real = real,
                     .sql = kvsql_arena_strdup (source->arena, text) };
}

/* Numbers that other types hold only nearly, or not at all. */
static Constant
foreign_number (KvsqlType type, Source *source)
{
  static const gchar *const decimals[] = { "0.5",
                                           "-0.5",
                                           "1.5",
                                           "2.0",
                                           "-1.0",
                                           "0.1",
                                           "254.5",
                                           "3000000000.0",
                                           "99999999999999999999.0",
                                           "-99999999999999999999.0",
                                           "2147483647.5",
                                           "-2147483648.5",
                                           "0.0" };
  static const gdouble reals[]
      = { 0, 0.5, -0.5, 1, -1, 1.5, 2147483648.0, -2147483649.0, 1e30, -1e30, 255.5, 4294967296.0 };
  static const gint64 integers[] = { 0,
                                     1,
                                     -1,
                                     2,
                                     3,
                                     44,
                                     46,
                                     254,
                                     257,
                                     128,
                                     -128,
                                     2147483648,
                                     -2147483649,
                                     4294967295,
                                     G_MAXINT64,
                                     G_MININT64 + 1,
                                     100000000000000 };
  guint form = source_pick (source, 3);

  if (kvsql_type_is_time (type) || form == 0)
    return integer_constant (integers[source_pick (source, G_N_ELEMENTS (integers))], source);
  if (form == 1)
    return (Constant){ .kind = CONSTANT_DECIMAL,
                       .sql = decimals[source_pick (source, G_N_ELEMENTS (decimals))] };
  return double_constant (reals[source_pick (source, G_N_ELEMENTS (reals))], source);
}

static Constant
same_type (KvsqlValue value, Source *source)
{
  g_autoptr (GString) sql = g_string_new (NULL);
  Constant constant = { .kind = CONSTANT_SAME, .value = value };

  kvsql_value_append_literal (&value, sql);
  /* there is a text form of every type */
  if (source_chance (source, 10) && value.type != KVSQL_TYPE_STRING
      && value.type != KVSQL_TYPE_BYTES && sql->str[0] != '\'')
    {
      g_string_prepend_c (sql, '\'');
      g_string_append_c (sql, '\'');
    }
  constant.sql = kvsql_arena_strdup (source->arena, sql->str);
  /* a number with an exponent is a DOUBLE, which a FLOAT may not equal */
  if (value.type == KVSQL_TYPE_FLOAT && sql->str[0] != '\'')
    {
      constant.kind = CONSTANT_DOUBLE;
      constant.real = strtod (sql->str, NULL);
    }
  return constant;
}

/* Text that is a little more or less than a stored one. */
static KvsqlValue
near_value (KvsqlValue value, Source *source)
{
  gboolean is_text = value.type == KVSQL_TYPE_STRING;
  gchar *bytes;

  if (value.type == KVSQL_TYPE_INT || value.type == KVSQL_TYPE_BIGINT
      || value.type == KVSQL_TYPE_DATE)
    {
      gint step = source_chance (source, 50) ? 1 : -1;
      if (ABS (value.integer) < 100000)
        value.integer += step;
      return value;
    }
  if (!is_text && value.type != KVSQL_TYPE_BYTES)
    return value;
  bytes = kvsql_arena_alloc (source->arena, value.bytes.size + 2);
  if (value.bytes.size > 0)
    memcpy (bytes, value.bytes.data, value.bytes.size);
  bytes[value.bytes.size]
      = is_text ? "!-~a/"[source_pick (source, 5)] : "\0-\xff\x01 "[source_pick (source, 5)];
  value.bytes = kvsql_slice (bytes, value.bytes.size + 1);
  return value;
}

static Constant
random_constant (const ModelRelation *relation, guint attribute, Source *source)
{
  KvsqlType type = relation->attributes[attribute].type;
  KvsqlValue value = model_random_value (relation, attribute, source);
  guint form = source_pick (source, 100);

  if (form < 3)
    return (Constant){ .kind = CONSTANT_NULL, .sql = "NULL" };
  if (form < 30 && (is_number (type) || kvsql_type_is_time (type)))
    return foreign_number (type, source);
  if (value.type == KVSQL_TYPE_NULL)
    return (Constant){ .kind = CONSTANT_NULL, .sql = "NULL" };
  return same_type (form < 50 ? near_value (value, source) : value, source);
}

static gboolean
are_comparable (KvsqlType a, KvsqlType b)
{
  gboolean a_is_time = a == KVSQL_TYPE_DATE || a == KVSQL_TYPE_TIMESTAMP,
           b_is_time = b == KVSQL_TYPE_DATE || b == KVSQL_TYPE_TIMESTAMP;

  return a == b || (is_number (a) && is_number (b)) || (a_is_time && b_is_time);
}

static const gchar *
random_pattern (Source *source)
{
  static const gchar *const patterns[]
      = { "a%",   "%",         "",     "_",  "a_",  "%-%", "ab%", "_b%", "%b",  "a\\_%",
          "a\\%", "\xc3\xa9%", "_\\%", "-%", "a%c", "a%%", "~%",  "%-",  "%-c", "%_-b" };

  return patterns[source_pick (source, G_N_ELEMENTS (patterns))];
}

/* Maps and lists have no order; their elements have. */
static void
choose_part (ModelPredicate *self, KvsqlType type, Source *source)
{
  self->has_element = source_chance (source, 60);
  if (self->has_element && self->kind == ATTRIBUTES)
    self->kind = COMPARE;
  if (!self->has_element)
    {
      self->op %= 2;
      self->kind = self->kind == BETWEEN ? IN : self->kind;
    }
}

/* What constants are compared with: a relation, for its first attribute. */
static ModelRelation
relation_of_element (const ModelRelation *relation, KvsqlType type)
{
  return (ModelRelation){ .attributes
                          = { { .type = kvsql_type_get_element (type), .is_key = TRUE } },
                          .n_attributes = 1,
                          .is_tame = relation->is_tame };
}

/* Among numbers of a list a text is one of their type: a DOUBLE, where the others are not FLOAT. */
static void
read_texts_among_numbers (ModelPredicate *self)
{
  gboolean has_number = FALSE;

  for (guint i = 0; i < self->n_constants; i++)
    has_number
        = has_number
          || (self->constants[i].sql[0] != '\'' && strcmp (self->constants[i].sql, "NULL") != 0);
  for (guint i = 0; i < self->n_constants; i++)
    {
      Constant *constant = &self->constants[i];
      gdouble real = strtod (constant->sql + 1, NULL);

      if (!has_number || constant->kind != CONSTANT_SAME || constant->sql[0] != '\''
          || !isfinite (real))
        continue;
      constant->kind = CONSTANT_DOUBLE;
      constant->real = real;
    }
}

static void
make_constants (ModelPredicate *self, const ModelRelation *relation, Source *source)
{
  KvsqlType type = relation->attributes[self->attribute].type;
  ModelRelation one = relation_of_element (relation, type);

  self->n_constants = self->kind == BETWEEN ? 2
                      : self->kind == IN    ? 1 + source_pick (source, 5)
                                            : 1;
  self->constants = kvsql_arena_array (source->arena, Constant, self->n_constants);
  for (guint i = 0; i < self->n_constants; i++)
    self->constants[i] = self->has_element ? random_constant (&one, 0, source)
                                           : random_constant (relation, self->attribute, source);
  if (self->has_element)
    type = kvsql_type_get_element (type);
  if (self->kind == IN && type == KVSQL_TYPE_FLOAT)
    read_texts_among_numbers (self);
}

static ModelPredicate *
make_leaf (const ModelRelation *relation, const gboolean *usable, Source *source)
{
  ModelPredicate *self = kvsql_arena_new0 (source->arena, ModelPredicate);
  KvsqlType type;
  guint tries = 0;

  do
    self->attribute = source_pick (source, relation->n_attributes);
  while (!usable[self->attribute]);
  type = relation->attributes[self->attribute].type;
  self->op = source_pick (source, 6);
  self->kind = source_pick (source, 12);
  if (self->kind >= CONSTANT)
    self->kind = self->kind == CONSTANT && source_chance (source, 20) ? CONSTANT : COMPARE;
  if (kvsql_type_is_collection (type))
    choose_part (self, type, source);
  if (self->has_element)
    type = kvsql_type_get_element (type);
  if (self->kind == LIKE && type != KVSQL_TYPE_STRING)
    self->kind = IN;
  if (self->kind == TRUTH && type != KVSQL_TYPE_BOOLEAN)
    self->kind = COMPARE;
  if (self->kind == ATTRIBUTES)
    {
      do
        self->other = source_pick (source, relation->n_attributes);
      while (tries++ < 20
             && (!usable[self->other]
                 || !are_comparable (type, relation->attributes[self->other].type)));
      if (!usable[self->other] || !are_comparable (type, relation->attributes[self->other].type))
        self->kind = kvsql_type_is_collection (type) ? IN : BETWEEN;
    }
  make_constants (self, relation, source);
  self->is_mirrored = self->kind == COMPARE && source_chance (source, 20);
  self->is_negated
      = (self->kind == BETWEEN || self->kind == IN || self->kind == LIKE || self->kind == IS_NULL)
        && source_chance (source, 30);
  self->pattern = random_pattern (source);
  if (self->kind == CONSTANT)
    self->op = source_pick (source, 3);
  return self;
}

ModelPredicate *
model_predicate_make (const ModelRelation *relation, const gboolean *usable, guint depth,
                      Source *source)
{
  ModelPredicate *self;

  if (depth == 0 || source_chance (source, 25))
    return make_leaf (relation, usable, source);
  self = kvsql_arena_new0 (source->arena, ModelPredicate);
  self->kind = source_chance (source, 20) ? NOT : source_chance (source, 60) ? AND : OR;
  self->n_children = self->kind == NOT ? 1 : 2 + source_pick (source, 3);
  for (guint i = 0; i < self->n_children; i++)
    self->children[i] = model_predicate_make (relation, usable, depth - 1, source);
  return self;
}

ModelPredicate *
model_predicate_simplify (const ModelPredicate *self, guint which, Source *source)
{
  ModelPredicate *made;

  if (self->kind < AND)
    return NULL;
  if (which < self->n_children)
    return self->children[which];
  which -= self->n_children;
  if (self->kind != NOT && which < self->n_children && self->n_children > 2)
    {
      made = kvsql_arena_copy (source->arena, self, sizeof *self);
      for (guint i = which; i + 1 < self->n_children; i++)
        made->children[i] = self->children[i + 1];
      made->n_children--;
      return made;
    }
  which -= self->kind != NOT && self->n_children > 2 ? self->n_children : 0;
  for (guint c = 0; c < self->n_children; c++)
    for (guint i = 0;; i++)
      {
        ModelPredicate *child = model_predicate_simplify (self->children[c], i, source);
        if (child == NULL)
          break;
        if (which-- > 0)
          continue;
        made = kvsql_arena_copy (source->arena, self, sizeof *self);
        made->children[c] = child;
        return made;
      }
  return NULL;
}

/* ---- as SQL */

static void
append_children (const ModelPredicate *self, const ModelRelation *relation, GString *out)
{
  if (self->kind == NOT)
    g_string_append (out, "NOT ");
  for (guint i = 0; i < self->n_children; i++)
    {
      g_string_append (out, i == 0 ? "(" : self->kind == AND ? " AND (" : " OR (");
      model_predicate_append_sql (self->children[i], relation, out);
      g_string_append_c (out, ')');
    }
}

static void
append_pattern (const gchar *pattern, GString *out)
{
  g_string_append_printf (out, "LIKE '%s'", pattern);
}

void
model_predicate_append_sql (const ModelPredicate *self, const ModelRelation *relation, GString *out)
{
  const ModelAttribute *attribute = &relation->attributes[self->attribute];
  g_autofree gchar *name = g_strconcat (
      attribute->name, self->has_element ? model_collection_subscript (attribute->type) : "", NULL);
  const gchar *negation = self->is_negated ? "NOT " : "";

  switch (self->kind)
    {
    case COMPARE:
      if (self->is_mirrored)
        g_string_append_printf (out, "%s %s %s", self->constants[0].sql, mirrored[self->op], name);
      else
        g_string_append_printf (out, "%s %s %s", name, operators[self->op], self->constants[0].sql);
      break;
    case ATTRIBUTES:
      g_string_append_printf (out, "%s %s %s", name, operators[self->op],
                              relation->attributes[self->other].name);
      break;
    case BETWEEN:
      g_string_append_printf (out, "%s %sBETWEEN %s AND %s", name, negation, self->constants[0].sql,
                              self->constants[1].sql);
      break;
    case IN:
      g_string_append_printf (out, "%s %sIN (", name, negation);
      for (guint i = 0; i < self->n_constants; i++)
        g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", self->constants[i].sql);
      g_string_append_c (out, ')');
      break;
    case LIKE:
      g_string_append_printf (out, "%s %s", name, negation);
      append_pattern (self->pattern, out);
      break;
    case IS_NULL:
      g_string_append_printf (out, "%s IS %sNULL", name, negation);
      break;
    case TRUTH:
      g_string_append (out, name);
      break;
    case CONSTANT:
      g_string_append (out, self->op == 2 ? "NULL" : self->op == 1 ? "TRUE" : "FALSE");
      break;
    default:
      append_children (self, relation, out);
      break;
    }
}
