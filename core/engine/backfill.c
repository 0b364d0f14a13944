/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * backfill.c: see backfill.h.
 */
#include "config.h"

#include "core/engine/backfill.h"

#include "core/plan/find-relation.h"

/* A schema can be defined before its primary. */
static gboolean
has_primary (const KvsqlExecution *self, const KvsqlSchema *schema, KvsqlSpan span, GError **error)
{
  KvsqlName relation
      = { .text = schema->relation->name, .is_quoted = schema->relation->is_quoted, .span = span };

  return kvsql_plan_find_relation (self->catalog, &relation, error) != NULL;
}

const KvsqlSchema *
kvsql_execution_find_fillable (const KvsqlExecution *self, const KvsqlName *name, GError **error)
{
  const KvsqlSchema *schema = kvsql_catalog_find_schema (self->catalog, name, error);

  if (schema == NULL)
    return NULL;
  if (schema->is_primary || schema->options.role == KVSQL_ROLE_READ)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, name->span, "schema \"%s\" is %s", schema->name,
                       schema->is_primary ? "the primary, which others are filled from"
                                          : "only read, so it cannot be filled");
      return NULL;
    }
  return has_primary (self, schema, name->span, error) ? schema : NULL;
}
