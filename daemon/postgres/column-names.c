/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * column-names.c: see column-names.h.
 */
#include "config.h"

#include "daemon/postgres/column-names.h"

#include "core/sql/parser.h"
#include "daemon/postgres/type.h"

#define NO_NAME "?column?"

/* A name, and whether a CAST or an ELSE has to leave it as it is. */
typedef struct
{
  const gchar *text; /* NULL: none */
  gboolean is_own;   /* of an attribute or function, not of a type or a CASE */
} Name;

/* ---- an expression */

/* As the catalogue calls types: int4, not INT. */
static const gchar *
get_type_name (guint32 oid)
{
  static const struct
  {
    guint32 oid;
    const gchar *name;
  } names[] = {
    { KVSQLD_PG_BOOL, "bool" },           { KVSQLD_PG_BYTEA, "bytea" },
    { KVSQLD_PG_INT8, "int8" },           { KVSQLD_PG_INT2, "int2" },
    { KVSQLD_PG_INT4, "int4" },           { KVSQLD_PG_TEXT, "text" },
    { KVSQLD_PG_JSON, "json" },           { KVSQLD_PG_FLOAT4, "float4" },
    { KVSQLD_PG_FLOAT8, "float8" },       { KVSQLD_PG_BPCHAR, "bpchar" },
    { KVSQLD_PG_VARCHAR, "varchar" },     { KVSQLD_PG_DATE, "date" },
    { KVSQLD_PG_TIMESTAMP, "timestamp" }, { KVSQLD_PG_NUMERIC, "numeric" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i].oid == oid)
      return names[i].name;
  return NULL;
}

/* @column: of the whole output, whose type is that of a CAST or literal around all else. The depth
 * of an expression is bounded by the parser. */
static Name find_name (const KvsqlAstExpr *expr, const KvsqlResultColumn *column,
                       KvsqlArena *arena);

static Name
find_name_of_type (const KvsqlResultColumn *column)
{
  const KvsqldPgType *type = kvsql_type_is_list (column->type)
                                 ? kvsqld_pg_type_of (kvsql_type_get_element (column->type))
                                 : kvsqld_pg_type_of_column (column);

  return (Name){ get_type_name (type->oid), FALSE };
}

static Name
find_name_of_query (const KvsqlSelect *query, const KvsqlResultColumn *column, KvsqlArena *arena)
{
  const KvsqlSelectItem *item;

  while (query->set != NULL)
    query = query->set->operands[0];
  if (query->n_items == 0)
    return (Name){ query->rows != NULL ? "column1" : NULL, TRUE };
  item = &query->items[0];
  if (item->alias.text != NULL)
    return (Name){ item->alias.text, TRUE };
  return item->expr != NULL ? find_name (item->expr, column, arena) : (Name){ NULL, FALSE };
}

static Name
find_name (const KvsqlAstExpr *expr, const KvsqlResultColumn *column, KvsqlArena *arena)
{
  Name name;

  switch (expr->kind)
    {
    case KVSQL_AST_NAME:
      return (Name){ expr->name.text, TRUE };
    case KVSQL_AST_FUNCTION:
      {
        g_autofree gchar *lower = g_ascii_strdown (expr->name.text, -1);

        return (Name){ kvsql_arena_strdup (arena, lower), TRUE };
      }
    case KVSQL_AST_SUBSCRIPT:
      return find_name (expr->children[0], column, arena);
    case KVSQL_AST_CAST:
      name = find_name (expr->children[0], column, arena);
      return name.text != NULL ? name : find_name_of_type (column);
    case KVSQL_AST_CASE:
      name = expr->has_else ? find_name (expr->children[expr->n_children - 1], column, arena)
                            : (Name){ NULL, FALSE };
      return name.is_own ? name : (Name){ "case", FALSE };
    case KVSQL_AST_EXISTS:
      return (Name){ "exists", TRUE };
    case KVSQL_AST_SUBQUERY:
      return find_name_of_query (expr->subquery, column, arena);
    case KVSQL_AST_ARRAY:
      return (Name){ "array", TRUE };
    case KVSQL_AST_ROW:
      return (Name){ "row", TRUE };
    case KVSQL_AST_LITERAL: /* DATE '…' is a cast there */
      if (expr->value.type == KVSQL_TYPE_DATE || expr->value.type == KVSQL_TYPE_TIMESTAMP)
        return find_name_of_type (column);
      return (Name){ NULL, FALSE };
    default:
      return (Name){ NULL, FALSE };
    }
}

