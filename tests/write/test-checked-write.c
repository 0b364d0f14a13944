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

#include "core/anchor/tuple-record.h"
#include "core/exec/select.h"
#include "core/plan/select-planner.h"
#include "core/scan/read-by-keys.h"
#include "core/scan/verified-tuples.h"
#include "core/sql/parser.h"
#include "core/write/apply.h"
#include "core/write/checked-load.h"
#include "core/write/checked-move.h"
#include "core/write/checked-write.h"
#include "core/write/dead-anchors.h"
#include "core/write/insert.h"
#include "core/write/mutations.h"
#include "core/write/update.h"
#include "core/write/upsert.h"
#include "core/write/write-log.h"
#include "tests/harness/assert.h"
#include "tests/size.h"
#include "tests/write/version-store.h"

#include <stdlib.h>

#define N_DAEMONS 4
#define N_SWEEPERS 2
#define N_REMOVERS 1
#define N_ALL (N_DAEMONS + N_SWEEPERS + N_REMOVERS)
#define N_KEYS 2
#define MAX_ATTEMPTS 4
/* Turns. */
#define SHORT_WAIT 20
#define LONG_WAIT 400
/* Of a remover that waits for others. */
#define MAX_SWEEPS 100
/* In runs with one, late requests are later. */
#define LATENESS 32
#define N_PASSES 4

static const gchar *const definitions[] = {
  "DEFINE RELATION r { k BIGINT KEY, v BIGINT, w BIGINT }",
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW k, FAMILY 'f', QUALIFIER attr_name[k], "
  "VALUE attr_value[k] }",
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW ordered{v}:ordered{k}, FAMILY 'f', VALUE ordered{w} }",
};

/* ---- statements */

/* The tuple of a key: 0: there is none; else 1 + (v - 1) * 2 + (w IS NOT NULL). */
typedef guint Content;

/* How LOOK reads. */
typedef enum
{
  AS_WRITER,
  VERIFIED_KEY,
  VERIFIED_SCAN, /* of a schema in which tuples move: it may miss one */
  N_LOOKS,
} Look;

/* The tuples of all keys. */
typedef struct
{
  Content of[N_KEYS];
} State;

typedef enum
{
  SET,    /* INSERT of @argument */
  ADD,    /* the same with ON CONFLICT DO NOTHING */
  REMOVE, /* DELETE */
  CHANGE, /* UPDATE SET v = 2 WHERE v = 1 */
  MOVE,   /* UPDATE of the KEY to the other one */
  LOOK,   /* SELECT */
  N_KINDS,
} Kind;

typedef enum
{
  UNKNOWN,
  DONE,
  REFUSED,  /* the condition was not true */
  OCCUPIED, /* MOVE: the other key has a tuple already */
  FAILED,   /* nothing was done */
} Outcome;

typedef struct
{
  Kind kind;
  guint key;
  gboolean is_load; /* SET, if it is not SQL */
  Content argument;
  Outcome outcome;
  Content seen;     /* by LOOK */
  guint begin, end; /* turns */
} Statement;

static guint
other_key (guint key)
{
  return N_KEYS - 1 - key;
}

/* *out_outcome: DONE, REFUSED or OCCUPIED. */
static State
state_after (const Statement *self, State before, Outcome *out_outcome)
{
  Content *here = &before.of[self->key], *there = &before.of[other_key (self->key)];
  gboolean is_refused = FALSE;

  *out_outcome = DONE;
  switch (self->kind)
    {
    case SET:
      *here = self->argument;
      break;
    case ADD:
      is_refused = *here != 0;
      *here = *here != 0 ? *here : self->argument;
      break;
    case REMOVE:
      is_refused = *here == 0;
      *here = 0;
      break;
    case CHANGE:
      is_refused = *here == 0 || *here > 2;
      *here += is_refused ? 0 : 2;
      break;
    case MOVE:
      is_refused = *here == 0;
      if (!is_refused && *there != 0)
        *out_outcome = OCCUPIED;
      if (is_refused || *there != 0)
        break;
      *there = *here;
      *here = 0;
      break;
    default:
      break;
    }
  if (is_refused)
    *out_outcome = REFUSED;
  return before;
}

