/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-verified.c: SELECT … WITH VERIFIED on a store without atomic batches: entries that are not
 * current, tuples that change while they are read, and all operators above them.
 */
#include "config.h"

#include "core/anchor/tuple-record.h"
#include "core/scan/checked-tuples.h"
#include "core/scan/tuple-key.h"
#include "core/write/write-log.h"
#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

#define RELATION                                                                                   \
  "DEFINE RELATION r { id BIGINT KEY, state STRING, n BIGINT NOT NULL, note STRING } "             \
  "WITH (writes = checked);"
#define BASE                                                                                       \
  "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW ordered{id}, FAMILY 'f', "                 \
  "QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (marker = x'00');"
#define BASE_BY_STATE                                                                              \
  "DEFINE PRIMARY SCHEMA base FOR r { TABLE 'base', ROW suffix('/'){state}:ordered{id}, "          \
  "FAMILY 'f', VALUE size{note}:n };"
#define WHOLE                                                                                      \
  "DEFINE SCHEMA whole FOR r { TABLE 'whole', ROW suffix('/'){state}:ordered{id}, FAMILY 'f', "    \
  "VALUE size{note}:n };"
#define BY_N                                                                                       \
  "DEFINE SCHEMA by_n FOR r { TABLE 'by_n', ROW ordered{n}:ordered{id}, FAMILY 'f', "              \
  "VALUE size{note}:state };"
#define INDEX                                                                                      \
  "DEFINE SCHEMA entries FOR r { TABLE 'entries', ROW suffix('/'){state}:ordered{id}, "            \
  "FAMILY 'f', VALUE n };"
#define TUPLES                                                                                     \
  "INSERT INTO r VALUES (1, 'new', 10, 'one'), (2, 'new', 20, 'two'), (3, 'open', 30, 'three'), "  \
  "(4, 'open', 40, 'four')"

typedef struct
{
  ServiceFixture service;
  KvsqlWriteLog *log;
} Fixture;

static KvsqlStore *
store_of (Fixture *self)
{
  return self->service.service->store;
}

static void
fixture_open (Fixture *self, const gchar *definitions)
{
  service_fixture_open (&self->service, "memory:");
  store_of (self)->capabilities.flags &= ~(guint)KVSQL_STORE_ATOMIC_BATCH;
  self->log = kvsql_write_log_new (store_of (self), 1);
  kvsql_storage_set_log (self->service.service->storage, self->log);
  service_fixture_script (&self->service, definitions);
}

static void
fixture_close (Fixture *self)
{
  service_fixture_close (&self->service);
  kvsql_write_log_free (self->log);
}

static void
run (Fixture *self, const gchar *sql)
{
  g_autofree gchar *unused = service_fixture_run (&self->service, sql);
}

#define assert_rows(self, sql, expected) service_fixture_assert (&(self)->service, sql, expected)

/* ---- entries that are not current */

static void
apply (Fixture *self, const KvsqlMutation *mutations, guint n)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (store_of (self), mutations, n, NULL, &error), error);
}

/* Puts for all cells of a table. */
static GArray *
save (Fixture *self, const gchar *table, KvsqlArena *arena)
{
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  const KvsqlScanSpec spec
      = { .table = kvsql_slice_from_text (table), .ranges = &all, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (store_of (self), &spec, NULL, &error);
  GArray *puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  const KvsqlRows *rows;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      for (guint r = 0; r < rows->n_rows; r++)
        for (guint c = 0; c < rows->rows[r].n_cells; c++)
          {
            const KvsqlCell *cell = &rows->cells[rows->rows[r].first_cell + c];
            const KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                                        .table = spec.table,
                                        .row = kvsql_slice_dup (arena, rows->rows[r].key),
                                        .family = kvsql_slice_dup (arena, cell->family),
                                        .qualifier = kvsql_slice_dup (arena, cell->qualifier),
                                        .value = kvsql_slice_dup (arena, cell->value),
                                        .timestamp = g_get_real_time () / 1000 + 1000 };

            g_array_append_val (puts, put);
          }
    }
  while (rows->n_rows > 0);
  return puts;
}

/* Runs a statement whose daemon ends before the cells of its old tuples are deleted in @table. Of
 * a tuple that keeps its row, the cells there stay the old ones. All cells that are put back are
 * newer than those of the next statements. */
static void
leave_old (Fixture *self, const gchar *table, const gchar *sql)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = save (self, table, arena);

  run (self, sql);
  apply (self, (const KvsqlMutation *)puts->data, puts->len);
}

/* Runs a statement whose daemon ends before any cell of @table is written. */
static void
leave_unwritten (Fixture *self, const gchar *table, const gchar *sql)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = save (self, table, arena);
  g_autoptr (GError) error = NULL;

  run (self, sql);
  assert_done (
      kvsql_store_drop_table (store_of (self), kvsql_slice_from_text (table), NULL, &error), error);
  apply (self, (const KvsqlMutation *)puts->data, puts->len);
}

static void
drop_anchors (Fixture *self)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_drop_table (store_of (self), KVSQL_ANCHOR_TABLE, NULL, &error), error);
}

