/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-blind-write.c: several daemons put and delete one tuple whose writes are blind, in many
 * orders of their steps, with every fault. Afterwards all schemas have the same tuple, and there is
 * an order of the statements that explains it.
 *
 * This is tests/model/blind.pml with the code in place of its writers and recoverers. As there,
 * each rule is switched off once: then some run must fail.
 *
 * test-blind-write [FIRST [COUNT]]: the number of the first run, and how many. A failure names the
 * run, and the same number repeats it.
 */
#include "config.h"

#include "core/maintain/compare.h"
#include "core/plan/write-plan.h"
#include "core/scan/read-by-keys.h"
#include "core/sql/parser.h"
#include "core/write/apply.h"
#include "core/write/delete.h"
#include "core/write/insert.h"
#include "tests/harness/assert.h"
#include "tests/write/version-daemon.h"

#define N_DAEMONS 4
#define N_SWEEPERS 2
#define N_SLOTS 8
#define MAX_SKEW_US 4000

static const gchar *const definitions[] = {
  "DEFINE RELATION r { k BIGINT KEY, v BIGINT, w BIGINT }",
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', QUALIFIER attr_name[k], "
  "VALUE attr_value[k] }",
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW 's':ordered{k}, FAMILY 'f', VALUE ordered{v} }",
  "DEFINE SCHEMA t FOR r { TABLE 't', ROW ordered{k}:'t', FAMILY 'f', VALUE ordered{w} }",
};

/* A rule that is switched off. */
typedef enum
{
  NO_BREACH,
  KEYS_ONLY, /* a recoverer copies what the primary has */
  EARLY_LOG, /* the intent leaves the log before the cells are written */
  NO_LOG,
  TIES,    /* two writes may have the same T */
  CLOCKS,  /* a write does not wait for the common clock */
  MARKERS, /* the store may forget deletes at any time */
  N_BREACHES,
} Breach;

/* The tuple: 0: there is none; else 1 + (v - 1) * 2 + (w IS NOT NULL). */
typedef guint Content;

typedef enum
{
  UNKNOWN,
  DONE,
  FAILED, /* nothing was done */
} Outcome;

typedef struct _World World;

typedef struct
{
  World *world;
  VersionDaemon base;
  guint slot;
  gint64 skew_us;
  Content argument; /* 0: DELETE */
  Outcome outcome;
  guint begin, end; /* turns */
  gboolean uses_sql;
} Daemon;

struct _World
{
  VersionWorld base;
  Breach breach;
  KvsqlCatalog *catalog;
  const KvsqlCatalogEntry *entry;
  Content first;
  gboolean is_over;  /* there are no more turns */
  guint n_different; /* tuples that REPAIR took for damaged */
};

typedef struct
{
  KvsqlValue values[3];
} Tuple;

static KvsqlValue
bigint (gint64 number)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

static Tuple
tuple_of (Content content)
{
  Tuple tuple = { { bigint (7), bigint (content > 2 ? 2 : 1), KVSQL_VALUE_NULL } };

  if (content % 2 == 0)
    tuple.values[2] = bigint (5);
  return tuple;
}

/* ---- daemons */

/* Every timestamp that was given before this call has passed when it returns: so no writer sleeps.
 */
static void
read_clock (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data)
{
  const Daemon *self = data;
  const World *world = self->world;
  const gint64 until_us
      = version_world_get_time (&world->base) + MAX_SKEW_US + (N_SLOTS + 2) * 1000;
  const gboolean waits = world->breach != CLOCKS && !world->is_over;

  while (waits && version_world_get_time (&world->base) < until_us)
    turns_wait (world->base.turns);
  *out_latest_us = version_world_get_time (&world->base) + self->skew_us;
  *out_earliest_us = waits ? version_world_get_time (&world->base) : G_MAXINT64;
}

