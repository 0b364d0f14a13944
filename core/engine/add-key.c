/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * add-key.c: see the header.
 */
#include "config.h"

#include "core/engine/add-key.h"

#include "core/engine/created-schema.h"
#include "core/engine/definitions-private.h"
#include "core/engine/describe.h"
#include "core/schema/relation-options.h"
#include "core/sql/parser.h"
#include "core/sql/printer.h"

static const KvsqlAttribute *
find_hidden (const KvsqlRelation *relation)
{
  for (guint a = 0; a < relation->n_attributes; a++)
    if (relation->attributes[a].is_hidden)
      return &relation->attributes[a];
  return NULL;
}

/* A view that reads the hidden attribute would have none to read. */
static gboolean
check_readers (const KvsqlDecision *self, const KvsqlCatalogEntry *entry,
               const KvsqlAttribute *hidden, KvsqlSpan span, GError **error)
{
  const KvsqlName name = { .text = hidden->name, .is_quoted = hidden->is_quoted };

  return kvsql_decision_check_readers (self, entry, &name, span, error);
}

/* ---- the first step */

static gboolean
check_entry (const KvsqlDecision *self, const KvsqlCatalogEntry *entry, const KvsqlAlter *alter,
             GError **error)
{
  const KvsqlAttribute *hidden = find_hidden (entry->relation);

  if (hidden == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, alter->relation.span,
                       "multiple primary keys for table \"%s\" are not allowed",
                       entry->relation->name);
      kvsql_error_sqlstate (error, "42P16");
      return kvsql_error_hint (error, "Define another relation, and fill it with INSERT … SELECT.");
    }
  if (entry->n_schemas != 1 || !entry->schemas[0]->is_primary)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, alter->relation.span,
                            "table \"%s\" has indexes, so it cannot get a key any more",
                            entry->relation->name)
           || kvsql_error_hint (error, "DROP INDEX first, and create the indexes again.");
  if (entry->relation->mode == KVSQL_WRITES_BLIND)
    return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, alter->relation.span,
                            "the writes of table \"%s\" are blind, so two tuples with the same key "
                            "would not be found",
                            entry->relation->name)
           || kvsql_error_hint (error, "ALTER RELATION %s WITH (writes = checked) first.",
                                entry->relation->name);
  return check_readers (self, entry, hidden, alter->relation.span, error);
}

static gboolean
check_key (const KvsqlCatalogEntry *entry, const KvsqlAlter *alter, GError **error)
{
  KvsqlAttributeSet seen = { 0 };
  guint attribute;

  for (guint i = 0; i < alter->n_key; i++)
    {
      if (!kvsql_relation_find (entry->relation, &alter->key[i], &attribute, error))
        return FALSE;
      if (kvsql_attribute_set_has (&seen, attribute))
        {
          kvsql_error_set (error, KVSQL_ERROR_DEFINITION, alter->key[i].span,
                           "column \"%s\" is in the PRIMARY KEY twice", alter->key[i].text);
          return kvsql_error_sqlstate (error, "42701");
        }
      kvsql_attribute_set_add (&seen, attribute);
    }
  return TRUE;
}

static gboolean
check_schema_name (const KvsqlDecision *self, const KvsqlCatalogEntry *entry,
                   const KvsqlAlter *alter, GError **error)
{
  const KvsqlSchema *other
      = alter->name.text != NULL
            ? kvsql_catalog_lookup_schema (self->execution->catalog, &alter->name)
            : NULL;

  return other == NULL || other == entry->schemas[0]
         || kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, alter->name.span,
                             "schema \"%s\" exists already", other->name);
}

gboolean
kvsql_decide_add_key (KvsqlDecision *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (catalog, &alter->relation, error);
  g_autoptr (KvsqlAlteration) paused = NULL;

  if (entry == NULL || !check_entry (self, entry, alter, error) || !check_key (entry, alter, error)
      || !check_schema_name (self, entry, alter, error))
    return FALSE;
  if (entry->relation->writes == KVSQL_WRITES_PAUSED)
    return TRUE;
  paused = kvsql_alter_write_mode (catalog, &alter->relation, KVSQL_WRITES_PAUSED, error);
  if (paused == NULL)
    return FALSE;
  kvsql_decision_add_alteration (self, entry, paused);
  return TRUE;
}