static void
assert_says (Fixture *self, const gchar *explain, const gchar *what)
{
  g_autofree gchar *plan = service_fixture_run (&self->service, explain);

  if (strstr (plan, what) == NULL)
    g_error ("\"%s\" is not in:\n%s", what, plan);
}

static void
assert_does_not_say (Fixture *self, const gchar *explain, const gchar *what)
{
  g_autofree gchar *plan = service_fixture_run (&self->service, explain);

  if (strstr (plan, what) != NULL)
    g_error ("\"%s\" is in:\n%s", what, plan);
}

/* ---- replaced, dropped */

static void
test_replaced (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "whole", "UPDATE r SET state = 'done', n = 11 WHERE id = 1");
  assert_rows (&self, "SELECT id, state, n FROM r USING SCHEMA whole",
               "1|done|11\n1|new|10\n2|new|20\n3|open|30\n4|open|40");
  assert_rows (&self, "SELECT id, state, n FROM r USING SCHEMA whole WITH VERIFIED",
               "1|done|11\n2|new|20\n3|open|30\n4|open|40");
  /* found at its old place only, which does not satisfy the predicate any more */
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole WHERE state = 'new' WITH VERIFIED", "2");
  /* the old place is the only one that is read, and the current tuple does satisfy it */
  leave_unwritten (&self, "whole", "UPDATE r SET state = 'old', note = 'x' WHERE id = 2");
  assert_rows (&self,
               "SELECT id, state, note FROM r USING SCHEMA whole WHERE state >= 'new' "
               "AND state < 'open' OR state = 'old' AND note = 'x' WITH VERIFIED",
               "2|old|x");
  fixture_close (&self);
}

/* The ranges decide the predicate of what is stored, not of what is current. */
static void
test_exact_ranges (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE BY_N TUPLES);
  leave_old (&self, "by_n", "UPDATE r SET n = 25 WHERE id = 1");
  leave_old (&self, "by_n", "UPDATE r SET n = 50 WHERE id = 2");
  assert_says (&self, "EXPLAIN SELECT id FROM r USING SCHEMA by_n WHERE n < 30",
               "implied by the ranges: n < 30");
  assert_says (&self, "EXPLAIN SELECT id FROM r USING SCHEMA by_n WHERE n < 30 WITH VERIFIED",
               "checked on each tuple: n < 30");
  assert_rows (&self, "SELECT id, n FROM r USING SCHEMA by_n WHERE n < 30", "1|10\n2|20\n1|25");
  assert_rows (&self, "SELECT id, n FROM r USING SCHEMA by_n WHERE n < 30 WITH VERIFIED", "1|25");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA by_n WHERE n < 30 LIMIT 1 WITH VERIFIED", "1");
  fixture_close (&self);
}

static void
test_same_place (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "base", "UPDATE r SET n = 31 WHERE id = 3");
  assert_rows (&self, "SELECT n FROM r USING SCHEMA base WHERE id = 3", "30");
  assert_rows (&self, "SELECT n FROM r USING SCHEMA base WHERE id = 3 WITH VERIFIED", "31");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA base WHERE n > 30 WITH VERIFIED", "3\n4");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA base WHERE n = 30 WITH VERIFIED", "");
  /* no attribute besides the key is read */
  assert_rows (&self, "SELECT count(*) FROM r USING SCHEMA base WITH VERIFIED", "4");
  fixture_close (&self);
}

static void
test_deleted (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "whole", "DELETE FROM r WHERE id = 3");
  leave_old (&self, "base", "DELETE FROM r WHERE id = 4");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole ORDER BY id", "1\n2\n3\n4");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole ORDER BY id WITH VERIFIED", "1\n2");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA base ORDER BY id", "1\n2\n4");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA base ORDER BY id WITH VERIFIED", "1\n2");
  run (&self, "INSERT INTO r VALUES (4, 'new', 41, 'again')");
  assert_rows (&self, "SELECT id, n FROM r USING SCHEMA whole WITH VERIFIED", "1|10\n2|20\n4|41");
  fixture_close (&self);
}

/* ---- keys without an anchor */

static void
test_without_anchors (void)
{
  static const gchar *const definitions[]
      = { RELATION BASE WHOLE INDEX TUPLES, RELATION BASE_BY_STATE WHOLE INDEX TUPLES };

  for (guint i = 0; i < G_N_ELEMENTS (definitions); i++)
    {
      Fixture self;

      fixture_open (&self, definitions[i]);
      leave_old (&self, "whole", "UPDATE r SET state = 'done', n = 11 WHERE id = 1");
      leave_old (&self, "entries", "UPDATE r SET state = 'done', n = 21 WHERE id = 2");
      leave_old (&self, "whole", "DELETE FROM r WHERE id = 3");
      drop_anchors (&self);
      /* the primary decides */
      assert_rows (&self, "SELECT id, state, n FROM r USING SCHEMA whole WITH VERIFIED",
                   "1|done|11\n2|done|21\n4|open|40");
      assert_rows (&self, "SELECT id, state, note FROM r USING SCHEMA entries WITH VERIFIED",
                   "1|done|one\n2|done|two\n4|open|four");
      assert_rows (&self, "SELECT id FROM r USING SCHEMA base ORDER BY id WITH VERIFIED",
                   "1\n2\n4");
      /* the next write makes the anchor of one of them */
      leave_old (&self, "whole", "UPDATE r SET n = 41 WHERE id = 4");
      assert_rows (&self, "SELECT id, n FROM r USING SCHEMA whole WITH VERIFIED",
                   "1|11\n2|21\n4|41");
      fixture_close (&self);
    }
}

