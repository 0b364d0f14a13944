/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-definition.c: see the header.
 */
#include "config.h"

#include "tests/sql/random-definition.h"

#include "tests/sql/random-query.h"

static void put_layout (RandomWriter *self, guint depth);

void
put_alter (RandomWriter *self)
{
  static const gchar *const attribute[] = { "", "ATTRIBUTE " };

  put (self, "ALTER RELATION ");
  put_name (self);
  switch (pick (self, 5))
    {
    case 0:
      put (self, " ADD ");
      put (self, PICK (self, attribute));
      put_name (self);
      put (self, " STRING NOT NULL");
      break;
    case 1:
      put (self, " DROP ");
      put (self, PICK (self, attribute));
      put_name (self);
      break;
    case 2:
      put (self, " RENAME ");
      put (self, PICK (self, attribute));
      put_name (self);
      put (self, " TO ");
      put_name (self);
      break;
    case 3:
      put (self, " RENAME TO ");
      put_name (self);
      break;
    default:
      put (self, " ALTER ");
      put (self, PICK (self, attribute));
      put_name (self);
      put (self, chance (self, 50) ? " DROP DEFAULT" : " SET DEFAULT 1~+~2");
    }
}

void
put_comment (RandomWriter *self)
{
  static const gchar *const whats[] = { "RELATION ", "SCHEMA ", "ATTRIBUTE " };
  guint what = pick (self, 3);

  put (self, "COMMENT ON ");
  put (self, whats[what]);
  put_name (self);
  if (what == 2)
    {
      put (self, "~.~");
      put_name (self);
    }
  put (self, chance (self, 30) ? " IS NULL" : " IS 'it''s'");
}

static void
put_element (RandomWriter *self, guint depth)
{
  static const gchar *const names[] = { "suffix", "size", "null", "key", "my_own", "desc" };
  static const gchar *const arguments[]
      = { "", "~(~)", "('-')", "(2,~'x')", "(md5,~x'00')", "(NULL,~TRUE,~-1.5)", "(`a+b`)" };
  static const gchar *const lists[]
      = { "[]", "[~'k1'~,~'k2'~]", "[k1, `k+2`]", "[\"order\", 'k+3']", "[from]" };
  gboolean has_list;

  put_exactly (self, PICK (self, names));
  put (self, PICK (self, arguments));
  has_list = chance (self, 20);
  if (has_list)
    put (self, PICK (self, lists));
  if (has_list && chance (self, 50))
    return;
  put (self, "{~");
  put_layout (self, depth);
  put (self, "~}");
}

static void
put_layout (RandomWriter *self, guint depth)
{
  static const gchar *const constants[]
      = { "''", "'-'", "\"it's\"", "'it''s'", "x'00'", "x''", "'é'" };

  for (guint i = pick (self, 3) + 1; i > 0; i--)
    {
      if (chance (self, 25))
        put_exactly (self, PICK (self, constants));
      else if (depth == 0 || chance (self, 40))
        put_name (self);
      else if (chance (self, 15))
        {
          put_exactly (self, "hash(2){a,");
          put_element (self, depth - 1);
          put_exactly (self, "}");
        }
      else
        put_element (self, depth - 1);
      put (self, i > 1 ? "~:~" : "");
    }
}

static void
put_options (RandomWriter *self)
{
  static const gchar *const options[] = { "splits=16", "role = read", "x = 'it''s'", "m=x'00'",
                                          "b =TRUE",   "n = -1.0",    "`o p` = NULL" };

  for (guint i = pick (self, 3) + 1, n = i; i > 0; i--)
    {
      put_exactly (self, i == n ? " with (" : ",");
      put_exactly (self, PICK (self, options));
    }
  put_exactly (self, ")");
}

