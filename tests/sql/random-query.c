/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-query.c: see the header.
 */
#include "config.h"

#include "tests/sql/random-query.h"

static void
put_list (RandomWriter *self, guint depth, guint most)
{
  for (guint i = pick (self, most) + 1; i > 0; i--)
    {
      put_expression (self, depth);
      put (self, i > 1 ? "~,~" : "");
    }
}

static void
put_grouping_sets (RandomWriter *self)
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
put_leaf (RandomWriter *self)
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
put_window (RandomWriter *self)
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
put_call (RandomWriter *self, guint depth)
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
put_special_call (RandomWriter *self, guint depth)
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
put_case (RandomWriter *self, guint depth)
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
put_operand (RandomWriter *self, guint depth)
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
put_predicate (RandomWriter *self, guint depth)
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
put_chain (RandomWriter *self, guint depth)
{
  static const gchar *const operators[]
      = { " + ",  " - ",   "~*~",  "~/~",   "~%~",  "~||~",  "~^~",  " AND ", " OR ",
          " OR ", " AND ", "~->~", "~->>~", "~#>~", "~#>>~", "~#-~", "~@>~",  "~<@~",
          " ?| ", " ?& ",  " ? ",  " & ",   " | ",  "~#~",   "~<<~", "~>>~",  "~&&~" };
  static const gchar *const comparisons[] = { "~=~", "~<>~", "~!=~", "~<~", "~<=~", "~>~", "~>=~" };

  for (guint i = pick (self, 5) + 1; i > 0; i--)
    {
      put (self, chance (self, 10)   ? "NOT "
                 : chance (self, 10) ? "- "
                 : chance (self, 5)  ? "+ "
                 : chance (self, 5)  ? "~ "
                                     : "");
      put_operand (self, depth);
      put (self, chance (self, 10)  ? "['k']"
                 : chance (self, 5) ? "[~1~:~2~]"
                 : chance (self, 5) ? "~::~INT "
                                    : "");
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

void
put_expression (RandomWriter *self, guint depth)
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

static void
put_clause (RandomWriter *self, const gchar *keyword)
{
  if (!chance (self, 50))
    return;
  put (self, keyword);
  put_expression (self, pick (self, 4));
}

static void
put_order_by (RandomWriter *self)
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
put_items (RandomWriter *self, guint depth)
{
  for (guint i = pick (self, 4) + 1; i > 0; i--)
    {
      if (chance (self, 20))
        put (self, "*");
      else if (chance (self, 10))
        {
          put_name (self);
          put (self, "~.~*");
        }
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
put_relation (RandomWriter *self)
{
  static const gchar *const aliases[] = { " AS x", " AS key", " x1", " `an alias`", " AS `where`" };

  put_name (self);
  if (chance (self, 20))
    put_exactly (self, PICK (self, aliases));
}

void
put_query (RandomWriter *self, guint depth)
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
put_value (RandomWriter *self)
{
  if (chance (self, 10))
    put (self, "DEFAULT");
  else if (chance (self, 3))
    put (self, "(DEFAULT)");
  else
    put_expression (self, pick (self, 3));
}

static void
put_assignments (RandomWriter *self)
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
put_end (RandomWriter *self)
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
put_rows (RandomWriter *self, guint n_values)
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

void
put_insert (RandomWriter *self)
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
put_which (RandomWriter *self, const gchar *keyword)
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

void
put_update (RandomWriter *self)
{
  put (self, "UPDATE ");
  put_relation (self);
  put_assignments (self);
  put_which (self, " FROM ");
  put_end (self);
}

void
put_delete (RandomWriter *self)
{
  put (self, "DELETE FROM ");
  put_relation (self);
  put_which (self, " USING ");
  put_end (self);
}
