/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-anchor.c: tuple records and anchors are read as they were written; damaged ones are refused.
 */
#include "config.h"

#include "core/anchor/anchor.h"
#include "core/anchor/tuple-record.h"
#include "core/anchor/varint.h"
#include "core/sql/parser.h"
#include "tests/harness/assert.h"

#define N_DAMAGED 20000

static const gchar all_types[]
    = "DEFINE RELATION r { k BIGINT KEY, s STRING, b BYTES, o BOOLEAN, i INT, f FLOAT, d DOUBLE, "
      "n DECIMAL, a DATE, t TIMESTAMP, m MAP<STRING, INT>, l LIST<STRING>, u UUID, "
      "j JSON, jb JSONB }";

#define N_ATTRIBUTES 15

static KvsqlRelation *
relation_new (const gchar *definition)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  const KvsqlAstStatement *statement
      = kvsql_parser_parse_definition (kvsql_slice_from_text (definition), arena, &error);
  KvsqlRelation *relation;

  g_assert_no_error (error);
  relation = kvsql_relation_new (&statement->define_relation, &error);
  g_assert_no_error (error);
  return relation;
}

static KvsqlValue
text (KvsqlType type, const gchar *bytes)
{
  return (KvsqlValue){ .type = type, .bytes = kvsql_slice_from_text (bytes) };
}

static KvsqlValue
number (KvsqlType type, gint64 integer)
{
  return (KvsqlValue){ .type = type, .integer = integer };
}

static void
make_tuple (KvsqlValue *out)
{
  out[0] = number (KVSQL_TYPE_BIGINT, G_MININT64);
  out[1] = text (KVSQL_TYPE_STRING, "Käse");
  out[2] = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = KVSQL_SLICE_LITERAL ("\0\xff") };
  out[3] = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = TRUE };
  out[4] = number (KVSQL_TYPE_INT, -1);
  out[5] = (KvsqlValue){ .type = KVSQL_TYPE_FLOAT, .real = 1.5 };
  out[6] = (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = -0.1 };
  out[7] = text (KVSQL_TYPE_DECIMAL, "-12.34");
  out[8] = number (KVSQL_TYPE_DATE, 19000);
  out[9] = number (KVSQL_TYPE_TIMESTAMP, 1);
  out[10] = text (KVSQL_TYPE_MAP + KVSQL_TYPE_INT - 1, "{\"a\":1}");
  out[11] = text (KVSQL_TYPE_LIST + KVSQL_TYPE_STRING - 1, "[\"x\",null]");
  out[12] = text (KVSQL_TYPE_UUID, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
  out[13] = text (KVSQL_TYPE_JSON, "{ \"b\":1,  \"a\":[] }");
  out[14] = text (KVSQL_TYPE_JSONB, "{\"a\": [], \"b\": 1.50}");
}

static void
assert_equal (const KvsqlValue *a, const KvsqlValue *b, guint n)
{
  for (guint i = 0; i < n; i++)
    g_assert_true (kvsql_value_equal (&a[i], &b[i]));
}

/* ---- records */

static void
test_record (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation = relation_new (all_types);
  KvsqlValue tuple[N_ATTRIBUTES], read[N_ATTRIBUTES];
  KvsqlBuffer record = { 0 };

  g_assert_cmpuint (relation->n_attributes, ==, N_ATTRIBUTES);
  make_tuple (tuple);
  for (guint null = 0; null < N_ATTRIBUTES; null++)
    {
      /* the last round has no NULL */
      if (null + 1 < N_ATTRIBUTES)
        tuple[null + 1] = KVSQL_VALUE_NULL;
      record.size = 0;
      kvsql_tuple_record_append (relation, tuple, &record);
      g_assert_true (kvsql_tuple_record_read (relation, kvsql_buffer_slice (&record), arena, read));
      assert_equal (tuple, read, N_ATTRIBUTES);
      make_tuple (tuple);
    }
  kvsql_buffer_clear (&record);
  kvsql_relation_unref (relation);
}