/* ---- what other statements do in between */

/* A statement that runs before the next reads of a table by key. */
static struct
{
  const KvsqlStoreClass *inner;
  KvsqlStoreClass klass;
  Fixture *fixture;
  const gchar *table;
  guint n_before; /* reads of the table before that one */
  void (*act) (Fixture *fixture);
  gboolean fails_missing; /* as HBase does for a table that there is not */
  guint n_unready;        /* so many reads of kvsql_anchors fail, though it is listed */
  guint n_gets;           /* of the table @counted */
  const gchar *counted;
} hook;

static gboolean
hooked_multi_get (KvsqlStore *store, KvsqlSlice table, const KvsqlSlice *keys, guint n_keys,
                  const KvsqlColumn *columns, guint n_columns, const KvsqlCall *call,
                  KvsqlArena *arena, KvsqlRows *out_rows, GError **error)
{
  if (hook.counted != NULL && kvsql_slice_equal (table, kvsql_slice_from_text (hook.counted)))
    hook.n_gets++;
  if (hook.act != NULL && kvsql_slice_equal (table, kvsql_slice_from_text (hook.table))
      && hook.n_before-- == 0)
    {
      void (*act) (Fixture * fixture) = hook.act;

      hook.act = NULL;
      act (hook.fixture);
    }
  if (hook.n_unready > 0 && kvsql_slice_equal (table, KVSQL_ANCHOR_TABLE))
    {
      hook.n_unready--;
      return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "no such table yet");
    }
  if (hook.fails_missing && kvsql_store_lacks_table (store, table, call))
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "no such table");
  return hook.inner->multi_get (store, table, keys, n_keys, columns, n_columns, call, arena,
                                out_rows, error);
}

static void
set_hook (Fixture *self)
{
  hook.inner = store_of (self)->klass;
  hook.klass = *hook.inner;
  hook.klass.multi_get = hooked_multi_get;
  hook.fixture = self;
  hook.act = NULL;
  hook.fails_missing = FALSE;
  hook.n_unready = 0;
  hook.n_gets = 0;
  hook.counted = NULL;
  store_of (self)->klass = &hook.klass;
}

static void
do_before (const gchar *table, guint n_before, void (*act) (Fixture *fixture))
{
  hook.table = table;
  hook.n_before = n_before;
  hook.act = act;
}

static void
update_one (Fixture *self)
{
  run (self, "UPDATE r SET n = 12, note = 'first' WHERE id = 1");
}

/* The first write of a key is decided between the reads of its anchor and of the primary. */
static void
test_first_anchor (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  drop_anchors (&self);
  set_hook (&self);
  /* the primary is read before the write, the anchor after it */
  do_before ("kvsql_anchors", 1, update_one);
  assert_rows (&self, "SELECT n, note FROM r USING SCHEMA whole WHERE id = 1 WITH VERIFIED",
               "12|first");
  g_assert_null (hook.act);
  fixture_close (&self);
}

/* A reader makes no table. */
static void
test_no_anchor_table (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  drop_anchors (&self);
  set_hook (&self);
  hook.fails_missing = TRUE;
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole WITH VERIFIED", "1\n2\n3\n4");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA base WITH VERIFIED", "1\n2\n3\n4");
  g_assert_true (kvsql_store_lacks_table (store_of (&self), KVSQL_ANCHOR_TABLE, NULL));
  /* while another daemon makes it */
  hook.fails_missing = FALSE;
  update_one (&self);
  hook.n_unready = 2;
  assert_rows (&self, "SELECT n FROM r USING SCHEMA whole WHERE id = 1 WITH VERIFIED", "12");
  g_assert_cmpuint (hook.n_unready, ==, 0);
  fixture_close (&self);
}

static void
test_damaged_anchor (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = NULL;
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  puts = save (&self, "kvsql_anchors", arena);
  for (guint i = 0; i < puts->len; i++)
    g_array_index (puts, KvsqlMutation, i).value = S ("damaged");
  apply (&self, (const KvsqlMutation *)puts->data, puts->len);
  service_fixture_assert_fails (
      &self.service, "SELECT id FROM r WHERE id = 1 WITH VERIFIED", KVSQL_ERROR_STORE,
      "the anchor of the key \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\" "
      "of relation \"r\" is damaged");
  fixture_close (&self);
}

/* ---- tuples that are moving */

