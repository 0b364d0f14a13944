/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-writer.c: see the header.
 */
#include "config.h"

#include "tests/sql/random-writer.h"

guint
pick (RandomWriter *self, guint n)
{
  return g_rand_int_range (self->random, 0, n);
}

gboolean
chance (RandomWriter *self, guint percent)
{
  return pick (self, 100) < percent;
}

/* Appends @text. Words in capitals are keywords, which are written in any case. ~ is an optional
 * blank, a blank is one or more. */
void
put (RandomWriter *self, const gchar *text)
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

void
put_exactly (RandomWriter *self, const gchar *text)
{
  g_string_append (self->out, text);
}

void
put_name (RandomWriter *self)
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

void
put_literal (RandomWriter *self)
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

void
put_parameter (RandomWriter *self)
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

void
put_names (RandomWriter *self, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      put (self, i == 0 ? "~(~" : "~,~");
      put_name (self);
      put (self, i + 1 == n ? "~)~" : "");
    }
}
