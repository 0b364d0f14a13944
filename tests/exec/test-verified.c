/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-verified.c: SELECT … WITH VERIFIED: entries that are not current, and tuples that change
 * while they are read.
 */
#include "config.h"

#include "core/anchor/tuple-record.h"
#include "core/scan/checked-tuples.h"
#include "core/scan/tuple-key.h"
#include "daemon/service/service-private.h"
#include "tests/exec/verified-fixture.h"
#include "tests/harness/assert.h"

#define S(text) KVSQL_SLICE_LITERAL (text)

/* ---- replaced, dropped */

static void
test_replaced (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "UPDATE r SET state = 'done', n = 11 WHERE id = 1");
  verified_assert_rows (&self, "SELECT id, state, n FROM r USING SCHEMA whole",
                        "1|done|11\n1|new|10\n2|new|20\n3|open|30\n4|open|40");
  verified_assert_rows (&self, "SELECT id, state, n FROM r USING SCHEMA whole WITH VERIFIED",
                        "1|done|11\n2|new|20\n3|open|30\n4|open|40");
  /* found at its old place only, which does not satisfy the predicate any more */
  verified_assert_rows (
      &self, "SELECT id FROM r USING SCHEMA whole WHERE state = 'new' WITH VERIFIED", "2");
  /* the old place is the only one that is read, and the current tuple does satisfy it */
  verified_leave_unwritten (&self, "whole", "UPDATE r SET state = 'old', note = 'x' WHERE id = 2");
  verified_assert_rows (&self,
                        "SELECT id, state, note FROM r USING SCHEMA whole WHERE state >= 'new' "
                        "AND state < 'open' OR state = 'old' AND note = 'x' WITH VERIFIED",
                        "2|old|x");
  verified_close (&self);
}

/* The ranges decide the predicate of what is stored, not of what is current. */
static void
test_exact_ranges (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE BY_N TUPLES);
  verified_leave_old (&self, "by_n", "UPDATE r SET n = 25 WHERE id = 1");
  verified_leave_old (&self, "by_n", "UPDATE r SET n = 50 WHERE id = 2");
  verified_assert_says (&self, "EXPLAIN SELECT id FROM r USING SCHEMA by_n WHERE n < 30",
                        "implied by the ranges: n < 30");
  verified_assert_says (&self,
                        "EXPLAIN SELECT id FROM r USING SCHEMA by_n WHERE n < 30 WITH VERIFIED",
                        "checked on each tuple: n < 30");
  verified_assert_rows (&self, "SELECT id, n FROM r USING SCHEMA by_n WHERE n < 30",
                        "1|10\n2|20\n1|25");
  verified_assert_rows (&self, "SELECT id, n FROM r USING SCHEMA by_n WHERE n < 30 WITH VERIFIED",
                        "1|25");
  verified_assert_rows (
      &self, "SELECT id FROM r USING SCHEMA by_n WHERE n < 30 LIMIT 1 WITH VERIFIED", "1");
  verified_close (&self);
}

static void
test_same_place (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "base", "UPDATE r SET n = 31 WHERE id = 3");
  verified_assert_rows (&self, "SELECT n FROM r USING SCHEMA base WHERE id = 3", "30");
  verified_assert_rows (&self, "SELECT n FROM r USING SCHEMA base WHERE id = 3 WITH VERIFIED",
                        "31");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base WHERE n > 30 WITH VERIFIED",
                        "3\n4");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base WHERE n = 30 WITH VERIFIED", "");
  /* no attribute besides the key is read */
  verified_assert_rows (&self, "SELECT count(*) FROM r USING SCHEMA base WITH VERIFIED", "4");
  verified_close (&self);
}

static void
test_deleted (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_leave_old (&self, "whole", "DELETE FROM r WHERE id = 3");
  verified_leave_old (&self, "base", "DELETE FROM r WHERE id = 4");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA whole ORDER BY id", "1\n2\n3\n4");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA whole ORDER BY id WITH VERIFIED",
                        "1\n2");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base ORDER BY id", "1\n2\n4");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base ORDER BY id WITH VERIFIED",
                        "1\n2");
  verified_run (&self, "INSERT INTO r VALUES (4, 'new', 41, 'again')");
  verified_assert_rows (&self, "SELECT id, n FROM r USING SCHEMA whole WITH VERIFIED",
                        "1|10\n2|20\n4|41");
  verified_close (&self);
}

/* ---- keys without an anchor */