static KvsqlValue
bigint (gint64 number)
{
  return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = number };
}

typedef struct
{
  KvsqlValue values[3];
} Tuple;

static Tuple
tuple_of (guint key, Content content)
{
  Tuple tuple = { { bigint (7 + key), bigint (content > 2 ? 2 : 1), KVSQL_VALUE_NULL } };

  if (content != 0 && (content - 1) % 2 == 1)
    tuple.values[2] = bigint (5);
  return tuple;
}

static Content
content_of (const KvsqlValue *tuple)
{
  return tuple == NULL
             ? 0
             : 1 + (guint)(tuple[1].integer - 1) * 2 + (kvsql_value_is_null (&tuple[2]) ? 0 : 1);
}

/* ---- daemons */

typedef struct
{
  GRand *random;
  Turns *turns;
  VersionCells *cells;
  KvsqlCatalog *catalog;
  const KvsqlCatalogEntry *entry;
  struct _Daemon *daemons;
  gboolean uses_sql;
  gboolean reads_rows; /* LOOK reads the primary's row. A tuple that moves may be in two rows. */
  Look look;           /* if it does not */
  State first;
  gboolean has_remover;
  guint n_removed; /* anchors */
} World;

typedef struct _Daemon
{
  World *world;
  guint slot;
  gint64 skew_us;
  KvsqlStore *store;
  KvsqlStorage *storage;
  KvsqlWriteLog *log;
  Statement statement;
  gboolean has_begun; /* the statement, or what a sweeper does */
  gboolean is_over;
} Daemon;

static void
read_clock (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data)
{
  const Daemon *self = data;

  *out_latest_us = 1000 * 1000 + turns_get_time (self->world->turns) * 500 + self->skew_us;
  *out_earliest_us = *out_latest_us - 1000;
}

static gint64
stamp (gint64 at_least, gpointer data, GError **error)
{
  const Daemon *self = data;
  gint64 slot = (gint64)self->slot;
  gint64 n = N_ALL;

  return at_least + ((slot - at_least) % n + n) % n;
}

static void
daemon_open (Daemon *self, World *world, guint slot, VersionFaults faults)
{
  self->world = world;
  self->slot = slot;
  self->skew_us = g_rand_int_range (world->random, 0, 20 * 1000);
  self->store = version_store_new (world->cells, faults);
  self->storage = kvsql_storage_new (self->store);
  kvsql_storage_set_time (self->storage, read_clock, stamp, self);
  self->log = kvsql_write_log_new (self->store, slot + 1);
  kvsql_storage_set_log (self->storage, self->log);
}

static void
daemon_close (Daemon *self)
{
  kvsql_write_log_free (self->log);
  kvsql_storage_free (self->storage);
  kvsql_store_close (self->store);
}

static KvsqlCheckedWriter
writer_of (const Daemon *self)
{
  return (KvsqlCheckedWriter){ .storage = self->storage,
                               .entry = self->world->entry,
                               .relation_id = 1 };
}

static gboolean
read_tuples (const Daemon *self, guint n_keys, guint first_key, KvsqlArena *arena,
             KvsqlCheckedTuple *out, GError **error)
{
  const KvsqlCheckedWriter writer = writer_of (self);
  const Tuple tuples[N_KEYS] = { tuple_of (first_key, 1), tuple_of (other_key (first_key), 1) };
  const KvsqlValue *keys[N_KEYS] = { tuples[0].values, tuples[1].values };

  return kvsql_checked_read (&writer, keys, n_keys, arena, out, error);
}

