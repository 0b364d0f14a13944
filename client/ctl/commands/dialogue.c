/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dialogue.c: see dialogue.h.
 */
#include "config.h"

#include "client/ctl/commands/dialogue.h"

#include <stdio.h>
#include <stdlib.h>

#include "client/ctl/commands/line.h"
#include "client/ctl/execute.h"

/* NULL: the input has ended, or the user has pressed Ctrl-C. */
static gchar *
ask (const gchar *format, ...)
{
  g_autofree gchar *prompt = NULL;
  gchar *answer = NULL;
  va_list args;

  va_start (args, format);
  prompt = g_strdup_vprintf (format, args);
  va_end (args);
  if (kvsqlctl_line_read (prompt, &answer) != KVSQLCTL_LINE_READ)
    return NULL;
  return g_strstrip (answer);
}

/* ---- which reading */

static void
show_reading (const KvsqlctlReading *reading, guint number)
{
  printf ("%u. %s%s%s\n", number, reading->note, reading->fit != NULL ? "; " : "",
          reading->fit != NULL ? reading->fit : "");
  for (guint i = 0; i < reading->statements->len; i++)
    printf ("   %s;\n", (const gchar *)reading->statements->pdata[i]);
  for (guint i = 0; i < reading->undecodable->len; i++)
    printf ("   -- %s\n", (const gchar *)reading->undecodable->pdata[i]);
}

/* NULL: the user gives up. */
static const KvsqlctlReading *
choose_reading (const KvsqlctlProposal *proposal)
{
  guint n = proposal->readings->len;

  for (guint i = 0; i < n; i++)
    {
      show_reading (proposal->readings->pdata[i], i + 1);
      for (guint k = 0; i == 0 && k < proposal->notes->len; k++)
        printf ("   -- %s\n", (const gchar *)proposal->notes->pdata[k]);
    }
  while (n > 1)
    {
      g_autofree gchar *answer = ask ("Which one is right? 1 to %u [1] ", n);
      gint64 number = answer == NULL || answer[0] == '\0' ? 1 : g_ascii_strtoll (answer, NULL, 10);

      if (answer == NULL)
        return NULL;
      if (number >= 1 && number <= n)
        return proposal->readings->pdata[number - 1];
      printf ("Type a number from 1 to %u, or press Enter for the first one.\n", n);
    }
  return proposal->readings->pdata[0];
}

/* ---- names */

static gboolean
is_taken (const GPtrArray *attributes, const KvsqlctlProposedAttribute *attribute,
          const GPtrArray *names, const gchar *name)
{
  for (guint i = 0; i < attributes->len; i++)
    {
      const KvsqlctlProposedAttribute *other = attributes->pdata[i];
      const gchar *its_name = i < names->len ? names->pdata[i] : other->name;

      if (other != attribute && g_str_equal (other->relation, attribute->relation)
          && g_ascii_strcasecmp (its_name, name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* NULL: the user gives up. */
static gchar *
ask_name (const KvsqlctlProposal *proposal, gboolean is_first, const GPtrArray *attributes,
          const KvsqlctlProposedAttribute *attribute, const GPtrArray *names)
{
  g_autofree gchar *values
      = is_first ? kvsqlctl_proposal_show_values (proposal, attribute->name) : g_strdup ("");

  for (;;)
    {
      g_autofree gchar *answer
          = ask ("Name of the %s in the key%s%s [%s] ", attribute->type,
                 values[0] != '\0' ? ", such as " : "", values, attribute->name);

      if (answer == NULL)
        return NULL;
      if (answer[0] == '\0')
        return g_strdup (attribute->name);
      if (!is_taken (attributes, attribute, names, answer))
        return g_steal_pointer (&answer);
      printf ("Another attribute has that name.\n");
    }
}

/* Columns have names already. NULL: the user gives up. */
static GPtrArray *
ask_names (const KvsqlctlProposal *proposal, const KvsqlctlReading *reading)
{
  g_autoptr (GPtrArray) attributes = kvsqlctl_reading_list_attributes (reading);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) renames = g_ptr_array_new_with_free_func (g_free);
  gboolean is_first = reading == proposal->readings->pdata[0];

  for (guint i = 0; i < attributes->len; i++)
    {
      const KvsqlctlProposedAttribute *attribute = attributes->pdata[i];
      gchar *name = attribute->is_key ? ask_name (proposal, is_first, attributes, attribute, names)
                                      : g_strdup (attribute->name);

      if (name == NULL)
        return NULL;
      g_ptr_array_add (names, name);
      kvsqlctl_proposed_attribute_add_rename (attribute, name, renames);
    }
  return g_steal_pointer (&renames);
}

/* ---- the end */

static KvsqlctlStatus
execute_all (Kvsqlctl *ctl, const GPtrArray *statements)
{
  KvsqlctlStatus status = KVSQLCTL_DONE;

  for (guint i = 0; i < statements->len && status == KVSQLCTL_DONE; i++)
    status = kvsqlctl_execute_text (ctl, statements->pdata[i]);
  return status;
}

static KvsqlctlStatus
converse (Kvsqlctl *ctl, const KvsqlctlProposal *proposal)
{
  const KvsqlctlReading *reading = choose_reading (proposal);
  g_autoptr (GPtrArray) renames = reading == NULL ? NULL : ask_names (proposal, reading);
  g_autofree gchar *answer
      = renames == NULL ? NULL : ask ("Define it now, for reading? y or n [n] ");
  KvsqlctlStatus status;

  if (answer == NULL)
    {
      printf ("Nothing is defined.\n");
      return KVSQLCTL_FAILED;
    }
  if (g_ascii_strcasecmp (answer, "y") != 0 && g_ascii_strcasecmp (answer, "yes") != 0)
    {
      kvsqlctl_print_statements (reading->statements);
      kvsqlctl_print_statements (renames);
      return KVSQLCTL_DONE;
    }
  status = execute_all (ctl, reading->statements);
  return status == KVSQLCTL_DONE ? execute_all (ctl, renames) : status;
}

KvsqlctlStatus
kvsqlctl_dialogue_run (Kvsqlctl *ctl, const KvsqlctlProposal *proposal)
{
  KvsqlctlStatus status;

  kvsqlctl_line_begin (ctl);
  status = converse (ctl, proposal);
  kvsqlctl_line_end ();
  return status;
}