static void
test_another_definition (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *two = relation_new ("DEFINE RELATION r { k BIGINT KEY, v INT }");
  KvsqlRelation *three = relation_new ("DEFINE RELATION r { k BIGINT KEY, v INT, w INT }");
  KvsqlRelation *other = relation_new ("DEFINE RELATION r { k BIGINT KEY, v STRING }");
  KvsqlValue tuple[3]
      = { number (KVSQL_TYPE_BIGINT, 1), number (KVSQL_TYPE_INT, 2), number (KVSQL_TYPE_INT, 3) };
  KvsqlValue read[3];
  KvsqlBuffer record = { 0 };

  kvsql_tuple_record_append (three, tuple, &record);
  g_assert_true (kvsql_tuple_record_read (two, kvsql_buffer_slice (&record), arena, read));
  assert_equal (tuple, read, 2);
  g_assert_false (kvsql_tuple_record_read (other, kvsql_buffer_slice (&record), arena, read));
  record.size = 0;
  kvsql_tuple_record_append (two, tuple, &record);
  g_assert_true (kvsql_tuple_record_read (three, kvsql_buffer_slice (&record), arena, read));
  assert_equal (tuple, read, 2);
  g_assert_true (kvsql_value_is_null (&read[2]));
  kvsql_buffer_clear (&record);
  kvsql_relation_unref (two);
  kvsql_relation_unref (three);
  kvsql_relation_unref (other);
}

/* ---- anchors */

static KvsqlSlice
record_of (guint i)
{
  static gchar records[KVSQL_ANCHOR_MAX_OLD + 2][8];

  g_snprintf (records[i], sizeof records[i], "tuple%u", i);
  return kvsql_slice_from_text (records[i]);
}

/* The two cells of an anchor, in @arena. */
static void
make_cells (const KvsqlAnchor *anchor, KvsqlArena *arena, KvsqlCell out[2])
{
  KvsqlBuffer state = { 0 }, payload = { 0 };

  kvsql_anchor_append_state (anchor, &state);
  kvsql_anchor_append_payload (anchor, &payload);
  out[0] = (KvsqlCell){ .qualifier = KVSQL_ANCHOR_STATE,
                        .value = kvsql_slice_dup (arena, kvsql_buffer_slice (&state)),
                        .timestamp = anchor->timestamp };
  out[1] = (KvsqlCell){ .qualifier = KVSQL_ANCHOR_PAYLOAD,
                        .value = kvsql_slice_dup (arena, kvsql_buffer_slice (&payload)),
                        .timestamp = anchor->timestamp };
  kvsql_buffer_clear (&state);
  kvsql_buffer_clear (&payload);
}

static void
reread (const KvsqlAnchor *anchor, KvsqlArena *arena, KvsqlAnchor *out)
{
  KvsqlCell cells[2];

  make_cells (anchor, arena, cells);
  g_assert_true (kvsql_anchor_read (cells, 2, out));
}

/* Each write finds the one before it unfinished. */
static void
test_succession (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAnchor anchor, next;

  g_assert_true (kvsql_anchor_read (NULL, 0, &anchor));
  g_assert_cmpint (anchor.timestamp, ==, 0);
  for (guint i = 0; i <= KVSQL_ANCHOR_MAX_OLD; i++)
    {
      g_assert_true (kvsql_anchor_succeed (&anchor, record_of (i), 10 + i, &next));
      reread (&next, arena, &anchor);
      g_assert_true (anchor.is_pending && anchor.is_live);
      g_assert_cmpint (anchor.timestamp, ==, 10 + i);
      g_assert_cmpint (anchor.previous, ==, i == 0 ? 0 : 9 + i);
      g_assert_cmpuint (anchor.n_old, ==, i);
      g_assert_true (kvsql_slice_equal (anchor.tuple, record_of (i)));
    }
  g_assert_false (kvsql_anchor_succeed (&anchor, record_of (0), 100, &next));
  /* finished: only its tuple is to be replaced */
  anchor.is_pending = FALSE;
  g_assert_true (kvsql_anchor_succeed (&anchor, KVSQL_SLICE_EMPTY, 100, &next));
  reread (&next, arena, &anchor);
  g_assert_true (anchor.is_pending && !anchor.is_live);
  g_assert_cmpuint (anchor.n_old, ==, 1);
}

