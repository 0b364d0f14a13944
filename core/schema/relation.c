/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * relation.c: checks DEFINE RELATION, and builds the relation.
 */
#include "config.h"

#include "core/schema/relation.h"
#include "core/base/conversion.h"
#include "core/base/hash.h"
#include "core/schema/relation-options.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

#define MAX_HINT_BYTES 60

KvsqlNameMatch
kvsql_name_match (const KvsqlName *name, const gchar *defined, gboolean defined_is_quoted)
{
  if (name->is_double_quoted)
    return strcmp (name->text, defined) == 0               ? KVSQL_NAME_MATCHES
           : g_ascii_strcasecmp (name->text, defined) == 0 ? KVSQL_NAME_SIMILAR
                                                           : KVSQL_NAME_DIFFERS;
  if (name->is_quoted || defined_is_quoted)
    return strcmp (name->text, defined) == 0 ? KVSQL_NAME_MATCHES : KVSQL_NAME_DIFFERS;
  return g_ascii_strcasecmp (name->text, defined) == 0 ? KVSQL_NAME_MATCHES : KVSQL_NAME_DIFFERS;
}

gboolean
kvsql_name_means (const KvsqlName *name, const gchar *defined, gboolean defined_is_quoted)
{
  return kvsql_name_match (name, defined, defined_is_quoted) != KVSQL_NAME_DIFFERS;
}

void
kvsql_name_choice_offer (KvsqlNameChoice *self, KvsqlNameMatch match, guint index)
{
  if (match == KVSQL_NAME_DIFFERS || match < self->match)
    return;
  if (match == self->match)
    {
      self->n++;
      return;
    }
  *self = (KvsqlNameChoice){ .match = match, .n = 1, .index = index };
}

gboolean
kvsql_name_choice_is_made (const KvsqlNameChoice *self)
{
  return self->match == KVSQL_NAME_MATCHES || self->n == 1;
}

gboolean
kvsql_name_hint (const KvsqlName *name, const gchar *near, GError **error)
{
  g_autoptr (GString) hint = g_string_new (NULL);
  const KvsqlValue text
      = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_from_text (name->text) };

  if (near != NULL)
    g_string_append_printf (hint, "Did you mean \"%s\"?", near);
  if (name->is_double_quoted)
    {
      g_string_append_printf (hint, "%sText is written in single quotes", near != NULL ? " " : "");
      if (text.bytes.size <= MAX_HINT_BYTES)
        {
          g_string_append (hint, ": ");
          kvsql_value_append_literal (&text, hint);
        }
      g_string_append_c (hint, '.');
    }
  return hint->len > 0 && kvsql_error_hint (error, "%s", hint->str);
}

gchar *
kvsql_name_fold (const gchar *text, gboolean is_quoted)
{
  return is_quoted ? g_strdup (text) : g_ascii_strdown (text, -1);
}

const gchar *
kvsql_name_fold_in_arena (KvsqlArena *arena, const gchar *text, gboolean is_quoted)
{
  g_autofree gchar *folded = kvsql_name_fold (text, is_quoted);

  return kvsql_arena_strdup (arena, folded);
}

/* Also with fields: INTERVAL DAY, INTERVAL(3). */
static gboolean
is_interval (const gchar *type)
{
  gsize size = strlen ("INTERVAL");

  return g_ascii_strncasecmp (type, "INTERVAL", size) == 0
         && (type[size] == '\0' || strchr (" ([", type[size]) != NULL);
}

static gboolean
fail_interval (const KvsqlName *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, name->span,
                   "an attribute cannot be an INTERVAL, which is a type of expressions only");
  return kvsql_error_hint (error,
                           "Store a BIGINT of milliseconds (an INTERVAL is converted to it), or a "
                           "STRING, and CAST it.");
}

