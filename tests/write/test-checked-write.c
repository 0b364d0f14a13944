/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-checked-write.c: several daemons write tuples of two keys, in many orders of their steps,
 * with every fault. Afterwards all schemas have the tuples that the anchors say, and there is an
 * order of the statements that explains all results.
 *
 * In some runs statements begin at any time, and a remover removes the anchors of deleted tuples.
 *
 * In every second run these are SQL statements, in the others calls of the protocol. Reads settle
 * moves, as those of writers do, or write nothing (WITH VERIFIED).
 *
 * test-checked-write [FIRST [COUNT]]: the number of the first run, and how many. A failure names
 * the run, and the same number repeats it.
 */
#include "config.h"

#include "core/exec/select.h"
#include "core/plan/select-planner.h"
#include "core/scan/read-by-keys.h"
#include "core/scan/verified-tuples.h"
#include "core/sql/parser.h"
#include "core/write/checked-load.h"
#include "core/write/checked-move.h"
#include "core/write/checked-write.h"
#include "core/write/dead-anchors.h"
#include "core/write/insert.h"
#include "core/write/update.h"
#include "core/write/upsert.h"
#include "tests/harness/assert.h"
#include "tests/write/checked-statements.h"

#define N_DAEMONS 4
#define N_SWEEPERS 2
#define N_REMOVERS 1
#define N_ALL (N_DAEMONS + N_SWEEPERS + N_REMOVERS)
#define MAX_ATTEMPTS 4
/* Turns. */
#define SHORT_WAIT 20
#define LONG_WAIT 400
/* Of a remover that waits for others. */
#define MAX_SWEEPS 100
/* In runs with one, late requests are later. */
#define LATENESS 32
#define N_PASSES 4

/* How LOOK reads. */
typedef enum
{
  AS_WRITER,
  VERIFIED_KEY,
  VERIFIED_SCAN, /* of a schema in which tuples move: it may miss one */
  N_LOOKS,
} Look;

/* ---- daemons */

typedef struct
{
  VersionWorld base;
  KvsqlCatalog *catalog;
  const KvsqlCatalogEntry *entry;
  struct _Daemon *daemons;
  gboolean uses_sql;
  gboolean reads_rows; /* LOOK reads the primary's row. A tuple that moves may be in two rows. */
  Look look;           /* if it does not */
  KvsqlKeysExpected expected; /* by INSERT, rightly or wrongly */
  State first;
  gboolean has_remover;
  guint n_removed; /* anchors */
} World;

typedef struct _Daemon
{
  VersionDaemon base;
  World *world;
  guint slot;
  gint64 skew_us;
  CheckedStatement statement;
  gboolean has_begun; /* the statement, or what a sweeper does */
  gboolean is_over;
} Daemon;

static void
read_clock (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data)
{
  const Daemon *self = data;

  *out_latest_us = version_world_get_time (&self->world->base) + self->skew_us;
  *out_earliest_us = *out_latest_us - 1000;
}

static gint64
stamp (gint64 at_least, gpointer data, GError **error)
{
  const Daemon *self = data;

  return version_stamp (at_least, self->slot, N_ALL);
}

static KvsqlKeyForecast *
forecast_of (const Daemon *self)
{
  return kvsql_storage_get_forecast (self->base.storage);
}

static void
daemon_open (Daemon *self, World *world, guint slot, VersionFaults faults)
{
  self->world = world;
  self->slot = slot;
  self->skew_us = g_rand_int_range (world->base.random, 0, 20 * 1000);
  version_daemon_open (&self->base, &world->base, slot, faults, read_clock, stamp, self);
  while (kvsql_key_forecast_get (forecast_of (self), VERSION_RELATION_ID) != world->expected)
    kvsql_key_forecast_learn (forecast_of (self), VERSION_RELATION_ID,
                              world->expected == KVSQL_KEYS_NEW,
                              world->expected == KVSQL_KEYS_KNOWN);
}

static KvsqlCheckedWriter
writer_of (const Daemon *self)
{
  return (KvsqlCheckedWriter){ .storage = self->base.storage,
                               .entry = self->world->entry,
                               .relation_id = VERSION_RELATION_ID };
}