/* Steps of UPDATE r SET id = 9 WHERE id = 1, which another daemon executes. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlCatalog *catalog;
  const KvsqlRelation *relation;
  KvsqlSlice keys[2];
  KvsqlCheckedTuple before[2];
  KvsqlAnchor moving, arrived;
} Move;

static void
put_anchor (Fixture *self, const Move *move, guint i, const KvsqlAnchor *anchor)
{
  KvsqlBuffer state = { 0 }, payload = { 0 };
  KvsqlMutation cells[2];

  kvsql_anchor_append_state (anchor, &state);
  kvsql_anchor_append_payload (anchor, &payload);
  for (guint c = 0; c < G_N_ELEMENTS (cells); c++)
    cells[c] = (KvsqlMutation){
      .kind = KVSQL_MUTATION_PUT,
      .table = KVSQL_ANCHOR_TABLE,
      .row = kvsql_checked_tuple_row (move->relation->id, move->keys[i], move->arena),
      .family = KVSQL_ANCHOR_FAMILY,
      .qualifier = c == 0 ? KVSQL_ANCHOR_STATE : KVSQL_ANCHOR_PAYLOAD,
      .value = kvsql_buffer_slice (c == 0 ? &state : &payload),
      .timestamp = anchor->timestamp,
    };
  apply (self, cells, G_N_ELEMENTS (cells));
  kvsql_buffer_clear (&state);
  kvsql_buffer_clear (&payload);
}

static void
begin_move (Fixture *self, Move *move)
{
  KvsqlAnchorSource source = { .store = store_of (self) };
  KvsqlBuffer record = { 0 };
  KvsqlValue moved[4];
  g_autoptr (GError) error = NULL;

  *move = (Move){ .arena = kvsql_arena_new () };
  move->catalog = kvsqld_definitions_get (self->service.service->definitions);
  move->relation = ((const KvsqlCatalogEntry *)move->catalog->entries->pdata[0])->relation;
  source.relation = move->relation;
  source.relation_id = move->relation->id;
  for (guint i = 0; i < 2; i++)
    {
      moved[0] = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = i == 0 ? 1 : 9 };
      move->keys[i] = kvsql_tuple_make_key (move->relation, moved, move->arena);
    }
  assert_done (
      kvsql_checked_tuples_read (&source, move->keys, 2, move->arena, move->before, &error), error);
  for (guint a = 1; a < 4; a++)
    moved[a] = move->before[0].tuple[a];
  kvsql_tuple_record_append (move->relation, moved, &record);
  g_assert_true (kvsql_anchor_begin_move (
      &move->before[0].anchor, kvsql_slice_dup (move->arena, kvsql_buffer_slice (&record)),
      KVSQL_SLICE_EMPTY, move->before[0].anchor.timestamp + 1, &move->moving));
  kvsql_buffer_clear (&record);
  put_anchor (self, move, 0, &move->moving);
}

static void
decide_move (Fixture *self, Move *move)
{
  g_assert_true (kvsql_anchor_arrive (&move->before[1].anchor, &move->moving, move->keys[0],
                                      move->moving.timestamp + 1, &move->arrived));
  put_anchor (self, move, 1, &move->arrived);
}

static void
move_clear (Move *move)
{
  kvsql_catalog_unref (move->catalog);
  kvsql_arena_free (move->arena);
}

static void
test_moving (void)
{
  static const gchar all[] = "SELECT id FROM r USING SCHEMA whole WITH VERIFIED";
  Fixture self;
  Move move;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  begin_move (&self, &move);
  /* not decided */
  assert_rows (&self, all, "1\n2\n3\n4");
  decide_move (&self, &move);
  /* decided, and no cell is put yet: no schema has a place of the new key */
  assert_rows (&self, all, "2\n3\n4");
  /* a writer finishes it */
  run (&self, "INSERT INTO r VALUES (9, 'x', 0, 'x') ON CONFLICT DO NOTHING");
  assert_rows (&self, all, "2\n9\n3\n4");
  assert_rows (&self,
               "SELECT id, n, note FROM r USING SCHEMA base WHERE id IN (1, 9) WITH VERIFIED",
               "9|10|one");
  move_clear (&move);
  fixture_close (&self);
}

static Move *hooked_move;

static void
finish_and_change (Fixture *self)
{
  decide_move (self, hooked_move);
  run (self, "UPDATE r SET n = 99 WHERE id = 9");
}

/* The move is decided and finished, and the tuple is changed at its new key, between the read of
 * the old key's anchor and that of the new one's. The old key's anchor is read again. */
static void
test_moved_between_reads (void)
{
  Fixture self;
  Move move;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  begin_move (&self, &move);
  hooked_move = &move;
  set_hook (&self);
  do_before ("kvsql_anchors", 1, finish_and_change);
  assert_rows (&self, "SELECT id FROM r USING SCHEMA base WHERE id < 3 WITH VERIFIED", "2");
  g_assert_null (hook.act);
  assert_rows (&self, "SELECT id, n FROM r USING SCHEMA base WHERE id > 8 WITH VERIFIED", "9|99");
  move_clear (&move);
  fixture_close (&self);
}

/* ---- index schemas */

