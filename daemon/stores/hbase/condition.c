/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * condition.c: mutations with a condition, and how it becomes certain whether they were applied.
 *
 * The gateway is a client of HBase that repeats a checkAndMutate if a region server does not answer
 * in time. If the first one was applied, the second one finds the new value, and the gateway
 * answers "false". An answer can also be lost between the gateway and this process. In both cases
 * the answer is unverified, and the row is read (trace.h): if the request was applied, its
 * timestamp is in the row. If nothing has changed, the same request is sent again with the same
 * timestamp: however often it is applied, the effect is the same.
 *
 * A "false" needs no verification if it arrived sooner than the gateway can have repeated a
 * request: it waits for hbase.client.pause before a repetition. So ordinary races, which are
 * frequent, cost no extra read.
 */
#include "config.h"

#include "daemon/stores/hbase/store.h"
#include "daemon/stores/hbase/trace.h"

/* For calls without a deadline. */
#define MAX_UNVERIFIED_US (10 * G_USEC_PER_SEC)
#define MIN_PAUSE_US (20 * G_TIME_SPAN_MILLISECOND)
#define MAX_PAUSE_US (G_USEC_PER_SEC / 2)

typedef struct
{
  KvsqldHbaseStore *store;
  const KvsqlCheck *check;
  const KvsqlCall *call;
  KvsqlSlice table; /* full name of the table */
  KvsqlRowMutation row;
  KvsqldT2Writer request; /* reused */
  KvsqldT2Reply reply;
  gint64 unverified_us; /* time since the answer is unverified; 0: it is not */
  gint64 pause_us;      /* before the next read of the row */
} Condition;

typedef enum
{
  APPLIED,
  NOT_APPLIED,
  AGAIN,      /* send the same request again */
  UNVERIFIED, /* the row has to be read */
  FAILED,     /* nothing was done, or the outcome stays unknown: the error says which */
} Verdict;

/* ---- request */

/* The answer took less time than the gateway's pause: it has not sent the request to HBase
 * twice. */
static gboolean
is_prompt (const Condition *self)
{
  return self->reply.served_us < self->store->pause_us - self->store->pause_us / 10;
}

static Verdict
fail_unverified (const gchar *reason, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_OUTCOME, KVSQL_SPAN_NONE,
                   "the write may or may not have been done: %s", reason);
  kvsql_error_hint (error, "Read the data before you repeat the statement.");
  return FAILED;
}

