/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * hint.c: see hint.h.
 */
#include "config.h"

#include "client/ctl/commands/hint.h"

#include <string.h>

/* An attribute of the key, as the user has it. */
typedef struct
{
  gchar *name;
  gchar *type; /* nullable */
} Part;

static void
part_free (gpointer data)
{
  Part *self = data;

  g_free (self->name);
  g_free (self->type);
  g_free (self);
}

static GPtrArray *
read_parts (const gchar *hint)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func (part_free);
  g_auto (GStrv) texts = g_strsplit (hint, ",", -1);

  for (guint i = 0; texts[i] != NULL; i++)
    {
      Part *part = g_new0 (Part, 1);
      gchar *blank = strrchr (g_strstrip (texts[i]), ' ');

      part->type = blank != NULL ? g_strdup (blank + 1) : NULL;
      if (blank != NULL)
        *blank = '\0';
      part->name = g_strdup (g_strstrip (texts[i]));
      g_ptr_array_add (parts, part);
    }
  return parts;
}

/* Those of the key of the first relation. */
static GPtrArray *
list_keys (GPtrArray *attributes)
{
  GPtrArray *keys = g_ptr_array_new ();
  const KvsqlctlProposedAttribute *first = attributes->len > 0 ? attributes->pdata[0] : NULL;

  for (guint i = 0; i < attributes->len; i++)
    {
      KvsqlctlProposedAttribute *attribute = attributes->pdata[i];
      if (attribute->is_key && g_str_equal (attribute->relation, first->relation))
        g_ptr_array_add (keys, attribute);
    }
  return keys;
}

/* The renames, if the key begins with such attributes, or has exactly these. */
static GPtrArray *
match (const KvsqlctlReading *reading, const GPtrArray *parts, gboolean is_exact)
{
  g_autoptr (GPtrArray) attributes = kvsqlctl_reading_list_attributes (reading);
  g_autoptr (GPtrArray) keys = list_keys (attributes);
  g_autoptr (GPtrArray) renames = g_ptr_array_new_with_free_func (g_free);

  if (keys->len < parts->len || (is_exact && keys->len > parts->len))
    return NULL;
  for (guint i = 0; i < parts->len; i++)
    {
      const KvsqlctlProposedAttribute *key = keys->pdata[i];
      const Part *part = parts->pdata[i];

      if (part->type != NULL && g_ascii_strcasecmp (part->type, key->type) != 0)
        return NULL;
      if (part->name[0] != '\0')
        kvsqlctl_proposed_attribute_add_rename (key, part->name, renames);
    }
  return g_steal_pointer (&renames);
}

const KvsqlctlReading *
kvsqlctl_hint_apply (const gchar *hint, const KvsqlctlProposal *proposal, GPtrArray **out_renames)
{
  g_autoptr (GPtrArray) parts = read_parts (hint);

  for (guint tries = 0; tries < 2; tries++)
    for (guint i = 0; i < proposal->readings->len; i++)
      {
        *out_renames = match (proposal->readings->pdata[i], parts, tries == 0);
        if (*out_renames != NULL)
          return proposal->readings->pdata[i];
      }
  return NULL;
}

gchar *
kvsqlctl_reading_show_key (const KvsqlctlReading *self)
{
  g_autoptr (GPtrArray) attributes = kvsqlctl_reading_list_attributes (self);
  g_autoptr (GPtrArray) keys = list_keys (attributes);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < keys->len; i++)
    {
      const KvsqlctlProposedAttribute *key = keys->pdata[i];
      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", key->name, key->type);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
