/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-constraint.c: canonical text of constraints.
 */
#include "config.h"

#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

static void
print_columns (const KvsqlName *names, guint n, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? " (" : ", ");
      kvsql_print_name (&names[i], out);
    }
  if (n > 0)
    g_string_append_c (out, ')');
}

void
kvsql_print_constraint (const KvsqlConstraintDefinition *self, GString *out)
{
  if (self->name.text != NULL)
    {
      g_string_append (out, "CONSTRAINT ");
      kvsql_print_name (&self->name, out);
      g_string_append_c (out, ' ');
    }
  switch (self->kind)
    {
    case KVSQL_CONSTRAINT_CHECK:
      g_string_append (out, "CHECK (");
      kvsql_print_expression (self->expr, out);
      g_string_append_c (out, ')');
      break;
    case KVSQL_CONSTRAINT_UNIQUE:
      g_string_append (out, "UNIQUE");
      print_columns (self->columns, self->n_columns, out);
      break;
    case KVSQL_CONSTRAINT_FOREIGN:
      g_string_append (out, self->n_columns > 0 ? "FOREIGN KEY" : "");
      print_columns (self->columns, self->n_columns, out);
      g_string_append (out, self->n_columns > 0 ? " REFERENCES " : "REFERENCES ");
      kvsql_print_name (&self->referenced, out);
      print_columns (self->referenced_columns, self->n_referenced_columns, out);
      break;
    }
}

void
kvsql_print_constraints (const KvsqlConstraintDefinition *self, guint n, const gchar *first,
                         const gchar *separator, GString *out)
{
  for (guint i = 0; i < n; i++)
    {
      g_string_append (out, i == 0 ? first : separator);
      kvsql_print_constraint (&self[i], out);
    }
}
