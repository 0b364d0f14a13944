/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * element-classes.c: the table of the kinds of elements.
 */
#include "config.h"

#include "core/layout/element-classes.h"

#include <stdlib.h>
#include <string.h>

/* One line for each class. */
/* clang-format off */
static const KvsqlElementClass *const classes[] = {
  &kvsql_element_base64,
  &kvsql_element_bucket,
  &kvsql_element_byte,
  &kvsql_element_desc,
  &kvsql_element_fixed,
  &kvsql_element_flipped,
  &kvsql_element_format,
  &kvsql_element_hash,
  &kvsql_element_hex,
  &kvsql_element_hive,
  &kvsql_element_json,
  &kvsql_element_null,
  &kvsql_element_offset,
  &kvsql_element_optional,
  &kvsql_element_ordered,
  &kvsql_element_phoenix,
  &kvsql_element_phoenix_column,
  &kvsql_element_phoenix_decimal,
  &kvsql_element_prefix,
  &kvsql_element_regexp,
  &kvsql_element_reversed,
  &kvsql_element_salt,
  &kvsql_element_seconds,
  &kvsql_element_short,
  &kvsql_element_size,
  &kvsql_element_suffix,
  &kvsql_element_text,
  &kvsql_element_tsdb_offset,
  &kvsql_element_tsdb_value,
  &kvsql_element_unsigned,
  &kvsql_element_uuid,
};

/* These are expanded before elements are compiled. */
static const gchar *const expanded[] = { "attr_name", "attr_value", "each", "map_key", "map_value" };
/* clang-format on */

const KvsqlElementClass *
kvsql_element_class_find (const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_ascii_strcasecmp (classes[i]->name, name) == 0)
      return classes[i];
  return NULL;
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const gchar *const *)a, *(const gchar *const *)b);
}

const gchar *const *
kvsql_element_class_list (void)
{
  static const gchar *names[G_N_ELEMENTS (classes) + G_N_ELEMENTS (expanded) + 1];
  static gsize is_made;

  if (g_once_init_enter (&is_made))
    {
      guint n = 0;

      for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
        names[n++] = classes[i]->name;
      for (guint i = 0; i < G_N_ELEMENTS (expanded); i++)
        names[n++] = expanded[i];
      qsort (names, n, sizeof *names, compare_names);
      g_once_init_leave (&is_made, 1);
    }
  return names;
}
