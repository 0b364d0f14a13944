/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-checked-filling.c: a schema is added to a relation whose writes are checked, or blind, while
 * daemons write one tuple, end, lose answers, or lose their lease. Afterwards the schema has the
 * tuple that the anchor says, or the primary schema, and nothing else.
 *
 * This is tests/model/filling.pml with the code in place of its writers, recoverers and backfills.
 * As there, each rule is switched off once: then some run must fail.
 *
 * test-checked-filling [FIRST [COUNT]]: the number of the first run, and how many.
 */
#include "config.h"

#include "core/maintain/backfill.h"
#include "core/maintain/compare.h"
#include "core/scan/read-by-keys.h"
#include "core/write/apply.h"
#include "core/write/checked-end.h"
#include "core/write/checked-write.h"
#include "tests/harness/assert.h"
#include "tests/write/version-daemon.h"

#define N_WRITERS 3
#define N_RECOVERERS 2
#define N_BACKFILLS 2
#define N_EPOCHS 4
#define N_SLOTS 16
/* Where the schema was there before, late requests are later. */
#define LATENESS 32

/* A rule that is switched off. */
typedef enum
{
  NO_BREACH,
  NO_DELETING, /* absent is followed by building */
  NO_WAIT,     /* not for the log */
  EARLY_FILL,  /* the backfill does not wait for the end of older definitions */
  OLD_CLEAR,   /* a recoverer clears although its lease is over */
  ROWS_ONLY,   /* the backfill puts the primary's rows */
  N_BREACHES,
} Breach;

/* Of the schema, by epoch. It may have been there before, and is dropped first. */
static const gchar *const states[N_EPOCHS]
    = { "", NULL, " WITH (state = deleting)", " WITH (state = building)" };

typedef enum
{
  READABLE,
  ABSENT,
  DELETING,
  BUILDING,
} Epoch;

/* Whose writes, and whether the schema was there before. */
typedef enum
{
  CHECKED,
  CHECKED_AGAIN,
  BLIND,
  BLIND_AGAIN,
  N_VARIANTS,
} Variant;

typedef struct _World World;

typedef struct
{
  World *world;
  VersionDaemon base;
  guint slot;
  gint epoch;       /* of the definitions in use; -1: none */
  gboolean is_lost; /* its lease is over */
  gboolean is_over;
  gint64 v; /* a writer's tuple; 0: DELETE */
} Daemon;

struct _World
{
  VersionWorld base;
  Breach breach;
  gboolean is_blind, is_again;
  KvsqlCatalog *catalogs[N_EPOCHS];
  gint epoch;
  gboolean can_fill;
  Daemon writers[N_WRITERS], recoverers[N_RECOVERERS], backfills[N_BACKFILLS], definer;
};

/* ---- tuples */

typedef struct
{
  KvsqlValue values[2];
} Tuple;

static Tuple
tuple_of (gint64 v)
{
  return (Tuple){ { { .type = KVSQL_TYPE_BIGINT, .integer = 7 },
                    { .type = KVSQL_TYPE_BIGINT, .integer = v } } };
}

static const KvsqlCatalogEntry *
entry_at (const World *self, gint epoch)
{
  return version_catalog_get_entry (self->catalogs[epoch]);
}

/* Blind writes need an entry of the log where a tuple is in several rows. */
static KvsqlCatalog *
catalog_of (guint epoch, gboolean is_blind)
{
  g_autofree gchar *added
      = g_strdup_printf ("DEFINE SCHEMA s FOR r { TABLE 's', ROW %s, FAMILY 'f'%s }%s",
                         is_blind ? "'s':ordered{k}" : "ordered{v}:ordered{k}",
                         is_blind ? ", VALUE ordered{v}" : "", states[epoch]);
  const gchar *definitions[4]
      = { "DEFINE RELATION r { k BIGINT KEY, v BIGINT }",
          "DEFINE PRIMARY SCHEMA p FOR r { TABLE 'p', ROW ordered{k}, FAMILY 'f', VALUE "
          "ordered{v} }" };
  guint n = 2;

  if (is_blind)
    definitions[n++] = "DEFINE SCHEMA q FOR r { TABLE 'q', ROW 'q':ordered{k}, FAMILY 'f', VALUE "
                       "ordered{v} }";
  if (states[epoch] != NULL)
    definitions[n++] = added;
  return version_catalog_new (epoch + 1, definitions, n,
                              is_blind ? KVSQL_WRITES_BLIND : KVSQL_WRITES_CHECKED);
}