static gboolean
read_tuples (const Daemon *self, guint n_keys, guint first_key, KvsqlArena *arena,
             KvsqlCheckedTuple *out, GError **error)
{
  const KvsqlCheckedWriter writer = writer_of (self);
  const SampleTuple tuples[N_KEYS]
      = { tuple_of (first_key, 1), tuple_of (other_key (first_key), 1) };
  const KvsqlValue *keys[N_KEYS] = { tuples[0].values, tuples[1].values };

  return kvsql_checked_read (&writer, keys, n_keys, arena, out, error);
}

/* Another key's tuple is read only for MOVE. */
static gboolean
write_new (Daemon *self, const KvsqlCheckedTuple *before, State new, gboolean *out_applied,
           GError **error)
{
  const CheckedStatement *statement = &self->statement;
  const KvsqlCheckedWriter writer = writer_of (self);
  guint key = statement->kind == MOVE ? other_key (statement->key) : statement->key;
  const SampleTuple tuple = tuple_of (key, new.of[key]);
  KvsqlCheckedChange change = { .before = before, .new = new.of[key] != 0 ? tuple.values : NULL };
  gboolean ok;

  if (statement->kind == MOVE)
    return kvsql_checked_move (&writer, &before[0], &before[1], tuple.values, out_applied, error);
  ok = statement->kind == SET && statement->is_load
           ? kvsql_checked_load (&writer, &change, 1, error)
           : kvsql_checked_apply (&writer, &change, 1, error);
  *out_applied = change.is_applied;
  return ok;
}

/* The tuple of the other key may have come from this one after this one was read. */
static gboolean
confirm_occupied (const Daemon *self, const KvsqlCheckedTuple *before, CheckedOutcome *outcome,
                  GError **error)
{
  const KvsqlCheckedWriter writer = writer_of (self);
  gboolean is_unchanged;

  if (*outcome != OCCUPIED)
    return TRUE;
  if (!kvsql_checked_is_unchanged (&writer, before, &is_unchanged, error))
    return FALSE;
  if (!is_unchanged)
    *outcome = UNKNOWN;
  return TRUE;
}

/* One attempt. *out_outcome: UNKNOWN: another attempt. */
static gboolean
try_statement (Daemon *self, KvsqlArena *arena, CheckedOutcome *out_outcome, GError **error)
{
  CheckedStatement *statement = &self->statement;
  KvsqlCheckedTuple before[N_KEYS] = { 0 };
  CheckedOutcome expected;
  gboolean is_applied;
  State old = { { 0 } }, new;

  *out_outcome = UNKNOWN;
  if (!read_tuples (self, statement->kind == MOVE ? 2 : 1, statement->key, arena, before, error))
    return FALSE;
  old.of[statement->key] = content_of (before[0].tuple);
  old.of[other_key (statement->key)] = content_of (before[1].tuple);
  new = state_after (statement, old, &expected);
  if (statement->kind == LOOK || expected != DONE)
    {
      statement->seen = old.of[statement->key];
      *out_outcome = expected;
      return confirm_occupied (self, &before[0], out_outcome, error);
    }
  if (!write_new (self, before, new, &is_applied, error))
    return FALSE;
  *out_outcome = is_applied ? DONE : UNKNOWN;
  return TRUE;
}

/* ---- as SQL */

static KvsqlWritePlan *
plan_of (const Daemon *self, KvsqlBinder *binder)
{
  g_autofree gchar *sql = statement_to_sql (&self->statement);
  g_autoptr (GError) error = NULL;
  const KvsqlCatalog *catalog = self->world->catalog;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), binder->arena, &error);
  KvsqlWritePlan *plan;

  g_assert_no_error (error);
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      plan = kvsql_insert_plan_make (catalog, &statement->insert, binder,
                                     &self->base.store->capabilities, &error);
      break;
    case KVSQL_STATEMENT_UPDATE:
      plan = kvsql_update_plan_make (catalog, &statement->update, binder,
                                     &self->base.store->capabilities, &error);
      break;
    default:
      plan = kvsql_remove_plan_make (catalog, &statement->delete_, binder,
                                     &self->base.store->capabilities, &error);
      break;
    }
  g_assert_no_error (error);
  return plan;
}

static gboolean
run_plan (Daemon *self, KvsqlWritePlan *plan, guint64 *out_n, GError **error)
{
  const KvsqlSelectLimits limits = { .sort_bytes = 1 << 20 };
  const SampleTuple tuple = tuple_of (self->statement.key, self->statement.argument);
  const KvsqlValue *tuples[] = { tuple.values };

  switch (self->statement.kind)
    {
    case SET:
      return kvsql_insert_run (self->base.storage, plan->entry, tuples, 1, NULL, out_n, error);
    case ADD:
      return kvsql_upsert_run (self->base.storage, plan, tuples, 1, NULL, NULL, NULL, out_n, error);
    default:
      return kvsql_update_run (self->base.storage, plan, &limits, NULL, NULL, out_n, error);
    }
}