static void
test_index (void)
{
  static const gchar sql[] = "SELECT id, note FROM r WHERE state = 'open' AND n > 5 WITH VERIFIED";
  Fixture self;

  fixture_open (&self, RELATION BASE INDEX TUPLES);
  assert_says (&self, "EXPLAIN SELECT id, note FROM r WHERE state = 'open' AND n > 5 WITH VERIFIED",
               "read from schema entries");
  assert_says (&self, "EXPLAIN SELECT id, note FROM r WHERE state = 'open' AND n > 5 WITH VERIFIED",
               "verified: anchors of up to 1,024 tuples a request, and from them note\n");
  set_hook (&self);
  hook.counted = "base";
  assert_rows (&self, sql, "3|three\n4|four");
  g_assert_cmpuint (hook.n_gets, ==, 0); /* the anchors have the notes */
  leave_old (&self, "entries", "UPDATE r SET state = 'done', note = 'x' WHERE id = 3");
  leave_old (&self, "entries", "UPDATE r SET note = 'y', n = 41 WHERE id = 4");
  assert_rows (&self, sql, "4|y");
  /* without VERIFIED, an entry that does not agree with the primary is dropped */
  assert_rows (&self, "SELECT id, note FROM r WHERE state = 'open' AND n > 5", "");
  assert_rows (&self, "SELECT id, state, note FROM r USING SCHEMA entries WITH VERIFIED",
               "3|done|x\n1|new|one\n2|new|two\n4|open|y");
  fixture_close (&self);
}

/* ---- the operators above */

static void
test_limit (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "whole", "DELETE FROM r WHERE id = 1");
  leave_old (&self, "whole", "UPDATE r SET state = 'zero' WHERE id = 2");
  /* the limit counts what is left */
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole LIMIT 2 WITH VERIFIED", "2\n3");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole LIMIT 2 OFFSET 1 WITH VERIFIED", "3\n4");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA whole LIMIT 5 OFFSET 2 WITH VERIFIED", "4");
  assert_rows (&self,
               "SELECT id FROM r USING SCHEMA whole WHERE state IN ('new', 'open') LIMIT 1 "
               "WITH VERIFIED",
               "3");
  fixture_close (&self);
}

static void
test_order (void)
{
  static const gchar by_n[] = "SELECT n, id FROM r USING SCHEMA by_n ORDER BY n WITH VERIFIED";
  static const gchar by_id[] = "SELECT id FROM r USING SCHEMA base ORDER BY id DESC WITH VERIFIED";
  static const gchar of_n[]
      = "SELECT id FROM r USING SCHEMA by_n WHERE n = 30 ORDER BY n, id WITH VERIFIED";
  Fixture self;
  g_autofree gchar *explain = g_strconcat ("EXPLAIN ", by_n, NULL);
  g_autofree gchar *explain_id = g_strconcat ("EXPLAIN ", by_id, NULL);
  g_autofree gchar *explain_of_n = g_strconcat ("EXPLAIN ", of_n, NULL);

  fixture_open (&self, RELATION BASE BY_N TUPLES);
  leave_old (&self, "by_n", "UPDATE r SET n = 5 WHERE id = 4");
  leave_unwritten (&self, "by_n", "UPDATE r SET n = 99 WHERE id = 1");
  assert_says (&self, "EXPLAIN SELECT n FROM r USING SCHEMA by_n ORDER BY n",
               "read in the order of n");
  assert_says (&self, explain, "sorted by n");
  assert_rows (&self, by_n, "5|4\n20|2\n30|3\n99|1");
  assert_rows (&self, "SELECT id FROM r USING SCHEMA by_n ORDER BY n DESC LIMIT 2 WITH VERIFIED",
               "1\n3");
  /* a newer tuple has the same key, and the same fixed values */
  assert_says (&self, explain_id, "read backwards, in the order of id descending");
  assert_rows (&self, by_id, "4\n3\n2\n1");
  run (&self, "INSERT INTO r VALUES (5, 'x', 30, 'five'), (6, 'x', 30, 'six')");
  leave_old (&self, "by_n", "UPDATE r SET n = 31 WHERE id = 5");
  assert_says (&self, explain_of_n, "read in the order of n, id");
  assert_rows (&self, of_n, "3\n6");
  fixture_close (&self);
}

static void
test_groups (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "whole", "UPDATE r SET state = 'open', n = 1 WHERE id = 1");
  leave_old (&self, "whole", "DELETE FROM r WHERE id = 2");
  assert_rows (&self, "SELECT count(*), sum(n) FROM r USING SCHEMA whole", "5|101");
  assert_rows (&self, "SELECT count(*), sum(n) FROM r USING SCHEMA whole WITH VERIFIED", "3|71");
  assert_rows (&self,
               "SELECT state, count(*) FROM r USING SCHEMA whole GROUP BY state WITH VERIFIED",
               "open|3");
  assert_rows (&self, "SELECT DISTINCT state FROM r USING SCHEMA whole WITH VERIFIED", "open");
  fixture_close (&self);
}

