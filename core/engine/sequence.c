/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence.c: CREATE and DROP SEQUENCE; SERIAL and GENERATED … AS IDENTITY of new relations, which
 * are a DEFAULT nextval ('relation_attribute_seq').
 */
#include "config.h"

#include "core/engine/definitions-private.h"
#include "core/engine/sequence-use.h"

static const struct
{
  const gchar *name;
  const gchar *type;
  gint64 maximum;
} serial_types[] = {
  { "SERIAL", "INT", G_MAXINT32 },           { "SERIAL4", "INT", G_MAXINT32 },
  { "BIGSERIAL", "BIGINT", G_MAXINT64 },     { "SERIAL8", "BIGINT", G_MAXINT64 },
  { "SMALLSERIAL", "SMALLINT", G_MAXINT16 }, { "SERIAL2", "SMALLINT", G_MAXINT16 },
};

static const struct
{
  const gchar *name;
  gint64 maximum;
} whole_types[] = {
  { "SMALLINT", G_MAXINT16 }, { "INT2", G_MAXINT16 }, { "INT", G_MAXINT32 },
  { "INTEGER", G_MAXINT32 },  { "INT4", G_MAXINT32 }, { "BIGINT", G_MAXINT64 },
  { "LONG", G_MAXINT64 },     { "INT8", G_MAXINT64 },
};

gint64
kvsql_find_whole_maximum (const gchar *type)
{
  for (guint i = 0; i < G_N_ELEMENTS (whole_types); i++)
    if (g_ascii_strcasecmp (type, whole_types[i].name) == 0)
      return whole_types[i].maximum;
  return 0;
}

/* ---- options */

static gboolean
fail_options (KvsqlSpan span, const gchar *message, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, span, "%s", message);
  return kvsql_error_sqlstate (error, "22023");
}

/* @maximum: of the type */
static gboolean
apply_options (KvsqlNumberSequence *self, const KvsqlSequenceOptions *options, gint64 maximum,
               GError **error)
{
  self->is_cyclic = options->is_cyclic;
  self->is_owned = options->owner.text != NULL;
  if (self->increment > 0)
    self->maximum = maximum;
  else
    self->minimum = -maximum - 1;
  if (self->increment == 0)
    return fail_options (options->span, "INCREMENT must not be zero", error);
  if (options->has_minimum)
    self->minimum = options->minimum;
  if (options->has_maximum)
    self->maximum = options->maximum;
  if (self->minimum < -maximum - 1 || self->maximum > maximum)
    return fail_options (options->span, "MINVALUE or MAXVALUE is out of range for the type", error);
  if (self->minimum >= self->maximum)
    return fail_options (options->span, "MINVALUE must be less than MAXVALUE", error);
  self->start = options->has_start    ? options->start
                : self->increment > 0 ? self->minimum
                                      : self->maximum;
  self->next = self->start;
  return (self->start >= self->minimum && self->start <= self->maximum)
         || fail_options (options->span, "START must be between MINVALUE and MAXVALUE", error);
}

/* (transfer full) */
static KvsqlNumberSequence *
make (const gchar *name, const KvsqlSequenceOptions *options, gint64 maximum, GError **error)
{
  KvsqlNumberSequence *self
      = kvsql_number_sequence_new (name, options->has_increment ? options->increment : 1);

  if (apply_options (self, options, maximum, error))
    return self;
  kvsql_number_sequence_free (self);
  return NULL;
}

static void
add_change (KvsqlDecision *self, const gchar *name, const gchar *text)
{
  KvsqlArena *arena = self->execution->binder.arena;

  g_assert (self->n_changes < KVSQL_MAX_DEFINITION_CHANGES);
  self->changes[self->n_changes++]
      = (KvsqlDefinitionChange){ .kind = KVSQL_DEFINITION_SEQUENCE,
                                 .name = kvsql_arena_strdup (arena, name),
                                 .text = kvsql_arena_strdup (arena, text) };
}

void
kvsql_decision_add_sequence (KvsqlDecision *self, const KvsqlNumberSequence *sequence)
{
  g_autofree gchar *text = kvsql_number_sequence_print (sequence);

  add_change (self, sequence->name, text);
}

static const gchar *
get_role (const KvsqlDecision *self)
{
  const KvsqlRole *role = self->execution->authority.role;

  return role != NULL ? role->name : NULL;
}

