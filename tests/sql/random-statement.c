/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-statement.c: statements by random choices of the grammar, with redundant parentheses, both
 * kinds of quotes, any case, and blanks and comments between words.
 */
#include "config.h"

#include "tests/sql/random-statement.h"

#define PICK(self, array) ((array)[pick ((self), G_N_ELEMENTS (array))])

typedef struct
{
  GRand *random;
  GString *out;
  gint parameters;        /* 0: ?, 1: :name, 2: none, 3: $n */
  gboolean has_windows;   /* the clause WINDOW follows */
  gboolean is_definition; /* double quotes are text in a definition, and a name elsewhere */
} Writer;

static guint
pick (Writer *self, guint n)
{
  return g_rand_int_range (self->random, 0, n);
}

static gboolean
chance (Writer *self, guint percent)
{
  return pick (self, 100) < percent;
}

/* Appends @text. Words in capitals are keywords, which are written in any case. ~ is an optional
 * blank, a blank is one or more. */
static void
put (Writer *self, const gchar *text)
{
  static const gchar *const blanks[]
      = { " ", " ", " ", " ", "\n", "\t ", " /* x; */ ", " -- y '\n", "/**/" };

  for (; *text != '\0'; text++)
    if (*text == ' ')
      g_string_append (self->out, PICK (self, blanks));
    else if (*text == '~')
      g_string_append (self->out, chance (self, 30) ? PICK (self, blanks) : "");
    else
      g_string_append_c (self->out, chance (self, 15) ? g_ascii_tolower (*text) : *text);
}

static void
put_exactly (Writer *self, const gchar *text)
{
  g_string_append (self->out, text);
}

static void
put_name (Writer *self)
{
  static const gchar *const names[]
      = { "a",    "b",     "K1",        "_x9", "key",  "value", "date",   "row",  "table",
          "type", "path",  "timestamp", "end", "desc", "text",  "offset", "cast", "hour",
          "`a`",  "`a b`", "`x``y`",    "`é`", "`1`",  "`key`", "`from`", "`'`",  "`;--`" };

  static const gchar *const double_quoted[] = {
    "\"a\"", "\"A b\"", "\"x\"\"y\"", "\"key\"", "\"from\"", "\"default\"", "\"'\"", "\";--\""
  };

  if (!self->is_definition && chance (self, 20))
    put_exactly (self, PICK (self, double_quoted));
  else
    put_exactly (self, PICK (self, names));
}

static void
put_literal (Writer *self)
{
  static const gchar *const literals[] = { "0",
                                           "1",
                                           "-1",
                                           "- 7",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "9223372036854775808",
                                           "1.50",
                                           "-0.5",
                                           "2.0",
                                           ".5",
                                           "7.",
                                           "1e5",
                                           "-2.5E-3",
                                           "0e0",
                                           "-0e0",
                                           "1e308",
                                           "4.9406564584124654e-324",
                                           "''",
                                           "'it''s'",
                                           "'é ✓ \n'",
                                           "'--'",
                                           "x''",
                                           "X'00fF'",
                                           "x\"ab\"",
                                           "TRUE",
                                           "false",
                                           "NULL" };

  if (self->is_definition && chance (self, 10))
    put_exactly (self, "\"a \"\"b\"\" 'c'\"");
  else
    put_exactly (self, PICK (self, literals));
}

static void put_expression (Writer *self, guint depth);
static void put_query (Writer *self, guint depth);

static void
put_list (Writer *self, guint depth, guint most)
{
  for (guint i = pick (self, most) + 1; i > 0; i--)
    {
      put_expression (self, depth);
      put (self, i > 1 ? "~,~" : "");
    }
}

static void
put_grouping_sets (Writer *self)
{
  static const gchar *const forms[] = { "ROLLUP~(", "GROUPING SETS~(", "CUBE~(" };
  guint form = pick (self, G_N_ELEMENTS (forms));

  put (self, chance (self, 20) ? "DISTINCT " : chance (self, 20) ? "ALL " : "");
  put_list (self, 1, 2);
  put (self, "~,~");
  put (self, forms[form]);
  if (form == 1 && chance (self, 50))
    put (self, "~(~)~,~ROLLUP~(~a~,~(~b~,~c~)~)~,~");
  put_list (self, 2, 3);
  put (self, "~)");
}

