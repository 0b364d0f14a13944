/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-size.c: conditions of thousands of terms are parsed and planned in little time and memory,
 * and the deadline is looked at all the time: little memory is allocated between two checks.
 *
 * The test measures the processor time of this thread. Other load makes that longer, too, as it
 * takes the caches: one of some runs has to be fast.
 */
#include "config.h"

#include "core/base/account.h"
#include "core/base/interrupt.h"
#include "core/plan/select-plan.h"
#include "core/plan/select-planner.h"
#include "core/sql/parser.h"
#include "tests/size.h"

#include <time.h>

#define N_TERMS 10000
#define N_RUNS 20
/* What is promised of an optimized build, and what at least shows that no time is quadratic. */
#define PROMISED_MS 200
#define LOOSE_MS 1000
#define MAX_BYTES (128 * 1024 * 1024)
#define MAX_BYTES_UNCHECKED (4 * 1024 * 1024)

typedef struct
{
  const gchar *name;
  const gchar *begin;
  const gchar *term; /* each %u is a number: of this term, of the next … */
  const gchar *joint;
  const gchar *end;
} Case;

static const Case cases[] = {
  { "and", "", "(k <> %u)", " AND ", "" },
  { "and-of-bounds", "", "(k > -%u)", " AND ", "" },
  { "or", "", "k = %u", " OR ", "" },
  { "or-text", "", "s = 'x%u'", " OR ", "" },
  { "or-two-attributes", "", "k = %u OR v = %u", " OR ", "" },
  { "or-of-ranges", "", "k > %u5 AND k < %u7", " OR ", "" },
  { "or-of-pairs", "", "(k = %u AND v = %u)", " OR ", "" },
  { "and-of-pairs", "", "(k = %u OR v = %u)", " AND ", "" },
  { "and-of-not-in", "", "(k NOT IN (%u, %u) OR v = %u)", " AND ", "" },
  { "not", "NOT (", "k = %u", " OR ", ")" },
  { "in", "k IN (", "%u7", ", ", ")" },
  { "in-backwards", "k IN (", "-%u", ", ", ")" },
  { "not-in", "k NOT IN (", "%u", ", ", ")" },
  { "in-and-not-in", "k IN (1, 2, 3) AND k NOT IN (", "%u", ", ", ")" },
  { "between", "", "k BETWEEN %u1 AND %u8", " OR ", "" },
  { "not-between", "", "k NOT BETWEEN %u1 AND %u8", " AND ", "" },
  { "like", "", "s LIKE 'a%u%%'", " OR ", "" },
  { "not-like", "", "s NOT LIKE 'a%u%%'", " AND ", "" },
  { "any", "k = ANY (ARRAY[", "%u", ", ", "])" },
  { "any-less", "k < ANY (ARRAY[", "%u", ", ", "])" },
  { "all-greater", "k > ALL (ARRAY[", "%u", ", ", "])" },
  { "rows", "(k, v) IN (", "(%u, %u)", ", ", ")" },
  { "is-null", "", "v IS NULL OR v = %u", " OR ", "" },
  { "expressions", "", "k + v = %u", " OR ", "" },
  { "mixed", "", "(k = %u AND s <> 'a%u' OR v BETWEEN %u AND 7 AND s LIKE 'b%u%%')", " OR ", "" },
  { "mixed-and", "", "(k <> %u OR s = 'a%u' AND v IN (1, %u)) AND s NOT LIKE 'b%u%%'", " AND ",
    "" },
};

static KvsqlCatalog *
make_catalog (void)
{
  static const gchar *const definitions[] = {
    "DEFINE RELATION r { k BIGINT KEY, s STRING, v INT, w INT }",
    "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', "
    "QUALIFIER attr_name[], VALUE attr_value[] }",
    "DEFINE SCHEMA by_s FOR r { TABLE 'x', ROW suffix(x'00'){s}:ordered{k}, FAMILY 'f', VALUE w }",
    "DEFINE SCHEMA by_hash FOR r { TABLE 'h', ROW hash(2){k}:ordered{k}, FAMILY 'f', "
    "VALUE ordered{v}:size{s}:w }",
  };
  KvsqlCatalog *catalog = kvsql_catalog_new (1);

  for (guint i = 0; i < G_N_ELEMENTS (definitions); i++)
    kvsql_catalog_add_definition (catalog, NULL, definitions[i]);
  for (guint i = 0; i < catalog->load_errors->len; i++)
    g_error ("%s", (const gchar *)catalog->load_errors->pdata[i]);
  return catalog;
}