static void
test_same_tuple_again (void)
{
  KvsqlAnchor first, second, third;

  g_assert_true (kvsql_anchor_succeed (&(KvsqlAnchor){ 0 }, record_of (1), 1, &first));
  g_assert_true (kvsql_anchor_succeed (&first, record_of (2), 2, &second));
  second.tuple = record_of (1);
  g_assert_true (kvsql_anchor_succeed (&second, record_of (3), 3, &third));
  g_assert_cmpuint (third.n_old, ==, 1);
}

/* ---- loads */

#define MAX_CELLS (2 + KVSQL_ANCHOR_MAX_LOADS + 1)

/* The row of an anchor, whose cells are put as a store does. */
typedef struct
{
  KvsqlArena *arena;
  KvsqlCell cells[MAX_CELLS];
  guint n;
} Row;

static void
put_version (Row *self, const KvsqlAnchor *anchor)
{
  KvsqlCell cells[2];
  KvsqlBuffer qualifier = { 0 };

  make_cells (anchor, self->arena, cells);
  if (anchor->is_loaded)
    {
      kvsql_anchor_append_load_qualifier (anchor->timestamp, &qualifier);
      cells[1].qualifier = kvsql_slice_dup (self->arena, kvsql_buffer_slice (&qualifier));
      kvsql_buffer_clear (&qualifier);
    }
  for (guint i = 0; i < 2; i++)
    {
      guint at = 0;

      while (at < self->n && !kvsql_slice_equal (self->cells[at].qualifier, cells[i].qualifier))
        at++;
      g_assert_cmpuint (at, <, MAX_CELLS);
      if (at == self->n || self->cells[at].timestamp <= cells[i].timestamp)
        self->cells[at] = cells[i];
      self->n = MAX (self->n, at + 1);
    }
}

static void
load_version (Row *self, const KvsqlAnchor *before, guint record, gint64 timestamp)
{
  KvsqlAnchor loaded;

  kvsql_anchor_load (before, record_of (record), timestamp, &loaded);
  put_version (self, &loaded);
}

static void
write_version (Row *self, const KvsqlAnchor *before, guint record, gint64 timestamp)
{
  KvsqlAnchor next;

  g_assert_true (kvsql_anchor_succeed (before, record_of (record), timestamp, &next));
  put_version (self, &next);
}

static void
assert_old (const KvsqlAnchor *anchor, const guint *records, guint n)
{
  g_assert_cmpuint (anchor->n_old, ==, n);
  for (guint i = 0; i < n; i++)
    {
      guint at = 0;

      while (at < n && !kvsql_slice_equal (anchor->old[at], record_of (records[i])))
        at++;
      g_assert_cmpuint (at, <, n);
    }
}

/* A checked write, and another load, come between the reading and the writing of a load. */
static void
test_load_covers (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const guint old[] = { 0, 1, 2 };
  KvsqlAnchor base = { 0 }, anchor, next;
  Row row = { .arena = arena };

  write_version (&row, &base, 0, 10);
  g_assert_true (kvsql_anchor_read (row.cells, row.n, &base));
  base.is_pending = FALSE;
  write_version (&row, &base, 1, 20);
  load_version (&row, &base, 2, 30);
  load_version (&row, &base, 3, 40);
  g_assert_true (kvsql_anchor_read (row.cells, row.n, &anchor));
  g_assert_true (anchor.is_pending && anchor.is_live && anchor.is_loaded);
  g_assert_cmpint (anchor.timestamp, ==, 40);
  g_assert_cmpint (anchor.previous, ==, 10);
  g_assert_cmpint (anchor.checked, ==, 20);
  g_assert_true (kvsql_slice_equal (anchor.tuple, record_of (3)));
  assert_old (&anchor, old, G_N_ELEMENTS (old));
  g_assert_true (kvsql_anchor_succeed (&anchor, record_of (4), 50, &next));
  g_assert_cmpuint (next.n_old, ==, 4);
  g_assert_cmpuint (next.n_loads, ==, 2);
}