static void
put_parameter (Writer *self)
{
  static const gchar *const names[] = { ":a", ":A", ":b1", ":from", ":_" };
  static const gchar *const numbers[] = { "$1", "$2", "$9" };

  if (self->parameters == 2)
    put_name (self);
  else
    put_exactly (self, self->parameters == 0   ? "?"
                       : self->parameters == 1 ? PICK (self, names)
                                               : PICK (self, numbers));
}

static void
put_leaf (Writer *self)
{
  switch (pick (self, 4))
    {
    case 0:
      put_parameter (self);
      break;
    case 1:
      put_literal (self);
      break;
    case 2:
      put_name (self);
      if (chance (self, 20))
        {
          put (self, "~.~");
          put_name (self);
        }
      break;
    default:
      put_name (self);
    }
}

static void
put_window (Writer *self)
{
  static const gchar *const parts[]
      = { "", "PARTITION BY ", "w1", "W2", "PARTITION BY a, b ORDER BY K1 DESC NULLS LAST " };
  static const gchar *const frames[]
      = { "",
          " ROWS UNBOUNDED PRECEDING",
          " RANGE BETWEEN 1 + 1 PRECEDING AND CURRENT ROW",
          " GROUPS BETWEEN CURRENT ROW AND (unbounded) FOLLOWING",
          " ROWS BETWEEN (current) FOLLOWING AND UNBOUNDED FOLLOWING",
          " RANGE CURRENT ROW EXCLUDE CURRENT ROW",
          " ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING EXCLUDE GROUP",
          " ROWS 1 PRECEDING EXCLUDE TIES" };
  guint which = pick (self, G_N_ELEMENTS (parts));

  put (self, "(~");
  put (self, parts[which]);
  if (which == 1)
    put_expression (self, 1);
  if (which < 2 && chance (self, 40))
    {
      put (self, " ORDER BY ");
      put_expression (self, 1);
      put (self, chance (self, 30) ? " DESC" : "");
    }
  put (self, PICK (self, frames));
  put (self, "~)");
}

static void
put_call (Writer *self, guint depth)
{
  static const gchar *const functions[] = { "count", "upper", "left", "date", "`a f`", "replace" };

  put_exactly (self, PICK (self, functions));
  put (self, "~(~");
  if (chance (self, 20))
    put (self, "*");
  else if (chance (self, 80))
    {
      put (self, chance (self, 20) ? "DISTINCT " : chance (self, 20) ? "ALL " : "");
      put_list (self, depth, 3);
    }
  put (self, "~)");
  if (chance (self, 10))
    {
      put (self, " FILTER (WHERE ");
      put_expression (self, 1);
      put (self, "~)");
    }
  if (self->has_windows && chance (self, 30))
    {
      put (self, " OVER ");
      self->has_windows = FALSE; /* there are none in a window */
      if (chance (self, 40))
        put_exactly (self, chance (self, 50) ? "W1" : "w2");
      else
        put_window (self);
      self->has_windows = TRUE;
    }
}

/* Calls with keywords between their arguments. */
static void
put_special_call (Writer *self, guint depth)
{
  static const gchar *const starts[] = { "EXTRACT~(~year FROM ", "SUBSTRING~(~", "TRIM~(~",
                                         "POSITION~(~(~",        "TRIM~(~BOTH ", "TRIM~(~LEADING ",
                                         "TRIM~(~TRAILING FROM " };
  static const gchar *const middles[] = { "", " FROM ", "", "~) IN (~", " FROM ", " FROM ", "" };
  static const gchar *const ends[] = { "~)", " FOR 2~)", "~)", "~)~)", "~)", "~)", "~)" };
  guint which = pick (self, G_N_ELEMENTS (starts));

  put (self, starts[which]);
  put_expression (self, depth);
  if (middles[which][0] != '\0')
    {
      put (self, middles[which]);
      put_expression (self, depth);
    }
  put (self, ends[which]);
}

static void
put_case (Writer *self, guint depth)
{
  put (self, "CASE ");
  if (chance (self, 50))
    put_expression (self, depth);
  for (guint i = pick (self, 3) + 1; i > 0; i--)
    {
      put (self, " WHEN ");
      put_expression (self, depth);
      put (self, " THEN ");
      put_expression (self, depth);
    }
  if (chance (self, 50))
    {
      put (self, " ELSE ");
      put_expression (self, depth);
    }
  put (self, " END");
}

/* An operand for any operator, in parentheses. */
static void
put_operand (Writer *self, guint depth)
{
  gboolean is_bare = depth == 0 || chance (self, 40);

  put (self, is_bare ? "" : "(~");
  if (is_bare)
    put_leaf (self);
  else
    put_expression (self, depth - 1);
  put (self, is_bare ? "" : "~)");
}