/* After an error: whether something may have been decided. */
static CheckedOutcome
outcome_of (const Daemon *self, const GError *error)
{
  return version_store_is_dead (self->base.store)
                 || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME)
             ? UNKNOWN
             : FAILED;
}

static CheckedOutcome
run_sql (Daemon *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlBinder binder = { .arena = arena };
  KvsqlWritePlan *plan = plan_of (self, &binder);
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  if (run_plan (self, plan, &n, &error))
    return n == 1 ? DONE : REFUSED;
  return g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_DUPLICATE_KEY) ? OCCUPIED
                                                                         : outcome_of (self, error);
}

static CheckedOutcome
try_often (Daemon *self)
{
  CheckedOutcome outcome = UNKNOWN;

  for (guint i = 0; i < MAX_ATTEMPTS; i++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autoptr (GError) error = NULL;

      if (!try_statement (self, arena, &outcome, &error))
        return outcome_of (self, error);
      if (outcome != UNKNOWN)
        return outcome;
    }
  return FAILED;
}

/* With an entry of the log, which stays if the outcome is unknown. */
static CheckedOutcome
run_logged (Daemon *self)
{
  const CheckedStatement *statement = &self->statement;
  const KvsqlCheckedWriter writer = writer_of (self);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice keys[N_KEYS];
  KvsqlLogEntry entry;
  CheckedOutcome outcome;

  for (guint i = 0; i < N_KEYS; i++)
    keys[i] = kvsql_checked_key (&writer, tuple_of (i, 1).values, arena);
  if (!kvsql_write_log_begin (self->base.log, writer.relation_id,
                              statement->kind == MOVE ? keys : &keys[statement->key],
                              statement->kind == MOVE ? N_KEYS : 1, NULL, &entry, NULL))
    return FAILED;
  outcome = try_often (self);
  kvsql_write_log_end (self->base.log, &entry, outcome != UNKNOWN, NULL);
  return outcome;
}

static CheckedOutcome
read_row (Daemon *self)
{
  const KvsqlCatalogEntry *entry = self->world->entry;
  const SampleTuple tuple = tuple_of (self->statement.key, 1);
  const KvsqlValue *key = tuple.values;
  g_autoptr (KvsqlTupleMap) rows = kvsql_tuple_map_new (entry->relation, 0);

  if (!kvsql_read_primary_by_keys (self->base.store, entry, &key, 1, &entry->relation->all, NULL,
                                   rows, NULL))
    return FAILED;
  self->statement.seen = content_of (kvsql_tuple_map_find (rows, key));
  return DONE;
}

/* ---- verified reads */

/* Of a key that a scan of the other schema has found. */
static CheckedOutcome
verify_key (Daemon *self)
{
  const KvsqlCatalogEntry *entry = self->world->entry;
  const SampleTuple tuple = tuple_of (self->statement.key, 1);
  const KvsqlValue *scanned = tuple.values, *current;
  const KvsqlVerifier verifier = { .store = self->base.store,
                                   .entry = entry,
                                   .schema = entry->schemas[1],
                                   .scanned = &entry->relation->all };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();

  if (!kvsql_verified_tuples_read (&verifier, NULL, &scanned, 1, arena, &current, NULL))
    return FAILED;
  self->statement.seen = content_of (current);
  return DONE;
}

/* No key comes twice. FAILED also if the statement's key does not come. */
static CheckedOutcome
look_at_rows (Daemon *self, const KvsqlBatch *page)
{
  gboolean is_found[N_KEYS] = { FALSE };
  CheckedOutcome outcome = FAILED;

  for (guint row = 0; row < page->n_rows; row++)
    {
      KvsqlValue tuple[3];
      guint key;

      for (guint a = 0; a < 3; a++)
        tuple[a] = kvsql_vector_get (&page->columns[a], row);
      key = (guint)(tuple[0].integer - 7);
      g_assert_false (is_found[key]);
      is_found[key] = TRUE;
      if (key != self->statement.key)
        continue;
      self->statement.seen = content_of (tuple);
      outcome = DONE;
    }
  return outcome;
}