/* ---- daemons */

static void
read_clock (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data)
{
  const Daemon *self = data;

  *out_latest_us = version_world_get_time (&self->world->base);
  /* the order of the writes is not tested here: they do not wait */
  *out_earliest_us = self->world->is_blind ? G_MAXINT64 : *out_latest_us - 1000;
}

static gint64
stamp (gint64 at_least, gpointer data, GError **error)
{
  const Daemon *self = data;

  if (self->is_lost && self->world->breach != OLD_CLEAR)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "no slot");
      return 0;
    }
  return version_stamp (at_least, self->slot, N_SLOTS);
}

static void
daemon_open (Daemon *self, World *world, guint slot, VersionFaults faults)
{
  *self = (Daemon){ .world = world, .slot = slot, .epoch = -1 };
  version_daemon_open (&self->base, &world->base, slot, faults, read_clock, stamp, self);
}

/* Begins to use the newest definitions. */
static const KvsqlCatalogEntry *
enter (Daemon *self)
{
  self->epoch = self->world->epoch;
  return entry_at (self->world, self->epoch);
}

static void
leave (Daemon *self)
{
  self->epoch = -1;
  self->is_over = TRUE;
}

/* ---- writers */

static gboolean
write_tuple (Daemon *self, const KvsqlCheckedWriter *writer, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const Tuple tuple = tuple_of (self->v);
  const KvsqlValue *key = tuple.values;
  KvsqlCheckedTuple before;
  KvsqlCheckedChange change = { .before = &before, .new = self->v != 0 ? tuple.values : NULL };

  if (!kvsql_checked_read (writer, &key, 1, arena, &before, error))
    return FALSE;
  return (before.tuple == NULL && self->v == 0) || kvsql_checked_apply (writer, &change, 1, error);
}

static void
run_blind_writer (gpointer data)
{
  Daemon *self = data;
  const KvsqlCatalogEntry *entry;
  const Tuple tuple = tuple_of (self->v);
  const KvsqlValue *tuples[] = { tuple.values };
  KvsqlBlindWrite write = { .tuples = tuples, .n = 1, .is_delete = self->v == 0 };
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  KvsqlKeyLocks locks;

  version_world_pause (&self->world->base, 60);
  entry = enter (self);
  g_assert_true (
      kvsql_lock_tuples (self->base.storage, entry->relation, tuples, 1, NULL, &locks, NULL));
  write.timestamp = kvsql_storage_next_timestamp (self->base.storage, &locks, TRUE, NULL);
  if (write.timestamp != 0)
    {
      version_world_pause (&self->world->base, 20);
      version_add_cells (entry, &write, list);
      ignore_result (kvsql_blind_apply (self->base.storage, entry, &write, list, NULL, NULL));
    }
  kvsql_storage_unlock (self->base.storage, &locks);
  leave (self);
}

static void
run_writer (gpointer data)
{
  Daemon *self = data;
  KvsqlCheckedWriter writer;
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const Tuple tuple = tuple_of (1);
  g_autoptr (GError) failure = NULL;
  KvsqlLogEntry entry;
  KvsqlSlice key;

  version_world_pause (&self->world->base, 60);
  writer = kvsql_checked_writer (self->base.storage, enter (self), NULL, NULL);
  key = kvsql_checked_key (&writer, tuple.values, arena);
  if (kvsql_checked_log (&writer, &key, 1, &entry, NULL))
    {
      gboolean is_done
          = write_tuple (self, &writer, &failure)
            || !(version_store_is_dead (self->base.store)
                 || g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNKNOWN_OUTCOME));

      kvsql_write_log_end (self->base.log, &entry, is_done, NULL);
    }
  leave (self);
}

/* ---- recoverers */

static gboolean
is_gone (const World *self, guint64 id)
{
  const Daemon *writer = &self->writers[id - 1];

  return writer->is_over && version_store_is_silent (writer->base.store);
}

static gboolean
finish (const Daemon *self, const KvsqlCatalogEntry *entry, const KvsqlLogEntry *logged,
        GError **error)
{
  const KvsqlCheckedWriter writer = kvsql_checked_writer (self->base.storage, entry, NULL, NULL);
  guint n;

  return self->world->is_blind
             ? kvsql_blind_finish (self->base.storage, entry, logged->intent, NULL, &n, error)
             : kvsql_checked_finish (&writer, logged->keys, logged->n_keys, &n, error);
}