static gint64
stamp (gint64 at_least, gpointer data, GError **error)
{
  const Daemon *self = data;

  if (self->world->breach == TIES)
    return at_least;
  return version_stamp (at_least, self->slot, N_SLOTS);
}

static void
daemon_open (Daemon *self, World *world, guint slot, VersionFaults faults)
{
  self->world = world;
  self->slot = slot;
  self->skew_us = world->breach == TIES ? 0 : g_rand_int_range (world->base.random, 0, MAX_SKEW_US);
  version_daemon_open (&self->base, &world->base, slot, faults, read_clock, stamp, self);
}

/* ---- statements */

static gboolean
insert (const Daemon *self, GError **error)
{
  const Tuple tuple = tuple_of (self->argument);
  const KvsqlValue *tuples[] = { tuple.values };
  guint64 n;

  return kvsql_insert_run (self->base.storage, self->world->entry, tuples, 1, NULL, &n, error);
}

static gboolean
delete_sql (const Daemon *self, GError **error)
{
  const KvsqlSelectLimits limits = { .sort_bytes = 1 << 20 };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlBinder binder = { .arena = arena };
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (KVSQL_SLICE_LITERAL ("DELETE FROM r WHERE k = 7"), arena, error);
  KvsqlWritePlan *plan = kvsql_remove_plan_make (self->world->catalog, &statement->delete_, &binder,
                                                 &self->base.store->capabilities, error);
  guint64 n;

  g_assert_nonnull (plan);
  return kvsql_delete_run (self->base.storage, plan->find, &limits, NULL, &n, error);
}

static gboolean
apply (const Daemon *self, const KvsqlBlindWrite *write, KvsqlMutationList *list, GError **error)
{
  const World *world = self->world;
  KvsqlBuffer intent = { 0 };
  KvsqlLogEntry entry;
  guint next = 0;
  gboolean ok;

  if (world->breach == NO_LOG)
    return kvsql_mutation_list_apply (list, self->base.storage, NULL, error);
  if (world->breach != EARLY_LOG)
    return kvsql_blind_apply (self->base.storage, world->entry, write, list, NULL, error);
  kvsql_blind_intent_append (world->entry->relation, write, 100, &next, &intent);
  ok = kvsql_write_log_begin_intent (self->base.log, VERSION_RELATION_ID,
                                     kvsql_buffer_slice (&intent), NULL, &entry, error);
  kvsql_buffer_clear (&intent);
  if (!ok)
    return FALSE;
  kvsql_write_log_end (self->base.log, &entry, TRUE, NULL);
  return kvsql_mutation_list_apply (list, self->base.storage, NULL, error);
}

/* A put, or a delete that does not look whether there is a tuple. */
static gboolean
write_tuple (const Daemon *self, GError **error)
{
  const Tuple tuple = tuple_of (MAX (self->argument, 1));
  const KvsqlValue *tuples[] = { tuple.values };
  KvsqlBlindWrite write = { .tuples = tuples, .n = 1, .is_delete = self->argument == 0 };
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlKeyLocks locks;
  gboolean ok;

  g_assert_true (kvsql_lock_tuples (self->base.storage, self->world->entry->relation, tuples, 1,
                                    NULL, &locks, error));
  write.timestamp = kvsql_storage_next_timestamp (self->base.storage, &locks, TRUE, error);
  g_assert_cmpint (write.timestamp, !=, 0);
  version_add_cells (self->world->entry, &write, list);
  ok = apply (self, &write, list, error);
  kvsql_storage_unlock (self->base.storage, &locks);
  return ok;
}

static void
run_statement (gpointer data)
{
  Daemon *self = data;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  version_world_pause (&self->world->base, 12);
  self->begin = turns_get_time (self->world->base.turns);
  ok = !self->uses_sql || self->world->breach == NO_LOG || self->world->breach == EARLY_LOG
           ? write_tuple (self, &error)
       : self->argument == 0 ? delete_sql (self, &error)
                             : insert (self, &error);
  self->end = turns_get_time (self->world->base.turns);
  if (ok)
    self->outcome = DONE;
  else if (!version_store_is_dead (self->base.store)
           && !g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME))
    self->outcome = FAILED;
}