static void
put_predicate (Writer *self, guint depth)
{
  static const gchar *const nots[] = { " ", " NOT " };

  put_operand (self, depth);
  put (self, PICK (self, nots));
  switch (pick (self, 5))
    {
    case 0:
      put (self, "IN~(");
      if (depth > 0 && chance (self, 20))
        put_query (self, depth - 1);
      else
        put_list (self, depth, 4);
      put (self, "~)");
      break;
    case 1:
      put (self, chance (self, 30) ? "BETWEEN SYMMETRIC " : "BETWEEN ");
      put_operand (self, depth);
      put (self, " AND ");
      put_operand (self, depth);
      break;
    case 2:
      put (self, "LIKE ");
      put_operand (self, depth);
      put (self, chance (self, 30) ? " ESCAPE '!'" : "");
      break;
    case 3:
      put (self, "ILIKE ");
      put_operand (self, depth);
      break;
    default:
      put (self, "RLIKE ");
      put_operand (self, depth);
    }
}

/* Operators without parentheses around their operands: precedence decides. Comparisons do not
 * chain. */
static void
put_chain (Writer *self, guint depth)
{
  static const gchar *const operators[]
      = { " + ",   " - ",  "~*~",  "~/~",   "~%~",  "~||~",  "~^~",
          " AND ", " OR ", " OR ", " AND ", "~->~", "~->>~", "~#>~",
          "~#>>~", "~#-~", "~@>~", "~<@~",  " ?| ", " ?& ",  " ? " };
  static const gchar *const comparisons[] = { "~=~", "~<>~", "~!=~", "~<~", "~<=~", "~>~", "~>=~" };

  for (guint i = pick (self, 5) + 1; i > 0; i--)
    {
      put (self, chance (self, 10)   ? "NOT "
                 : chance (self, 10) ? "- "
                 : chance (self, 5)  ? "+ "
                                     : "");
      put_operand (self, depth);
      put (self, chance (self, 10) ? "['k']" : chance (self, 5) ? "~::~INT " : "");
      if (i > 1)
        put (self, PICK (self, operators));
    }
  if (chance (self, 10))
    put (self, chance (self, 30)   ? " IS NULL"
               : chance (self, 30) ? " IS NOT NULL"
               : chance (self, 50) ? " IS NOT TRUE"
                                   : " IS UNKNOWN");
  if (chance (self, 20))
    {
      put (self, " AND ");
      put_operand (self, depth);
      put (self, PICK (self, comparisons));
      put_operand (self, depth);
    }
}

static void
put_expression (Writer *self, guint depth)
{
  if (depth == 0)
    {
      put_leaf (self);
      return;
    }
  switch (pick (self, 11))
    {
    case 9:
      put_special_call (self, depth - 1);
      break;
    case 10:
      put (self, chance (self, 50) ? "CURRENT_TIMESTAMP" : "CURRENT_DATE");
      break;
    case 0:
      put_call (self, depth - 1);
      break;
    case 1:
      put_case (self, depth - 1);
      break;
    case 2:
      put (self, "CAST~(~");
      put_expression (self, depth - 1);
      put (self, " AS INT~)");
      break;
    case 3:
      put (self, "DATE '2024-02-29'");
      break;
    case 4:
    case 5:
      put_predicate (self, depth - 1);
      break;
    default:
      put_chain (self, depth - 1);
    }
}

/* ---- statements */

static void
put_clause (Writer *self, const gchar *keyword)
{
  if (!chance (self, 50))
    return;
  put (self, keyword);
  put_expression (self, pick (self, 4));
}

static void
put_order_by (Writer *self)
{
  static const gchar *const orders[]
      = { "", " ASC", " DESC", " NULLS FIRST", " DESC NULLS LAST", " ASC NULLS FIRST" };

  if (!chance (self, 40))
    return;
  put (self, " ORDER BY ");
  for (guint i = pick (self, 3) + 1; i > 0; i--)
    {
      put_expression (self, pick (self, 3));
      put (self, PICK (self, orders));
      put (self, i > 1 ? "~,~" : "");
    }
}