void
put_define_relation (RandomWriter *self)
{
  static const gchar *const types[]
      = { " STRING", " INT", " double", " `my type`", " key", " DATE" };
  static const gchar *const constraints[]
      = { "", "", " KEY", " PRIMARY KEY", " NOT NULL KEY", " NULL", " KEY NOT NULL" };

  put (self, chance (self, 30) ? "DEFINE RELATION IF NOT EXISTS " : "DEFINE RELATION ");
  put_name (self);
  for (guint i = pick (self, 5) + 1, n = i; i > 0; i--)
    {
      put (self, i == n ? "~{~" : "~,~");
      put_name (self);
      put_exactly (self, PICK (self, types));
      if (chance (self, 40))
        {
          put (self, " DEFAULT ");
          put_expression (self, pick (self, 3));
        }
      put (self, PICK (self, constraints));
      put (self, chance (self, 10) ? " COMMENT 'attribute'" : "");
    }
  put (self, "~}");
  if (chance (self, 20))
    put_options (self);
  put (self, chance (self, 20) ? "~COMMENT 'it''s'" : "");
}

static void
put_cells (RandomWriter *self)
{
  put (self, "~,~CELLS~{~");
  for (guint i = pick (self, 4) + 1; i > 0; i--)
    {
      if (chance (self, 20))
        {
          put (self, "OTHERS~=~");
          put_name (self);
        }
      else
        {
          put_exactly (self, chance (self, 80) ? "'info':" : "x'00':");
          put_layout (self, pick (self, 2));
          put (self, "~=~");
          put_layout (self, pick (self, 4));
        }
      put (self, i > 1 ? "~,~" : "~}");
    }
}

void
put_define_schema (RandomWriter *self)
{
  gboolean has_cells;
  static const gchar *const fields[]
      = { "TABLE ", "~,~ROW ", "~,~FAMILY ", "~,~QUALIFIER ", "~,~VALUE " };

  put (self, chance (self, 50) ? "DEFINE PRIMARY SCHEMA " : "DEFINE SCHEMA ");
  put (self, chance (self, 20) ? "IF NOT EXISTS " : "");
  put_name (self);
  put (self, " FOR ");
  put_name (self);
  put (self, "~{~");
  has_cells = chance (self, 30);
  for (guint i = 0; i < (has_cells ? 2 : G_N_ELEMENTS (fields)); i++)
    if (i < 3 || chance (self, 50))
      {
        put (self, fields[i]);
        put_layout (self, pick (self, 4));
      }
  if (has_cells)
    put_cells (self);
  put (self, chance (self, 20) ? "~, TIMESTAMP ts~}" : "~}");
  if (!chance (self, 30))
    return;
  put_options (self);
  put (self, chance (self, 20) ? " COMMENT ''" : "");
}

static void
put_columns (RandomWriter *self)
{
  put (self, "~(~");
  put_name (self);
  if (chance (self, 40))
    {
      put (self, "~,~");
      put_name (self);
    }
  put (self, "~)~");
}

void
put_create_table (RandomWriter *self)
{
  static const gchar *const types[] = { " TEXT",
                                        " INT",
                                        " DOUBLE PRECISION",
                                        " CHARACTER VARYING",
                                        " TIMESTAMP WITHOUT TIME ZONE",
                                        " TIMESTAMP WITH TIME ZONE" };

  put (self, chance (self, 30) ? "CREATE TABLE IF NOT EXISTS " : "CREATE TABLE ");
  put_name (self);
  for (guint i = pick (self, 4) + 1, n = i; i > 0; i--)
    {
      put (self, i == n ? "~(~" : "~,~");
      put_name (self);
      put (self, PICK (self, types));
      put (self, chance (self, 30) ? " NOT NULL" : "");
    }
  if (chance (self, 50))
    {
      put (self, chance (self, 30) ? "~, CONSTRAINT `c` PRIMARY KEY" : "~, PRIMARY KEY");
      put_columns (self);
    }
  put (self, "~)");
  if (chance (self, 20))
    put_options (self);
}

void
put_create_index (RandomWriter *self)
{
  put (self, chance (self, 20) ? "CREATE INDEX CONCURRENTLY " : "CREATE INDEX ");
  if (chance (self, 70))
    put_name (self);
  put (self, " ON ");
  put_name (self);
  put (self, "~(~");
  put_name (self);
  put (self, chance (self, 30) ? " DESC" : "");
  put (self, "~,~");
  put_name (self);
  put (self, chance (self, 30) ? " ASC~)" : "~)");
  if (!chance (self, 30))
    return;
  put (self, "~INCLUDE");
  put_columns (self);
}