/* ---- recovery */

static void
note_tuple (const KvsqlValue *tuple, gint64 timestamp, gpointer data)
{
  KvsqlBlindWrite *write = data;
  gpointer *place = (gpointer *)write->tuples;

  memcpy (place[0], tuple, sizeof (Tuple));
  write->is_delete = FALSE;
  write->timestamp = timestamp;
}

/* As if the intent had only keys. */
static gboolean
copy_primary (const Daemon *self, GError **error)
{
  const World *world = self->world;
  Tuple tuple = tuple_of (1);
  const KvsqlValue *tuples[] = { tuple.values };
  KvsqlBlindWrite write = { .tuples = tuples, .n = 1, .is_delete = TRUE };
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();

  if (!kvsql_read_primary_again (self->base.store, world->entry, tuples, 1, NULL, note_tuple,
                                 &write, error))
    return FALSE;
  if (write.is_delete)
    return TRUE;
  version_add_cells (world->entry, &write, list);
  return kvsql_mutation_list_apply (list, self->base.storage, NULL, error);
}

/* Also next to a writer that goes on. */
static gboolean
sweep (const Daemon *self, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *entries;
  guint n, n_finished;

  if (!kvsql_log_entries_read (self->base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!(self->world->breach == KEYS_ONLY
              ? copy_primary (self, error)
              : kvsql_blind_finish (self->base.storage, self->world->entry, entries[i].intent, NULL,
                                    &n_finished, error))
        || !kvsql_log_entries_remove (self->base.store, &entries[i], 1, NULL, error))
      return FALSE;
  return TRUE;
}

/* At any time. It may fail. */
static void
run_sweeper (gpointer data)
{
  Daemon *self = data;

  for (guint i = 0; i < 2; i++)
    {
      version_world_pause (&self->world->base, 20);
      if (!sweep (self, NULL))
        return;
    }
}

static void
count_difference (KvsqlDifferenceKind kind, const KvsqlValue *tuple, const gchar *what,
                  gpointer data)
{
  guint *n = data;

  (*n)++;
}

/* REPAIR of the schemas that are not primary. */
static void
repair (const Daemon *self)
{
  World *world = self->world;

  for (guint s = 1; s < world->entry->n_schemas; s++)
    {
      const KvsqlComparison comparison = { .storage = self->base.storage,
                                           .entry = world->entry,
                                           .schema = world->entry->schemas[s],
                                           .repairs = TRUE,
                                           .func = count_difference,
                                           .data = &world->n_different };
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (KvsqlTupleChunk) chunk
          = kvsql_tuple_chunk_read (self->base.storage, world->entry, NULL, NULL, 0, NULL, &error);
      KvsqlScanPosition next;
      gboolean has_next;
      guint64 n;

      g_assert_no_error (error);
      assert_done (kvsql_compare_tuples (&comparison, chunk, &error), error);
      assert_done (kvsql_compare_cells (&comparison, NULL, arena, &has_next, &next, &n, &error),
                   error);
    }
}

/* While they are written. No tuple is damaged, so there is nothing to repair. */
static void
run_repair (gpointer data)
{
  Daemon *self = data;

  version_world_pause (&self->world->base, 60);
  repair (self);
}

static void
run_compaction (gpointer data)
{
  World *self = data;

  for (guint i = 0; i < 10; i++)
    {
      version_world_pause (&self->base, 8);
      version_cells_compact (self->base.cells, G_MAXINT64);
    }
}

/* ---- what was expected */

static const gchar *const tables[] = { "p", "s", "t" };

static gchar *
print_cells (const World *self)
{
  return version_world_print (&self->base, tables, G_N_ELEMENTS (tables));
}

static gboolean
is_content (const World *self, const gchar *cells, Content content)
{
  const Tuple tuple = tuple_of (content);
  const KvsqlValue *tuples[] = { tuple.values };
  g_autofree gchar *expected = version_world_print_expected (
      &self->base, self->entry, tuples, content != 0 ? 1 : 0, tables, G_N_ELEMENTS (tables));

  return g_strcmp0 (cells, expected) == 0;
}

/* Whether no acknowledged statement began after this one had ended. */
static gboolean
may_be_last (const Daemon *daemons, guint which)
{
  if (daemons[which].outcome == FAILED)
    return FALSE;
  for (guint i = 0; i < N_DAEMONS; i++)
    if (i != which && daemons[i].outcome == DONE && daemons[which].outcome == DONE
        && daemons[which].end < daemons[i].begin)
      return FALSE;
  return TRUE;
}

static gboolean
may_change_nothing (const Daemon *daemon)
{
  return daemon->outcome != DONE;
}

static gboolean
is_explained (World *self, const Daemon *daemons, const gchar *cells)
{
  gboolean may_be_first = TRUE;

  for (guint i = 0; i < N_DAEMONS; i++)
    {
      may_be_first = may_be_first && may_change_nothing (&daemons[i]);
      if (may_be_last (daemons, i) && is_content (self, cells, daemons[i].argument))
        return TRUE;
    }
  return may_be_first && is_content (self, cells, self->first);
}

/* ---- a run */

static void
world_open (World *self, guint seed, Breach breach)
{
  self->breach = breach;
  version_world_open (&self->base, seed);
  self->catalog
      = version_catalog_new (1, definitions, G_N_ELEMENTS (definitions), KVSQL_WRITES_BLIND);
  self->entry = version_catalog_get_entry (self->catalog);
  self->first = (Content)g_rand_int_range (self->base.random, 0, 5);
  if (self->first != 0)
    {
      const Tuple tuple = tuple_of (self->first);

      version_world_put (&self->base, self->entry, tuple.values);
    }
}

static void
world_close (World *self)
{
  kvsql_catalog_unref (self->catalog);
  version_world_close (&self->base);
}

static VersionFaults
choose_faults (GRand *random)
{
  const VersionFaults kinds[]
      = { { 0 },         { .death = 8 },   { .lost = 8 },
          { .late = 8 }, { .refused = 8 }, { .death = 30, .lost = 20, .late = 20, .refused = 30 } };

  return kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))];
}

