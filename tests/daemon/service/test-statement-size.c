/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-statement-size.c: if any part of a statement is repeated, 100 times or a million times, its
 * time and memory grow in proportion, and its deadline, KILL and its memory limit work.
 *
 * Each construct of statement-constructs.c is run, and in another round explained or prepared. Time
 * is the processor's time of this thread, so other load does not matter. Memory is the peak of the
 * process. In `make check` a random sample of 15 s is taken; KVSQL_STATEMENT_SIZE_SECONDS sets a
 * longer time, or "all" for each construct in each mode (tests/fuzz/statement-size).
 */
#include "config.h"

#include "daemon/metrics/trim.h"
#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"
#include "tests/daemon/service/statement-constructs.h"
#include "tests/harness/assert.h"
#include "tests/size.h"

#include <malloc.h>
#include <pthread.h>
#include <time.h>

#define SMALL_N 10000
#define N_EARLY_ENDS 5
#define N_MEASURED                                                                                 \
  4 /* times, before a statement is reported: caches are shared with other programs */
#define MAX_FACTOR 15 /* for ten times the size */
#define MAX_STATEMENT (4 * 1024 * 1024 - 1024)
#define N_PARAMETERS 65535
/* Shorter times depend on other things. */
#define LEAST_US (10 * 1000)
#define LEAST_BYTES (8 << 20)
/* The longest time that a statement may go on after it should have ended. */
#define GRACE_US (100 * 1000)
#define FEW_BYTES (8 << 20)
#define GRACE_BYTES (40 << 20) /* copies of the text, and other memory of a request */

typedef struct
{
  ServiceFixture fixture;
  KvsqlValue *parameters;
  GString *failures; /* one a line */
} Fuzz;

typedef enum
{
  RUN,
  PREPARE,
  EXPLAIN,
  EXPLAIN_JSON,
  EXPLAIN_CALLS,
  EXPLAIN_DOT,
  N_MODES,
} Mode;

static const gchar *const prefixes[N_MODES] = {
  "", "", "EXPLAIN ", "EXPLAIN (FORMAT JSON) ", "EXPLAIN (CALLS) ", "EXPLAIN (FORMAT DOT) ",
};
static const gchar *const mode_names[N_MODES] = {
  "run", "prepare", "explain", "explain-json", "explain-calls", "explain-dot",
};

/* Sanitizers need time and memory of their own. Quadratic growth is found with them, too. */
static gint64
loosen (gint64 bound, gint64 factor)
{
  const gchar *flags = g_getenv ("KVSQL_TEST_SANITIZERS");

  return flags != NULL && *flags != '\0' ? bound * factor : bound;
}

/* ---- time and memory */