/* A load that arrives below a checked write was never current: only its writer deletes its
 * payload, and it is no older tuple of a later load. */
static void
test_late_load (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const guint old[] = { 1 };
  KvsqlAnchor none = { 0 }, anchor, next;
  Row row = { .arena = arena };

  write_version (&row, &none, 1, 20);
  load_version (&row, &none, 2, 10);
  g_assert_true (kvsql_anchor_read (row.cells, row.n, &anchor));
  g_assert_cmpint (anchor.timestamp, ==, 20);
  g_assert_true (kvsql_anchor_has_load (&anchor, 10));
  g_assert_false (kvsql_anchor_has_load (&anchor, 11));
  g_assert_true (kvsql_anchor_succeed (&anchor, record_of (3), 30, &next));
  g_assert_cmpuint (next.n_loads, ==, 0);
  anchor.is_pending = FALSE;
  load_version (&row, &anchor, 4, 40);
  g_assert_true (kvsql_anchor_read (row.cells, row.n, &anchor));
  assert_old (&anchor, old, G_N_ELEMENTS (old));
}

/* The mover can still decide a move that a load has covered. */
static void
test_load_covers_move (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlSlice expected = KVSQL_SLICE_LITERAL ("state");
  KvsqlAnchor base = { .timestamp = 5, .is_live = TRUE, .tuple = record_of (0) }, moving, anchor;
  Row row = { .arena = arena };

  g_assert_true (kvsql_anchor_begin_move (&base, record_of (1), expected, 10, &moving));
  put_version (&row, &moving);
  load_version (&row, &base, 2, 20);
  g_assert_true (kvsql_anchor_read (row.cells, row.n, &anchor));
  g_assert_true (anchor.covers_move && !anchor.is_moving);
  g_assert_true (kvsql_slice_equal (anchor.moved_tuple, record_of (1)));
  g_assert_true (kvsql_slice_equal (anchor.expected_state, expected));
  /* cleared: nothing below it counts any more */
  anchor.is_pending = FALSE;
  put_version (&row, &anchor);
  g_assert_true (kvsql_anchor_read (row.cells, row.n, &anchor));
  g_assert_true (anchor.is_loaded && !anchor.covers_move && anchor.n_old == 0);
}

static void
test_too_many_loads (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlAnchor none = { 0 }, anchor;
  Row row = { .arena = arena };

  for (guint i = 0; i <= KVSQL_ANCHOR_MAX_LOADS; i++)
    {
      load_version (&row, &none, i, 10 + i);
      g_assert_cmpint (kvsql_anchor_read (row.cells, row.n, &anchor), ==,
                       i < KVSQL_ANCHOR_MAX_LOADS);
    }
}

static void
test_damaged_anchor (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  const KvsqlAnchor good
      = { .timestamp = 5, .previous = 4, .is_live = TRUE, .tuple = KVSQL_SLICE_LITERAL ("x") };
  KvsqlCell cells[2];
  KvsqlAnchor read;

  make_cells (&good, arena, cells);
  g_assert_true (kvsql_anchor_read (cells, 2, &read));
  g_assert_false (kvsql_anchor_read (cells, 1, &read));
  g_assert_false (kvsql_anchor_read (cells + 1, 1, &read));
  /* cells of two writes */
  cells[1].timestamp = 4;
  g_assert_false (kvsql_anchor_read (cells, 2, &read));
  cells[1].timestamp = 5;
  while (cells[0].value.size-- > 0)
    g_assert_false (kvsql_anchor_read (cells, 2, &read));
}

/* ---- any bytes */