static void
finish_world (World *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  Daemon last = { 0 };
  KvsqlLogEntry *entries;
  guint n;

  version_cells_deliver (self->base.cells);
  daemon_open (&last, self, N_SLOTS - 1, (VersionFaults){ 0 });
  assert_done (sweep (&last, &error), error);
  assert_done (
      kvsql_log_entries_read (last.base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, &error),
      error);
  g_assert_cmpuint (n, ==, 0);
  version_daemon_close (&last.base);
}

static void
show (const World *self, guint seed, const Daemon *daemons, const gchar *cells)
{
  static const gchar *const outcomes[] = { "unknown", "done", "failed" };

  g_test_message ("run %u: first %u, %u differ, last\n%s", seed, self->first, self->n_different,
                  cells);
  for (guint i = 0; i < N_DAEMONS; i++)
    g_test_message ("  %u: %s, turns %u to %u", daemons[i].argument, outcomes[daemons[i].outcome],
                    daemons[i].begin, daemons[i].end);
}

/* Deletes are as frequent as two of the tuples. */
static Content
choose_argument (GRand *random)
{
  gint32 argument = g_rand_int_range (random, -1, 5);

  return argument < 0 ? 0 : (Content)argument;
}

/* Whether all schemas have the same tuple, and one that they may have. */
static gboolean
run (guint seed, Breach breach)
{
  World world = { 0 };
  Daemon daemons[N_DAEMONS + N_SWEEPERS] = { 0 }, repairer = { 0 };
  g_autofree gchar *cells = NULL;
  gboolean ok;

  world_open (&world, seed, breach);
  for (guint i = 0; i < G_N_ELEMENTS (daemons); i++)
    {
      daemon_open (&daemons[i], &world, i, choose_faults (world.base.random));
      daemons[i].argument = choose_argument (world.base.random);
      daemons[i].uses_sql = g_rand_boolean (world.base.random);
      turns_add (world.base.turns, i < N_DAEMONS ? run_statement : run_sweeper, &daemons[i]);
    }
  daemon_open (&repairer, &world, N_DAEMONS + N_SWEEPERS, (VersionFaults){ 0 });
  if (breach == NO_BREACH && seed % 2 == 0)
    turns_add (world.base.turns, run_repair, &repairer);
  if (breach == MARKERS)
    turns_add (world.base.turns, run_compaction, &world);
  turns_run (world.base.turns);
  world.is_over = TRUE;
  finish_world (&world);
  cells = print_cells (&world);
  ok = is_explained (&world, daemons, cells) && world.n_different == 0;
  if (!ok && breach == NO_BREACH)
    show (&world, seed, daemons, cells);
  for (guint i = 0; i < G_N_ELEMENTS (daemons); i++)
    version_daemon_close (&daemons[i].base);
  version_daemon_close (&repairer.base);
  world_close (&world);
  return ok;
}