static gboolean
resolve_type (const KvsqlName *name, KvsqlType *out_type, GError **error)
{
  const gchar *known[KVSQL_N_TYPES];
  const gchar *near, *closest = kvsql_type_find_closest (name->text);
  guint n_known = 0;

  if (kvsql_type_from_name (name->text, out_type))
    return kvsql_type_get_element (*out_type) != KVSQL_TYPE_INTERVAL || fail_interval (name, error);
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span, "type \"%s\" does not exist",
                   name->text);
  for (guint i = 1; i < KVSQL_N_TYPES; i++)
    if (kvsql_type_is_known (i))
      known[n_known++] = kvsql_type_get_name (i);
  near = kvsql_suggest (name->text, known, n_known);
  if (g_ascii_strncasecmp (name->text, "MAP", 3) == 0
      || g_ascii_strncasecmp (name->text, "LIST", 4) == 0)
    return kvsql_error_hint (error, "Write MAP<STRING, T> or LIST<T>, T being one of the other "
                                    "types.");
  if (closest != NULL)
    return kvsql_error_hint (error, "%s is closest to it.", closest);
  if (near != NULL)
    return kvsql_error_hint (error, "Did you mean %s?", near);
  return kvsql_error_hint (error,
                           "Types are STRING, BYTES, BOOLEAN, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, "
                           "DATE, TIMESTAMP, MAP<STRING, T> and LIST<T>.");
}

/* A type with a limit. */
static gboolean
resolve_limit (KvsqlRelation *self, const KvsqlName *name, KvsqlAttribute *attribute,
               GError **error)
{
  g_autofree gchar *text = NULL;

  if (!kvsql_type_limit_find (name->text, &attribute->type, &attribute->limit, error))
    return kvsql_error_at (error, name->span);
  if (attribute->limit.kind == KVSQL_LIMIT_NONE)
    return TRUE;
  text = kvsql_type_limit_to_text (&attribute->limit);
  attribute->declared = kvsql_arena_strdup (self->arena, text);
  return TRUE;
}

static gboolean
resolve_default (KvsqlAttribute *attribute, const KvsqlAttributeDefinition *definition,
                 KvsqlArena *arena, GError **error)
{
  const KvsqlAstExpr *expr = definition->default_value;

  if (expr == NULL)
    return TRUE;
  if (expr->kind != KVSQL_AST_LITERAL)
    return TRUE; /* keep_expressions () */
  if (!kvsql_value_convert (&expr->value, attribute->type, arena, &attribute->default_value, error)
      || !kvsql_type_limit_apply (&attribute->limit, &attribute->default_value, arena, error))
    {
      g_prefix_error (error, "default of attribute \"%s\": ", attribute->name);
      return kvsql_error_at (error, expr->span);
    }
  attribute->default_value = kvsql_value_dup (&attribute->default_value, arena);
  return TRUE;
}

const gchar *
kvsql_comment_dup (const KvsqlValue *comment, KvsqlArena *arena)
{
  if (kvsql_value_is_null (comment))
    return NULL;
  return kvsql_arena_strndup (arena, (const gchar *)comment->bytes.data, comment->bytes.size);
}

static gboolean
add_attribute (KvsqlRelation *self, const KvsqlAttributeDefinition *definition, GError **error)
{
  KvsqlAttribute *attribute = &self->attributes[self->n_attributes];

  for (guint i = 0; i < self->n_attributes; i++)
    if (kvsql_name_means (&definition->name, self->attributes[i].name,
                          self->attributes[i].is_quoted))
      return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, definition->name.span,
                              "attribute \"%s\" is defined twice", definition->name.text)
             || kvsql_error_sqlstate (error, "42701");
  attribute->name = kvsql_arena_strdup (self->arena, definition->name.text);
  attribute->name_hash = kvsql_name_hash (attribute->name);
  attribute->is_quoted = definition->name.is_quoted;
  attribute->is_key = definition->is_key;
  attribute->is_not_null = definition->is_key || definition->is_not_null;
  attribute->default_value = KVSQL_VALUE_NULL;
  attribute->label = kvsql_comment_dup (&definition->label, self->arena);
  if (attribute->label == NULL)
    attribute->label = attribute->name;
  attribute->comment = kvsql_comment_dup (&definition->comment, self->arena);
  if (is_interval (definition->type_name.text))
    return fail_interval (&definition->type_name, error);
  if (!resolve_limit (self, &definition->type_name, attribute, error)
      || (attribute->limit.kind == KVSQL_LIMIT_NONE
          && !resolve_type (&definition->type_name, &attribute->type, error))
      || !resolve_default (attribute, definition, self->arena, error))
    return FALSE;
  if (attribute->is_key && kvsql_type_is_collection (attribute->type))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, definition->type_name.span,
                            "KEY attribute \"%s\" cannot be a %s", attribute->name,
                            kvsql_type_is_map (attribute->type) ? "map" : "list");
  if (attribute->is_key && kvsql_type_is_json (attribute->type))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, definition->type_name.span,
                            "KEY attribute \"%s\" cannot be a %s", attribute->name,
                            kvsql_type_get_name (attribute->type))
           || kvsql_error_hint (error, "Copy the part that identifies a tuple to an attribute of "
                                       "its own.");
  if (attribute->is_key)
    kvsql_attribute_set_add (&self->keys, self->n_attributes);
  kvsql_attribute_set_add (&self->all, self->n_attributes);
  self->n_attributes++;
  return TRUE;
}