/* ---- the items of a statement */

/* NULL: there are none, or they have names of their own. */
static const KvsqlSelectItem *
get_items (const KvsqlAstStatement *statement, guint *out_n)
{
  const KvsqlSelect *query = &statement->select;

  switch (statement->kind)
    {
    case KVSQL_STATEMENT_SELECT:
      while (query->set != NULL)
        query = query->set->operands[0];
      *out_n = query->n_items;
      return query->items;
    case KVSQL_STATEMENT_INSERT:
      *out_n = statement->insert.n_returning;
      return statement->insert.returning;
    case KVSQL_STATEMENT_UPDATE:
      *out_n = statement->update.n_returning;
      return statement->update.returning;
    case KVSQL_STATEMENT_DELETE:
      *out_n = statement->delete_.n_returning;
      return statement->delete_.returning;
    default:
      *out_n = 0;
      return NULL;
    }
}

static gboolean
needs_name (const KvsqlSelectItem *item)
{
  return item->expr != NULL && item->alias.text == NULL && item->expr->kind != KVSQL_AST_NAME
         && item->expr->kind != KVSQL_AST_FUNCTION;
}

/* The columns of items before the first * are counted from the left, of those after the last one
 * from the right. Those between two of them stay as they are. */
static void
name_items (const KvsqlSelectItem *items, guint n_items, KvsqlResultColumn *columns,
            guint n_columns, KvsqlArena *arena)
{
  guint first = 0, last = n_items;

  while (first < n_items && items[first].expr != NULL)
    first++;
  while (last > 0 && items[last - 1].expr != NULL)
    last--;
  for (guint i = 0; i < n_items; i++)
    {
      guint column = i < first ? i : n_columns - (n_items - i);
      Name name;

      if ((i >= first && i < last) || column >= n_columns || !needs_name (&items[i]))
        continue;
      name = find_name (items[i].expr, &columns[column], arena);
      columns[column].name = name.text != NULL ? kvsql_arena_strdup (arena, name.text) : NO_NAME;
    }
}

/* A name that no expression has as its text: most statements have no others. */
static gboolean
is_plain (const gchar *name)
{
  gboolean ok = !g_ascii_isdigit (name[0]);

  for (const gchar *at = name; *at != '\0' && ok; at++)
    ok = g_ascii_islower (*at) || g_ascii_isdigit (*at) || *at == '_' || (guchar)*at >= 0x80;
  return ok && strcmp (name, "case") != 0;
}

const KvsqlResultColumn *
kvsqld_pg_name_columns (KvsqlSlice sql, const KvsqlResultColumn *columns, guint n_columns,
                        KvsqlArena *arena)
{
  g_autoptr (KvsqlArena) parsed = kvsql_arena_new ();
  const KvsqlAstStatement *statement;
  const KvsqlSelectItem *items;
  KvsqlResultColumn *named;
  guint n_items = 0, n_plain = 0;

  while (n_plain < n_columns && is_plain (columns[n_plain].name))
    n_plain++;
  statement = n_plain < n_columns ? kvsql_parser_parse (sql, parsed, NULL) : NULL;
  items = statement != NULL ? get_items (statement, &n_items) : NULL;
  if (items == NULL)
    return columns;
  named = kvsql_arena_array (arena, KvsqlResultColumn, n_columns);
  memcpy (named, columns, n_columns * sizeof *columns);
  name_items (items, n_items, named, n_columns, arena);
  return named;
}