/* Another key's tuple is read only for MOVE. */
static gboolean
write_new (Daemon *self, const KvsqlCheckedTuple *before, State new, gboolean *out_applied,
           GError **error)
{
  const Statement *statement = &self->statement;
  const KvsqlCheckedWriter writer = writer_of (self);
  guint key = statement->kind == MOVE ? other_key (statement->key) : statement->key;
  const Tuple tuple = tuple_of (key, new.of[key]);
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
confirm_occupied (const Daemon *self, const KvsqlCheckedTuple *before, Outcome *outcome,
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
try_statement (Daemon *self, KvsqlArena *arena, Outcome *out_outcome, GError **error)
{
  Statement *statement = &self->statement;
  KvsqlCheckedTuple before[N_KEYS] = { 0 };
  Outcome expected;
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

static gchar *
sql_of (const Statement *self)
{
  gint64 key = tuple_of (self->key, 1).values[0].integer;
  gint64 other = tuple_of (other_key (self->key), 1).values[0].integer;

  switch (self->kind)
    {
    case SET:
      return g_strdup ("INSERT INTO r VALUES (0, 0, 0)");
    case ADD:
      return g_strdup ("INSERT INTO r VALUES (0, 0, 0) ON CONFLICT DO NOTHING");
    case REMOVE:
      return g_strdup_printf ("DELETE FROM r WHERE k = %" G_GINT64_FORMAT, key);
    case CHANGE:
      return g_strdup_printf ("UPDATE r SET v = 2 WHERE k = %" G_GINT64_FORMAT " AND v = 1", key);
    default:
      return g_strdup_printf ("UPDATE r SET k = %" G_GINT64_FORMAT " WHERE k = %" G_GINT64_FORMAT,
                              other, key);
    }
}

static KvsqlWritePlan *
plan_of (const Daemon *self, KvsqlBinder *binder)
{
  g_autofree gchar *sql = sql_of (&self->statement);
  g_autoptr (GError) error = NULL;
  const KvsqlCatalog *catalog = self->world->catalog;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), binder->arena, &error);
  KvsqlWritePlan *plan;

  g_assert_no_error (error);
  switch (statement->kind)
    {
    case KVSQL_STATEMENT_INSERT:
      plan = kvsql_insert_plan_make (catalog, &statement->insert, binder, &error);
      break;
    case KVSQL_STATEMENT_UPDATE:
      plan = kvsql_update_plan_make (catalog, &statement->update, binder,
                                     &self->store->capabilities, &error);
      break;
    default:
      plan = kvsql_remove_plan_make (catalog, &statement->delete_, binder,
                                     &self->store->capabilities, &error);
      break;
    }
  g_assert_no_error (error);
  return plan;
}

static gboolean
run_plan (Daemon *self, KvsqlWritePlan *plan, guint64 *out_n, GError **error)
{
  const KvsqlSelectLimits limits = { .sort_bytes = 1 << 20 };
  const Tuple tuple = tuple_of (self->statement.key, self->statement.argument);
  const KvsqlValue *tuples[] = { tuple.values };

  switch (self->statement.kind)
    {
    case SET:
      return kvsql_insert_run (self->storage, plan->entry, tuples, 1, NULL, out_n, error);
    case ADD:
      return kvsql_upsert_run (self->storage, plan, tuples, 1, NULL, NULL, NULL, out_n, error);
    default:
      return kvsql_update_run (self->storage, plan, &limits, NULL, NULL, out_n, error);
    }
}

/* After an error: whether something may have been decided. */
static Outcome
outcome_of (const Daemon *self, const GError *error)
{
  return version_store_is_dead (self->store)
                 || g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME)
             ? UNKNOWN
             : FAILED;
}

static Outcome
run_sql (Daemon *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlBinder binder = { .arena = arena };
  KvsqlWritePlan *plan = plan_of (self, &binder);
  g_autoptr (GError) error = NULL;
  guint64 n = 0;

  if (run_plan (self, plan, &n, &error))
    return n == 1 ? DONE : REFUSED;
  return g_error_matches (error, KVSQL_ERROR, KVSQL_ERROR_ALREADY_EXISTS)
             ? OCCUPIED
             : outcome_of (self, error);
}

