/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-expression.c: see the header.
 */
#include "config.h"

#include "tests/differential/random-expression.h"

#include <string.h>

#define MAX_CHILDREN 4

struct _RandomExpression
{
  KvsqlType type;
  const gchar *text;         /* '@' is a child; of a leaf, just the text */
  ModelPredicate *predicate; /* nullable: a leaf that is one */
  RandomExpression *children[MAX_CHILDREN];
  guint n_children;
};

/* What a value of @result can be made of: one line each. */
typedef struct
{
  KvsqlType result;
  const gchar *text;
  KvsqlType arguments[MAX_CHILDREN]; /* NULL: none more */
  gboolean has_order;                /* not for maps and lists */
} Rule;

/* Represents one type of the relation, the same one in all places. */
#define ANY ((KvsqlType)100)

#define MAP_OF(type) ((KvsqlType)(KVSQL_TYPE_MAP + (type)-1))
#define LIST_OF(type) ((KvsqlType)(KVSQL_TYPE_LIST + (type)-1))

static const Rule rules[] = {
  { KVSQL_TYPE_BOOLEAN, "(@ AND @)", { KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN } },
  { KVSQL_TYPE_BOOLEAN, "(@ AND @)", { KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN } },
  { KVSQL_TYPE_BOOLEAN, "(@ OR @)", { KVSQL_TYPE_BOOLEAN, KVSQL_TYPE_BOOLEAN } },
  { KVSQL_TYPE_BOOLEAN, "(NOT @)", { KVSQL_TYPE_BOOLEAN } },
  { KVSQL_TYPE_BOOLEAN, "(@ IS NULL)", { ANY } },
  { KVSQL_TYPE_BOOLEAN, "(@ IS NOT NULL)", { ANY } },
  { KVSQL_TYPE_BOOLEAN, "(@ = @)", { ANY, ANY } },
  { KVSQL_TYPE_BOOLEAN, "(@ <> @)", { ANY, ANY } },
  { KVSQL_TYPE_BOOLEAN, "(@ < @)", { ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ <= @)", { ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ > @)", { ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ >= @)", { ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ BETWEEN @ AND @)", { ANY, ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ NOT BETWEEN @ AND @)", { ANY, ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ IN (@, @, @))", { ANY, ANY, ANY, ANY } },
  { KVSQL_TYPE_BOOLEAN, "(@ NOT IN (@, NULL))", { ANY, ANY } },
  { KVSQL_TYPE_BOOLEAN, "(NULL IN (@, @))", { ANY, ANY } },
  { KVSQL_TYPE_BOOLEAN, "(@ OR NULL)", { KVSQL_TYPE_BOOLEAN } },
  { KVSQL_TYPE_BOOLEAN, "(@ < NULL)", { ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ BETWEEN NULL AND @)", { ANY, ANY }, TRUE },
  { KVSQL_TYPE_BOOLEAN, "(@ LIKE 'a%')", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_BOOLEAN, "(@ RLIKE '^(a|b)')", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_BOOLEAN, "starts_with(@, 'a')", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_BOOLEAN, "(@ NOT LIKE @)", { KVSQL_TYPE_STRING, KVSQL_TYPE_STRING } },
  { ANY, "coalesce(@, @)", { ANY, ANY } },
  { ANY, "(CASE WHEN @ THEN @ ELSE @ END)", { KVSQL_TYPE_BOOLEAN, ANY, ANY } },
  { ANY, "(CASE @ WHEN @ THEN @ END)", { ANY, ANY, ANY } },
  { ANY, "nullif(@, @)", { ANY, ANY } },
  { ANY, "greatest(@, @)", { ANY, ANY }, TRUE },
  { ANY, "least(@, NULL, @)", { ANY, ANY }, TRUE },
  { ANY, "coalesce(NULL, @)", { ANY } },
  { ANY, "nullif(NULL, @)", { ANY } },
  { KVSQL_TYPE_STRING, "(@ || @)", { KVSQL_TYPE_STRING, KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "concat(@, 'a')", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "upper(@)", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "substr(@, 2)", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "replace(@, 'a', @)", { KVSQL_TYPE_STRING, KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "trim(@)", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "CAST (@ AS STRING)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_STRING, "CAST (@ AS STRING)", { KVSQL_TYPE_DATE } },
  { KVSQL_TYPE_INT, "length(@)", { KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_INT, "abs(@)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_DECIMAL, "abs(@)", { KVSQL_TYPE_DECIMAL } },
  { KVSQL_TYPE_DOUBLE, "abs(@)", { KVSQL_TYPE_DOUBLE } },
  { KVSQL_TYPE_INT, "(- @)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_INT, "(@ + 1)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_INT, "(@ - @)", { KVSQL_TYPE_INT, KVSQL_TYPE_INT } },
  { KVSQL_TYPE_INT, "(@ / 2)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_INT, "(@ % 3)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_BIGINT, "CAST (@ AS BIGINT)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_BIGINT, "(@ + @)", { KVSQL_TYPE_BIGINT, KVSQL_TYPE_INT } },
  { KVSQL_TYPE_BIGINT, "(@ * 2)", { KVSQL_TYPE_BIGINT } },
  { KVSQL_TYPE_DECIMAL, "(@ + @)", { KVSQL_TYPE_DECIMAL, KVSQL_TYPE_DECIMAL } },
  { KVSQL_TYPE_DECIMAL, "(@ * 0.5)", { KVSQL_TYPE_DECIMAL } },
  { KVSQL_TYPE_DECIMAL, "CAST (@ AS DECIMAL)", { KVSQL_TYPE_BIGINT } },
  { KVSQL_TYPE_DOUBLE, "(@ + 1e0)", { KVSQL_TYPE_DOUBLE } },
  { KVSQL_TYPE_DOUBLE, "CAST (@ AS DOUBLE)", { KVSQL_TYPE_INT } },
  { KVSQL_TYPE_DOUBLE, "CAST (@ AS DOUBLE)", { KVSQL_TYPE_FLOAT } },
  { KVSQL_TYPE_INT, "(@)['a']", { MAP_OF (KVSQL_TYPE_INT) } },
  { KVSQL_TYPE_INT, "(@)[@]", { LIST_OF (KVSQL_TYPE_INT), KVSQL_TYPE_INT } },
  { KVSQL_TYPE_STRING, "(@)[@]", { MAP_OF (KVSQL_TYPE_STRING), KVSQL_TYPE_STRING } },
  { KVSQL_TYPE_STRING, "(@)[2]", { LIST_OF (KVSQL_TYPE_STRING) } },
  { KVSQL_TYPE_INT, "cardinality(@)", { MAP_OF (KVSQL_TYPE_STRING) } },
  { KVSQL_TYPE_INT, "cardinality(@)", { LIST_OF (KVSQL_TYPE_INT) } },
};

/* ---- leaves */

static RandomExpression *
new_leaf (KvsqlType type, const gchar *text, Source *source)
{
  RandomExpression *self = kvsql_arena_new0 (source->arena, RandomExpression);

  self->type = type;
  self->text = kvsql_arena_strdup (source->arena, text);
  return self;
}

/* An attribute of that type; NULL: there is none. */
static const ModelAttribute *
pick_attribute (const ModelRelation *relation, KvsqlType type, Source *source)
{
  guint start = source_pick (source, relation->n_attributes);

  for (guint i = 0; i < relation->n_attributes; i++)
    {
      const ModelAttribute *attribute = &relation->attributes[(start + i) % relation->n_attributes];
      if (attribute->type == type)
        return attribute;
    }
  return NULL;
}

static RandomExpression *
make_literal (KvsqlType type, Source *source)
{
  ModelRelation one
      = { .attributes = { { .type = type, .is_key = TRUE } }, .n_attributes = 1, .is_tame = TRUE };
  KvsqlValue value = model_random_value (&one, 0, source);
  g_autoptr (GString) literal = g_string_new (NULL), text = g_string_new (NULL);

  /* a bare NULL has no type, which only some rules bear */
  if (source_chance (source, 20))
    value = KVSQL_VALUE_NULL;
  kvsql_value_append_literal (&value, literal);
  if (value.type != KVSQL_TYPE_NULL
      && (type == KVSQL_TYPE_BOOLEAN || type == KVSQL_TYPE_STRING || type == KVSQL_TYPE_BYTES))
    return new_leaf (type, literal->str, source);
  g_string_append_printf (text, "CAST (%s AS %s)", literal->str, kvsql_type_get_name (type));
  return new_leaf (type, text->str, source);
}

static gboolean
is_bare_null (const ModelPredicate *predicate, const ModelRelation *relation)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  model_predicate_append_sql (predicate, relation, sql);
  return g_str_equal (sql->str, "NULL");
}

static RandomExpression *
make_leaf (const ModelRelation *relation, KvsqlType type, Source *source)
{
  const ModelAttribute *attribute = pick_attribute (relation, type, source);
  gboolean usable[MAX_ATTRIBUTES];
  RandomExpression *self;

  if (type == KVSQL_TYPE_BOOLEAN && source_chance (source, 90))
    {
      self = new_leaf (type, "", source);
      for (guint a = 0; a < MAX_ATTRIBUTES; a++)
        usable[a] = TRUE;
      do
        self->predicate = model_predicate_make (relation, usable, source_pick (source, 2), source);
      while (is_bare_null (self->predicate, relation));
      return self;
    }
  if (attribute != NULL && source_chance (source, 75))
    return new_leaf (type, attribute->name, source);
  return make_literal (type, source);
}

/* ---- the rest */

RandomExpression *
random_expression_make (const ModelRelation *relation, KvsqlType type, guint depth, Source *source)
{
  KvsqlType any = type;
  RandomExpression *self;
  const Rule *rule;

  if (depth == 0 || source_chance (source, 20))
    return make_leaf (relation, type, source);
  do
    rule = &rules[source_pick (source, G_N_ELEMENTS (rules))];
  while ((rule->result != type && rule->result != ANY)
         || (rule->result == ANY && rule->has_order && kvsql_type_is_collection (type)));
  if (rule->result != ANY)
    do
      any = relation->attributes[source_pick (source, relation->n_attributes)].type;
    while (rule->has_order && kvsql_type_is_collection (any));
  self = new_leaf (type, rule->text, source);
  for (guint i = 0; i < MAX_CHILDREN && rule->arguments[i] != KVSQL_TYPE_NULL; i++)
    {
      KvsqlType wanted = rule->arguments[i] == ANY ? any : rule->arguments[i];
      self->children[self->n_children++]
          = random_expression_make (relation, wanted, depth - 1, source);
    }
  return self;
}

void
random_expression_append_sql (const RandomExpression *self, const ModelRelation *relation,
                              GString *out)
{
  guint child = 0;

  if (self->predicate != NULL)
    {
      g_string_append_c (out, '(');
      model_predicate_append_sql (self->predicate, relation, out);
      g_string_append_c (out, ')');
      return;
    }
  for (const gchar *at = self->text; *at != '\0'; at++)
    if (*at == '@' && self->n_children > 0)
      random_expression_append_sql (self->children[child++], relation, out);
    else
      g_string_append_c (out, *at);
}

/* The form with child @c being simpler; NULL: the child has no such form. */
static RandomExpression *
simplify_child (const RandomExpression *self, const ModelRelation *relation, guint c, guint which,
                Source *source)
{
  RandomExpression *child = random_expression_simplify (self->children[c], relation, which, source);
  RandomExpression *made;

  if (child == NULL)
    return NULL;
  made = kvsql_arena_copy (source->arena, self, sizeof *self);
  made->children[c] = child;
  return made;
}

RandomExpression *
random_expression_simplify (const RandomExpression *self, const ModelRelation *relation,
                            guint which, Source *source)
{
  if (self->predicate != NULL)
    {
      ModelPredicate *predicate = model_predicate_simplify (self->predicate, which, source);
      RandomExpression *made;

      if (predicate == NULL)
        return NULL;
      made = kvsql_arena_copy (source->arena, self, sizeof *self);
      made->predicate = predicate;
      return made;
    }
  for (guint c = 0; c < self->n_children; c++)
    if (self->children[c]->type == self->type && which-- == 0)
      return self->children[c];
  if (self->n_children > 0 && self->type != KVSQL_TYPE_BOOLEAN && which-- == 0)
    return make_literal (self->type, source);
  for (guint c = 0; c < self->n_children; c++)
    for (guint i = 0;; i++)
      {
        RandomExpression *made = simplify_child (self, relation, c, i, source);
        if (made == NULL)
          break;
        if (which-- == 0)
          return made;
      }
  return NULL;
}
