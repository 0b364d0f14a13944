/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-mode.c: see the header.
 */
#include "config.h"

#include "core/engine/write-mode.h"

#include "core/engine/definitions-private.h"
#include "core/schema/relation-options.h"
#include "core/sql/printer.h"

/* ---- ALTER RELATION */

/* A schema that is not read yet is filled from the primary, in the way that the mode demands. */
static gboolean
check_schemas (const KvsqlCatalogEntry *entry, KvsqlSpan span, GError **error)
{
  for (guint i = 0; i < entry->n_schemas; i++)
    if (entry->schemas[i]->options.state != KVSQL_STATE_READABLE)
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, span,
                              "schema \"%s\" of relation \"%s\" is being filled",
                              entry->schemas[i]->name, entry->relation->name)
             || kvsql_error_hint (error, "BACKFILL SCHEMA %s first.", entry->schemas[i]->name);
  return TRUE;
}

static gboolean
set_mode (KvsqlDecision *self, const KvsqlName *relation, KvsqlWriteMode mode, GError **error)
{
  const KvsqlCatalog *catalog = self->execution->catalog;
  g_autoptr (KvsqlAlteration) altered = kvsql_alter_write_mode (catalog, relation, mode, error);

  if (altered == NULL)
    return FALSE;
  kvsql_decision_add_alteration (self, kvsql_catalog_lookup (catalog, relation), altered);
  return TRUE;
}

gboolean
kvsql_decide_write_mode (KvsqlDecision *self, const KvsqlName *relation, guint64 pause,
                         KvsqlWriteMode mode, GError **error)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_find (self->execution->catalog, relation, error);

  if (entry == NULL)
    return FALSE;
  if (entry->relation->pause != pause)
    return kvsql_error_set (error, KVSQL_ERROR_CONFLICT, relation->span,
                            "another statement has changed the writes of relation \"%s\" at the "
                            "same time",
                            entry->relation->name);
  return set_mode (self, relation, mode, error);
}

gboolean
kvsql_alter_read_mode (const KvsqlAlter *alter, KvsqlWriteMode *out, GError **error)
{
  return kvsql_relation_options_read_mode (&alter->options, out, error);
}

/* What a schema does not allow is an error before writes are paused. */
static gboolean
check_mode (const KvsqlDecision *self, const KvsqlName *relation, KvsqlWriteMode mode,
            GError **error)
{
  g_autoptr (KvsqlAlteration) altered
      = kvsql_alter_write_mode (self->execution->catalog, relation, mode, error);

  return altered != NULL;
}

gboolean
kvsql_decide_alter_options (KvsqlDecision *self, const KvsqlAlter *alter, GError **error)
{
  const KvsqlStoreCapabilities *capabilities = kvsql_execution_get_capabilities (self->execution);
  gboolean is_atomic = (capabilities->flags & KVSQL_STORE_ATOMIC_BATCH) != 0;
  const KvsqlCatalogEntry *entry
      = kvsql_catalog_find (self->execution->catalog, &alter->relation, error);
  KvsqlName relation = alter->relation;
  KvsqlWriteMode mode;

  if (entry == NULL || !kvsql_alter_read_mode (alter, &mode, error)
      || !kvsql_entry_check_n_schemas (entry, alter->relation.span, error))
    return FALSE;
  if (entry->relation->writes == mode || entry->relation->writes == KVSQL_WRITES_PAUSED)
    return TRUE;
  relation.span = kvsql_options_find (&alter->options, "writes")->span;
  return check_schemas (entry, alter->relation.span, error)
         && check_mode (self, &relation, mode, error)
         && set_mode (self, &relation, is_atomic ? mode : KVSQL_WRITES_PAUSED, error);
}

/* ---- paused writes */

gchar *
kvsql_print_former_mode (const KvsqlRelation *relation)
{
  const KvsqlName name = { .text = relation->name, .is_quoted = relation->is_quoted };
  GString *text = g_string_new ("ALTER RELATION ");

  kvsql_print_name (&name, text);
  g_string_append_printf (text, " WITH (writes = %s)", kvsql_write_mode_get_name (relation->mode));
  return g_string_free (text, FALSE);
}

static const KvsqlRelation *
find_paused (const KvsqlCatalog *catalog, const KvsqlName *relation)
{
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, relation);

  return entry != NULL && entry->relation->writes == KVSQL_WRITES_PAUSED ? entry->relation : NULL;
}

const KvsqlRelation *
kvsql_statement_find_paused (const KvsqlCatalog *catalog, const KvsqlAstStatement *statement)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      return find_paused (catalog, &statement->insert.relation);
    case KVSQL_STATEMENT_UPDATE:
      return find_paused (catalog, &statement->update.relation);
    case KVSQL_STATEMENT_DELETE:
      return find_paused (catalog, &statement->delete_.relation);
    case KVSQL_STATEMENT_EXPLAIN:
      return statement->explain.is_analyze
                 ? kvsql_statement_find_paused (catalog, statement->explain.statement)
                 : NULL;
    default:
      return NULL;
    }
}

gboolean
kvsql_fail_paused (const KvsqlRelation *relation, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "writes of relation \"%s\" are paused, because ALTER RELATION changes how they "
                   "are made",
                   relation->name);
  return kvsql_error_hint (error, "If it has been interrupted, repeat it.");
}