/* In memory of its own size, so that a sanitizer sees what is read beyond the end. */
static KvsqlSlice
damage (KvsqlSlice bytes)
{
  guint n = (guint)g_test_rand_int_range (1, 4);
  guint8 *copy = g_memdup2 (bytes.data, bytes.size);
  gsize size = bytes.size;

  for (guint i = 0; i < n; i++)
    copy[g_test_rand_int_range (0, (gint32)size)] = (guint8)g_test_rand_int ();
  if (g_test_rand_bit ())
    {
      size = (gsize)g_test_rand_int_range (1, (gint32)size + 1);
      copy = g_realloc (copy, size);
    }
  return kvsql_slice (copy, size);
}

static gboolean
reads_damaged_record (const KvsqlRelation *relation, KvsqlSlice record, KvsqlArena *arena)
{
  KvsqlSlice damaged = damage (record);
  KvsqlValue values[N_ATTRIBUTES];
  gboolean is_read = kvsql_tuple_record_read (relation, damaged, arena, values);

  g_free ((gpointer)damaged.data);
  return is_read;
}

static gboolean
reads_damaged_anchor (const KvsqlCell cells[2])
{
  KvsqlCell copies[2] = { cells[0], cells[1] };
  guint which = g_test_rand_bit () ? 1 : 0;
  KvsqlAnchor read;
  gboolean is_read;

  copies[which].value = damage (cells[which].value);
  is_read = kvsql_anchor_read (copies, 2, &read);
  g_free ((gpointer)copies[which].value.data);
  return is_read;
}

static void
test_any_bytes (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlRelation *relation = relation_new (all_types);
  const KvsqlAnchor first = { .timestamp = 1, .is_live = TRUE, .tuple = record_of (0) };
  KvsqlValue tuple[N_ATTRIBUTES];
  KvsqlBuffer record = { 0 };
  KvsqlAnchor anchor;
  KvsqlCell cells[2];
  guint n_records = 0, n_anchors = 0;

  make_tuple (tuple);
  kvsql_tuple_record_append (relation, tuple, &record);
  g_assert_true (kvsql_anchor_succeed (&first, record_of (1), 2, &anchor));
  make_cells (&anchor, arena, cells);
  for (guint i = 0; i < N_DAMAGED; i++)
    {
      n_records += reads_damaged_record (relation, kvsql_buffer_slice (&record), arena);
      n_anchors += reads_damaged_anchor (cells);
    }
  /* some are read: a value can be any bytes */
  g_assert_cmpuint (n_records, <, N_DAMAGED);
  g_assert_cmpuint (n_anchors, <, N_DAMAGED);
  kvsql_buffer_clear (&record);
  kvsql_relation_unref (relation);
}

static void
test_varint (void)
{
  const guint32 numbers[] = { 0, 1, 127, 128, 16383, 16384, G_MAXUINT32 };
  const KvsqlSlice bad[] = { KVSQL_SLICE_LITERAL (""), KVSQL_SLICE_LITERAL ("\x80"),
                             KVSQL_SLICE_LITERAL ("\xff\xff\xff\xff\x7f"),
                             KVSQL_SLICE_LITERAL ("\x80\x80\x80\x80\x80\x01") };
  KvsqlBuffer buffer = { 0 };
  guint32 read = 0;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      KvsqlSlice rest;

      buffer.size = 0;
      kvsql_append_varint (&buffer, numbers[i]);
      rest = kvsql_buffer_slice (&buffer);
      g_assert_true (kvsql_take_varint (&rest, &read));
      g_assert_cmpuint (read, ==, numbers[i]);
      g_assert_cmpuint (rest.size, ==, 0);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      KvsqlSlice rest = bad[i];
      g_assert_false (kvsql_take_varint (&rest, &read));
    }
  kvsql_buffer_clear (&buffer);
}