/* One look, as daemon/recovery/recovery.c does it. */
static gboolean
sweep (Daemon *self, const KvsqlCatalogEntry *entry, GError **error)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlLogEntry *entries;
  guint n;

  if (!kvsql_log_entries_read (self->base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      gboolean was_gone = self->world->is_blind || is_gone (self->world, entries[i].daemon_id);

      if (!finish (self, entry, &entries[i], error)
          || (was_gone
              && (!kvsql_storage_may_write (self->base.storage, error)
                  || !kvsql_log_entries_remove (self->base.store, &entries[i], 1, NULL, error))))
        return FALSE;
    }
  return TRUE;
}

static void
run_recoverer (gpointer data)
{
  Daemon *self = data;
  const KvsqlCatalogEntry *entry;

  version_world_pause (&self->world->base, 40);
  entry = enter (self);
  version_world_pause (&self->world->base, 40);
  ignore_result (sweep (self, entry, NULL));
  leave (self);
}

/* ---- the definitions */

static gboolean
uses_older (const Daemon *self, gint epoch)
{
  return self->epoch >= 0 && self->epoch < epoch && !self->is_lost;
}

/* Leases may end while they are waited for. */
static gboolean
is_any_older (World *self, gint epoch)
{
  gboolean any = FALSE;

  for (guint i = 0; i < N_RECOVERERS; i++)
    {
      Daemon *recoverer = &self->recoverers[i];

      recoverer->is_lost
          |= uses_older (recoverer, epoch) && g_rand_int_range (self->base.random, 0, 8) == 0;
      any = any || uses_older (recoverer, epoch);
    }
  for (guint i = 0; i < N_WRITERS; i++)
    {
      Daemon *writer = &self->writers[i];

      writer->is_lost |= uses_older (writer, epoch) && self->breach != OLD_CLEAR
                         && g_rand_int_range (self->base.random, 0, 8) == 0;
      any = any || uses_older (writer, epoch);
    }
  return any;
}

/* Those of the first look that are left. */
static guint
count_entries (Daemon *self, GArray **inout)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  GArray *left = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) before = *inout;
  g_autoptr (GError) error = NULL;
  KvsqlLogEntry *entries;
  guint n;

  assert_done (
      kvsql_log_entries_read (self->base.store, 0, G_MAXUINT64, NULL, arena, &entries, &n, &error),
      error);
  for (guint i = 0; i < n; i++)
    {
      gboolean is_known = before == NULL;

      for (guint j = 0; before != NULL && j < before->len; j++)
        is_known |= g_array_index (before, guint64, j) == entries[i].daemon_id;
      if (is_known)
        g_array_append_val (left, entries[i].daemon_id);
    }
  *inout = left;
  return left->len;
}

/* As daemon/recovery/old-writes.c does it, and another daemon's recovery goes on meanwhile. */
static void
await (Daemon *self, gint epoch)
{
  g_autoptr (GArray) left = NULL;
  g_autoptr (GError) error = NULL;

  while (is_any_older (self->world, epoch))
    turns_wait (self->world->base.turns);
  while (self->world->breach != NO_WAIT && count_entries (self, &left) > 0)
    {
      assert_done (sweep (self, entry_at (self->world, epoch), &error), error);
      turns_wait (self->world->base.turns);
    }
}

static void
ignore_difference (KvsqlDifferenceKind kind, const KvsqlValue *tuple, const gchar *what,
                   gpointer data)
{
}

/* What the schema has had before is removed, unless there is such a tuple. */
static void
remove_extras (const Daemon *self, const KvsqlCatalogEntry *entry)
{
  const KvsqlComparison comparison = { .storage = self->base.storage,
                                       .entry = entry,
                                       .schema = entry->schemas[entry->n_schemas - 1],
                                       .repairs = TRUE,
                                       .func = ignore_difference };
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  KvsqlScanPosition next;
  gboolean has_next;
  guint64 n;

  assert_done (kvsql_compare_cells (&comparison, NULL, arena, &has_next, &next, &n, &error), error);
}

static void
run_definer (gpointer data)
{
  Daemon *self = data;
  World *world = self->world;

  version_world_pause (&world->base, 30);
  if (world->is_again)
    {
      world->epoch = ABSENT;
      version_world_pause (&world->base, 60);
    }
  if (world->breach != NO_DELETING)
    {
      world->epoch = DELETING;
      await (self, DELETING);
    }
  world->epoch = BUILDING;
  if (world->breach != EARLY_FILL)
    await (self, BUILDING);
  if (world->is_again)
    {
      /* what was sent while the schema was there before; docs/consistency.md, "Not yet" */
      version_cells_deliver (world->base.cells);
      remove_extras (self, entry_at (world, BUILDING));
    }
  world->can_fill = TRUE;
}