/* ---- the second step */

/* "t_keyed", or with a number. */
static KvsqlName
choose_name (const KvsqlExecution *execution, const KvsqlRelation *relation, KvsqlArena *arena)
{
  KvsqlName name = { .text = kvsql_arena_printf (arena, "%s_keyed", relation->name),
                     .is_quoted = relation->is_quoted,
                     .span = KVSQL_SPAN_NONE };

  for (guint i = 1; kvsql_catalog_lookup (execution->catalog, &name) != NULL
                    || kvsql_catalog_lookup_view (execution->catalog, &name) != NULL;
       i++)
    name.text = kvsql_arena_printf (arena, "%s_keyed%u", relation->name, i);
  return name;
}

/* The definition as its author would write it now, with the key, and without what was in the place
 * of one. */
static gboolean
make_create (const KvsqlRelation *relation, const KvsqlAlter *alter, KvsqlArena *arena,
             KvsqlKeyedCopy *out, GError **error)
{
  KvsqlAstStatement *read
      = kvsql_parser_parse_definition (kvsql_slice_from_text (relation->text), arena, error);
  KvsqlDefineRelation *definition;
  guint n = 0;

  if (read == NULL)
    return FALSE;
  definition = &read->define_relation;
  kvsql_relation_options_make_written (&definition->options, arena);
  kvsql_options_remove (&definition->options, "hidden_key", arena);
  kvsql_options_remove (&definition->options, "insert", arena);
  definition->name = out->name;
  for (guint a = 0; a < definition->n_attributes; a++)
    if (!relation->attributes[a].is_hidden)
      {
        definition->attributes[n] = definition->attributes[a];
        definition->attributes[n++].is_key = FALSE;
      }
  definition->n_attributes = n;
  out->create = kvsql_arena_new0 (arena, KvsqlAstStatement);
  out->create->kind = KVSQL_STATEMENT_CREATE_TABLE;
  out->create->create_table
      = (KvsqlCreateTable){ .relation = *definition, .key = alter->key, .n_key = alter->n_key };
  return TRUE;
}

static gboolean
make_insert (const KvsqlRelation *relation, KvsqlArena *arena, KvsqlKeyedCopy *out, GError **error)
{
  const KvsqlName from = { .text = relation->name, .is_quoted = relation->is_quoted };
  g_autoptr (GString) names = g_string_new (NULL);
  g_autoptr (GString) sql = g_string_new ("INSERT INTO ");

  for (guint a = 0; a < relation->n_attributes; a++)
    if (!relation->attributes[a].is_hidden)
      {
        g_string_append (names, names->len > 0 ? ", " : "");
        kvsql_append_attribute_name (&relation->attributes[a], names);
      }
  kvsql_print_name (&out->name, sql);
  g_string_append_printf (sql, " (%s) SELECT %s FROM ", names->str, names->str);
  kvsql_print_name (&from, sql);
  out->insert = kvsql_parser_parse (kvsql_slice_from_text (kvsql_arena_strdup (arena, sql->str)),
                                    arena, error);
  return out->insert != NULL;
}

gboolean
kvsql_keyed_copy_plan (const KvsqlExecution *execution, const KvsqlAlter *alter,
                       KvsqlKeyedCopy *out, GError **error)
{
  KvsqlArena *arena = execution->binder.arena;
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (execution->catalog, &alter->relation, error);

  if (entry == NULL)
    return FALSE;
  *out = (KvsqlKeyedCopy){ .name = choose_name (execution, entry->relation, arena),
                           .relation = kvsql_arena_strdup (arena, entry->relation->text),
                           .schema = kvsql_arena_strdup (arena, entry->schemas[0]->text) };
  return make_create (entry->relation, alter, arena, out, error)
         && make_insert (entry->relation, arena, out, error);
}

