/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-undecodable-counts.c: the counts of each schema, and the latest samples.
 */
#include "config.h"

#include "daemon/metrics/undecodable-counts.h"

static void
append (const gchar *schema, const KvsqldUndecodableCount *count, gpointer data)
{
  GString *out = data;

  g_string_append_printf (out, "%s %" G_GUINT64_FORMAT ":", schema, count->n);
  for (guint i = 0; i < KVSQL_MAX_SAMPLES; i++)
    if (count->samples[i] != NULL)
      g_string_append_printf (out, " %s", count->samples[i]);
}

static void
test_counts (void)
{
  static const gchar *const first[] = { "a", "b" }, *const next[] = { "b", "c" };
  KvsqldUndecodableCounts *self = kvsqld_undecodable_counts_new ();
  g_autoptr (GString) out = g_string_new (NULL);

  kvsqld_undecodable_counts_add (self, "s", 0, first, 2);
  kvsqld_undecodable_counts_foreach (self, append, out);
  g_assert_cmpstr (out->str, ==, "");
  kvsqld_undecodable_counts_add (self, "s", 5, first, 2);
  kvsqld_undecodable_counts_add (self, "s", 2, next, 2);
  kvsqld_undecodable_counts_foreach (self, append, out);
  g_assert_cmpstr (out->str, ==, "s 7: a b c");
  kvsqld_undecodable_counts_add (self, "t", 1, NULL, 0);
  g_assert_cmpuint (kvsqld_undecodable_counts_sum (self), ==, 8);
  kvsqld_undecodable_counts_free (self);
}

static void
test_latest_samples (void)
{
  KvsqldUndecodableCounts *self = kvsqld_undecodable_counts_new ();
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i <= KVSQL_MAX_SAMPLES; i++)
    {
      g_autofree gchar *sample = g_strdup_printf ("%u", i);
      kvsqld_undecodable_counts_add (self, "s", 1, (const gchar *const *)&sample, 1);
    }
  kvsqld_undecodable_counts_foreach (self, append, out);
  g_assert_null (strstr (out->str, " 0"));
  g_assert_nonnull (strstr (out->str, " 1"));
  kvsqld_undecodable_counts_free (self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/daemon/undecodable-counts/counts", test_counts);
  g_test_add_func ("/daemon/undecodable-counts/latest-samples", test_latest_samples);
  return g_test_run ();
}