/* A KEY attribute that gets its value by itself. */
static gboolean
hide_key (KvsqlRelation *self, const KvsqlOptions *options, const gchar *name, GError **error)
{
  for (guint i = 0; i < self->n_attributes; i++)
    if (self->attributes[i].is_key && g_ascii_strcasecmp (self->attributes[i].name, name) == 0)
      {
        self->attributes[i].is_hidden = TRUE;
        return TRUE;
      }
  return kvsql_option_fail (kvsql_options_find (options, "hidden_key"),
                            "the name of a KEY attribute", error);
}

static gboolean
read_options (KvsqlRelation *self, const KvsqlDefineRelation *definition, GError **error)
{
  KvsqlRelationOptions options;

  if (!kvsql_relation_options_read (&definition->options, self->n_attributes, self->arena, &options,
                                    error))
    return FALSE;
  self->writes = options.writes;
  self->mode = options.former;
  self->is_unique = options.is_unique;
  self->ignores_constraints = options.ignores_constraints;
  self->id = options.id;
  self->pause = options.pause;
  self->last_attribute_id = options.last_attribute_id;
  for (guint i = 0; i < self->n_attributes; i++)
    self->attributes[i].id = options.attribute_ids[i];
  return options.hidden_key == NULL
         || hide_key (self, &definition->options, options.hidden_key, error);
}

gboolean
kvsql_relation_check_size (const KvsqlDefineRelation *definition, GError **error)
{
  if (definition->n_attributes > KVSQL_MAX_ATTRIBUTES)
    return kvsql_error_set (
        error, KVSQL_ERROR_LIMIT, definition->attributes[KVSQL_MAX_ATTRIBUTES].span,
        "relation \"%s\" has more than %d attributes", definition->name.text, KVSQL_MAX_ATTRIBUTES);
  return definition->n_constraints <= KVSQL_MAX_CONSTRAINTS
         || kvsql_error_set (error, KVSQL_ERROR_LIMIT,
                             definition->constraints[KVSQL_MAX_CONSTRAINTS].span,
                             "relation \"%s\" has more than %d constraints", definition->name.text,
                             KVSQL_MAX_CONSTRAINTS);
}

/* ---- expressions */

static gboolean
has_expressions (const KvsqlDefineRelation *definition)
{
  gboolean has = definition->n_constraints > 0;

  for (guint i = 0; i < definition->n_attributes; i++)
    {
      const KvsqlAstExpr *expr = definition->attributes[i].default_value;
      has = has || (expr != NULL && expr->kind != KVSQL_AST_LITERAL);
    }
  return has;
}

/* A position in the relation's text means nothing in a statement. */
static void
forget_positions (KvsqlAstExpr *expr)
{
  expr->span = expr->op_span = expr->name.span = expr->cast_type.span = KVSQL_SPAN_NONE;
  for (guint i = 0; i < expr->n_children; i++)
    forget_positions (expr->children[i]);
}