static gboolean
fill (Daemon *self, GError **error)
{
  const KvsqlCatalogEntry *entry = enter (self);
  guint64 id = entry->relation->id, n;
  g_autoptr (KvsqlTupleChunk) chunk
      = kvsql_tuple_chunk_read (self->base.storage, entry, NULL, NULL, 0, NULL, error);
  gboolean ok;

  if (chunk == NULL)
    return FALSE;
  if (self->world->breach == ROWS_ONLY)
    {
      entry->relation->mode = KVSQL_WRITES_PLAIN;
      entry->relation->id = 0;
    }
  ok = kvsql_backfill_chunk (chunk, self->base.storage, entry, entry->schemas[entry->n_schemas - 1],
                             NULL, &n, error);
  entry->relation->mode = entry->relation->writes;
  entry->relation->id = id;
  return ok;
}

static void
run_backfill (gpointer data)
{
  Daemon *self = data;

  while (!self->world->can_fill)
    turns_wait (self->world->base.turns);
  ignore_result (fill (self, NULL));
  leave (self);
}

/* ---- a run */

static const gchar *const tables[] = { "p", "q", "s" };

static VersionFaults
choose_faults (GRand *random)
{
  const VersionFaults kinds[] = { { 0 },         { .death = 8 },   { .lost = 8 },
                                  { .late = 6 }, { .refused = 8 }, { .death = 20, .late = 12 } };

  return kinds[g_rand_int_range (random, 0, G_N_ELEMENTS (kinds))];
}

static void
world_open (World *self, guint seed, Breach breach, Variant variant)
{
  guint slot = 0;

  *self = (World){ .breach = breach,
                   .is_blind = variant >= BLIND,
                   .is_again = variant == CHECKED_AGAIN || variant == BLIND_AGAIN };
  self->epoch = self->is_again ? READABLE : ABSENT;
  version_world_open (&self->base, seed);
  if (self->is_again)
    version_cells_set_lateness (self->base.cells, LATENESS);
  for (guint i = 0; i < N_EPOCHS; i++)
    self->catalogs[i] = catalog_of (i, self->is_blind);
  for (guint i = 0; i < N_WRITERS; i++)
    {
      daemon_open (&self->writers[i], self, slot++, choose_faults (self->base.random));
      self->writers[i].v = g_rand_int_range (self->base.random, 0, 3);
      turns_add (self->base.turns, self->is_blind ? run_blind_writer : run_writer,
                 &self->writers[i]);
    }
  for (guint i = 0; i < N_RECOVERERS; i++)
    {
      daemon_open (&self->recoverers[i], self, slot++, choose_faults (self->base.random));
      turns_add (self->base.turns, run_recoverer, &self->recoverers[i]);
    }
  for (guint i = 0; i < N_BACKFILLS; i++)
    {
      daemon_open (&self->backfills[i], self, slot++,
                   i == 0 ? (VersionFaults){ 0 } : choose_faults (self->base.random));
      turns_add (self->base.turns, run_backfill, &self->backfills[i]);
    }
  daemon_open (&self->definer, self, slot, (VersionFaults){ 0 });
  turns_add (self->base.turns, run_definer, &self->definer);
}

static void
world_close (World *self)
{
  for (guint i = 0; i < N_WRITERS; i++)
    version_daemon_close (&self->writers[i].base);
  for (guint i = 0; i < N_RECOVERERS; i++)
    version_daemon_close (&self->recoverers[i].base);
  for (guint i = 0; i < N_BACKFILLS; i++)
    version_daemon_close (&self->backfills[i].base);
  version_daemon_close (&self->definer.base);
  for (guint i = 0; i < N_EPOCHS; i++)
    kvsql_catalog_unref (self->catalogs[i]);
  version_world_close (&self->base);
}