static VersionRuns runs;

static void
test_runs (void)
{
  for (guint i = 0; i < runs.n; i++)
    g_assert_true (run (runs.first + i, NO_BREACH));
}

static void
test_breach (gconstpointer data)
{
  const Breach breach = (Breach)GPOINTER_TO_UINT (data);
  guint i = 0;

  while (run (++i, breach))
    g_assert_cmpuint (i, <, 20000);
  g_test_message ("found by run %u", i);
}

/* ---- one daemon */

/* What the log has of a write is read back, in as many entries as it needs. */
static void
test_intents (void)
{
  World world = { 0 };
  const Tuple values[3] = { tuple_of (1), tuple_of (2), tuple_of (4) };
  const KvsqlValue *tuples[] = { values[0].values, values[1].values, values[2].values };
  const KvsqlBlindWrite write = { .tuples = tuples, .n = 3, .timestamp = 77 };
  guint next = 0, n_entries = 0;

  world_open (&world, 1, NO_BREACH);
  while (next < write.n)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      const guint first = next;
      KvsqlBuffer intent = { 0 };
      KvsqlBlindWrite got;

      kvsql_blind_intent_append (world.entry->relation, &write, 70, &next, &intent);
      g_assert_true (kvsql_blind_intent_read (world.entry->relation, kvsql_buffer_slice (&intent),
                                              arena, &got));
      g_assert_false (kvsql_blind_intent_read (
          world.entry->relation, kvsql_slice (intent.data, intent.size - 1), arena, &got));
      g_assert_true (kvsql_blind_intent_read (world.entry->relation, kvsql_buffer_slice (&intent),
                                              arena, &got));
      g_assert_cmpint (got.timestamp, ==, 77);
      g_assert_false (got.is_delete);
      g_assert_cmpuint (got.n, ==, next - first);
      for (guint i = 0; i < got.n; i++)
        for (guint a = 0; a < 3; a++)
          g_assert_true (kvsql_value_equal (&got.tuples[i][a], &tuples[first + i][a]));
      kvsql_buffer_clear (&intent);
      n_entries++;
    }
  g_assert_cmpuint (n_entries, ==, 2);
  world_close (&world);
}