static void
put_items (Writer *self, guint depth)
{
  for (guint i = pick (self, 4) + 1; i > 0; i--)
    {
      if (chance (self, 20))
        put (self, "*");
      else
        {
          put_expression (self, pick (self, depth + 1));
          if (chance (self, 40))
            {
              put (self, chance (self, 50) ? " AS " : " ");
              /* not a word that could continue the expression */
              put_exactly (self, chance (self, 50) ? "alias1" : "`an alias`");
            }
        }
      put (self, i > 1 ? "~,~" : "");
    }
}

static void
put_relation (Writer *self)
{
  static const gchar *const aliases[] = { " AS x", " AS key", " x1", " `an alias`", " AS `where`" };

  put_name (self);
  if (chance (self, 20))
    put_exactly (self, PICK (self, aliases));
}

static void
put_query (Writer *self, guint depth)
{
  gboolean had_windows = self->has_windows, has_windows = depth > 0 && chance (self, 30);

  self->has_windows = FALSE;
  put (self, chance (self, 20)   ? "SELECT DISTINCT "
             : chance (self, 20) ? "SELECT ALL "
                                 : "SELECT ");
  if (g_str_has_suffix (self->out->str, "DISTINCT ") && chance (self, 50))
    {
      put (self, "ON (~");
      put_list (self, 1, 3);
      put (self, "~) ");
    }
  self->has_windows = has_windows;
  put_items (self, depth);
  put (self, " FROM ");
  put_relation (self);
  if (chance (self, 20))
    {
      put (self, " USING SCHEMA ");
      put_name (self);
    }
  if (depth == 0)
    {
      self->has_windows = had_windows;
      return;
    }
  put_clause (self, " WHERE ");
  if (chance (self, 30))
    {
      put (self, " GROUP BY ");
      if (chance (self, 30))
        put_grouping_sets (self);
      else
        put_list (self, 2, 3);
    }
  put_clause (self, " HAVING ");
  self->has_windows = FALSE;
  if (has_windows)
    {
      put (self, " WINDOW w1 AS (PARTITION BY ");
      put_expression (self, 1);
      put (self, "), w2 AS (w1~)");
    }
  self->has_windows = has_windows;
  put_order_by (self);
  self->has_windows = FALSE;
  put_clause (self, " LIMIT ");
  put_clause (self, " OFFSET ");
  self->has_windows = had_windows;
  if (chance (self, 20))
    put (self, " WITH VERIFIED");
}

static void
put_names (Writer *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      put (self, i == 0 ? "~(~" : "~,~");
      put_name (self);
      put (self, i + 1 == n ? "~)~" : "");
    }
}

static void
put_value (Writer *self)
{
  if (chance (self, 10))
    put (self, "DEFAULT");
  else if (chance (self, 3))
    put (self, "(DEFAULT)");
  else
    put_expression (self, pick (self, 3));
}

static void
put_assignments (Writer *self)
{
  put (self, " SET ");
  for (guint i = pick (self, 3) + 1; i > 0; i--)
    {
      put_name (self);
      put (self, "~=~");
      put_value (self);
      put (self, i > 1 ? "~,~" : "");
    }
}

static void
put_end (Writer *self)
{
  gboolean is_timestamp_first = chance (self, 50);

  if (is_timestamp_first)
    put_clause (self, " USING TIMESTAMP ");
  if (chance (self, 30))
    {
      put (self, " RETURNING ");
      put_items (self, 3);
    }
  if (!is_timestamp_first)
    put_clause (self, " USING TIMESTAMP ");
}

static void
put_rows (Writer *self, guint n_values)
{
  put (self, " VALUES ");
  for (guint rows = pick (self, 6) + 1; rows > 0; rows--)
    {
      for (guint i = 0; i < n_values; i++)
        {
          put (self, i == 0 ? "(~" : "~,~");
          put_value (self);
        }
      put (self, rows > 1 ? "~)~,~" : "~)");
    }
}

static void
put_insert (Writer *self)
{
  guint n_values = pick (self, 4) + 1;

  put (self, "INSERT INTO ");
  put_name (self);
  if (chance (self, 50))
    put_names (self, n_values);
  if (chance (self, 30))
    {
      put (self, " ");
      put_query (self, 3);
    }
  else
    put_rows (self, n_values);
  if (chance (self, 40))
    {
      put (self, " ON CONFLICT ");
      put_names (self, pick (self, 3));
      put (self, chance (self, 40) ? "DO NOTHING" : "DO UPDATE");
      if (!g_str_has_suffix (self->out->str, "G") && !g_str_has_suffix (self->out->str, "g"))
        {
          put_assignments (self);
          put_clause (self, " WHERE ");
        }
    }
  put_end (self);
}