/* ---- the third step */

static void
remove_schema (KvsqlDecision *self, const KvsqlSchema *schema, const KvsqlSchema *new)
{
  if (strcmp (schema->name, new->name) != 0)
    kvsql_decision_add (self, KVSQL_DEFINITION_SCHEMA, schema->name, schema->is_quoted, NULL);
}

static void
remove_copy (KvsqlDecision *self, const KvsqlCatalogEntry *copy)
{
  g_autofree gchar *folded = kvsql_name_fold (copy->relation->name, copy->relation->is_quoted);

  kvsql_decision_add (self, KVSQL_DEFINITION_RELATION, copy->relation->name,
                      copy->relation->is_quoted, NULL);
  if (copy->acl != NULL)
    kvsql_decision_add_rights (self, KVSQL_DEFINITION_RIGHTS, folded, NULL);
  kvsql_decision_remove_statistics (self, copy->relation);
}

static void
note_place (KvsqlDecision *self, const KvsqlSchema *schema)
{
  g_autofree gchar *table = kvsql_schema_field_text (schema, KVSQL_FIELD_TABLE);
  g_autofree gchar *row = kvsql_schema_field_text (schema, KVSQL_FIELD_ROW);

  kvsql_result_page_note (self->page,
                          "its tuples are in table %s now, with the row key %s: SHOW CREATE %s. "
                          "The cells of before stay in their table, and no schema reads them",
                          table, row, schema->name);
}

/* The definition is taken from the copy, so a change of another client since then would be lost. */
static gboolean
is_changed (const KvsqlCatalogEntry *entry, const KvsqlKeyedCopy *copy, guint64 pause)
{
  return entry->relation->pause != pause || entry->n_schemas != 1
         || strcmp (entry->relation->text, copy->relation) != 0
         || strcmp (entry->schemas[0]->text, copy->schema) != 0;
}

gboolean
kvsql_decide_take_place (KvsqlDecision *self, const KvsqlAlter *alter, const KvsqlKeyedCopy *copy,
                         guint64 pause, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (catalog, &alter->relation, error);
  const KvsqlCatalogEntry *other = kvsql_catalog_find (catalog, &copy->name, error);
  g_autoptr (KvsqlAlteration) altered = NULL;
  KvsqlName relation, schema;

  if (entry == NULL || other == NULL)
    return FALSE;
  if (is_changed (entry, copy, pause))
    return kvsql_error_set (error, KVSQL_ERROR_CONFLICT, alter->relation.span,
                            "another statement has changed table \"%s\" at the same time",
                            entry->relation->name)
           || kvsql_error_hint (error, "No other client may change it meanwhile.");
  if (!check_readers (self, entry, find_hidden (entry->relation), alter->relation.span, error))
    return FALSE;
  relation = (KvsqlName){ .text = entry->relation->name,
                          .is_quoted = entry->relation->is_quoted,
                          .span = alter->relation.span };
  schema = alter->name.text != NULL ? alter->name
                                    : (KvsqlName){ .text = entry->schemas[0]->name,
                                                   .is_quoted = entry->schemas[0]->is_quoted,
                                                   .span = alter->relation.span };
  altered = kvsql_alter_take_place (catalog, &copy->name, &relation, &schema, error);
  if (altered == NULL || !kvsql_decision_drop_owned_sequences (self, entry, error))
    return FALSE;
  kvsql_decision_add (self, KVSQL_DEFINITION_RELATION, relation.text, relation.is_quoted,
                      altered->relation->text);
  kvsql_decision_add (self, KVSQL_DEFINITION_SCHEMA, schema.text, schema.is_quoted,
                      altered->schemas[0]->text);
  remove_copy (self, other);
  remove_schema (self, entry->schemas[0], altered->schemas[0]);
  remove_schema (self, other->schemas[0], altered->schemas[0]);
  kvsql_decision_follow_rights (self, entry, altered->relation, FALSE);
  note_place (self, altered->schemas[0]);
  return TRUE;
}