static Verdict
ask (Condition *self, GError **error)
{
  /* HBase compares an empty cell and an absent cell as equal. */
  KvsqlSlice expected
      = self->check->kind == KVSQL_CHECK_ABSENT ? KVSQL_SLICE_EMPTY : self->check->value;
  GError *failure = NULL;

  kvsqld_t2_write_check_and_mutate (&self->request, self->check, self->table, expected, &self->row);
  /* Without a mark the row cannot verify the answer: wait for it as long as possible. */
  self->request.uses_full_deadline = self->check->mark == 0;
  if (kvsqld_hbase_request (self->store, &kvsqld_t2_check_and_mutate, &self->request, self->table,
                            self->call, &self->reply, &failure))
    {
      if (self->reply.boolean)
        return APPLIED;
      if (self->unverified_us == 0 && is_prompt (self))
        return NOT_APPLIED;
      fail_unverified ("HBase's Thrift server may have repeated the request, and found what it had "
                       "written",
                       error);
      return UNVERIFIED;
    }
  if (self->unverified_us == 0
      && !g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    {
      g_propagate_error (error, failure);
      return FAILED;
    }
  g_propagate_error (error, failure);
  return UNVERIFIED;
}

/* ---- verification */

static gboolean
read_row (Condition *self, GError **error)
{
  self->request.uses_full_deadline = FALSE;
  return kvsqld_hbase_request (self->store, &kvsqld_t2_get, &self->request, self->table, self->call,
                               &self->reply, error);
}

/* The families of the mutations: a read of all versions cannot select columns. */
static guint
list_families (const Condition *self, KvsqlColumn *out)
{
  guint n = 0;

  for (guint i = 0; i < self->row.n_cells; i++)
    {
      KvsqlSlice family = self->row.cells[i].family;
      guint at = 0;

      /* A deletion of the whole row affects all families. */
      if (family.size == 0)
        return 0;
      while (at < n && !kvsql_slice_equal (out[at].family, family))
        at++;
      if (at == n)
        out[n++] = (KvsqlColumn){ .family = family, .whole_family = TRUE };
    }
  return n;
}

/* Whether the compared cell still has the expected value. */
static gboolean
read_compared (Condition *self, gboolean *out_is_same, GError **error)
{
  const KvsqlCheck *check = self->check;
  const KvsqlColumn column = { .family = check->family, .qualifier = check->qualifier };
  KvsqlSlice value = KVSQL_SLICE_EMPTY;

  kvsqld_t2_write_get (&self->request, self->table, check->row, &column, 1, NULL,
                       KVSQL_SLICE_EMPTY);
  if (!read_row (self, error))
    return FALSE;
  if (self->reply.rows.n_cells > 0)
    value = self->reply.rows.cells[0].value;
  *out_is_same = check->kind == KVSQL_CHECK_ABSENT ? value.size == 0
                                                   : kvsql_slice_equal (value, check->value);
  return TRUE;
}

static gboolean
read_trace (Condition *self, KvsqldTrace *out, GError **error)
{
  g_autofree KvsqlColumn *families = g_new (KvsqlColumn, self->row.n_cells);
  guint n_families = list_families (self, families);
  gboolean is_read;

  kvsqld_t2_write_get_history (&self->request, self->table, self->check->row, families, n_families,
                               kvsqld_hbase_trace_since (self->check));
  self->reply.types = g_byte_array_new ();
  is_read = read_row (self, error);
  if (is_read)
    *out = kvsqld_hbase_trace (self->check, &self->row, &self->reply);
  g_clear_pointer (&self->reply.types, g_byte_array_unref);
  return is_read;
}

/* The cell is read first: if it has changed, and the trace that is read afterwards contains no
 * change of this request, another writer was the reason for "false". */
static Verdict
verify (Condition *self, GError **error)
{
  gboolean is_same;
  KvsqldTrace trace;

  if (!read_compared (self, &is_same, error) || !read_trace (self, &trace, error))
    return UNVERIFIED;
  switch (trace)
    {
    case KVSQLD_TRACE_FOUND:
      return APPLIED;
    case KVSQLD_TRACE_NONE:
      return is_same ? AGAIN : NOT_APPLIED;
    case KVSQLD_TRACE_COVERED:
    default:
      return FAILED;
    }
}

static gboolean
has_time (const Condition *self)
{
  gint64 limit_us = self->call->deadline_us > 0 ? self->call->deadline_us
                                                : self->unverified_us + MAX_UNVERIFIED_US;

  return g_get_monotonic_time () < limit_us
         && !g_cancellable_is_cancelled (self->call->cancellable);
}

static void
pause_longer (Condition *self)
{
  kvsqld_hbase_pause (self->pause_us, self->call);
  self->pause_us = MIN (MAX (self->pause_us * 2, MIN_PAUSE_US), MAX_PAUSE_US);
}

/* Repeats until the outcome is known or the time is over. An unreachable gateway may come back. */
static Verdict
verify_until_known (Condition *self)
{
  Verdict verdict = UNVERIFIED;

  while (verdict == UNVERIFIED && has_time (self))
    {
      pause_longer (self);
      verdict = verify (self, NULL);
    }
  return verdict == UNVERIFIED ? FAILED : verdict;
}

static Verdict
decide (Condition *self, GError **error)
{
  g_autoptr (GError) first_failure = NULL;

  for (;;)
    {
      GError *failure = NULL;
      Verdict verdict = ask (self, &failure);

      if (verdict != UNVERIFIED)
        {
          if (failure != NULL)
            g_propagate_error (error, failure);
          return verdict;
        }
      if (first_failure == NULL)
        first_failure = failure;
      else
        g_error_free (failure);
      if (self->unverified_us == 0)
        self->unverified_us = g_get_monotonic_time ();
      verdict = self->check->mark != 0 ? verify_until_known (self) : FAILED;
      g_atomic_int_inc (&self->store->counters.n_unverified);
      if (verdict == APPLIED || verdict == NOT_APPLIED)
        return verdict;
      if (verdict == FAILED || !has_time (self))
        break;
    }
  g_propagate_error (error, g_steal_pointer (&first_failure));
  return FAILED;
}

gboolean
kvsqld_hbase_check_and_apply (KvsqlStore *store, const KvsqlCheck *check,
                              const KvsqlCellMutation *cells, guint n_cells, const KvsqlCall *call,
                              gboolean *out_applied, GError **error)
{
  static const KvsqlCall endless = { 0 };
  Condition self = {
    .store = (KvsqldHbaseStore *)store,
    .check = check,
    .call = call ?: &endless,
    .row = { .table = check->table, .row = check->row, .cells = cells, .n_cells = n_cells },
  };
  g_autofree gchar *owned = NULL;
  Verdict verdict = FAILED;

  self.table = kvsqld_hbase_full_name (self.store, check->table, &owned);
  if (!kvsqld_hbase_learn_transport (self.store, call, error)
      || !kvsqld_hbase_check_row (&self.store->parent, &self.row, error))
    return FALSE;
  if (kvsqld_hbase_begin (self.store, &self.request, call, error))
    verdict = decide (&self, error);
  kvsqld_t2_writer_clear (&self.request);
  kvsqld_t2_reply_clear (&self.reply);
  *out_applied = verdict == APPLIED;
  return verdict != FAILED;
}