/* @owner (nullable): the role that has made it, or the one whose relation it is for */
static void
add_owned_sequence (KvsqlDecision *self, const KvsqlNumberSequence *sequence, const gchar *owner)
{
  g_autoptr (KvsqlAcl) acl = owner != NULL ? kvsql_acl_new_of_sequence (owner) : NULL;

  kvsql_decision_add_sequence (self, sequence);
  if (acl != NULL)
    kvsql_decision_add_rights (self, KVSQL_DEFINITION_SEQUENCE_RIGHTS, sequence->name, acl);
}

void
kvsql_decision_drop_sequence (KvsqlDecision *self, const KvsqlNumberSequence *sequence)
{
  add_change (self, sequence->name, NULL);
  if (sequence->acl != NULL)
    kvsql_decision_add_rights (self, KVSQL_DEFINITION_SEQUENCE_RIGHTS, sequence->name, NULL);
}

/* ---- CREATE SEQUENCE */

gboolean
kvsql_decision_check_sequence_owner (const KvsqlDecision *self, const KvsqlSequenceOptions *options,
                                     GError **error)
{
  const KvsqlCatalogEntry *entry;
  guint attribute;

  if (options->owner.text == NULL)
    return TRUE;
  entry = kvsql_catalog_find (self->execution->catalog, &options->owner, error);
  return entry != NULL
         && kvsql_relation_find (entry->relation, &options->owner_attribute, &attribute, error);
}

gboolean
kvsql_decide_create_sequence (KvsqlDecision *self, const KvsqlCreateSequence *create,
                              GError **error)
{
  g_autofree gchar *name = kvsql_name_fold (create->name.text, create->name.is_quoted);
  const gchar *type = create->options.type_name.text;
  gint64 maximum = type != NULL ? kvsql_find_whole_maximum (type) : G_MAXINT64;
  KvsqlNumberSequence *sequence;

  if (kvsql_catalog_find_sequence (self->execution->catalog, name) != NULL)
    {
      if (!create->if_not_exists)
        return kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, create->name.span,
                                "sequence \"%s\" exists already", name);
      kvsql_result_page_note (self->page, "sequence \"%s\" exists already, nothing was done", name);
      return TRUE;
    }
  if (maximum == 0)
    return fail_options (create->options.type_name.span,
                         "a sequence is of type SMALLINT, INT or BIGINT", error);
  if (!kvsql_decision_check_sequence_owner (self, &create->options, error))
    return FALSE;
  sequence = make (name, &create->options, maximum, error);
  if (sequence == NULL)
    return FALSE;
  add_owned_sequence (self, sequence, get_role (self));
  kvsql_number_sequence_free (sequence);
  return TRUE;
}

/* ---- use */

/* A relation whose DEFAULT uses the sequence, other than @except (nullable); NULL: none. */
static const KvsqlRelation *
find_user (const KvsqlCatalog *catalog, const gchar *name, const KvsqlRelation *except)
{
  for (guint i = 0; i < catalog->entries->len; i++)
    {
      const KvsqlCatalogEntry *entry = catalog->entries->pdata[i];

      if (entry->relation != except && kvsql_relation_uses_sequence (entry->relation, name))
        return entry->relation;
    }
  return NULL;
}

/* One DEFAULT may use many sequences. */
static gboolean
check_room (const KvsqlRelation *relation, guint n, GError **error)
{
  if (n <= relation->n_attributes)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "relation \"%s\" has %u sequences, too many for one statement", relation->name,
                   n);
  return kvsql_error_hint (error, "Use ALTER TABLE … ALTER COLUMN … DROP DEFAULT first.");
}

gboolean
kvsql_decision_drop_owned_sequences (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                     GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autoptr (GPtrArray) sequences = kvsql_catalog_list_sequences_of (catalog, entry);

  if (!check_room (entry->relation, sequences->len, error))
    return FALSE;
  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];

      if (find_user (catalog, sequence->name, entry->relation) == NULL)
        kvsql_decision_drop_sequence (self, sequence);
    }
  return TRUE;
}

gboolean
kvsql_decision_set_sequence_owners (KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                                    const gchar *owner, GError **error)
{
  g_autoptr (GPtrArray) sequences
      = kvsql_catalog_list_sequences_of (self->execution->catalog, entry);

  if (!check_room (entry->relation, sequences->len, error))
    return FALSE;
  for (guint i = 0; i < sequences->len; i++)
    {
      const KvsqlNumberSequence *sequence = sequences->pdata[i];
      g_autoptr (KvsqlAcl) acl = kvsql_acl_copy (sequence->acl);

      acl->is_of_sequence = TRUE;
      kvsql_acl_set_owner (acl, owner);
      kvsql_decision_add_rights (self, KVSQL_DEFINITION_SEQUENCE_RIGHTS, sequence->name, acl);
    }
  return TRUE;
}

