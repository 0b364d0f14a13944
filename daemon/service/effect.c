/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * effect.c: what statements change, and who may execute them.
 */
#include "config.h"

#include "daemon/service/service-private.h"

typedef enum
{
  CHANGES_NOTHING,
  CHANGES_FILES,
  CHANGES_DEFINITIONS,
  CHANGES_TUPLES,
} Effect;

static const Effect effects[] = {
  [KVSQL_STATEMENT_DEFINE_RELATION] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_DEFINE_SCHEMA] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_DROP] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_SHOW] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_DESCRIBE] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_INSERT] = CHANGES_TUPLES,
  [KVSQL_STATEMENT_SELECT] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_UPDATE] = CHANGES_TUPLES,
  [KVSQL_STATEMENT_DELETE] = CHANGES_TUPLES,
  [KVSQL_STATEMENT_EXPLAIN] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_ALTER] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_COMMENT] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_ANALYZE] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_BACKUP] = CHANGES_FILES,
  [KVSQL_STATEMENT_BACKFILL] = CHANGES_TUPLES,
  [KVSQL_STATEMENT_VERIFY] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_REPAIR] = CHANGES_TUPLES,
  [KVSQL_STATEMENT_KILL] = CHANGES_NOTHING,
  [KVSQL_STATEMENT_RESTORE] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_CREATE_TABLE] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_CREATE_INDEX] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_CREATE_SEQUENCE] = CHANGES_DEFINITIONS,
  [KVSQL_STATEMENT_ROLE] = CHANGES_DEFINITIONS,
};

gboolean
kvsqld_statement_writes (const KvsqlAstStatement *statement)
{
  return effects[statement->kind] != CHANGES_NOTHING;
}

gboolean
kvsqld_context_may_execute (const KvsqldContext *self, const KvsqlAstStatement *statement,
                            GError **error)
{
  const KvsqldDefinitions *definitions = self->service->definitions;
  Effect effect = effects[statement->kind];

  if (self->request->is_read_only && effect != CHANGES_NOTHING)
    return kvsql_error_set (error, KVSQL_ERROR_READ_ONLY, statement->span,
                            "the request is read-only, and this statement writes");
  if (effect == CHANGES_DEFINITIONS)
    return kvsqld_definitions_may_change (definitions, self->catalog, error);
  return effect != CHANGES_TUPLES
         || kvsqld_definitions_may_write (definitions, self->catalog, error);
}

gboolean
kvsqld_context_is_allowed (const KvsqldContext *self, const KvsqlAstStatement *statement,
                           GError **error)
{
  static const KvsqldAccess accesses[] = { [KVSQL_STATEMENT_ROLE] = KVSQLD_ACCESS_ADMIN,
                                           [KVSQL_STATEMENT_KILL] = KVSQLD_ACCESS_OPERATE,
                                           [KVSQL_STATEMENT_BACKUP] = KVSQLD_ACCESS_OPERATE };
  KvsqldAccess access = statement != NULL && statement->kind < G_N_ELEMENTS (accesses)
                            ? accesses[statement->kind]
                            : KVSQLD_ACCESS_USE;

  if (self->request->identity == NULL
      || kvsqld_identity_check (self->request->identity, self->catalog, access, error))
    return TRUE;
  return statement != NULL && kvsql_error_at (error, statement->span);
}
