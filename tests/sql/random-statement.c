/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-statement.c: statements by random choices of the grammar, with redundant parentheses, both
 * kinds of quotes, any case, and blanks and comments between words.
 */
#include "config.h"

#include "tests/sql/random-statement.h"

#include "tests/sql/random-definition.h"
#include "tests/sql/random-query.h"

static void
put_definition (RandomWriter *self, void (*put_it) (RandomWriter *))
{
  self->is_definition = TRUE;
  put_it (self);
  self->is_definition = FALSE;
}

static void
put_statement (RandomWriter *self, gboolean may_explain)
{
  static const gchar *const explains[]
      = { "EXPLAIN ", "EXPLAIN ANALYZE ", "EXPLAIN~(~FORMAT JSON~)~",
          "EXPLAIN (CALLS~, FORMAT DOT)~", "EXPLAIN ANALYZE (FORMAT TEXT, ANALYZE) " };

  static void (*const created[]) (RandomWriter *)
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
  RandomWriter self = { .random = random, .out = g_string_new (NULL) };

  self.parameters = pick (&self, 4);
  put (&self, "~");
  put_statement (&self, TRUE);
  put (&self, chance (&self, 30) ? "~;~" : "~");
  return g_string_free (self.out, FALSE);
}
