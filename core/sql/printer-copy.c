/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * printer-copy.c: canonical text of COPY.
 */
#include "config.h"

#include "core/sql/printer-private.h"
#include "core/sql/printer.h"

static void
print_text (const gchar *option, const gchar *text, gsize size, GString *out)
{
  const KvsqlValue value
      = { .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice ((const guint8 *)text, size) };

  g_string_append_printf (out, ", %s ", option);
  kvsql_print_value (&value, out);
}

static void
print_byte (const gchar *option, gchar byte, gchar without, GString *out)
{
  if (byte != without)
    print_text (option, &byte, 1, out);
}

static void
print_columns (const gchar *option, const KvsqlCopyColumns *columns, GString *out)
{
  if (columns->is_all)
    g_string_append_printf (out, ", %s *", option);
  if (columns->n_names == 0)
    return;
  g_string_append_printf (out, ", %s (", option);
  kvsql_print_names (columns->names, columns->n_names, out);
  g_string_append_c (out, ')');
}

/* Those that are not as without them. Each has ", " before it. */
static void
print_options (const KvsqlCopy *self, GString *out)
{
  gboolean is_csv = self->format == KVSQL_COPY_CSV;

  if (self->format != KVSQL_COPY_TEXT)
    g_string_append_printf (out, ", FORMAT %s", is_csv ? "csv" : "binary");
  if (self->format == KVSQL_COPY_BINARY)
    return;
  print_byte ("DELIMITER", self->delimiter, is_csv ? ',' : '\t', out);
  if (strcmp (self->null, is_csv ? "" : "\\N") != 0)
    print_text ("NULL", self->null, strlen (self->null), out);
  if (self->header != KVSQL_COPY_NO_HEADER)
    g_string_append_printf (out, ", HEADER%s",
                            self->header == KVSQL_COPY_HEADER_MATCH ? " MATCH" : "");
  if (!is_csv)
    return;
  print_byte ("QUOTE", self->quote, '"', out);
  print_byte ("ESCAPE", self->escape, self->quote, out);
  print_columns ("FORCE_QUOTE", &self->force_quote, out);
  print_columns ("FORCE_NOT_NULL", &self->force_not_null, out);
  print_columns ("FORCE_NULL", &self->force_null, out);
}

void
kvsql_print_copy (const KvsqlCopy *self, GString *out)
{
  g_autoptr (GString) options = g_string_new (NULL);

  g_string_append (out, "COPY ");
  if (self->query != NULL)
    {
      g_string_append_c (out, '(');
      kvsql_print_select (self->query, out);
      g_string_append_c (out, ')');
    }
  else
    kvsql_print_name (self->relation, out);
  if (self->n_attributes > 0)
    {
      g_string_append (out, " (");
      kvsql_print_names (self->attributes, self->n_attributes, out);
      g_string_append_c (out, ')');
    }
  g_string_append (out, self->is_from ? " FROM STDIN" : " TO STDOUT");
  print_options (self, options);
  if (options->len > 0)
    g_string_append_printf (out, " WITH (%s)", options->str + 2);
}