/* What the anchor says, or the primary schema. In @arena; NULL: there is no tuple. */
static const KvsqlValue *
read_current (const World *self, const KvsqlCatalogEntry *entry, KvsqlArena *arena)
{
  const KvsqlCheckedWriter writer
      = kvsql_checked_writer (self->definer.base.storage, entry, NULL, NULL);
  g_autoptr (KvsqlTupleMap) rows = kvsql_tuple_map_new (entry->relation, 0);
  const Tuple tuple = tuple_of (1);
  const KvsqlValue *key = tuple.values, *found;
  g_autoptr (GError) error = NULL;
  KvsqlCheckedTuple checked;

  if (!self->is_blind)
    {
      assert_done (kvsql_checked_read (&writer, &key, 1, arena, &checked, &error), error);
      return checked.tuple;
    }
  assert_done (kvsql_read_primary_by_keys (self->definer.base.store, entry, &key, 1,
                                           &entry->relation->all, NULL, rows, &error),
               error);
  found = kvsql_tuple_map_find (rows, key);
  return found == NULL ? NULL : kvsql_arena_copy (arena, found, sizeof (Tuple));
}

/* After the last sweep. */
static gboolean
is_as_it_should_be (World *self)
{
  const KvsqlCatalogEntry *entry = entry_at (self, N_EPOCHS - 1);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autofree gchar *cells = NULL, *expected = NULL;
  const KvsqlValue *current;
  g_autoptr (GError) error = NULL;

  version_cells_deliver (self->base.cells);
  assert_done (sweep (&self->definer, entry, &error), error);
  current = read_current (self, entry, arena);
  cells = version_world_print (&self->base, tables, G_N_ELEMENTS (tables));
  expected = version_world_print_expected (&self->base, entry, &current, current != NULL ? 1 : 0,
                                           tables, G_N_ELEMENTS (tables));
  if (g_strcmp0 (cells, expected) == 0)
    return TRUE;
  g_test_message ("the cells are\n%sinstead of\n%s", cells, expected);
  return FALSE;
}

static gboolean
run (guint seed, Breach breach, Variant variant)
{
  World world;
  const Tuple tuple = tuple_of (1);
  gboolean ok;

  world_open (&world, seed, breach, variant);
  if (g_rand_boolean (world.base.random))
    version_world_put (&world.base, entry_at (&world, world.epoch), tuple.values);
  turns_run (world.base.turns);
  ok = is_as_it_should_be (&world);
  world_close (&world);
  if (!ok)
    g_test_message ("run %u fails", seed);
  return ok;
}

static VersionRuns runs;

static void
test_runs (gconstpointer data)
{
  Variant variant = (Variant)GPOINTER_TO_UINT (data);
  guint n = variant == CHECKED || variant == BLIND ? runs.n : runs.n / 4;

  for (guint i = 0; i < n; i++)
    g_assert_true (run (runs.first + i, NO_BREACH, variant));
}

/* A rule without which no run fails is not tested. */
static void
test_breach (Breach breach, Variant variant)
{
  /* rare, because recovery deletes what the primary does not have */
  const guint first = variant == BLIND && breach == NO_DELETING ? 14501 : 1;
  guint n = 0;

  while (run (first + n, breach, variant))
    g_assert_cmpuint (++n, <, 20000);
}

static void
test_checked_breach (gconstpointer data)
{
  test_breach ((Breach)GPOINTER_TO_UINT (data), CHECKED);
}

static void
test_blind_breach (gconstpointer data)
{
  test_breach ((Breach)GPOINTER_TO_UINT (data), BLIND);
}

/* What is in the log of blind writes is written by the newest definitions, so it is not waited for.
 */
static gboolean
is_rule_of_blind (Breach breach)
{
  return breach == NO_DELETING || breach == EARLY_FILL || breach == OLD_CLEAR;
}

int
main (int argc, char **argv)
{
  const gchar *const names[N_BREACHES]
      = { NULL, "no-deleting", "no-wait", "early-fill", "old-clear", "rows-only" };

  const gchar *const variants[N_VARIANTS]
      = { "/checked-filling/runs", "/checked-filling/again/runs", "/checked-filling/blind/runs",
          "/checked-filling/blind/again/runs" };

  g_test_init (&argc, &argv, NULL);
  runs = version_runs_read (argc, argv, 2000, 300);
  for (guint i = 0; i < N_VARIANTS; i++)
    g_test_add_data_func (variants[i], GUINT_TO_POINTER (i), test_runs);
  for (guint i = NO_BREACH + 1; i < N_BREACHES; i++)
    {
      g_autofree gchar *path = g_strconcat ("/checked-filling/", names[i], NULL);
      g_autofree gchar *blind = g_strconcat ("/checked-filling/blind/", names[i], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_checked_breach);
      if (is_rule_of_blind ((Breach)i))
        g_test_add_data_func (blind, GUINT_TO_POINTER (i), test_blind_breach);
    }
  return g_test_run ();
}