static gint64
get_clock_us (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static gint64
get_status (const gchar *key)
{
  g_autofree gchar *status = NULL;
  const gchar *found;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  found = strstr (status, key);
  return found == NULL ? 0 : g_ascii_strtoll (found + strlen (key), NULL, 10) * 1024;
}

/* Resets the peak to the present memory. FALSE: this system has no such function. */
static gboolean
reset_peak (void)
{
  FILE *file = fopen ("/proc/self/clear_refs", "w");
  gboolean ok = file != NULL && fputs ("5", file) >= 0;

  return file != NULL && fclose (file) == 0 && ok;
}

typedef struct
{
  gint64 cpu_us;
  gint64 bytes;
  gboolean ok;
  gint code; /* of the error, if it fails */
} Cost;

/* ---- a statement */

static guint
count_parameters (const gchar *sql)
{
  guint n = 0;

  for (const gchar *at = sql; n < N_PARAMETERS && *at != '\0'; at++)
    n += *at == '?';
  if (n == 0 && strstr (sql, ":a1 ") != NULL)
    while (n < N_PARAMETERS && *sql != '\0')
      n += *sql++ == ':';
  /* in a definition a colon joins elements */
  return n > 0 ? n : strstr (sql, ":a,") != NULL && !g_str_has_prefix (sql, "DEFINE");
}

static gboolean
run_mode (Fuzz *self, Mode mode, const KvsqldRequest *request, const gchar *sql, GError **error)
{
  KvsqldService *service = self->fixture.service;

  if (mode == PREPARE)
    {
      KvsqldPrepared *prepared
          = kvsqld_service_prepare (service, request, kvsql_slice_from_text (sql), error);
      if (prepared != NULL)
        ignore_result (kvsqld_service_close_statement (service, request, prepared->id, NULL));
      g_clear_pointer (&prepared, kvsqld_prepared_free);
      return *error == NULL;
    }
  else
    {
      g_autofree gchar *whole = g_strconcat (prefixes[mode], sql, NULL);
      g_autoptr (KvsqlResultPage) page
          = kvsqld_service_query (service, request, kvsql_slice_from_text (whole), self->parameters,
                                  count_parameters (sql), error);
      return page != NULL;
    }
}

static void
undo (Fuzz *self, const StatementConstruct *construct)
{
  g_autofree gchar *undone
      = construct->undo == NULL ? NULL : service_fixture_run (&self->fixture, construct->undo);
}

static Cost
measure (Fuzz *self, const StatementConstruct *construct, Mode mode, const KvsqldRequest *request,
         const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  gint64 began_us, before;
  gboolean has_peak;
  Cost cost;

  malloc_trim (0);
  has_peak = reset_peak ();
  before = get_status ("VmRSS:");
  began_us = get_clock_us (CLOCK_THREAD_CPUTIME_ID);
  cost.ok = run_mode (self, mode, request, sql, &error);
  cost.cpu_us = get_clock_us (CLOCK_THREAD_CPUTIME_ID) - began_us;
  cost.bytes = has_peak ? get_status ("VmHWM:") - before : 0;
  cost.code = cost.ok ? 0 : error->code;
  undo (self, construct);
  return cost;
}

static void G_GNUC_PRINTF (5, 6) report (Fuzz *self, const StatementConstruct *construct, Mode mode,
                                         guint n, const gchar *format, ...)
{
  const struct mallinfo2 info = mallinfo2 ();
  g_autofree gchar *text = NULL;
  va_list arguments;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_test_message ("%s, %s, %u times: %s", construct->name, mode_names[mode], n, text);
  g_string_append_printf (self->failures,
                          "%s, %s, %u times: %s; now %.1f of %.1f MiB of the heap are in use, and "
                          "%.1f MiB in blocks of their own\n",
                          construct->name, mode_names[mode], n, text, info.uordblks / 1048576.0,
                          info.arena / 1048576.0, info.hblkhd / 1048576.0);
}

/* ---- what has to hold */

static gboolean
is_in_proportion (Fuzz *self, const StatementConstruct *construct, Mode mode, guint small_n,
                  guint large_n, Cost *out_large)
{
  g_autofree gchar *small_sql = statement_construct_repeat (construct, small_n);
  g_autofree gchar *large_sql = statement_construct_repeat (construct, large_n);
  gdouble factor = (gdouble)loosen (MAX_FACTOR, 4) * large_n / small_n / 10;
  Cost small = { 0 }, large = { 0 };

  for (guint i = 0; i < N_MEASURED; i++)
    {
      Cost one = measure (self, construct, mode, NULL, small_sql);
      Cost ten = measure (self, construct, mode, NULL, large_sql);

      small.cpu_us = MAX (small.cpu_us, MAX (one.cpu_us, LEAST_US));
      small.bytes = MAX (small.bytes, MAX (one.bytes, LEAST_BYTES));
      if (i > 0)
        ten.cpu_us = MIN (ten.cpu_us, large.cpu_us);
      if (i > 0)
        ten.bytes = MIN (ten.bytes, large.bytes);
      *out_large = large = ten;
      if ((!one.ok && one.code == KVSQL_ERROR_DEADLINE)
          || (large.cpu_us <= small.cpu_us * factor && large.bytes <= small.bytes * factor))
        return TRUE;
    }
  report (self, construct, mode, large_n,
          "%.1f ms and %.1f MiB, but %.1f ms and %.1f MiB for %u of them", large.cpu_us / 1e3,
          large.bytes / 1048576.0, small.cpu_us / 1e3, small.bytes / 1048576.0, small_n);
  return FALSE;
}

static gint64
get_grace_us (void)
{
  return loosen (GRACE_US, 20);
}

static void
check_deadline (Fuzz *self, const StatementConstruct *construct, Mode mode, guint n,
                const gchar *sql, const Cost *whole)
{
  gint64 timeout_ms = MAX (1, g_test_rand_double_range (0.02, 0.9) * whole->cpu_us / 1000);
  KvsqldRequest request = { .timeout_ms = timeout_ms };
  Cost cost;

  for (guint i = 0; i < N_MEASURED; i++)
    {
      cost = measure (self, construct, mode, &request, sql);
      if (cost.cpu_us <= timeout_ms * 1000 + get_grace_us ())
        return;
    }
  report (self, construct, mode, n, "deadline of %d ms, ended after %.1f ms", (gint)timeout_ms,
          cost.cpu_us / 1e3);
}

/* Ends the statement at several places, to find code that expects whole results. */
static void
check_early_ends (Fuzz *self, const StatementConstruct *construct, Mode mode)
{
  g_autofree gchar *sql = statement_construct_repeat (construct, SMALL_N);
  Cost whole = measure (self, construct, mode, NULL, sql);

  for (guint i = 0; i < N_EARLY_ENDS; i++)
    {
      KvsqldRequest request
          = { .timeout_ms = MAX (1, g_test_rand_double_range (0, 1) * whole.cpu_us / 1000) };

      measure (self, construct, mode, &request, sql);
    }
}

/* ---- KILL */

typedef struct
{
  GCancellable *cancellable;
  clockid_t clock; /* of the statement's thread */
  gint64 at_us;
  gint64 killed_us; /* 0: the statement ended before */
  gint is_over;     /* atomic */
} Killer;

static gpointer
kill_statement (gpointer data)
{
  Killer *self = data;

  while (get_clock_us (self->clock) < self->at_us && !g_atomic_int_get (&self->is_over))
    g_usleep (500);
  if (!g_atomic_int_get (&self->is_over))
    {
      g_cancellable_cancel (self->cancellable);
      self->killed_us = get_clock_us (self->clock);
    }
  return NULL;
}

/* The time from KILL to the end; 0: it had ended before. */
static gint64
measure_kill (Fuzz *self, const StatementConstruct *construct, Mode mode, const gchar *sql,
              gint64 after_us)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  KvsqldRequest request = { .cancellable = cancellable };
  Killer killer = { .cancellable = cancellable };
  gint64 ended_us;
  GThread *thread;

  g_assert_cmpint (pthread_getcpuclockid (pthread_self (), &killer.clock), ==, 0);
  killer.at_us = get_clock_us (killer.clock) + after_us;
  thread = g_thread_new ("killer", kill_statement, &killer);
  measure (self, construct, mode, &request, sql);
  ended_us = get_clock_us (killer.clock);
  g_atomic_int_set (&killer.is_over, TRUE);
  g_thread_join (thread);
  return killer.killed_us > 0 ? ended_us - killer.killed_us : 0;
}