static void
test_without_anchors (void)
{
  static const gchar *const definitions[]
      = { RELATION BASE WHOLE INDEX TUPLES, RELATION BASE_BY_STATE WHOLE INDEX TUPLES };

  for (guint i = 0; i < G_N_ELEMENTS (definitions); i++)
    {
      VerifiedFixture self;

      verified_open (&self, definitions[i]);
      verified_leave_old (&self, "whole", "UPDATE r SET state = 'done', n = 11 WHERE id = 1");
      verified_leave_old (&self, "entries", "UPDATE r SET state = 'done', n = 21 WHERE id = 2");
      verified_leave_old (&self, "whole", "DELETE FROM r WHERE id = 3");
      verified_drop_anchors (&self);
      /* the primary decides */
      verified_assert_rows (&self, "SELECT id, state, n FROM r USING SCHEMA whole WITH VERIFIED",
                            "1|done|11\n2|done|21\n4|open|40");
      verified_assert_rows (&self,
                            "SELECT id, state, note FROM r USING SCHEMA entries WITH VERIFIED",
                            "1|done|one\n2|done|two\n4|open|four");
      verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base ORDER BY id WITH VERIFIED",
                            "1\n2\n4");
      /* the next write makes the anchor of one of them */
      verified_leave_old (&self, "whole", "UPDATE r SET n = 41 WHERE id = 4");
      verified_assert_rows (&self, "SELECT id, n FROM r USING SCHEMA whole WITH VERIFIED",
                            "1|11\n2|21\n4|41");
      verified_close (&self);
    }
}

/* ---- what other statements do in between */

