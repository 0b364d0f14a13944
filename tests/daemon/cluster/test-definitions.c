/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-definitions.c: a daemon uses what it has committed, even if the statement was cancelled
 * after the commit.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "core/sql/ast-definition.h"
#include "daemon/cluster/definitions.h"
#include "tests/size.h"

#define MAX_DELAY_US 600

static gpointer
cancel_soon (gpointer data)
{
  g_usleep ((gulong)g_test_rand_int_range (0, MAX_DELAY_US));
  g_cancellable_cancel (data);
  return NULL;
}

/* TRUE: the change was committed. */
static gboolean
commit_and_cancel (KvsqldDefinitions *definitions, guint number)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (definitions), after = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree gchar *text = g_strdup_printf ("DEFINE RELATION r%u { k INT KEY }", number);
  g_autofree gchar *name = g_strdup_printf ("r%u", number);
  const KvsqlName relation = { .text = name };
  const KvsqlDefinitionChange change
      = { .kind = KVSQL_DEFINITION_RELATION, .name = name, .text = text };
  const KvsqlCall call = { .deadline_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC,
                           .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  gboolean is_committed
      = kvsqld_definitions_commit (definitions, catalog, &change, 1, NULL, &call, &error);

  g_thread_join (thread);
  after = kvsqld_definitions_get (definitions);
  if (is_committed)
    g_assert_nonnull (kvsql_catalog_lookup (after, &relation));
  return is_committed;
}

static void
test_cancelled (void)
{
  g_autofree gchar *folder = g_dir_make_tmp ("kvsql-definitions-XXXXXX", NULL);
  g_autofree gchar *url = g_strconcat ("local://", folder, "/registry", NULL);
  g_autoptr (GError) error = NULL;
  KvsqldDefinitions *definitions = kvsqld_definitions_new (url, &error);
  guint n_committed = 0, n = test_size (300, 100);
  g_autofree gchar *removal = g_strdup_printf ("rm -rf '%s'", folder);

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    n_committed += commit_and_cancel (definitions, i);
  g_test_message ("%u of %u committed", n_committed, n);
  kvsqld_definitions_free (definitions);
  g_assert_cmpint (system (removal), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/definitions/cancelled", test_cancelled);
  return g_test_run ();
}