static void
check_kill (Fuzz *self, const StatementConstruct *construct, Mode mode, guint n, const gchar *sql,
            const Cost *whole)
{
  gint64 after_us = g_test_rand_double_range (0.02, 0.9) * whole->cpu_us, took_us;

  for (guint i = 0; i < N_MEASURED; i++)
    {
      took_us = measure_kill (self, construct, mode, sql, after_us);
      if (took_us <= get_grace_us ())
        return;
    }
  report (self, construct, mode, n, "killed, ended %.1f ms later", took_us / 1e3);
}

/* ---- memory */

static void
check_memory (Fuzz *self, const StatementConstruct *construct, Mode mode, guint n, const gchar *sql)
{
  const gint64 most = FEW_BYTES + loosen (GRACE_BYTES, 8);
  KvsqldServiceLimits limits = { .max_statement_memory = FEW_BYTES };
  Cost cost;

  kvsqld_service_set_limits (self->fixture.service, &limits);
  for (guint i = 0; i < N_MEASURED; i++)
    {
      cost = measure (self, construct, mode, NULL, sql);
      if (cost.bytes <= most)
        break;
    }
  kvsqld_service_set_limits (self->fixture.service, &self->fixture.limits);
  if (cost.bytes > most)
    report (self, construct, mode, n, "may have %d MiB, took %.1f MiB", FEW_BYTES >> 20,
            cost.bytes / 1048576.0);
}

/* ---- the sizes */

static void
check_construct (Fuzz *self, const StatementConstruct *construct, Mode mode)
{
  guint most = statement_construct_count_fitting (construct, MAX_STATEMENT), n = SMALL_N;
  Cost cost = { 0 };

  for (guint small = 100; small < SMALL_N; small *= 10)
    {
      g_autofree gchar *sql = statement_construct_repeat (construct, small);
      measure (self, construct, mode, NULL, sql);
    }
  if (SMALL_N < most)
    check_early_ends (self, construct, mode);
  for (guint next; n * 2 < most; n = next)
    {
      next = MIN (n * 10, most);
      if (!is_in_proportion (self, construct, mode, n, next, &cost))
        break;
    }
  if (cost.cpu_us > GRACE_US)
    {
      g_autofree gchar *sql = statement_construct_repeat (construct, n);

      check_deadline (self, construct, mode, n, sql, &cost);
      check_kill (self, construct, mode, n, sql, &cost);
    }
  if (cost.bytes > FEW_BYTES + GRACE_BYTES)
    {
      g_autofree gchar *sql = statement_construct_repeat (construct, n);

      check_memory (self, construct, mode, n, sql);
    }
}

static void
fuzz_open (Fuzz *self)
{
  self->failures = g_string_new (NULL);
  service_fixture_open (&self->fixture, NULL);
  service_fixture_script (&self->fixture, statement_construct_definitions);
  self->parameters = g_new (KvsqlValue, N_PARAMETERS);
  for (guint i = 0; i < N_PARAMETERS; i++)
    self->parameters[i] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = i };
}