static void
test_joins (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  leave_old (&self, "whole", "DELETE FROM r WHERE id > 2");
  assert_rows (&self,
               "SELECT a.id, b.id FROM r a USING SCHEMA whole, r b USING SCHEMA whole "
               "WHERE a.n <= b.n ORDER BY a.id, b.id WITH VERIFIED",
               "1|1\n1|2\n2|2");
  assert_rows (&self,
               "SELECT a.state, b.id FROM r a USING SCHEMA whole JOIN r b USING SCHEMA base "
               "ON a.id = b.id ORDER BY b.id WITH VERIFIED",
               "done|1\nnew|2");
  fixture_close (&self);
}

static void
test_subqueries (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES
                "; DEFINE RELATION q { id BIGINT KEY } WITH (writes = checked);"
                "DEFINE PRIMARY SCHEMA qs FOR q { TABLE 'q', ROW ordered{id}, FAMILY 'f' }");
  leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  assert_rows (&self,
               "SELECT id FROM r USING SCHEMA base WHERE id IN (SELECT id FROM r USING SCHEMA "
               "whole WHERE state = 'new')",
               "1\n2");
  assert_rows (&self,
               "SELECT id FROM r USING SCHEMA base WHERE id IN (SELECT id FROM r USING SCHEMA "
               "whole WHERE state = 'new') WITH VERIFIED",
               "2");
  assert_rows (&self,
               "SELECT id FROM r USING SCHEMA base WHERE id IN (SELECT id FROM r USING SCHEMA "
               "whole WHERE state = 'new' WITH VERIFIED)",
               "2");
  run (&self,
       "INSERT INTO q SELECT id FROM r USING SCHEMA whole WHERE state = 'new' WITH VERIFIED");
  assert_rows (&self, "SELECT id FROM q", "2");
  fixture_close (&self);
}

/* ---- pages */

/* The first page has one row; the others, all the rest. @sql runs in between. */
static gchar *
read_pages (Fixture *self, const gchar *select, const KvsqldRequest *request, const gchar *sql,
            gboolean is_cold, GError **error)
{
  KvsqldRequest first = *request;
  g_autoptr (KvsqlResultPage) page = NULL;
  GString *out = g_string_new (NULL);

  first.max_rows = 1;
  page = kvsqld_service_query (self->service.service, &first, kvsql_slice_from_text (select), NULL,
                               0, error);
  g_assert_nonnull (page);
  run (self, sql);
  while (page != NULL)
    {
      g_autoptr (GBytes) cursor = page->cursor == NULL ? NULL : g_bytes_ref (page->cursor);
      KvsqlSlice token;

      service_fixture_append_page (page, out);
      g_clear_pointer (&page, kvsql_result_page_free);
      if (cursor == NULL)
        return g_string_free (out, FALSE);
      token = kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor));
      if (is_cold)
        g_assert_true (kvsqld_service_close_cursor (self->service.service, token, NULL));
      page = kvsqld_service_fetch (self->service.service, NULL, token, error);
    }
  g_string_free (out, TRUE);
  return NULL;
}

/* A scan reads a few rows at a time here, so that a page does not have all of them. */
static void
insert_many (Fixture *self, guint n)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_string_append_printf (sql, "%s(%u, '%s', %u, 'note')",
                              i % 1000 == 0 ? "INSERT INTO r VALUES " : ",", 100 + i,
                              i % 2 == 0 ? "even" : "odd", i);
      if (i % 1000 == 999 || i + 1 == n)
        {
          run (self, sql->str);
          g_string_truncate (sql, 0);
        }
    }
}

static guint
count_lines (const gchar *text, const gchar *line)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    n += line == NULL || g_str_equal (lines[i], line);
  return n;
}

/* A tuple that was returned moves to the end. */
static void
test_moved_between_pages (void)
{
  static const KvsqldRequest plain = { 0 };
  static const gchar unverified[] = "SELECT id FROM r USING SCHEMA whole";
  static const gchar verified[] = "SELECT id FROM r USING SCHEMA whole WITH VERIFIED";
  Fixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *twice = NULL, *once = NULL, *cold = NULL, *primary = NULL;

  fixture_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 3000);
  twice = read_pages (&self, unverified, &plain, "UPDATE r SET state = 'z' WHERE id = 100", FALSE,
                      &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (twice, "100"), ==, 2);
  once = read_pages (&self, verified, &plain, "UPDATE r SET state = 'zz' WHERE id = 102", FALSE,
                     &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (once, "102"), ==, 1);
  g_assert_cmpuint (count_lines (once, NULL), ==, 3000);
  /* what was returned is known in this run only */
  cold = read_pages (&self, verified, &plain, "UPDATE r SET state = 'zzz' WHERE id = 104", TRUE,
                     &error);
  g_assert_null (cold);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
  g_assert_cmpstr (error->message, ==, "this cursor is no longer kept");
  g_clear_error (&error);
  /* the primary has each key at one place */
  primary = read_pages (&self, "SELECT id FROM r USING SCHEMA base WITH VERIFIED", &plain,
                        "UPDATE r SET state = 'x' WHERE id = 100", TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (primary, NULL), ==, 3000);
  /* but a sort that is done again may come to another result */
  g_free (cold);
  cold = read_pages (&self, "SELECT id FROM r USING SCHEMA base ORDER BY n WITH VERIFIED", &plain,
                     "UPDATE r SET n = 9999 WHERE id = 100", TRUE, &error);
  g_assert_null (cold);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_CURSOR);
  fixture_close (&self);
}