static CheckedOutcome
verify_scan (Daemon *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlBinder binder = { .arena = arena };
  const KvsqlSelectLimits limits = { .sort_bytes = 1 << 20 };
  const KvsqlAstStatement *statement = kvsql_parser_parse (
      KVSQL_SLICE_LITERAL ("SELECT k, v, w FROM r USING SCHEMA s WITH VERIFIED"), arena, NULL);
  const KvsqlSelectPlan *plan = kvsql_select_plan_make (
      self->world->catalog, &statement->select, &binder, &self->base.store->capabilities, NULL);
  g_autoptr (KvsqlSelectRun) run = kvsql_select_run_new (plan, self->base.store, &limits, NULL);
  g_autoptr (KvsqlBatch) page = NULL;
  gboolean has_more;

  if (!kvsql_select_run_page (run, 100, 1 << 20, NULL, arena, &page, &has_more, NULL))
    return FAILED;
  g_assert_false (has_more);
  return look_at_rows (self, page);
}

static CheckedOutcome
look (Daemon *self)
{
  if (self->world->reads_rows)
    return read_row (self);
  switch (self->world->look)
    {
    case VERIFIED_KEY:
      return verify_key (self);
    case VERIFIED_SCAN:
      return verify_scan (self);
    default:
      return run_logged (self);
    }
}

static void
run_statement (gpointer data)
{
  Daemon *self = data;
  CheckedStatement *statement = &self->statement;

  if (self->world->has_remover)
    version_world_pause (&self->world->base, LONG_WAIT);
  self->has_begun = TRUE;
  statement->begin = turns_get_time (self->world->base.turns);
  if (statement->kind == LOOK)
    statement->outcome = look (self);
  else
    statement->outcome = self->world->uses_sql ? run_sql (self) : run_logged (self);
  statement->end = turns_get_time (self->world->base.turns);
  self->is_over = TRUE;
}

/* Whether no request of the daemon with this id can arrive any more. */
static gboolean
is_gone (const World *self, guint64 id)
{
  const Daemon *daemon = &self->daemons[id - 1];

  return daemon->is_over && version_store_is_silent (daemon->base.store);
}