/* The checks of @definition, which is the relation's own. Other constraints are not stored. */
static gboolean
keep_checks (KvsqlRelation *self, const KvsqlDefineRelation *definition, GError **error)
{
  KvsqlRowCheck *checks = kvsql_arena_array (self->arena, KvsqlRowCheck, definition->n_constraints);

  self->checks = checks;
  for (guint i = 0; i < definition->n_constraints; i++)
    {
      const KvsqlConstraintDefinition *constraint = &definition->constraints[i];

      if (constraint->kind != KVSQL_CONSTRAINT_CHECK || constraint->name.text == NULL)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                                "a definition has CHECK with a name, and no other constraints");
      if (kvsql_relation_find_check (self, &constraint->name) != NULL)
        return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, KVSQL_SPAN_NONE,
                                "constraint \"%s\" is defined twice", constraint->name.text);
      forget_positions (constraint->expr);
      checks[self->n_checks++] = (KvsqlRowCheck){ .name = constraint->name.text,
                                                  .is_quoted = constraint->name.is_quoted,
                                                  .expr = constraint->expr };
    }
  return TRUE;
}

/* Parses the text again, so that its expressions live as long as the relation. */
static gboolean
keep_expressions (KvsqlRelation *self, const KvsqlDefineRelation *definition, GError **error)
{
  const KvsqlAstStatement *statement;

  if (!has_expressions (definition))
    return TRUE;
  statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (self->text), self->arena, error);
  if (statement == NULL || !keep_checks (self, &statement->define_relation, error))
    return kvsql_error_move (error, KVSQL_SPAN_NONE);
  for (guint i = 0; i < self->n_attributes; i++)
    {
      KvsqlAstExpr *expr = statement->define_relation.attributes[i].default_value;

      if (expr == NULL || expr->kind == KVSQL_AST_LITERAL)
        continue;
      forget_positions (expr);
      self->attributes[i].default_expr = expr;
    }
  return TRUE;
}

const KvsqlRowCheck *
kvsql_relation_find_check (const KvsqlRelation *self, const KvsqlName *name)
{
  for (guint i = 0; i < self->n_checks; i++)
    if (kvsql_name_means (name, self->checks[i].name, self->checks[i].is_quoted))
      return &self->checks[i];
  return NULL;
}

KvsqlRelation *
kvsql_relation_new (const KvsqlDefineRelation *definition, GError **error)
{
  g_autoptr (KvsqlRelation) self = g_atomic_rc_box_new0 (KvsqlRelation);
  KvsqlAstStatement statement = { .kind = KVSQL_STATEMENT_DEFINE_RELATION };
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean has_key = FALSE;

  self->arena = kvsql_arena_new ();
  self->name = kvsql_arena_strdup (self->arena, definition->name.text);
  self->is_quoted = definition->name.is_quoted;
  self->comment = kvsql_comment_dup (&definition->comment, self->arena);
  if (!kvsql_relation_check_size (definition, error))
    return NULL;
  self->attributes = kvsql_arena_array (self->arena, KvsqlAttribute, definition->n_attributes);
  for (guint i = 0; i < definition->n_attributes; i++)
    {
      if (!add_attribute (self, &definition->attributes[i], error))
        return NULL;
      has_key = has_key || definition->attributes[i].is_key;
    }
  if (!has_key)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, definition->name.span,
                       "relation \"%s\" has no KEY attribute", self->name);
      kvsql_error_hint (error,
                        "Mark the attributes that identify a tuple with KEY, as in id BIGINT KEY.");
      return NULL;
    }
  g_assert (self->n_attributes == definition->n_attributes); /* the same numbers */
  if (!read_options (self, definition, error))
    return NULL;
  statement.define_relation = *definition;
  statement.define_relation.if_not_exists = FALSE;
  kvsql_print_statement (&statement, text);
  self->text = kvsql_arena_strdup (self->arena, text->str);
  if (!keep_expressions (self, definition, error))
    return NULL;
  return g_steal_pointer (&self);
}

KvsqlRelation *
kvsql_relation_ref (KvsqlRelation *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
relation_clear (gpointer data)
{
  KvsqlRelation *self = data;

  kvsql_arena_free (self->arena);
}

void
kvsql_relation_unref (KvsqlRelation *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, relation_clear);
}

KvsqlValue *
kvsql_tuple_dup (const KvsqlRelation *self, const KvsqlValue *tuple, KvsqlArena *arena)
{
  KvsqlValue *copy = kvsql_arena_array (arena, KvsqlValue, self->n_attributes);

  for (guint i = 0; i < self->n_attributes; i++)
    copy[i] = kvsql_value_dup (&tuple[i], arena);
  return copy;
}

