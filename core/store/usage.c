/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage.c: histograms of durations, and memory limits.
 */
#include "config.h"

#include "core/store/usage.h"

#include "core/base/error.h"

const gint64 kvsql_bucket_bounds_us[KVSQL_N_BUCKETS]
    = { 100, 250, 500, 1000, 2500, 10 * 1000, 25000, 100000, 500000, 2500000, 10000000, 60000000 };

void
kvsql_histogram_add (KvsqlHistogram *self, gint64 duration_us)
{
  guint i = 0;

  while (i < KVSQL_N_BUCKETS && duration_us > kvsql_bucket_bounds_us[i])
    i++;
  kvsql_count_add (&self->buckets[i], 1);
  kvsql_count_add (&self->sum_us, duration_us);
}

const gchar *
kvsql_store_call_get_name (KvsqlStoreCallKind kind)
{
  static const gchar *const names[KVSQL_N_STORE_CALLS] = { "scan", "get", "write", "other" };

  return names[kind];
}

/* ---- limits */

gboolean
kvsql_usage_count_written (KvsqlUsage *self, guint64 n, GError **error)
{
  if (self == NULL || !self->has_max_written)
    return TRUE;
  self->n_written += n;
  if (self->n_written <= self->max_written)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the statement writes more than %" G_GUINT64_FORMAT
                   " tuples, the row limit of role \"%s\"",
                   self->max_written, self->role);
  kvsql_error_sqlstate (error, "53400");
  return kvsql_error_hint (error, "Use LIMIT, or write fewer tuples at once. A role with SUPERUSER "
                                  "may change the limit: ALTER ROLE … ROW LIMIT n.");
}

static gboolean
check_role_memory (const KvsqlUsage *self, gsize used, GError **error)
{
  gsize share;

  if (self->of_role == NULL || kvsql_account_get_used (self->of_role) <= self->max_role_bytes)
    return TRUE;
  share = self->max_role_bytes / (gsize)MAX (kvsql_count_get (self->n_of_role), 1);
  if (used <= share)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "the statements of role \"%s\" together need more than %" G_GSIZE_FORMAT
                   " MiB of memory, and this one has more than its share of %" G_GSIZE_FORMAT
                   " MiB",
                   self->role, self->max_role_bytes >> 20, share >> 20);
  kvsql_error_sqlstate (error, "53200");
  return kvsql_error_hint (error, "Run it when the role has less to do, or narrow it. A role with "
                                  "SUPERUSER may change the limit: ALTER ROLE … MEMORY LIMIT n.");
}

gboolean
kvsql_usage_check_memory (const KvsqlUsage *self, GError **error)
{
  gsize used, share;

  if (self->account == NULL)
    return TRUE;
  used = kvsql_account_get_used (self->account);
  if (self->max_bytes > 0 && used > self->max_bytes)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "the statement needs more than %" G_GSIZE_FORMAT " MiB of memory",
                       self->max_bytes >> 20);
      return kvsql_error_hint (error, "Narrow it, or raise max_statement_memory in the daemon's "
                                      "configuration.");
    }
  if (!check_role_memory (self, used, error))
    return FALSE;
  if (self->max_all_bytes == 0 || kvsql_account_get_used (self->all) <= self->max_all_bytes)
    return TRUE;
  share = (self->max_all_bytes - MIN (self->retained_bytes, self->max_all_bytes))
          / (gsize)MAX (kvsql_count_get (self->n_sharers), 1);
  if (used <= share)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "all statements together need more than %" G_GSIZE_FORMAT
                   " MiB of memory, and this one has more than its share of %" G_GSIZE_FORMAT
                   " MiB",
                   self->max_all_bytes >> 20, share >> 20);
  return kvsql_error_hint (error, "Run it when there is less to do, narrow it, or raise max_memory "
                                  "in the daemon's configuration.");
}