/* Finishes all writes in the log. An entry of a daemon that may still write stays. */
static gboolean
sweep (const Daemon *self, GError **error)
{
  const KvsqlCheckedWriter writer = writer_of (self);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *entries;
  guint n, n_finished;

  if (!kvsql_log_entries_read (self->base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      gboolean was_gone = is_gone (self->world, entries[i].daemon_id);

      if (!kvsql_checked_finish (&writer, entries[i].keys, entries[i].n_keys, &n_finished, error)
          || (was_gone
              && !kvsql_log_entries_remove (self->base.store, &entries[i], 1, NULL, error)))
        return FALSE;
    }
  return TRUE;
}

/* At any time. It may fail. */
static void
run_sweeper (gpointer data)
{
  Daemon *self = data;

  version_world_pause (&self->world->base, self->world->has_remover ? LONG_WAIT : SHORT_WAIT);
  self->has_begun = TRUE;
  ignore_result (sweep (self, NULL));
  self->is_over = TRUE;
}

/* ---- removing anchors */

/* Those that have begun and may still write. */
static guint
find_active (const World *self)
{
  guint active = 0;

  for (guint i = 0; i < N_DAEMONS + N_SWEEPERS; i++)
    if (self->daemons[i].has_begun && !is_gone (self, i + 1))
      active |= 1u << i;
  return active;
}

static guint
find_logged (const Daemon *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *entries;
  guint logged = 0, n;

  if (!kvsql_log_entries_read (self->base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, NULL))
    return G_MAXUINT;
  for (guint i = 0; i < n; i++)
    logged |= 1u << (entries[i].daemon_id - 1);
  return logged;
}

/* Waits until what has begun by now has ended, and has left the log; the sweeps of the remover's
 * earlier passes, too. FALSE: it takes too long. */
static gboolean
await_quiet (const Daemon *self)
{
  guint begun = 0;

  for (guint i = 0; i < N_DAEMONS + N_SWEEPERS; i++)
    begun |= self->world->daemons[i].has_begun ? 1u << i : 0;
  for (guint i = 0; i < MAX_SWEEPS && !version_store_is_dead (self->base.store); i++)
    {
      if ((begun & (find_active (self->world) | find_logged (self))) == 0
          && version_store_is_silent (self->base.store))
        return TRUE;
      ignore_result (sweep (self, NULL));
    }
  return FALSE;
}

/* In place of times: what is older than the beginning is there after the first wait, what began
 * before it was there has ended and left the log after the second one, and what ran at that time
 * has ended after the third one (kvsql_dead_anchors_find_limit()). */
static void
remove_anchors (const Daemon *self)
{
  World *world = self->world;
  KvsqlDeadAnchors dead = { .writer = writer_of (self) };
  guint64 n = 0;

  dead.before = 1000 + turns_get_time (world->base.turns) / 2;
  if (await_quiet (self) && await_quiet (self) && await_quiet (self))
    ignore_result (kvsql_dead_anchors_remove (&dead, 0, KVSQL_ANCHOR_PARTS, &n, NULL));
  if (n > 0 && g_rand_boolean (world->base.random))
    version_cells_compact (world->base.cells, dead.before);
  world->n_removed += (guint)n;
}

static void
run_remover (gpointer data)
{
  Daemon *self = data;

  for (guint i = 0; i < N_PASSES; i++)
    {
      version_world_pause (&self->world->base, LONG_WAIT / 2);
      remove_anchors (self);
    }
}

/* ---- a run */

static void
world_open (World *self, guint seed)
{
  version_world_open (&self->base, seed);
  self->catalog = checked_catalog_new ();
  self->entry = version_catalog_get_entry (self->catalog);
  self->uses_sql = seed % 2 == 0;
  self->look = (Look)(seed / 4 % N_LOOKS);
  self->reads_rows = self->uses_sql && seed % 4 == 0;
  self->expected = (KvsqlKeysExpected)(seed / 8 % 3);
  self->has_remover = seed / 16 % 2 == 1;
  if (self->has_remover)
    version_cells_set_lateness (self->base.cells, LATENESS);
}

static void
world_close (World *self)
{
  kvsql_catalog_unref (self->catalog);
  version_world_close (&self->base);
}

static VersionFaults
choose_faults (const World *self)
{
  GRand *random = self->base.random;
  const VersionFaults kinds[]
      = { { 0 },         { .death = 12 },  { .lost = 8 },
          { .late = 8 }, { .refused = 8 }, { .death = 30, .lost = 20, .late = 20, .refused = 30 } };
  VersionFaults faults = kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))];

  faults.stopped = self->has_remover && g_rand_boolean (random) ? 6 : 0;
  return faults;
}

static void
show (guint seed, const World *self, const CheckedStatement *statements, State last)
{
  const gchar *const kinds[] = { "set", "add", "remove", "change", "move", "look" };
  const gchar *const outcomes[] = { "unknown", "done", "refused", "occupied", "failed" };

  g_test_message ("run %u: first %u %u, last %u %u", seed, self->first.of[0], self->first.of[1],
                  last.of[0], last.of[1]);
  for (guint i = 0; i < N_DAEMONS; i++)
    g_test_message ("  %s%s %u at %u: %s, saw %u, turns %u to %u",
                    statements[i].is_load ? "load or " : "", kinds[statements[i].kind],
                    statements[i].argument, statements[i].key, outcomes[statements[i].outcome],
                    statements[i].seen, statements[i].begin, statements[i].end);
}

static void
start_world (World *self)
{
  for (guint key = 0; key < N_KEYS; key++)
    self->first.of[key] = (Content)g_rand_int_range (self->base.random, 0, 5);
  for (guint key = 0; key < N_KEYS; key++)
    if (self->first.of[key] != 0)
      {
        const SampleTuple tuple = tuple_of (key, self->first.of[key]);

        version_world_put (&self->base, self->entry, tuple.values);
      }
}

static void
assert_in_run (guint seed, gboolean is_done, GError **error)
{
  if (!is_done)
    g_test_message ("run %u", seed);
  assert_done (is_done, *error);
}

