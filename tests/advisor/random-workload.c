/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-workload.c: see random-workload.h.
 */
#include "config.h"

#include "tests/advisor/random-workload.h"

typedef struct
{
  GRand *random;
  guint n_attributes, n_keys;
  GString *text;
} Writer;

static guint
below (const Writer *self, guint n)
{
  return (guint)g_rand_int_range (self->random, 0, (gint32)n);
}

static void
write_head (const Writer *self)
{
  static const guint distinct[] = { 2, 10, 100, 1000 };

  g_string_append (self->text, "DEFINE RELATION r { ");
  for (guint i = 0; i < self->n_attributes; i++)
    g_string_append_printf (self->text, "%sa%u BIGINT%s", i > 0 ? ", " : "", i,
                            i < self->n_keys ? " KEY" : "");
  g_string_append (self->text, " };\nSTATS r { ROWS 10000");
  for (guint i = 0; i < self->n_attributes; i++)
    g_string_append_printf (self->text, ", a%u DISTINCT %u BYTES %u", i,
                            self->n_keys == 1 && i == 0 ? 10000 : distinct[below (self, 4)],
                            1 + below (self, 40));
  g_string_append (self->text, " };\n");
}

static void
write_where (const Writer *self)
{
  static const gchar *const operators[] = { "=", "=", "=", ">", "<>" };
  guint n = 0;

  if (below (self, 4) == 0)
    {
      for (guint i = 0; i < self->n_keys; i++)
        g_string_append_printf (self->text, "%sa%u = ?", i > 0 ? " AND " : " WHERE ", i);
      return;
    }
  for (guint i = 0; i < self->n_attributes; i++)
    if (below (self, 3) == 0)
      g_string_append_printf (self->text, "%sa%u %s ?", n++ > 0 ? " AND " : " WHERE ", i,
                              operators[below (self, G_N_ELEMENTS (operators))]);
}

static void
write_list (const Writer *self)
{
  g_string_append_printf (self->text, "a%u", below (self, self->n_attributes));
  for (guint i = below (self, 3); i > 0; i--)
    g_string_append_printf (self->text, ", a%u", below (self, self->n_attributes));
}

static void
write_select (const Writer *self)
{
  g_string_append (self->text, "SELECT ");
  write_list (self);
  g_string_append (self->text, " FROM r");
  write_where (self);
  if (below (self, 4) == 0)
    g_string_append_printf (self->text, " ORDER BY a%u", below (self, self->n_attributes));
  if (below (self, 4) == 0)
    g_string_append_printf (self->text, " LIMIT %u", 1 + below (self, 20));
}

static void
write_update (const Writer *self)
{
  guint first = self->n_keys + below (self, self->n_attributes - self->n_keys);

  g_string_append_printf (self->text, "UPDATE r SET a%u = ?", first);
  if (first + 1 < self->n_attributes && below (self, 2) == 0)
    g_string_append_printf (self->text, ", a%u = ?", first + 1);
  write_where (self);
}

static void
write_statement (const Writer *self)
{
  guint kind = below (self, 10);

  if (kind < 6)
    write_select (self);
  else if (kind < 8)
    write_update (self);
  else if (kind < 9)
    {
      g_string_append (self->text, "DELETE FROM r");
      write_where (self);
    }
  else
    {
      g_string_append (self->text, "INSERT INTO r VALUES (?");
      for (guint i = 1; i < self->n_attributes; i++)
        g_string_append (self->text, ", ?");
      g_string_append (self->text, ")");
    }
  g_string_append_printf (self->text, " WEIGHT %u;\n", 1 + below (self, 20));
}

gchar *
random_workload_new (guint32 seed, guint max_attributes, guint max_statements)
{
  Writer self = { .random = g_rand_new_with_seed (seed), .text = g_string_new (NULL) };

  self.n_attributes = 3 + below (&self, max_attributes - 2);
  self.n_keys = below (&self, 4) == 0 ? 2 : 1;
  write_head (&self);
  for (guint i = 1 + below (&self, max_statements); i > 0; i--)
    write_statement (&self);
  g_rand_free (self.random);
  return g_string_free (self.text, FALSE);
}