/* Rows of anchors are found by the parts that they are in. */
static void
test_rows (void)
{
  const guint64 ids[] = { 1, 0x0102030405060708, G_MAXUINT64 };
  KvsqlBuffer row = { 0 }, start = { 0 }, stop = { 0 };
  KvsqlSlice key;
  guint64 id;

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      guint32 part;

      row.size = start.size = stop.size = 0;
      kvsql_anchor_append_row (ids[i], kvsql_slice_from_text ("key"), &row);
      g_assert_true (kvsql_anchor_parse_row (kvsql_buffer_slice (&row), &id, &key));
      g_assert_cmpuint (id, ==, ids[i]);
      g_assert_true (kvsql_slice_equal (key, kvsql_slice_from_text ("key")));
      part = (guint32)row.data[8] << 8 | row.data[9];
      kvsql_anchor_append_part_start (id, part, &start);
      kvsql_anchor_append_part_start (id, part + 1, &stop);
      g_assert_cmpint (kvsql_slice_compare (kvsql_buffer_slice (&start), kvsql_buffer_slice (&row)),
                       <, 0);
      g_assert_cmpint (kvsql_slice_compare (kvsql_buffer_slice (&row), kvsql_buffer_slice (&stop)),
                       <, 0);
      start.size = 0;
      kvsql_anchor_append_part_start (id, KVSQL_ANCHOR_PARTS, &start);
      g_assert_cmpuint (start.size, ==, id == G_MAXUINT64 ? 0 : 8);
      g_assert_true (start.size == 0 || kvsql_get_be64 (start.data) == id + 1);
    }
  g_assert_false (kvsql_anchor_parse_row (KVSQL_SLICE_LITERAL ("too short"), &id, &key));
  kvsql_buffer_clear (&row);
  kvsql_buffer_clear (&start);
  kvsql_buffer_clear (&stop);
}

static gboolean
is_dead_state (const KvsqlAnchor *anchor, gboolean is_pending, gint64 before)
{
  KvsqlBuffer state = { 0 }, start = { 0 }, stop = { 0 };
  gboolean result;

  kvsql_anchor_append_state (anchor, &state);
  kvsql_anchor_append_first_dead_state (is_pending, 0, &start);
  kvsql_anchor_append_first_dead_state (is_pending, before, &stop);
  result = kvsql_slice_compare (kvsql_buffer_slice (&start), kvsql_buffer_slice (&state)) <= 0
           && kvsql_slice_compare (kvsql_buffer_slice (&state), kvsql_buffer_slice (&stop)) < 0;
  kvsql_buffer_clear (&state);
  kvsql_buffer_clear (&start);
  kvsql_buffer_clear (&stop);
  return result;
}

/* A store can select the states of old anchors without a tuple by their bytes. */
static void
test_dead_states (void)
{
  KvsqlAnchor anchor = { .timestamp = 1000, .previous = 999 };

  g_assert_true (is_dead_state (&anchor, FALSE, 1001));
  g_assert_false (is_dead_state (&anchor, FALSE, 1000));
  g_assert_false (is_dead_state (&anchor, TRUE, 1001));
  anchor.is_pending = TRUE;
  g_assert_true (is_dead_state (&anchor, TRUE, 1001));
  g_assert_false (is_dead_state (&anchor, FALSE, 1001));
  anchor.is_live = TRUE;
  g_assert_false (is_dead_state (&anchor, TRUE, 1001));
  anchor.is_pending = FALSE;
  g_assert_false (is_dead_state (&anchor, FALSE, 1001));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/anchor/record", test_record);
  g_test_add_func ("/anchor/another-definition", test_another_definition);
  g_test_add_func ("/anchor/succession", test_succession);
  g_test_add_func ("/anchor/same-tuple-again", test_same_tuple_again);
  g_test_add_func ("/anchor/load-covers", test_load_covers);
  g_test_add_func ("/anchor/late-load", test_late_load);
  g_test_add_func ("/anchor/load-covers-move", test_load_covers_move);
  g_test_add_func ("/anchor/too-many-loads", test_too_many_loads);
  g_test_add_func ("/anchor/damaged-anchor", test_damaged_anchor);
  g_test_add_func ("/anchor/any-bytes", test_any_bytes);
  g_test_add_func ("/anchor/varint", test_varint);
  g_test_add_func ("/anchor/rows", test_rows);
  g_test_add_func ("/anchor/dead-states", test_dead_states);
  return g_test_run ();
}