/* The cells of one schema, as another program might have written or deleted them. */
static void
damage (const Daemon *self, guint schema, Content content, gint64 timestamp)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  const KvsqlSchema *damaged = self->world->entry->schemas[schema];
  const Tuple tuple = tuple_of (MAX (content, 1));
  g_autoptr (GError) error = NULL;

  assert_done (
      content == 0
          ? kvsql_mutation_list_add_deletes (list, damaged, tuple.values, timestamp, &error)
          : kvsql_mutation_list_add_puts (list, damaged, tuple.values, timestamp, &error),
      error);
  assert_done (kvsql_mutation_list_apply (list, self->base.storage, NULL, &error), error);
}

/* A cell that is different, one that is hidden, and two that the primary does not have. */
static void
test_repair (void)
{
  World world = { 0 };
  Daemon daemon = { 0 };
  g_autofree gchar *cells = NULL, *without = NULL;

  world_open (&world, 1, NO_BREACH);
  world.is_over = TRUE;
  daemon_open (&daemon, &world, 0, (VersionFaults){ 0 });
  for (guint s = 0; s < 3; s++)
    damage (&daemon, s, 2, 100);
  damage (&daemon, 1, 3, 200);
  damage (&daemon, 2, 0, 200);
  repair (&daemon);
  g_assert_cmpuint (world.n_different, ==, 2);
  cells = print_cells (&world);
  g_assert_true (is_content (&world, cells, 2));
  damage (&daemon, 0, 0, 1000 * 1000);
  repair (&daemon);
  g_assert_cmpuint (world.n_different, ==, 4);
  without = print_cells (&world);
  g_assert_cmpstr (without, ==, "");
  version_daemon_close (&daemon.base);
  world_close (&world);
}

/* Another DELETE has done some of its work and was not acknowledged. Whichever schema this one
 * looks at, no reader finds the tuple after it. */
static void
test_unfinished_delete (void)
{
  for (guint deleted = 1; deleted < 8; deleted++)
    {
      World world = { 0 };
      Daemon daemon = { 0 };
      g_autofree gchar *cells = NULL;
      g_autoptr (GError) error = NULL;

      world_open (&world, 1, NO_BREACH);
      world.is_over = TRUE;
      daemon_open (&daemon, &world, 0, (VersionFaults){ 0 });
      for (guint s = 0; s < 3; s++)
        damage (&daemon, s, 2, 100);
      for (guint s = 0; s < 3; s++)
        if ((deleted & 1u << s) != 0)
          damage (&daemon, s, 0, 200);
      assert_done (delete_sql (&daemon, &error), error);
      cells = print_cells (&world);
      g_assert_cmpstr (cells, ==, "");
      version_daemon_close (&daemon.base);
      world_close (&world);
    }
}

static void
test_timestamp_is_refused (void)
{
  World world = { 0 };
  Daemon daemon = { 0 };
  const Tuple tuple = tuple_of (1);
  const KvsqlValue *tuples[] = { tuple.values };
  g_autoptr (GError) error = NULL;
  guint64 n;

  world_open (&world, 1, NO_BREACH);
  daemon_open (&daemon, &world, 0, (VersionFaults){ 0 });
  g_assert_false (
      kvsql_insert_run_at (daemon.base.storage, world.entry, tuples, 1, 1000, NULL, &n, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  version_daemon_close (&daemon.base);
  world_close (&world);
}

int
main (int argc, char **argv)
{
  static const gchar *const names[N_BREACHES]
      = { NULL, "keys-only", "early-log", "no-log", "ties", "clocks", "markers" };

  g_test_init (&argc, &argv, NULL);
  runs = version_runs_read (argc, argv, 3000, 300);
  g_test_add_func ("/blind-write/intents", test_intents);
  g_test_add_func ("/blind-write/repair", test_repair);
  g_test_add_func ("/blind-write/unfinished-delete", test_unfinished_delete);
  g_test_add_func ("/blind-write/timestamp-is-refused", test_timestamp_is_refused);
  g_test_add_func ("/blind-write/runs", test_runs);
  for (guint i = NO_BREACH + 1; i < N_BREACHES; i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/blind-write/without/%s", names[i]);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_breach);
    }
  return g_test_run ();
}