/* The term with numbers in place of %u. */
static void
append_term (GString *out, const gchar *term, guint number)
{
  for (; *term != '\0'; term++)
    if (term[0] == '%' && term[1] == 'u')
      {
        g_string_append_printf (out, "%u", number++);
        term++;
      }
    else if (term[0] == '%' && term[1] == '%')
      {
        g_string_append_c (out, '%');
        term++;
      }
    else
      g_string_append_c (out, *term);
}

static gchar *
make_statement (const Case *c, guint n)
{
  GString *text = g_string_new ("SELECT * FROM r WHERE ");

  g_string_append (text, c->begin);
  for (guint i = 0; i < n; i++)
    {
      g_string_append (text, i > 0 ? c->joint : "");
      append_term (text, c->term, i + 1);
    }
  g_string_append (text, c->end);
  return g_string_free (text, FALSE);
}

static gint64
get_thread_time_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

/* The bytes of an arena at the last check of the deadline, and the most between two of them. */
typedef struct
{
  const KvsqlArena *arena;
  gsize last, most;
} Checks;

static gboolean
note_check (gconstpointer data, GError **error)
{
  Checks *self = (Checks *)data;
  gsize now = kvsql_arena_get_size (self->arena);

  self->most = MAX (self->most, now - self->last);
  self->last = now;
  return TRUE;
}

static guint
get_limit_ms (void)
{
#ifdef __OPTIMIZE__
  return test_size (PROMISED_MS, LOOSE_MS); /* small: with a sanitizer */
#else
  return LOOSE_MS;
#endif
}

/* Parses and plans a statement. Returns the time that it took. */
static gint64
measure_ms (const KvsqlCatalog *catalog, const gchar *sql)
{
  g_autoptr (KvsqlAccount) account = kvsql_account_new (NULL);
  KvsqlAccount *outer = kvsql_account_enter (account);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlStoreCapabilities capabilities = { .costs = KVSQL_USUAL_STORE_COSTS (1) };
  KvsqlBinder binder = { .arena = arena };
  const KvsqlAstStatement *statement;
  const KvsqlSelectPlan *plan;
  gint64 began_us = get_thread_time_us (), took_ms;
  Checks checks = { .arena = arena };
  KvsqlInterrupt interrupt;

  kvsql_interrupt_enter (&interrupt, note_check, &checks);
  statement = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  g_assert_no_error (error);
  plan = kvsql_select_plan_make (catalog, &statement->select, &binder, &capabilities, &error);
  g_assert_no_error (error);
  g_assert_nonnull (plan->best);
  took_ms = (get_thread_time_us () - began_us) / 1000;
  note_check (&checks, NULL);
  kvsql_interrupt_leave (&interrupt);
  g_test_message ("%" G_GINT64_FORMAT " ms, %" G_GSIZE_FORMAT " KiB, %" G_GSIZE_FORMAT
                  " KiB between two checks",
                  took_ms, kvsql_account_get_used (account) >> 10, checks.most >> 10);
  g_assert_cmpuint (kvsql_account_get_used (account), <, MAX_BYTES);
  g_assert_cmpuint (checks.most, <, MAX_BYTES_UNCHECKED);
  kvsql_account_enter (outer);
  return took_ms;
}

static void
test_terms (gconstpointer data)
{
  g_autoptr (KvsqlCatalog) catalog = make_catalog ();
  g_autofree gchar *sql = make_statement (data, N_TERMS);
  gint64 took_ms = G_MAXINT64;

  for (guint i = 0; i < N_RUNS && took_ms > get_limit_ms (); i++)
    took_ms = measure_ms (catalog, sql);
  g_assert_cmpint (took_ms, <=, get_limit_ms ());
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/plan/size/%s", cases[i].name);
      g_test_add_data_func (path, &cases[i], test_terms);
    }
  return g_test_run ();
}