/* A statement that runs before the next reads of a table by key. */
static struct
{
  const KvsqlStoreClass *inner;
  KvsqlStoreClass klass;
  VerifiedFixture *fixture;
  const gchar *table;
  guint n_before; /* reads of the table before that one */
  void (*act) (VerifiedFixture *fixture);
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
      void (*act) (VerifiedFixture * fixture) = hook.act;

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
set_hook (VerifiedFixture *self)
{
  hook.inner = verified_store (self)->klass;
  hook.klass = *hook.inner;
  hook.klass.multi_get = hooked_multi_get;
  hook.fixture = self;
  hook.act = NULL;
  hook.fails_missing = FALSE;
  hook.n_unready = 0;
  hook.n_gets = 0;
  hook.counted = NULL;
  verified_store (self)->klass = &hook.klass;
}

static void
do_before (const gchar *table, guint n_before, void (*act) (VerifiedFixture *fixture))
{
  hook.table = table;
  hook.n_before = n_before;
  hook.act = act;
}

static void
update_one (VerifiedFixture *self)
{
  verified_run (self, "UPDATE r SET n = 12, note = 'first' WHERE id = 1");
}

/* The first write of a key is decided between the reads of its anchor and of the primary. */
static void
test_first_anchor (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_drop_anchors (&self);
  set_hook (&self);
  /* the primary is read before the write, the anchor after it */
  do_before ("kvsql_anchors", 1, update_one);
  verified_assert_rows (
      &self, "SELECT n, note FROM r USING SCHEMA whole WHERE id = 1 WITH VERIFIED", "12|first");
  g_assert_null (hook.act);
  verified_close (&self);
}

/* A reader makes no table. */
static void
test_no_anchor_table (void)
{
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  verified_drop_anchors (&self);
  set_hook (&self);
  hook.fails_missing = TRUE;
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA whole WITH VERIFIED", "1\n2\n3\n4");
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base WITH VERIFIED", "1\n2\n3\n4");
  g_assert_true (kvsql_store_lacks_table (verified_store (&self), KVSQL_ANCHOR_TABLE, NULL));
  /* while another daemon makes it */
  hook.fails_missing = FALSE;
  update_one (&self);
  hook.n_unready = 2;
  verified_assert_rows (&self, "SELECT n FROM r USING SCHEMA whole WHERE id = 1 WITH VERIFIED",
                        "12");
  g_assert_cmpuint (hook.n_unready, ==, 0);
  verified_close (&self);
}

static void
test_damaged_anchor (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = NULL;
  VerifiedFixture self;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  puts = verified_save (&self, "kvsql_anchors", arena);
  for (guint i = 0; i < puts->len; i++)
    g_array_index (puts, KvsqlMutation, i).value = S ("damaged");
  verified_apply (&self, (const KvsqlMutation *)puts->data, puts->len);
  service_fixture_assert_fails (
      &self.service, "SELECT id FROM r WHERE id = 1 WITH VERIFIED", KVSQL_ERROR_STORE,
      "the anchor of the key \"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\" "
      "of relation \"r\" is damaged");
  verified_close (&self);
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
put_anchor (VerifiedFixture *self, const Move *move, guint i, const KvsqlAnchor *anchor)
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
  verified_apply (self, cells, G_N_ELEMENTS (cells));
  kvsql_buffer_clear (&state);
  kvsql_buffer_clear (&payload);
}

static void
begin_move (VerifiedFixture *self, Move *move)
{
  KvsqlAnchorSource source = { .store = verified_store (self) };
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
decide_move (VerifiedFixture *self, Move *move)
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
  VerifiedFixture self;
  Move move;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  begin_move (&self, &move);
  /* not decided */
  verified_assert_rows (&self, all, "1\n2\n3\n4");
  decide_move (&self, &move);
  /* decided, and no cell is put yet: no schema has a place of the new key */
  verified_assert_rows (&self, all, "2\n3\n4");
  /* a writer finishes it */
  verified_run (&self, "INSERT INTO r VALUES (9, 'x', 0, 'x') ON CONFLICT DO NOTHING");
  verified_assert_rows (&self, all, "2\n9\n3\n4");
  verified_assert_rows (
      &self, "SELECT id, n, note FROM r USING SCHEMA base WHERE id IN (1, 9) WITH VERIFIED",
      "9|10|one");
  move_clear (&move);
  verified_close (&self);
}

static Move *hooked_move;

static void
finish_and_change (VerifiedFixture *self)
{
  decide_move (self, hooked_move);
  verified_run (self, "UPDATE r SET n = 99 WHERE id = 9");
}

/* The move is decided and finished, and the tuple is changed at its new key, between the read of
 * the old key's anchor and that of the new one's. The old key's anchor is read again. */
static void
test_moved_between_reads (void)
{
  VerifiedFixture self;
  Move move;

  verified_open (&self, RELATION BASE WHOLE TUPLES);
  begin_move (&self, &move);
  hooked_move = &move;
  set_hook (&self);
  do_before ("kvsql_anchors", 1, finish_and_change);
  verified_assert_rows (&self, "SELECT id FROM r USING SCHEMA base WHERE id < 3 WITH VERIFIED",
                        "2");
  g_assert_null (hook.act);
  verified_assert_rows (&self, "SELECT id, n FROM r USING SCHEMA base WHERE id > 8 WITH VERIFIED",
                        "9|99");
  move_clear (&move);
  verified_close (&self);
}

/* ---- index schemas */

static void
test_index (void)
{
  static const gchar sql[] = "SELECT id, note FROM r WHERE state = 'open' AND n > 5 WITH VERIFIED";
  VerifiedFixture self;

  verified_open (&self, RELATION BASE INDEX TUPLES);
  verified_assert_says (
      &self, "EXPLAIN SELECT id, note FROM r WHERE state = 'open' AND n > 5 WITH VERIFIED",
      "read from schema entries");
  verified_assert_says (
      &self, "EXPLAIN SELECT id, note FROM r WHERE state = 'open' AND n > 5 WITH VERIFIED",
      "verified: anchors of up to 1,024 tuples a request, and from them note\n");
  set_hook (&self);
  hook.counted = "base";
  verified_assert_rows (&self, sql, "3|three\n4|four");
  g_assert_cmpuint (hook.n_gets, ==, 0); /* the anchors have the notes */
  verified_leave_old (&self, "entries", "UPDATE r SET state = 'done', note = 'x' WHERE id = 3");
  verified_leave_old (&self, "entries", "UPDATE r SET note = 'y', n = 41 WHERE id = 4");
  verified_assert_rows (&self, sql, "4|y");
  /* without VERIFIED, an entry that does not agree with the primary is dropped */
  verified_assert_rows (&self, "SELECT id, note FROM r WHERE state = 'open' AND n > 5", "");
  verified_assert_rows (&self, "SELECT id, state, note FROM r USING SCHEMA entries WITH VERIFIED",
                        "3|done|x\n1|new|one\n2|new|two\n4|open|y");
  verified_close (&self);
}

int
main (int argc, char **argv)
{
  static const VerifiedTest tests[] = {
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
  };

  return verified_run_tests (argc, argv, tests, G_N_ELEMENTS (tests));
}
