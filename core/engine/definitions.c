/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions.c: see definitions.h: the decision of each kind of statement.
 */
#include "config.h"

#include "core/engine/definitions-private.h"

gboolean
kvsql_decision_make (KvsqlDecision *self, const KvsqlAstStatement *statement, GError **error)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_DEFINE_RELATION:
      return kvsql_decide_define_relation (self, &statement->define_relation, error);
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
      return kvsql_decide_define_schema (self, &statement->define_schema, error);
    case KVSQL_STATEMENT_CREATE_TABLE:
      return kvsql_decide_create_table (self, &statement->create_table, error);
    case KVSQL_STATEMENT_CREATE_INDEX:
      return kvsql_decide_create_index (self, &statement->create_index, error);
    case KVSQL_STATEMENT_CREATE_VIEW:
      return kvsql_decide_create_view (self, &statement->create_view, error);
    case KVSQL_STATEMENT_CREATE_SEQUENCE:
      return (statement->create_sequence.is_alter
                  ? kvsql_decide_alter_sequence
                  : kvsql_decide_create_sequence) (self, &statement->create_sequence, error);
    case KVSQL_STATEMENT_DROP:
      return kvsql_decide_drops (self, &statement->drop, error);
    case KVSQL_STATEMENT_ALTER:
      if (statement->alter.what == KVSQL_ALTER_OWNER)
        return kvsql_decide_owner (self, &statement->alter, error);
      if (statement->alter.what == KVSQL_ALTER_ADD_KEY)
        return kvsql_decide_add_key (self, &statement->alter, error);
      return statement->alter.what == KVSQL_ALTER_OPTIONS
                 ? kvsql_decide_alter_options (self, &statement->alter, error)
                 : kvsql_decide_alter (self, &statement->alter, error);
    case KVSQL_STATEMENT_COMMENT:
      return kvsql_decide_comment (self, &statement->comment, error);
    case KVSQL_STATEMENT_ROLE:
      return kvsql_decide_role (self, &statement->role, error);
    case KVSQL_STATEMENT_GRANT:
      return kvsql_decide_grant (self, &statement->grant, error);
    case KVSQL_STATEMENT_RESTORE:
      return kvsql_decide_restore (self, &statement->restore, error);
    default:
      g_assert_not_reached ();
    }
}