void
put_create_view (RandomWriter *self)
{
  gint parameters = self->parameters;

  put (self, chance (self, 30) ? "CREATE OR REPLACE VIEW " : "CREATE VIEW ");
  put_name (self);
  if (chance (self, 30))
    put_columns (self);
  put (self, " AS ");
  self->parameters = 2; /* none */
  put_query (self, 3);
  self->parameters = parameters;
}

void
put_small (RandomWriter *self)
{
  static const gchar *const statements[] = { "SHOW SCHEMAS FOR ",
                                             "SHOW HISTORY FOR ",
                                             "SHOW CREATE ",
                                             "DESCRIBE ",
                                             "DESC ",
                                             "DROP SCHEMA ",
                                             "RESTORE SCHEMA ",
                                             "TRUNCATE ",
                                             "TRUNCATE TABLE ",
                                             "DROP TABLE ",
                                             "DROP INDEX IF EXISTS ",
                                             "DROP VIEW ",
                                             "DROP RELATION IF EXISTS " };
  const gchar *statement = PICK (self, statements);

  if (chance (self, 10))
    {
      put (self, "SHOW STATEMENT STATISTICS");
      return;
    }
  put (self, statement);
  put_name (self);
  put (self, g_str_has_prefix (statement, "RESTORE") ? " TO VERSION 12" : "");
}

void
put_role (RandomWriter *self)
{
  static const gchar *const verbs[] = { "CREATE ROLE ", "CREATE USER ", "ALTER ROLE " };
  static const gchar *const options[] = { " LOGIN",
                                          " NOLOGIN",
                                          " SUPERUSER",
                                          " NOSUPERUSER",
                                          " PASSWORD 'x'",
                                          " PASSWORD NULL",
                                          " VALID UNTIL '2030-01-01'",
                                          " CONNECTION LIMIT 3" };

  if (chance (self, 30))
    {
      put (self, chance (self, 50) ? "DROP ROLE " : "DROP USER IF EXISTS ");
      put_name (self);
      return;
    }
  put (self, PICK (self, verbs));
  put_name (self);
  put (self, chance (self, 50) ? " WITH" : "");
  put (self, PICK (self, options));
}

static void
put_role_names (RandomWriter *self, const gchar *other)
{
  for (guint i = pick (self, 2) + 1; i > 0; i--)
    {
      if (other != NULL && chance (self, 20))
        put (self, other);
      else
        put_name (self);
      put (self, i > 1 ? "~,~ " : "");
    }
}

/* What is granted, and on what. */
static void
put_granted (RandomWriter *self)
{
  static const gchar *const rights[] = { "SELECT",   "INSERT", "UPDATE",         "DELETE",
                                         "TRUNCATE", "ALL",    "ALL PRIVILEGES", "SELECT, DELETE" };

  if (chance (self, 20))
    put (self, "DEFINE ON TABLES LIKE 'a%'~,~ '_'");
  else if (chance (self, 30))
    put_name (self);
  else
    {
      put (self, PICK (self, rights));
      if (chance (self, 30))
        {
          put (self, ", SELECT~ (~");
          put_role_names (self, NULL);
          put (self, "~)~");
        }
      /* after ON, a bare "table" is the keyword */
      put (self, chance (self, 30) ? " ON TABLE " : " ON a, ");
      put_role_names (self, NULL);
    }
}

void
put_grant (RandomWriter *self)
{
  gboolean is_revoke = chance (self, 40);

  if (chance (self, 15))
    {
      put (self, chance (self, 30) ? "RESET ROLE" : "SET ROLE NONE");
      return;
    }
  put (self, is_revoke ? "REVOKE " : "GRANT ");
  put_granted (self);
  put (self, is_revoke ? " FROM " : " TO ");
  put_role_names (self, "PUBLIC");
  if (chance (self, 20))
    put (self, " GRANTED BY x");
  if (is_revoke)
    put (self, chance (self, 50) ? " CASCADE" : " RESTRICT");
}