/* ---- DROP SEQUENCE */

gboolean
kvsql_decide_drop_sequence (KvsqlDecision *self, const KvsqlDrop *drop, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autofree gchar *name = drop->name.is_double_quoted
                               ? g_strdup (drop->name.text)
                               : kvsql_name_fold (drop->name.text, drop->name.is_quoted);
  const KvsqlNumberSequence *sequence
      = kvsql_authority_lookup_sequence (&self->execution->authority, catalog, name);
  const KvsqlRelation *user;

  if (sequence == NULL)
    {
      if (!kvsql_catalog_check_known (catalog, error))
        return FALSE;
      if (!drop->if_exists)
        return kvsql_fail_unknown_sequence (name, drop->name.span, error);
      kvsql_result_page_note (self->page, "sequence \"%s\" does not exist, nothing was done", name);
      return TRUE;
    }
  user = find_user (catalog, name, NULL);
  if (user != NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, drop->name.span,
                       "a DEFAULT of relation \"%s\" uses sequence \"%s\"", user->name, name);
      kvsql_error_sqlstate (error, "2BP01");
      return kvsql_error_hint (error, "Use ALTER TABLE … ALTER COLUMN … DROP DEFAULT first.");
    }
  kvsql_decision_drop_sequence (self, sequence);
  return TRUE;
}

/* ---- SERIAL and IDENTITY */

static gboolean
is_taken (const KvsqlDecision *self, const gchar *name)
{
  if (kvsql_catalog_find_sequence (self->execution->catalog, name) != NULL)
    return TRUE;
  for (guint i = 0; i < self->n_changes; i++)
    if (self->changes[i].kind == KVSQL_DEFINITION_SEQUENCE
        && g_str_equal (self->changes[i].name, name))
      return TRUE;
  return FALSE;
}

/* As in PostgreSQL: relation_attribute_seq, or with a number after it. (transfer full) */
static gchar *
choose_name (const KvsqlDecision *self, const KvsqlName *relation, const KvsqlName *attribute)
{
  g_autofree gchar *a = kvsql_name_fold (relation->text, relation->is_quoted);
  g_autofree gchar *b = kvsql_name_fold (attribute->text, attribute->is_quoted);
  gchar *name = g_strdup_printf ("%s_%s_seq", a, b);

  for (guint i = 1; is_taken (self, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s_%s_seq%u", a, b, i);
    }
  return name;
}

static KvsqlAstExpr *
make_nextval (const gchar *name, KvsqlSpan span, KvsqlArena *arena)
{
  KvsqlAstExpr *call = kvsql_arena_new0 (arena, KvsqlAstExpr);
  KvsqlAstExpr *literal = kvsql_arena_new0 (arena, KvsqlAstExpr);
  g_autofree gchar *argument = kvsql_number_sequence_to_argument (name);

  *literal = (KvsqlAstExpr){ .kind = KVSQL_AST_LITERAL, .span = span };
  literal->op_span = literal->name.span = literal->cast_type.span = KVSQL_SPAN_NONE;
  literal->value.type = KVSQL_TYPE_STRING;
  literal->value.bytes = kvsql_slice_from_text (kvsql_arena_strdup (arena, argument));
  *call = (KvsqlAstExpr){ .kind = KVSQL_AST_FUNCTION, .span = span, .n_children = 1 };
  call->op_span = call->cast_type.span = KVSQL_SPAN_NONE;
  call->name = (KvsqlName){ .text = "nextval", .span = span };
  call->children = kvsql_arena_array (arena, KvsqlAstExpr *, 1);
  call->children[0] = literal;
  return call;
}

/* (transfer full): the name that is given, or one that is free. NULL: an error */
static gchar *
settle_name (const KvsqlDecision *self, const KvsqlName *relation, const KvsqlName *attribute,
             const KvsqlName *given, GError **error)
{
  g_autofree gchar *name = NULL;

  if (given->text == NULL)
    return choose_name (self, relation, attribute);
  name = kvsql_name_fold (given->text, given->is_quoted);
  if (!is_taken (self, name))
    return g_steal_pointer (&name);
  kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, given->span, "sequence \"%s\" exists already",
                   name);
  return NULL;
}