/* The statements have changed nothing. */
static void
fuzz_close (Fuzz *self)
{
  service_fixture_assert (&self->fixture, "SELECT count(*) FROM r", "3");
  service_fixture_assert (&self->fixture, "SELECT count(*) FROM q", "2");
  service_fixture_close (&self->fixture);
  g_free (self->parameters);
  g_assert_cmpstr (self->failures->str, ==, "");
  g_string_free (self->failures, TRUE);
}

/* The numbers below @n in a random order, owned by the caller. */
static guint *
shuffle (guint n)
{
  guint *order = g_new (guint, n);

  for (guint i = 0; i < n; i++)
    {
      guint at = (guint)g_test_rand_int_range (0, (gint)i + 1);

      order[i] = order[at];
      order[at] = i;
    }
  return order;
}

/* Otherwise a typing error would leave a construct without a test: all its sizes would only meet
 * the same error, early. */
static void
test_small (void)
{
  g_autoptr (GString) wrong = g_string_new (NULL);
  Fuzz fuzz = { 0 };

  fuzz_open (&fuzz);
  for (guint i = 0; i < n_statement_constructs; i++)
    {
      const StatementConstruct *construct = &statement_constructs[i];
      g_autofree gchar *sql = statement_construct_repeat (construct, 3);
      g_autoptr (GError) error = NULL;

      ignore_result (run_mode (&fuzz, RUN, NULL, sql, &error));
      undo (&fuzz, construct);
      if ((error == NULL ? 0 : error->code) != construct->error)
        g_string_append_printf (wrong, "%s: %s: %d %s\n", construct->name, sql,
                                error == NULL ? 0 : error->code,
                                error == NULL ? "succeeds" : error->message);
    }
  fuzz_close (&fuzz);
  g_assert_cmpstr (wrong->str, ==, "");
}

/* The constructs in their modes, in a random order. */
typedef struct
{
  guint *order; /* numbers of pairs */
  guint n;
  guint n_modes; /* of a construct */
} Plan;

/* @is_whole: each construct in each mode; otherwise each is run, and in another round explained or
 * prepared. */
static Plan
make_plan (gboolean is_whole)
{
  Plan self = { .n_modes = is_whole ? N_MODES : 2 };

  self.n = self.n_modes * n_statement_constructs;
  self.order = shuffle (self.n);
  return self;
}

static Mode
choose_mode (const Plan *self, guint number)
{
  Mode mode = (Mode)(number % self->n_modes);

  return self->n_modes == N_MODES || mode == RUN ? mode
                                                 : (Mode)g_test_rand_int_range (RUN + 1, N_MODES);
}

static void
check_pair (Fuzz *fuzz, const StatementConstruct *construct, Mode mode)
{
  gint64 began_us = get_clock_us (CLOCK_THREAD_CPUTIME_ID);

  check_construct (fuzz, construct, mode);
  if (g_test_verbose ())
    g_test_message ("%s, %s: %.0f ms", construct->name, mode_names[mode],
                    (get_clock_us (CLOCK_THREAD_CPUTIME_ID) - began_us) / 1e3);
}

static void
test_large (void)
{
  const gchar *wanted = g_getenv ("KVSQL_STATEMENT_SIZE_SECONDS"),
              *only = g_getenv ("KVSQL_STATEMENT_SIZE_ONLY");
  gboolean is_whole = g_strcmp0 (wanted, "all") == 0;
  gint64 seconds = wanted == NULL ? 15 : g_ascii_strtoll (wanted, NULL, 10);
  gint64 end_us = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
  Plan plan = make_plan (is_whole);
  guint n_met = 0, n_wanted = 0;
  Fuzz fuzz = { 0 };

  fuzz_open (&fuzz);
  for (guint i = 0; i < plan.n; i++)
    {
      const StatementConstruct *construct = &statement_constructs[plan.order[i] / plan.n_modes];

      if (only != NULL && !g_str_equal (only, construct->name))
        continue;
      n_wanted++;
      if (!is_whole && g_get_monotonic_time () >= end_us)
        continue;
      check_pair (&fuzz, construct, choose_mode (&plan, plan.order[i]));
      n_met++;
    }
  g_free (plan.order);
  g_test_message ("%u of %u pairs of construct and mode were met", n_met, n_wanted);
  g_assert_cmpuint (n_wanted, >, 0);
  fuzz_close (&fuzz);
}

int
main (int argc, char **argv)
{
  /* as in the daemon: what is measured must not depend on the blocks that were freed before */
  kvsqld_trim_configure ();
#ifdef __GLIBC__
  mallopt (M_PERTURB, 0); /* `make check` sets it: freed pages would be written, so in RAM again */
#endif
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/service/statement-size/small", test_small);
  g_test_add_func ("/service/statement-size/large", test_large);
  return g_test_run ();
}