guint32
kvsql_name_hash (const gchar *text)
{
  guint64 hash = KVSQL_HASH_FIXED_SEED;
  gchar lower[32];
  gsize n;

  do
    {
      for (n = 0; n < sizeof lower && *text != '\0'; n++)
        lower[n] = g_ascii_tolower (*text++);
      hash = kvsql_hash (hash, lower, n);
    }
  while (n == sizeof lower);
  return (guint32)hash;
}

static gboolean
fail_unknown_name (const KvsqlRelation *self, const KvsqlName *name, GError **error)
{
  const gchar *names[KVSQL_MAX_ATTRIBUTES];
  const gchar *near;

  for (guint i = 0; i < self->n_attributes; i++)
    names[i] = self->attributes[i].name;
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, name->span,
                   "attribute \"%s\" does not exist in relation \"%s\"", name->text, self->name);
  kvsql_error_sqlstate (error, "42703");
  near = kvsql_suggest (name->text, names, self->n_attributes);
  return kvsql_name_hint (name, near, error);
}

KvsqlNameChoice
kvsql_relation_choose (const KvsqlRelation *self, const KvsqlName *name)
{
  guint32 hash = kvsql_name_hash (name->text);
  KvsqlNameChoice choice = { 0 };

  for (guint i = 0; i < self->n_attributes && choice.match != KVSQL_NAME_MATCHES; i++)
    {
      const KvsqlAttribute *attribute = &self->attributes[i];

      if (attribute->name_hash == hash)
        kvsql_name_choice_offer (&choice,
                                 kvsql_name_match (name, attribute->name, attribute->is_quoted), i);
    }
  return choice;
}

KvsqlNameChoice
kvsql_definition_choose (const KvsqlDefineRelation *self, const KvsqlName *name)
{
  KvsqlNameChoice choice = { 0 };

  for (guint i = 0; i < self->n_attributes; i++)
    {
      const KvsqlName *own = &self->attributes[i].name;

      kvsql_name_choice_offer (&choice, kvsql_name_match (name, own->text, own->is_quoted), i);
    }
  return choice;
}

/* Whether another attribute has the same name. */
static gboolean
is_repeated (const KvsqlRelation *self, guint attribute)
{
  const KvsqlAttribute *one = &self->attributes[attribute];

  for (guint i = 0; i < self->n_attributes; i++)
    if (i != attribute && self->attributes[i].name_hash == one->name_hash
        && g_ascii_strcasecmp (self->attributes[i].name, one->name) == 0
        && self->attributes[i].is_quoted == one->is_quoted)
      return TRUE;
  return FALSE;
}

gboolean
kvsql_relation_find (const KvsqlRelation *self, const KvsqlName *name, guint *out_attribute,
                     GError **error)
{
  KvsqlNameChoice choice;

  for (guint i = 0; i < self->n_attributes; i++)
    if (name->text == self->attributes[i].name) /* @name comes from an expanded * */
      {
        *out_attribute = i;
        return TRUE;
      }
  choice = kvsql_relation_choose (self, name);
  if (self->is_derived && choice.n > 0 && is_repeated (self, choice.index))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                            "column \"%s\" of \"%s\" is ambiguous", name->text, self->name)
           || kvsql_error_hint (error, "Give one of the columns another alias.");
  if (kvsql_name_choice_is_made (&choice))
    {
      *out_attribute = choice.index;
      return TRUE;
    }
  if (error == NULL)
    return FALSE;
  if (choice.n > 1)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span,
                            "attribute \"%s\" of relation \"%s\" is ambiguous", name->text,
                            self->name)
           || kvsql_error_hint (error, "Spell it exactly as one of the attributes.");
  return fail_unknown_name (self, name, error);
}

void
kvsql_relation_append_names (const KvsqlRelation *self, const KvsqlAttributeSet *attributes,
                             GString *out)
{
  const gchar *separator = "";

  for (guint a = 0; a < self->n_attributes; a++)
    if (kvsql_attribute_set_has (attributes, a))
      {
        g_string_append_printf (out, "%s%s", separator, self->attributes[a].name);
        separator = ", ";
      }
}