/* What the anchors say after the last sweep. */
static State
finish_world (World *self, guint seed)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  Daemon last = { 0 };
  KvsqlCheckedTuple found[N_KEYS];
  KvsqlLogEntry *entries;
  State state;
  guint n;
  g_autoptr (GError) error = NULL;

  version_cells_deliver (self->base.cells);
  daemon_open (&last, self, N_DAEMONS, (VersionFaults){ 0 });
  assert_in_run (seed, sweep (&last, &error), &error);
  assert_in_run (
      seed,
      kvsql_log_entries_read (last.base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, &error),
      &error);
  g_assert_cmpuint (n, ==, 0);
  assert_in_run (seed, read_tuples (&last, N_KEYS, 0, arena, found, &error), &error);
  for (guint key = 0; key < N_KEYS; key++)
    state.of[key] = content_of (found[key].tuple);
  version_daemon_close (&last.base);
  return state;
}

static void
check_run (World *self, guint seed, const CheckedStatement *statements, State last)
{
  g_autofree gchar *cells = checked_world_print (&self->base);
  g_autofree gchar *expected = checked_world_print_expected (&self->base, self->entry, last);

  if (g_strcmp0 (cells, expected) == 0
      && statements_are_explained (statements, N_DAEMONS, self->first, last))
    return;
  show (seed, self, statements, last);
  g_assert_cmpstr (cells, ==, expected);
  g_assert_true (statements_are_explained (statements, N_DAEMONS, self->first, last));
}

/* A remover needs tuples that are deleted and come again. In SQL without moves: after one that its
 * daemon has left, a statement may find the tuple at neither key, until it is recovered. */
static CheckedKind
choose_kind_for_remover (const World *self)
{
  const CheckedKind kinds[] = { SET, ADD, REMOVE, REMOVE, CHANGE, LOOK, MOVE };

  return kinds[g_rand_int_range (self->base.random, 0,
                                 (gint)G_N_ELEMENTS (kinds) - (self->uses_sql ? 1 : 0))];
}

/* A move that is decided and not finished has to be seen by two readers that settle nothing. */
static CheckedKind
choose_kind (const World *self)
{
  gboolean is_verified = self->look != AS_WRITER && !self->reads_rows;

  if (self->has_remover)
    return choose_kind_for_remover (self);
  if (is_verified && g_rand_boolean (self->base.random))
    return g_rand_boolean (self->base.random) ? LOOK : MOVE;
  return (CheckedKind)g_rand_int_range (self->base.random, 0, N_KINDS);
}

static TurnsFunc
choose_role (guint index)
{
  return index < N_DAEMONS                ? run_statement
         : index < N_DAEMONS + N_SWEEPERS ? run_sweeper
                                          : run_remover;
}

/* Returns how many anchors were removed. */
static guint
run (guint seed)
{
  World world = { 0 };
  Daemon daemons[N_ALL] = { 0 };
  CheckedStatement statements[N_DAEMONS];
  State last;

  world_open (&world, seed);
  world.daemons = daemons;
  start_world (&world);
  for (guint i = 0; i < G_N_ELEMENTS (daemons); i++)
    {
      daemon_open (&daemons[i], &world, i, choose_faults (&world));
      daemons[i].statement
          = (CheckedStatement){ .kind = choose_kind (&world),
                                .key = (guint)g_rand_int_range (world.base.random, 0, N_KEYS),
                                .argument = (Content)g_rand_int_range (world.base.random, 1, 5),
                                .is_load = g_rand_boolean (world.base.random) };
      world.reads_rows &= daemons[i].statement.kind != MOVE;
      if (i < N_DAEMONS + N_SWEEPERS || world.has_remover)
        turns_add (world.base.turns, choose_role (i), &daemons[i]);
    }
  turns_run (world.base.turns);
  for (guint i = 0; i < N_DAEMONS; i++)
    statements[i] = daemons[i].statement;
  last = finish_world (&world, seed);
  check_run (&world, seed, statements, last);
  for (guint i = 0; i < G_N_ELEMENTS (daemons); i++)
    version_daemon_close (&daemons[i].base);
  world_close (&world);
  return world.n_removed;
}

/* Runs in which the code or this test was wrong. */
static const guint found_runs[] = { 418399, 432462, 441391 };

static VersionRuns runs;

static void
test_runs (void)
{
  guint n_removed = 0;

  for (guint i = 0; i < G_N_ELEMENTS (found_runs); i++)
    run (found_runs[i]);
  for (guint i = 0; i < runs.n; i++)
    n_removed += run (runs.first + i);
  g_test_message ("%u anchors were removed", n_removed);
  g_assert_true (n_removed > 0 || runs.n < 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  runs = version_runs_read (argc, argv, 2000, 300);
  g_test_add_func ("/checked-write/runs", test_runs);
  return g_test_run ();
}