/* A tuple that had a partner moves to the end, where it has none. */
static void
test_moved_in_join (void)
{
  static const KvsqldRequest plain = { 0 };
  Fixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *rows = NULL;

  fixture_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 3000);
  rows = read_pages (&self,
                     "SELECT a.id, b.id FROM r a USING SCHEMA whole LEFT JOIN r b USING SCHEMA "
                     "base ON b.id = a.id AND a.state = 'even' WITH VERIFIED",
                     &plain, "UPDATE r SET state = 'z' WHERE id = 100", FALSE, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (count_lines (rows, "100|100"), ==, 1);
  g_assert_cmpuint (count_lines (rows, NULL), ==, 3000);
  fixture_close (&self);
}

/* ---- requests */

/* The option of a request is one of its cursor, too. */
static void
test_request (void)
{
  static const KvsqldRequest verified = { .is_verified = TRUE };
  static const KvsqldRequest plain = { 0 };
  static const gchar sql[] = "SELECT id, n FROM r USING SCHEMA base";
  Fixture self;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *got = NULL;

  fixture_open (&self, RELATION BASE TUPLES);
  leave_old (&self, "base", "UPDATE r SET n = 41 WHERE id = 4");
  for (guint i = 0; i < 4; i++) /* the plan of the text is cached from the second time on */
    {
      g_autofree gchar *old = read_pages (&self, sql, &plain, "SHOW RELATIONS", i % 2, &error);
      g_autofree gchar *new = NULL;

      g_assert_no_error (error);
      g_assert_cmpstr (old, ==, "1|10\n2|20\n3|30\n4|40");
      new = read_pages (&self, sql, &verified, "SHOW RELATIONS", i % 2, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (new, ==, "1|10\n2|20\n3|30\n4|41");
    }
  fixture_close (&self);
}

static guint
count_parts (Fixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) cursors = kvsqld_service_partition (
      self->service.service, NULL, kvsql_slice_from_text (sql), NULL, 0, 4, &error);

  g_assert_no_error (error);
  return cursors->len;
}

/* The parts of a schema where a tuple may change its place cannot know of each other. */
static void
test_parts (void)
{
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  g_assert_cmpuint (count_parts (&self, "SELECT id FROM r USING SCHEMA whole"), >, 0);
  g_assert_cmpuint (count_parts (&self, "SELECT id FROM r USING SCHEMA whole WITH VERIFIED"), ==,
                    0);
  g_assert_cmpuint (count_parts (&self, "SELECT id FROM r USING SCHEMA base WITH VERIFIED"), >, 0);
  fixture_close (&self);
}

/* A long scan of a schema with one place for each key is read in parts. */
static void
test_parallel (void)
{
  KvsqldServiceLimits limits = { .scan_workers = 3, .scan_serial_rows = 100 };
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE);
  kvsqld_service_set_limits (self.service.service, &limits);
  insert_many (&self, 4000);
  leave_old (&self, "base", "UPDATE r SET n = 1000000 WHERE id = 4000");
  assert_rows (&self, "SELECT count(*), max(n) FROM r USING SCHEMA base", "4000|3999");
  assert_rows (&self, "SELECT count(*), max(n) FROM r USING SCHEMA base WITH VERIFIED",
               "4000|1000000");
  assert_says (&self, "EXPLAIN ANALYZE SELECT count(*) FROM r USING SCHEMA base WITH VERIFIED",
               "side by side");
  assert_does_not_say (&self,
                       "EXPLAIN ANALYZE SELECT count(*) FROM r USING SCHEMA whole WITH VERIFIED",
                       "side by side");
  fixture_close (&self);
}

/* ---- limits */

static void
test_memory (void)
{
  KvsqldServiceLimits limits = { .max_statement_memory = 4 << 20, .scan_workers = 1 };
  Fixture self;
  g_autoptr (GError) error = NULL;

  fixture_open (&self, RELATION BASE WHOLE);
  insert_many (&self, 70000);
  kvsqld_service_set_limits (self.service.service, &limits);
  assert_rows (&self, "SELECT count(*) FROM r USING SCHEMA base WITH VERIFIED", "70000");
  error = service_fixture_fail (&self.service,
                                "SELECT count(*) FROM r USING SCHEMA whole WITH VERIFIED");
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "the statement needs more than 4 MiB of memory");
  /* only keys of tuples that satisfy the predicate are remembered */
  assert_rows (&self, "SELECT count(*) FROM r USING SCHEMA whole WHERE n % 100 = 0 WITH VERIFIED",
               "700");
  fixture_close (&self);
}

/* Anchors are rows of the store. */
static void
test_scan_rows (void)
{
  KvsqldServiceLimits limits = { .max_scan_rows = 7 };
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  kvsqld_service_set_limits (self.service.service, &limits);
  assert_rows (&self, "SELECT count(*) FROM r", "4");
  service_fixture_assert_fails (&self.service, "SELECT count(*) FROM r WITH VERIFIED",
                                KVSQL_ERROR_LIMIT, "the statement would read more than 7 rows");
  fixture_close (&self);
}

