/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * describe-sharing.c: finds the other schemas that may share cells with one.
 *
 * Two schemas that are both written never share cells: the second one was rejected. So the result
 * is about schemas that are only read, such as two relations over one foreign table.
 */
#include "config.h"

#include "core/catalog/proof-schema.h"
#include "core/engine/describe.h"

/* The automata of one pair are limited already. This limits all pairs together. */
#define MAX_MICROSECONDS G_USEC_PER_SEC
#define MAX_LISTED 16

static gboolean
is_written (const KvsqlSchema *schema)
{
  return schema->options.role != KVSQL_ROLE_READ;
}

static void
add_row (KvsqlResultPage *page, const KvsqlSchema *self, const KvsqlSchema *other,
         const gchar *note)
{
  g_autofree gchar *relation = other->relation == self->relation
                                   ? g_strdup ("")
                                   : g_strdup_printf (" of %s", other->relation->name);
  g_autofree gchar *name = g_strdup_printf ("%s%s (%s)", other->name, relation,
                                            is_written (other) ? "written" : "read only");

  kvsql_result_page_add_row (page, (const gchar *[]){ "SHARING", name, note });
}

/* Whether a line was added. */
static gboolean
describe_pair (KvsqlResultPage *page, const KvsqlSchema *self, const KvsqlSchema *other)
{
  g_autofree gchar *address = NULL, *note = NULL;
  KvsqlSharing sharing;

  if (is_written (self) && is_written (other))
    return FALSE;
  if (!kvsql_schema_find_shared (self, other, &sharing, &address, NULL))
    note = g_strdup ("it could not be excluded that they share cells: the layouts are too complex");
  else if (sharing == KVSQL_SHARING_POSSIBLE)
    note = g_strdup ("it could not be excluded that they share cells; a search found none");
  else if (address != NULL)
    note = g_strdup_printf ("may share cells%s, such as %s",
                            is_written (other) ? ", for this schema is only read" : "", address);
  if (note != NULL)
    add_row (page, self, other, note);
  return note != NULL;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp ((*(KvsqlSchema *const *)a)->name, (*(KvsqlSchema *const *)b)->name);
}

void
kvsql_describe_sharing (KvsqlResultPage *page, const KvsqlSchema *schema)
{
  g_autoptr (GPtrArray) others = g_ptr_array_copy (schema->neighbours, NULL, NULL);
  gint64 end = g_get_monotonic_time () + MAX_MICROSECONDS;
  guint n_listed = 0;

  g_ptr_array_sort (others, compare_names);
  for (guint i = 0; i < others->len; i++)
    {
      if (n_listed == MAX_LISTED || g_get_monotonic_time () > end)
        {
          g_autofree gchar *rest = g_strdup_printf ("%u more were not examined", others->len - i);
          kvsql_result_page_add_row (page, (const gchar *[]){ "SHARING", "", rest });
          return;
        }
      n_listed += describe_pair (page, schema, others->pdata[i]);
    }
  if (n_listed == 0)
    kvsql_result_page_add_row (
        page, (const gchar *[]){ "SHARING", "", "shares cells with no other schema" });
}