/* @owner: (nullable): of the relation */
static gboolean
number_attribute (KvsqlDecision *self, const KvsqlName *relation, const gchar *owner,
                  KvsqlAttributeDefinition *inout, const KvsqlSequenceOptions *options,
                  gint64 maximum, GError **error)
{
  g_autofree gchar *name = settle_name (self, relation, &inout->name, &options->name, error);
  KvsqlNumberSequence *sequence;

  if (name == NULL)
    return FALSE;
  if (inout->default_value != NULL)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, inout->default_value->span,
                            "attribute \"%s\" gets its numbers from a sequence, and has a DEFAULT",
                            inout->name.text);
  sequence = make (name, options, maximum, error);
  if (sequence == NULL)
    return FALSE;
  sequence->is_owned = TRUE;
  sequence->is_identity = inout->identity != NULL;
  add_owned_sequence (self, sequence, owner);
  kvsql_number_sequence_free (sequence);
  inout->default_value = make_nextval (name, inout->name.span, self->execution->binder.arena);
  inout->is_not_null = TRUE;
  inout->identity = NULL;
  return TRUE;
}

static gboolean
number_identity (KvsqlDecision *self, const KvsqlName *relation, const gchar *owner,
                 KvsqlAttributeDefinition *inout, GError **error)
{
  gint64 maximum = kvsql_find_whole_maximum (inout->type_name.text);

  if (maximum == 0)
    return fail_options (inout->type_name.span,
                         "an identity attribute is of type SMALLINT, INT or BIGINT", error);
  if (inout->is_always)
    kvsql_result_page_note (self->page,
                            "GENERATED ALWAYS is BY DEFAULT: a value that INSERT gives is taken");
  return number_attribute (self, relation, owner, inout, inout->identity, maximum, error);
}

gboolean
kvsql_decision_number_attributes (KvsqlDecision *self, KvsqlDefineRelation *inout, GError **error)
{
  static const KvsqlSequenceOptions none = { .span = { -1, 0 } };

  for (guint i = 0; i < inout->n_attributes; i++)
    {
      KvsqlAttributeDefinition *attribute = &inout->attributes[i];

      if (attribute->identity != NULL
          && !number_identity (self, &inout->name, get_role (self), attribute, error))
        return FALSE;
      for (guint t = 0; t < G_N_ELEMENTS (serial_types); t++)
        if (g_ascii_strcasecmp (attribute->type_name.text, serial_types[t].name) == 0)
          {
            attribute->type_name.text = serial_types[t].type;
            if (!number_attribute (self, &inout->name, get_role (self), attribute, &none,
                                   serial_types[t].maximum, error))
              return FALSE;
          }
    }
  return TRUE;
}

static gboolean
fail_identity (const KvsqlAlter *alter, const gchar *problem, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, alter->name.span, "column \"%s\" %s",
                   alter->name.text, problem);
  return kvsql_error_sqlstate (error, "55000");
}

gboolean
kvsql_decision_number_altered (KvsqlDecision *self, KvsqlAlter *inout, GError **error)
{
  const KvsqlCatalogEntry *entry;
  const KvsqlAttribute *attribute;
  guint index;

  if (inout->what != KVSQL_ALTER_SET_DEFAULT || inout->attribute.identity == NULL)
    return TRUE;
  entry = kvsql_catalog_find (self->execution->catalog, &inout->relation, error);
  if (entry == NULL || !kvsql_relation_find (entry->relation, &inout->name, &index, error))
    return FALSE;
  attribute = &entry->relation->attributes[index];
  if (attribute->default_expr != NULL || !kvsql_value_is_null (&attribute->default_value))
    return fail_identity (inout, "has a DEFAULT already", error);
  if (!attribute->is_not_null)
    return fail_identity (inout, "must be declared NOT NULL before identity can be added", error);
  inout->attribute.name = inout->name;
  inout->attribute.type_name.text = attribute->limit.kind == KVSQL_LIMIT_SMALL
                                        ? "SMALLINT"
                                        : kvsql_type_get_name (attribute->type);
  inout->attribute.type_name.span = inout->name.span;
  return number_identity (self, &inout->relation, entry->acl != NULL ? entry->acl->owner : NULL,
                          &inout->attribute, error);
}