/* Which tuples: WHERE, ORDER BY and LIMIT, or other relations after @keyword and WHERE. */
static void
put_which (Writer *self, const gchar *keyword)
{
  gboolean is_joined = chance (self, 30);

  if (is_joined)
    {
      put (self, keyword);
      put (self, "q1"); /* not TIMESTAMP, which begins a clause after USING */
      if (chance (self, 40))
        {
          put (self, chance (self, 50) ? "~,~" : " NATURAL JOIN ");
          put_relation (self);
        }
    }
  put_clause (self, " WHERE ");
  if (is_joined)
    return;
  put_order_by (self);
  put_clause (self, " LIMIT ");
}

static void
put_update (Writer *self)
{
  put (self, "UPDATE ");
  put_relation (self);
  put_assignments (self);
  put_which (self, " FROM ");
  put_end (self);
}

static void
put_delete (Writer *self)
{
  put (self, "DELETE FROM ");
  put_relation (self);
  put_which (self, " USING ");
  put_end (self);
}

static void
put_alter (Writer *self)
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

static void
put_comment (Writer *self)
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

static void put_layout (Writer *self, guint depth);

static void
put_element (Writer *self, guint depth)
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
put_layout (Writer *self, guint depth)
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
put_options (Writer *self)
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

static void
put_define_relation (Writer *self)
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
put_cells (Writer *self)
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

static void
put_define_schema (Writer *self)
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
put_columns (Writer *self)
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

static void
put_create_table (Writer *self)
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

static void
put_create_index (Writer *self)
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

static void
put_create_view (Writer *self)
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

static void
put_small (Writer *self)
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

  put (self, statement);
  put_name (self);
  put (self, g_str_has_prefix (statement, "RESTORE") ? " TO VERSION 12" : "");
}

static void
put_role (Writer *self)
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
put_role_names (Writer *self, const gchar *other)
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
put_granted (Writer *self)
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
      put (self, chance (self, 30) ? " ON TABLE " : " ON ");
      put_role_names (self, NULL);
    }
}

static void
put_grant (Writer *self)
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

static void
put_definition (Writer *self, void (*put_it) (Writer *))
{
  self->is_definition = TRUE;
  put_it (self);
  self->is_definition = FALSE;
}

static void
put_statement (Writer *self, gboolean may_explain)
{
  static const gchar *const explains[]
      = { "EXPLAIN ", "EXPLAIN ANALYZE ", "EXPLAIN~(~FORMAT JSON~)~",
          "EXPLAIN (CALLS~, FORMAT DOT)~", "EXPLAIN ANALYZE (FORMAT TEXT, ANALYZE) " };

  static void (*const created[]) (Writer *)
      = { put_create_table, put_create_index, put_create_view };
  static const gchar *const upkeep[]
      = { "ANALYZE ", "BACKFILL SCHEMA ", "VERIFY SCHEMA ", "REPAIR SCHEMA " };

  switch (pick (self, may_explain ? 13 : 12))
    {
    case 9:
    case 10:
      put_update (self);
      break;
    case 11:
      if (may_explain && chance (self, 20))
        {
          if (chance (self, 20))
            {
              put (self, chance (self, 50) ? "KILL SESSION 4711" : "KILL 17");
              return;
            }
          if (chance (self, 20))
            {
              (chance (self, 50) ? put_role : put_grant) (self);
              return;
            }
          put (self, PICK (self, upkeep));
          put_name (self);
        }
      else if (may_explain && chance (self, 5))
        put (self, "BACKUP TO 'x'");
      else if (chance (self, 50))
        put_definition (self, put_alter);
      else
        put_definition (self, put_comment);
      break;
    case 0:
      put_insert (self);
      break;
    case 1:
      put_delete (self);
      break;
    case 2:
      if (chance (self, 40))
        PICK (self, created) (self);
      else
        put_definition (self, put_define_relation);
      break;
    case 3:
      put_definition (self, put_define_schema);
      break;
    case 4:
      put_small (self);
      break;
    case 12:
      put (self, PICK (self, explains));
      put_statement (self, FALSE);
      break;
    default:
      put_query (self, 4);
    }
}

gchar *
random_statement (GRand *random)
{
  Writer self = { .random = random, .out = g_string_new (NULL) };

  self.parameters = pick (&self, 4);
  put (&self, "~");
  put_statement (&self, TRUE);
  put (&self, chance (&self, 30) ? "~;~" : "~");
  return g_string_free (self.out, FALSE);
}