static Outcome
try_often (Daemon *self)
{
  Outcome outcome = UNKNOWN;

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
static Outcome
run_logged (Daemon *self)
{
  const Statement *statement = &self->statement;
  const KvsqlCheckedWriter writer = writer_of (self);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlSlice keys[N_KEYS];
  KvsqlLogEntry entry;
  Outcome outcome;

  for (guint i = 0; i < N_KEYS; i++)
    keys[i] = kvsql_checked_key (&writer, tuple_of (i, 1).values, arena);
  if (!kvsql_write_log_begin (self->log, writer.relation_id,
                              statement->kind == MOVE ? keys : &keys[statement->key],
                              statement->kind == MOVE ? N_KEYS : 1, NULL, &entry, NULL))
    return FAILED;
  outcome = try_often (self);
  kvsql_write_log_end (self->log, &entry, outcome != UNKNOWN, NULL);
  return outcome;
}

static Outcome
read_row (Daemon *self)
{
  const KvsqlCatalogEntry *entry = self->world->entry;
  const Tuple tuple = tuple_of (self->statement.key, 1);
  const KvsqlValue *key = tuple.values;
  g_autoptr (KvsqlTupleMap) rows = kvsql_tuple_map_new (entry->relation, 0);

  if (!kvsql_read_primary_by_keys (self->store, entry, &key, 1, &entry->relation->all, NULL, rows,
                                   NULL))
    return FAILED;
  self->statement.seen = content_of (kvsql_tuple_map_find (rows, key));
  return DONE;
}

/* ---- verified reads */

/* Of a key that a scan of the other schema has found. */
static Outcome
verify_key (Daemon *self)
{
  const KvsqlCatalogEntry *entry = self->world->entry;
  const Tuple tuple = tuple_of (self->statement.key, 1);
  const KvsqlValue *scanned = tuple.values, *current;
  const KvsqlVerifier verifier = { .store = self->store,
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
static Outcome
look_at_rows (Daemon *self, const KvsqlBatch *page)
{
  gboolean is_found[N_KEYS] = { FALSE };
  Outcome outcome = FAILED;

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

static Outcome
verify_scan (Daemon *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlBinder binder = { .arena = arena };
  const KvsqlSelectLimits limits = { .sort_bytes = 1 << 20 };
  const KvsqlAstStatement *statement = kvsql_parser_parse (
      KVSQL_SLICE_LITERAL ("SELECT k, v, w FROM r USING SCHEMA s WITH VERIFIED"), arena, NULL);
  const KvsqlSelectPlan *plan = kvsql_select_plan_make (self->world->catalog, &statement->select,
                                                        &binder, &self->store->capabilities, NULL);
  g_autoptr (KvsqlSelectRun) run = kvsql_select_run_new (plan, self->store, &limits, NULL);
  g_autoptr (KvsqlBatch) page = NULL;
  gboolean has_more;

  if (!kvsql_select_run_page (run, 100, 1 << 20, NULL, arena, &page, &has_more, NULL))
    return FAILED;
  g_assert_false (has_more);
  return look_at_rows (self, page);
}

static Outcome
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
wait_up_to (const Daemon *self, gint n_turns)
{
  for (gint n = g_rand_int_range (self->world->random, 0, n_turns); n > 0; n--)
    turns_wait (self->world->turns);
}

static void
run_statement (gpointer data)
{
  Daemon *self = data;
  Statement *statement = &self->statement;

  if (self->world->has_remover)
    wait_up_to (self, LONG_WAIT);
  self->has_begun = TRUE;
  statement->begin = turns_get_time (self->world->turns);
  if (statement->kind == LOOK)
    statement->outcome = look (self);
  else
    statement->outcome = self->world->uses_sql ? run_sql (self) : run_logged (self);
  statement->end = turns_get_time (self->world->turns);
  self->is_over = TRUE;
}

/* Whether no request of the daemon with this id can arrive any more. */
static gboolean
is_gone (const World *self, guint64 id)
{
  const Daemon *daemon = &self->daemons[id - 1];

  return daemon->is_over && version_store_is_silent (daemon->store);
}

/* Finishes all writes in the log. An entry of a daemon that may still write stays. */
static gboolean
sweep (const Daemon *self, GError **error)
{
  const KvsqlCheckedWriter writer = writer_of (self);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *entries;
  guint n, n_finished;

  if (!kvsql_log_entries_read (self->store, 0, G_MAXUINT64, NULL, arena, &entries, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      gboolean was_gone = is_gone (self->world, entries[i].daemon_id);

      if (!kvsql_checked_finish (&writer, entries[i].keys, entries[i].n_keys, &n_finished, error)
          || (was_gone && !kvsql_log_entries_remove (self->store, &entries[i], 1, NULL, error)))
        return FALSE;
    }
  return TRUE;
}

/* At any time. It may fail. */
static void
run_sweeper (gpointer data)
{
  Daemon *self = data;

  wait_up_to (self, self->world->has_remover ? LONG_WAIT : SHORT_WAIT);
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

  if (!kvsql_log_entries_read (self->store, 0, G_MAXUINT64, NULL, arena, &entries, &n, NULL))
    return G_MAXUINT;
  for (guint i = 0; i < n; i++)
    logged |= 1u << (entries[i].daemon_id - 1);
  return logged;
}

/* Waits until what has begun by now has ended, and has left the log. FALSE: it takes too long. */
static gboolean
await_quiet (const Daemon *self)
{
  guint begun = 0;

  for (guint i = 0; i < N_DAEMONS + N_SWEEPERS; i++)
    begun |= self->world->daemons[i].has_begun ? 1u << i : 0;
  for (guint i = 0; i < MAX_SWEEPS && !version_store_is_dead (self->store); i++)
    {
      if ((begun & (find_active (self->world) | find_logged (self))) == 0)
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

  dead.before = 1000 + turns_get_time (world->turns) / 2;
  if (await_quiet (self) && await_quiet (self) && await_quiet (self))
    ignore_result (kvsql_dead_anchors_remove (&dead, 0, KVSQL_ANCHOR_PARTS, &n, NULL));
  if (n > 0 && g_rand_boolean (world->random))
    version_cells_compact (world->cells, dead.before);
  world->n_removed += (guint)n;
}

static void
run_remover (gpointer data)
{
  Daemon *self = data;

  for (guint i = 0; i < N_PASSES; i++)
    {
      wait_up_to (self, LONG_WAIT / 2);
      remove_anchors (self);
    }
}

/* ---- is there an order of the statements? */

static gboolean
may_be_next (const Statement *statements, guint used, guint i)
{
  if ((used & (1u << i)) != 0 || statements[i].outcome == FAILED)
    return FALSE;
  for (guint j = 0; j < N_DAEMONS; j++)
    if ((used & (1u << j)) == 0 && j != i && statements[j].outcome != FAILED
        && statements[j].outcome != UNKNOWN && statements[j].end < statements[i].begin)
      return FALSE;
  return TRUE;
}

/* Whether the statements that are not @used can follow each other, from the state @now to @last. Of
 * unknown outcomes each may have been done or not. */
static gboolean
is_explained (const Statement *statements, guint used, State now, State last)
{
  gboolean is_complete = memcmp (&now, &last, sizeof now) == 0;

  for (guint i = 0; i < N_DAEMONS; i++)
    {
      const Statement *statement = &statements[i];
      Outcome outcome;
      State after;

      if ((used & (1u << i)) == 0 && statement->outcome != UNKNOWN && statement->outcome != FAILED)
        is_complete = FALSE;
      if (!may_be_next (statements, used, i))
        continue;
      after = state_after (statement, now, &outcome);
      if (statement->outcome != UNKNOWN
          && (statement->outcome != outcome
              || (statement->kind == LOOK && statement->seen != now.of[statement->key])))
        continue;
      if (is_explained (statements, used | (1u << i), after, last))
        return TRUE;
    }
  return is_complete;
}

/* ---- a run */

static void
world_open (World *self, guint seed)
{
  const KvsqlName name = { .text = "r" };

  self->random = g_rand_new_with_seed (seed);
  self->turns = turns_new (self->random);
  self->cells = version_cells_new (self->random, self->turns);
  self->catalog = kvsql_catalog_new (1);
  for (guint i = 0; i < G_N_ELEMENTS (definitions); i++)
    kvsql_catalog_add_definition (self->catalog, NULL, definitions[i]);
  for (guint i = 0; i < self->catalog->load_errors->len; i++)
    g_test_message ("%s", (const gchar *)self->catalog->load_errors->pdata[i]);
  g_assert_cmpuint (self->catalog->load_errors->len, ==, 0);
  self->entry = kvsql_catalog_lookup (self->catalog, &name);
  self->entry->relation->writes = self->entry->relation->mode = KVSQL_WRITES_CHECKED;
  self->entry->relation->id = 1;
  self->uses_sql = seed % 2 == 0;
  self->look = (Look)(seed / 4 % N_LOOKS);
  self->reads_rows = self->uses_sql && seed % 4 == 0;
  self->has_remover = seed / 16 % 2 == 1;
  if (self->has_remover)
    version_cells_set_lateness (self->cells, LATENESS);
}

static void
world_close (World *self)
{
  kvsql_catalog_unref (self->catalog);
  version_cells_free (self->cells);
  turns_free (self->turns);
  g_rand_free (self->random);
}

/* The cells that the schemas should have. */
static void
write_plainly (const World *self, KvsqlStorage *storage, State state)
{
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  g_autoptr (GError) error = NULL;

  for (guint key = 0; key < N_KEYS; key++)
    {
      const Tuple tuple = tuple_of (key, state.of[key]);

      for (guint s = 0; state.of[key] != 0 && s < self->entry->n_schemas; s++)
        assert_done (
            kvsql_mutation_list_add_puts (list, self->entry->schemas[s], tuple.values, 10, &error),
            error);
    }
  assert_done (kvsql_mutation_list_apply (list, storage, NULL, &error), error);
}

static gchar *
print_cells (VersionCells *cells)
{
  GString *out = g_string_new (NULL);

  version_cells_print (cells, "p", out);
  version_cells_print (cells, "s", out);
  return g_string_free (out, FALSE);
}

static gchar *
print_expected (World *self, State state)
{
  World other = *self;
  g_autoptr (KvsqlStore) store = NULL;
  g_autoptr (KvsqlStorage) storage = NULL;
  gchar *text;

  other.cells = version_cells_new (self->random, self->turns);
  store = version_store_new (other.cells, (VersionFaults){ 0 });
  storage = kvsql_storage_new (store);
  write_plainly (&other, storage, state);
  text = print_cells (other.cells);
  version_cells_free (other.cells);
  return text;
}

static VersionFaults
choose_faults (const World *self)
{
  GRand *random = self->random;
  const VersionFaults kinds[]
      = { { 0 },         { .death = 12 },  { .lost = 8 },
          { .late = 8 }, { .refused = 8 }, { .death = 30, .lost = 20, .late = 20, .refused = 30 } };
  VersionFaults faults = kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))];

  faults.stopped = self->has_remover && g_rand_boolean (random) ? 6 : 0;
  return faults;
}

static void
show (guint seed, const World *self, const Statement *statements, State last)
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
  g_autoptr (KvsqlStore) store = version_store_new (self->cells, (VersionFaults){ 0 });
  g_autoptr (KvsqlStorage) storage = kvsql_storage_new (store);

  for (guint key = 0; key < N_KEYS; key++)
    self->first.of[key] = (Content)g_rand_int_range (self->random, 0, 5);
  write_plainly (self, storage, self->first);
}

/* What the anchors say after the last sweep. */
static State
finish_world (World *self)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  Daemon last = { 0 };
  KvsqlCheckedTuple found[N_KEYS];
  KvsqlLogEntry *entries;
  State state;
  guint n;
  g_autoptr (GError) error = NULL;

  version_cells_deliver (self->cells);
  daemon_open (&last, self, N_DAEMONS, (VersionFaults){ 0 });
  assert_done (sweep (&last, &error), error);
  assert_done (
      kvsql_log_entries_read (last.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, &error),
      error);
  g_assert_cmpuint (n, ==, 0);
  assert_done (read_tuples (&last, N_KEYS, 0, arena, found, &error), error);
  for (guint key = 0; key < N_KEYS; key++)
    state.of[key] = content_of (found[key].tuple);
  daemon_close (&last);
  return state;
}

static void
check_run (World *self, guint seed, const Statement *statements, State last)
{
  g_autofree gchar *cells = print_cells (self->cells);
  g_autofree gchar *expected = print_expected (self, last);

  if (g_strcmp0 (cells, expected) == 0 && is_explained (statements, 0, self->first, last))
    return;
  show (seed, self, statements, last);
  g_assert_cmpstr (cells, ==, expected);
  g_assert_true (is_explained (statements, 0, self->first, last));
}

/* A remover needs tuples that are deleted and come again. In SQL without moves: after one that its
 * daemon has left, a statement may find the tuple at neither key, until it is recovered. */
static Kind
choose_kind_for_remover (const World *self)
{
  const Kind kinds[] = { SET, ADD, REMOVE, REMOVE, CHANGE, LOOK, MOVE };

  return kinds[g_rand_int_range (self->random, 0,
                                 (gint)G_N_ELEMENTS (kinds) - (self->uses_sql ? 1 : 0))];
}

/* A move that is decided and not finished has to be seen by two readers that settle nothing. */
static Kind
choose_kind (const World *self)
{
  gboolean is_verified = self->look != AS_WRITER && !self->reads_rows;

  if (self->has_remover)
    return choose_kind_for_remover (self);
  if (is_verified && g_rand_boolean (self->random))
    return g_rand_boolean (self->random) ? LOOK : MOVE;
  return (Kind)g_rand_int_range (self->random, 0, N_KINDS);
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
  Statement statements[N_DAEMONS];
  State last;

  world_open (&world, seed);
  world.daemons = daemons;
  start_world (&world);
  for (guint i = 0; i < G_N_ELEMENTS (daemons); i++)
    {
      daemon_open (&daemons[i], &world, i, choose_faults (&world));
      daemons[i].statement
          = (Statement){ .kind = choose_kind (&world),
                         .key = (guint)g_rand_int_range (world.random, 0, N_KEYS),
                         .argument = (Content)g_rand_int_range (world.random, 1, 5),
                         .is_load = g_rand_boolean (world.random) };
      world.reads_rows &= daemons[i].statement.kind != MOVE;
      if (i < N_DAEMONS + N_SWEEPERS || world.has_remover)
        turns_add (world.turns, choose_role (i), &daemons[i]);
    }
  turns_run (world.turns);
  for (guint i = 0; i < N_DAEMONS; i++)
    statements[i] = daemons[i].statement;
  last = finish_world (&world);
  check_run (&world, seed, statements, last);
  for (guint i = 0; i < G_N_ELEMENTS (daemons); i++)
    daemon_close (&daemons[i]);
  world_close (&world);
  return world.n_removed;
}

/* ---- one daemon */

static void
open_alone (World *world, Daemon *daemon)
{
  world_open (world, 1);
  daemon_open (daemon, world, 0, (VersionFaults){ 0 });
}

static void
close_alone (World *world, Daemon *daemon)
{
  daemon_close (daemon);
  world_close (world);
}

static gboolean
write_tuple (const Daemon *self, gint64 v, gboolean *out_applied, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlCheckedWriter writer = writer_of (self);
  Tuple tuple = tuple_of (0, 1);
  KvsqlCheckedTuple before;
  KvsqlCheckedChange change = { .before = &before, .new = tuple.values };
  gboolean ok;

  tuple.values[1] = bigint (v);
  if (!read_tuples (self, 1, 0, arena, &before, error))
    return FALSE;
  ok = kvsql_checked_apply (&writer, &change, 1, error);
  *out_applied = change.is_applied;
  return ok;
}

static gboolean
refuse_cells (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows, const KvsqlCall *call,
              GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "no gateway");
}

