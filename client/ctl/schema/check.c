/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * check.c: draws a schema's row key, and shows the verdict on the schema.
 *
 * DESCRIBE returns a table; its rows whose part begins with a blank are the pieces of the row key.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/schema/verbs.h"
#include "client/ctl/terminal/width.h"

#define PICTURE_COLUMNS 100
#define N_LINES 3 /* a box shows what, where, and how long */

/* A piece of the row key: the lines of its box. */
typedef struct
{
  gchar *lines[N_LINES];
  guint width;
} Box;

static void
box_clear (gpointer data)
{
  Box *self = data;

  for (guint i = 0; i < N_LINES; i++)
    g_free (self->lines[i]);
}

static void
add_box (GArray *boxes, const gchar *place, const gchar *layout, const gchar *note)
{
  Box box = { .lines = { g_strstrip (g_strdup (place)), g_strdup (layout), NULL } };
  const gchar *comma = strchr (note, ',');

  box.lines[2] = comma != NULL ? g_strndup (note, comma - note) : g_strdup (note);
  for (guint i = 0; i < N_LINES; i++)
    box.width = MAX (box.width, kvsqlctl_width (box.lines[i]));
  g_array_append_val (boxes, box);
}

static void
put_blanks (guint n)
{
  for (guint i = 0; i < n; i++)
    putchar (' ');
}

static void
put_rule (const GArray *boxes, guint from, guint to)
{
  fputs ("  ", stdout);
  for (guint i = from; i < to; i++)
    {
      putchar ('+');
      for (guint j = 0; j < g_array_index (boxes, Box, i).width + 2; j++)
        putchar ('-');
    }
  puts ("+");
}

static void
put_line (const GArray *boxes, guint from, guint to, guint line, gchar border)
{
  fputs ("  ", stdout);
  for (guint i = from; i < to; i++)
    {
      const Box *box = &g_array_index (boxes, Box, i);

      printf ("%c %s", border, box->lines[line]);
      put_blanks (box->width - kvsqlctl_width (box->lines[line]) + 1);
    }
  printf ("%c\n", border);
}

/* Draws the boxes next to each other, as many as fit into a line. */
static void
draw (const GArray *boxes)
{
  for (guint from = 0, to; from < boxes->len; from = to)
    {
      guint columns = 3;

      for (to = from; to < boxes->len; to++)
        {
          columns += g_array_index (boxes, Box, to).width + 3;
          if (to > from && columns > PICTURE_COLUMNS)
            break;
        }
      put_line (boxes, from, to, 0, ' ');
      put_rule (boxes, from, to);
      put_line (boxes, from, to, 1, '|');
      put_line (boxes, from, to, 2, '|');
      put_rule (boxes, from, to);
    }
}

static const gchar *
text_at (KvsqlResult *result, guint column)
{
  const gchar *text = kvsql_result_get_text (result, column);

  return text != NULL ? text : "";
}

/* Appends a fact other than the row key, for the list below the picture. */
static void
add_fact (GString *facts, const gchar *part, const gchar *layout, const gchar *note)
{
  if (strcmp (part, "ORDER") == 0 && *layout != '\0')
    g_string_append_printf (facts, "  sorted by %s\n", layout);
  else if (strcmp (part, "ORDER") == 0)
    g_string_append_printf (facts, "  %s\n", note);
  else if (strcmp (part, "INDEX") == 0)
    g_string_append_printf (facts, "  lacks %s: %s\n", layout, note);
  else if (strcmp (part, "PROOF") == 0)
    g_string_append_printf (facts, "  %s: %s\n", layout, note);
  else if (strcmp (part, "SHARING") == 0 && *layout != '\0')
    g_string_append_printf (facts, "  with %s: %s\n", layout, note);
  else if (strcmp (part, "SHARING") == 0)
    g_string_append_printf (facts, "  %s\n", note);
  else if (*note != '\0' && strcmp (part, "PRIMARY") != 0 && strcmp (part, "SCHEMA") != 0)
    g_string_append_printf (facts, "  in %s, %s\n", part, note);
}

KvsqlctlStatus
kvsqlctl_schema_check (Kvsqlctl *ctl, const gchar *schema)
{
  g_autofree gchar *quoted = kvsqlctl_quote_name (schema);
  g_autofree gchar *sql = g_strconcat ("DESCRIBE ", quoted, NULL);
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  g_autoptr (GString) facts = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  if (ctl->format != KVSQLCTL_FORMAT_TABLE)
    return kvsqlctl_execute_text (ctl, sql);
  g_array_set_clear_func (boxes, box_clear);
  result = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, &error);
  while (result != NULL && kvsql_result_get_n_columns (result) == 3
         && kvsql_result_next (result, &error))
    {
      const gchar *part = text_at (result, 0), *layout = text_at (result, 1),
                  *note = text_at (result, 2);

      if (strcmp (part, "PRIMARY") == 0 || strcmp (part, "SCHEMA") == 0)
        printf ("%s: %s of relation %s, %s\n", schema, *part == 'P' ? "primary schema" : "schema",
                layout, note);
      if (*part == ' ')
        add_box (boxes, part, layout, note);
      else
        add_fact (facts, part, layout, note);
    }
  if (error != NULL)
    return kvsqlctl_report (ctl, error, NULL);
  if (boxes->len == 0)
    return kvsqlctl_fail ("\"%s\" is not a schema; see \"kvsqlctl schema list\"", schema);
  draw (boxes);
  fputs (facts->str, stdout);
  return KVSQLCTL_DONE;
}