static void
test_plain (void)
{
  static const gchar message[]
      = "relation \"q\" cannot be read with VERIFIED: its writes are plain";
  static const KvsqldRequest verified = { .is_verified = TRUE };
  Fixture self;
  ServiceFixture atomic;
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) error = NULL;

  fixture_open (&self, RELATION BASE "DEFINE RELATION q { id BIGINT KEY } WITH (writes = plain);"
                                     "DEFINE PRIMARY SCHEMA qs FOR q { TABLE 'q', ROW ordered{id}, "
                                     "FAMILY 'f' }");
  service_fixture_assert_fails (&self.service, "SELECT id FROM q WITH VERIFIED",
                                KVSQL_ERROR_INVALID, message);
  service_fixture_assert_fails (&self.service, "SELECT r.id FROM r, q WITH VERIFIED",
                                KVSQL_ERROR_INVALID, message);
  page = kvsqld_service_query (self.service.service, &verified, S ("SELECT id FROM q"), NULL, 0,
                               &error);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_INVALID);
  g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                   "Only checked writes keep what it is compared with: ALTER RELATION q WITH "
                   "(writes = checked).");
  fixture_close (&self);

  /* where each write is one batch, what is read is current */
  service_fixture_open (&atomic, "memory:");
  service_fixture_script (&atomic, "DEFINE RELATION q { id BIGINT KEY };"
                                   "DEFINE PRIMARY SCHEMA qs FOR q { TABLE 'q', ROW ordered{id}, "
                                   "FAMILY 'f' };"
                                   "INSERT INTO q VALUES (1), (2)");
  service_fixture_assert (&atomic, "SELECT id FROM q WITH VERIFIED", "1\n2");
  service_fixture_close (&atomic);
}

/* ---- EXPLAIN */

static void
test_explain (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *text = NULL, *json = NULL, *dot = NULL;
  Fixture self;

  fixture_open (&self, RELATION BASE WHOLE TUPLES);
  leave_old (&self, "whole", "UPDATE r SET state = 'done' WHERE id = 1");
  leave_old (&self, "whole", "DELETE FROM r WHERE id = 4");
  assert_done (
      kvsqld_service_explain (
          self.service.service, NULL,
          S ("SELECT id, state FROM r USING SCHEMA whole WHERE n > 0 LIMIT 9 WITH VERIFIED"), NULL,
          0, TRUE, &text, &json, &error),
      error);
  for (const gchar *const *line
       = (const gchar *const[]){ "  verified: anchors of up to 1,024 tuples a request\n"
                                 "  checked on each tuple: n > 0\n"
                                 "  each tuple once: the keys of those returned are kept in "
                                 "memory\n"
                                 "  stops after 9 tuples\n",
                                 "  anchors: 5 rows, 10 cells, ", " in 1 request, ",
                                 "  verified: 1 tuple replaced, 1 dropped, 1 left out as returned "
                                 "before\n",
                                 "table scan 5, verify 4, filter 4, each key once 3", NULL };
       *line != NULL; line++)
    if (strstr (text, *line) == NULL)
      g_error ("\"%s\" is not in:\n%s", *line, text);
  for (const gchar *const *part
       = (const gchar *const[]){ "\"verified\" : true", "\"remembers_keys\" : true",
                                 "\"anchors_per_request\" : 1024", "\"replaced\" : 1",
                                 "\"dropped\" : 1", "\"repeated\" : 1", NULL };
       *part != NULL; part++)
    if (strstr (json, *part) == NULL)
      g_error ("\"%s\" is not in:\n%s", *part, json);
  dot = service_fixture_run (&self.service,
                             "EXPLAIN (FORMAT DOT) SELECT id FROM r USING SCHEMA whole "
                             "WITH VERIFIED");
  g_assert_nonnull (strstr (dot, "compare with anchors"));
  fixture_close (&self);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar *path;
    void (*test) (void);
  } tests[] = {
    { "replaced", test_replaced },
    { "exact-ranges", test_exact_ranges },
    { "same-place", test_same_place },
    { "deleted", test_deleted },
    { "without-anchors", test_without_anchors },
    { "first-anchor", test_first_anchor },
    { "no-anchor-table", test_no_anchor_table },
    { "damaged-anchor", test_damaged_anchor },
    { "moving", test_moving },
    { "moved-between-reads", test_moved_between_reads },
    { "index", test_index },
    { "limit", test_limit },
    { "order", test_order },
    { "groups", test_groups },
    { "joins", test_joins },
    { "subqueries", test_subqueries },
    { "moved-between-pages", test_moved_between_pages },
    { "moved-in-join", test_moved_in_join },
    { "request", test_request },
    { "parts", test_parts },
    { "parallel", test_parallel },
    { "memory", test_memory },
    { "scan-rows", test_scan_rows },
    { "plain", test_plain },
    { "explain", test_explain },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree gchar *path = g_strconcat ("/exec/verified/", tests[i].path, NULL);

      g_test_add_func (path, tests[i].test);
    }
  return g_test_run ();
}