/* Writes are decided and not finished, until the anchor has no room for older tuples. Then the next
 * one has to finish first what is there, and only decides when it is tried again. */
static void
test_no_room (void)
{
  World world = { 0 };
  Daemon daemon = { 0 };
  KvsqlStoreClass refusing;
  const KvsqlStoreClass *whole;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL, *expected = NULL;
  gboolean is_applied;

  open_alone (&world, &daemon);
  whole = daemon.store->klass;
  refusing = *whole;
  refusing.apply = refuse_cells;
  daemon.store->klass = &refusing;
  for (guint i = 0; i <= KVSQL_ANCHOR_MAX_OLD; i++)
    {
      g_assert_false (write_tuple (&daemon, 10 + i, &is_applied, &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
      g_clear_error (&error);
    }
  g_assert_false (write_tuple (&daemon, 1, &is_applied, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_clear_error (&error);
  daemon.store->klass = whole;
  assert_done (write_tuple (&daemon, 1, &is_applied, &error), error);
  g_assert_false (is_applied);
  assert_done (write_tuple (&daemon, 1, &is_applied, &error), error);
  g_assert_true (is_applied);
  cells = print_cells (world.cells);
  expected = print_expected (&world, (State){ { 1, 0 } });
  g_assert_cmpstr (cells, ==, expected);
  close_alone (&world, &daemon);
}

/* The table of the anchors is dropped after a load has put them, and is made again. */
static gboolean
forget_anchors (KvsqlStore *store, const KvsqlRowMutation *rows, guint n_rows,
                const KvsqlCall *call, GError **error)
{
  return TRUE;
}

/* What the load has put is not there: it may not say that it was replaced. */
static void
test_dropped_anchors (void)
{
  World world = { 0 };
  Daemon daemon = { 0 };
  KvsqlStoreClass forgetting;
  const KvsqlStoreClass *whole;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  const Tuple tuple = tuple_of (0, 2);
  KvsqlCheckedTuple before;
  KvsqlCheckedChange change = { .before = &before, .new = tuple.values };
  KvsqlCheckedWriter writer;

  open_alone (&world, &daemon);
  writer = writer_of (&daemon);
  whole = daemon.store->klass;
  forgetting = *whole;
  forgetting.apply = forget_anchors;
  assert_done (read_tuples (&daemon, 1, 0, arena, &before, &error), error);
  daemon.store->klass = &forgetting;
  g_assert_false (kvsql_checked_load (&writer, &change, 1, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME);
  g_assert_false (change.is_applied);
  daemon.store->klass = whole;
  close_alone (&world, &daemon);
}

static void
test_timestamp_is_refused (void)
{
  World world = { 0 };
  Daemon daemon = { 0 };
  const Tuple tuple = tuple_of (0, 1);
  const KvsqlValue *tuples[] = { tuple.values };
  g_autoptr (GError) error = NULL;
  g_autofree gchar *cells = NULL;
  guint64 n;

  open_alone (&world, &daemon);
  g_assert_false (
      kvsql_insert_run_at (daemon.storage, world.entry, tuples, 1, 1000, NULL, &n, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  cells = print_cells (world.cells);
  g_assert_cmpstr (cells, ==, "");
  close_alone (&world, &daemon);
}

static guint first_run = 1, n_runs;

static void
test_runs (void)
{
  guint n_removed = 0;

  for (guint i = 0; i < n_runs; i++)
    n_removed += run (first_run + i);
  g_test_message ("%u anchors were removed", n_removed);
  g_assert_true (n_removed > 0 || n_runs < 300);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  n_runs = test_size (2000, 300);
  if (argc > 1)
    first_run = (guint)strtoul (argv[1], NULL, 10);
  if (argc > 2)
    n_runs = (guint)strtoul (argv[2], NULL, 10);
  g_test_add_func ("/checked-write/no-room", test_no_room);
  g_test_add_func ("/checked-write/dropped-anchors", test_dropped_anchors);
  g_test_add_func ("/checked-write/timestamp-is-refused", test_timestamp_is_refused);
  g_test_add_func ("/checked-write/runs", test_runs);
  return g_test_run ();
}
