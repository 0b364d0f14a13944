/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * comment-bound.c: limits the length of the comments of a new definition.
 *
 * The limit is not in the parser, because the parser also reads definitions that were stored when
 * there was no limit.
 */
#include "config.h"

#include "core/engine/definitions.h"

#define MAX_COMMENT_BYTES (16 * 1024)

static gboolean
check (const KvsqlValue *comment, const gchar *what, const KvsqlName *name, GError **error)
{
  if (kvsql_value_is_null (comment) || comment->bytes.size <= MAX_COMMENT_BYTES)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, name->span,
                   "the comment on %s \"%s\" has %" G_GSIZE_FORMAT
                   " bytes, more than the limit of %d",
                   what, name->text, comment->bytes.size, MAX_COMMENT_BYTES);
  return kvsql_error_hint (error, "Write down where the long text can be found.");
}

static gboolean
check_relation (const KvsqlDefineRelation *definition, GError **error)
{
  for (guint i = 0; i < definition->n_attributes; i++)
    if (!check (&definition->attributes[i].comment, "attribute", &definition->attributes[i].name,
                error))
      return FALSE;
  return check (&definition->comment, "relation", &definition->name, error);
}

static gboolean
check_comment (const KvsqlComment *comment, GError **error)
{
  if (comment->attribute.text != NULL)
    return check (&comment->text, "attribute", &comment->attribute, error);
  return check (&comment->text, comment->is_schema ? "schema" : "relation", &comment->name, error);
}

gboolean
kvsql_statement_check_comments (const KvsqlAstStatement *statement, GError **error)
{
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_DEFINE_RELATION:
      return check_relation (&statement->define_relation, error);
    case KVSQL_STATEMENT_CREATE_TABLE:
      return check_relation (&statement->create_table.relation, error);
    case KVSQL_STATEMENT_DEFINE_SCHEMA:
      return check (&statement->define_schema.comment, "schema", &statement->define_schema.name,
                    error);
    case KVSQL_STATEMENT_ALTER:
      return statement->alter.what != KVSQL_ALTER_ADD
             || check (&statement->alter.attribute.comment, "attribute",
                       &statement->alter.attribute.name, error);
    case KVSQL_STATEMENT_COMMENT:
      return check_comment (&statement->comment, error);
    default:
      return TRUE;
    }
}
