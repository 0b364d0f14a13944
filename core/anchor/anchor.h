/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * anchor.h: the anchor of a tuple, as cells of the store.
 *
 * On a store without atomic batches, the cells of a tuple in several schemas cannot be written as
 * one. So each KEY of a relation has one row more, its anchor. A write is decided by a
 * compare-and-set of the anchor, which also says what is to be written: any daemon that reads a
 * pending anchor can finish the write. DELETE leaves an anchor that says that there is no tuple. So
 * an anchor has a version for each write, and versions only grow. Long after a DELETE its anchor is
 * removed (dead-anchors.h).
 *
 *   table kvsql_anchors, family a
 *   row        id of the relation (8 bytes), 2 bytes of the key's CRC-32, the key (tuple-key.h)
 *   state      01, flags (01 pending, 02 live, 04 moving, 08 loaded), T (8 bytes), T of the version
 *              before (8 bytes)
 *   payload    01, parts (01, 02, 04), then these parts, each slice with its size as varint:
 *              01 the record of the tuple
 *              02 moving: the record of the tuple with its other key; the state of that key's
 *                 anchor, which is replaced if it is still this one (empty: no anchor)
 *              04 arrived: the key that the tuple had before; T of the moving version there (8
 *                 bytes)
 *              then the records of older tuples whose cells may still be there
 *
 *   load, T (8 bytes)
 *              the payload of a loaded version
 *
 * All numbers are big-endian. Both cells have the timestamp T. The payload is written with T and
 * not changed. When the anchor is not pending any more, only the first part of its payload counts.
 *
 * A load puts its version of an anchor without a condition (checked-load.h). That hides the state
 * of a checked write which came after the load had read the anchor, but not its payload: until the
 * loaded version is cleared, the tuples of that payload, and those of other loads, are older tuples
 * of the loaded version. A checked write deletes the payloads of the loads that it has replaced.
 *
 * tests/model/anchor.pml, move.pml and load.pml are the models of the protocol.
 */
#pragma once

#include "core/store/row-types.h"

G_BEGIN_DECLS

#define KVSQL_ANCHOR_TABLE KVSQL_SLICE_LITERAL ("kvsql_anchors")
#define KVSQL_ANCHOR_FAMILY KVSQL_SLICE_LITERAL ("a")
#define KVSQL_ANCHOR_STATE KVSQL_SLICE_LITERAL ("state")
#define KVSQL_ANCHOR_PAYLOAD KVSQL_SLICE_LITERAL ("payload")
#define KVSQL_ANCHOR_LOAD KVSQL_SLICE_LITERAL ("load")

/* How many versions of an anchor the table keeps: a writer that has lost the answer of its
 * compare-and-set finds its T among them, unless so many writers were faster. */
#define KVSQL_ANCHOR_VERSIONS 4

/* How many older tuples an anchor may have: a write that would exceed this finishes the write
 * before it first. A moving anchor keeps room for its tuple. */
#define KVSQL_ANCHOR_MAX_OLD 16

/* How many loads may have put a version of one anchor that no checked write has replaced yet. */
#define KVSQL_ANCHOR_MAX_LOADS 16

typedef struct
{
  gint64 timestamp;    /* T: of the write, and no other write's of this key; 0: no anchor */
  gint64 previous;     /* T of the version that this one replaced; 0: none. Of a loaded version: T
                        * of the one that the load had read */
  gboolean is_pending; /* its cells may not be in all schemas yet */
  gboolean is_live;    /* there is a tuple */
  gboolean is_loaded;  /* a load has put it */
  KvsqlSlice tuple;    /* its record (tuple-record.h) */

  gint64 checked;                       /* T of the newest version of a checked write; 0: none */
  gint64 loads[KVSQL_ANCHOR_MAX_LOADS]; /* T of all payloads of loads, ascending */
  guint n_loads;

  /* If it is pending: */
  KvsqlSlice old[KVSQL_ANCHOR_MAX_OLD + 2 * KVSQL_ANCHOR_MAX_LOADS]; /* records */
  guint n_old;
  gboolean is_moving;        /* the tuple is to get another key, and this is not decided yet */
  gboolean covers_move;      /* the version @checked was moving when a load covered it */
  KvsqlSlice moved_tuple;    /* its record with that key */
  KvsqlSlice expected_state; /* of the anchor of that key; empty: there is none */
  gint64 arrival;            /* the tuple came by a move: T of the moving version; 0: it did not */
  KvsqlSlice source;         /* the key of that version */
} KvsqlAnchor;

/* The key of the anchor's row. @key: the bytes of kvsql_tuple_append_key() */
void kvsql_anchor_append_row (guint64 relation_id, KvsqlSlice key, KvsqlBuffer *out);

/* The relation and the key of such a row; the key points into it. FALSE: it is none. */
gboolean kvsql_anchor_parse_row (KvsqlSlice row, guint64 *out_relation_id,
                                 KvsqlSlice *out_key) G_GNUC_WARN_UNUSED_RESULT;

/* The rows of a relation are spread evenly over so many parts. */
#define KVSQL_ANCHOR_PARTS 65536
/* The first key that a row of this part, or of a later one, can have. @part: KVSQL_ANCHOR_PARTS: of
 * the next relation; empty if there can be none. */
void kvsql_anchor_append_part_start (guint64 relation_id, guint32 part, KvsqlBuffer *out);

/* The qualifier of the payload of a load. */
void kvsql_anchor_append_load_qualifier (gint64 timestamp, KvsqlBuffer *out);
/* The values of the two cells. */
void kvsql_anchor_append_state (const KvsqlAnchor *self, KvsqlBuffer *out);
void kvsql_anchor_append_payload (const KvsqlAnchor *self, KvsqlBuffer *out);

/* The states of anchors without a tuple, pending or not, from T on. So those with T from a to b - 1
 * are a range of bytes: from the one of a to the one of b. */
void kvsql_anchor_append_first_dead_state (gboolean is_pending, gint64 timestamp, KvsqlBuffer *out);

/* Reads the anchor from the cells of its row; a row without cells gives an anchor with T = 0. Bytes
 * point into the cells. FALSE: these are no cells of an anchor. */
gboolean kvsql_anchor_read (const KvsqlCell *cells, guint n_cells,
                            KvsqlAnchor *out) G_GNUC_WARN_UNUSED_RESULT;

/* Whether this is the anchor that the move of @moving has made. */
static inline gboolean
kvsql_anchor_is_arrival (const KvsqlAnchor *self, const KvsqlAnchor *moving)
{
  return self->is_pending && self->arrival == moving->timestamp && self->arrival != 0;
}

/* Whether this load's payload is there. */
gboolean kvsql_anchor_has_load (const KvsqlAnchor *self, gint64 timestamp);

/* Whether the load @timestamp was replaced by the version @self, so that a checked write which
 * replaces @self deletes its payload. A load that is older than the newest checked version was not:
 * that did not know it. */
gboolean kvsql_anchor_replaces_load (const KvsqlAnchor *self, gint64 timestamp);

/* Adds the record of an older tuple, unless it is there. FALSE: there is no room. */
gboolean kvsql_anchor_add_old (KvsqlAnchor *self, KvsqlSlice record) G_GNUC_WARN_UNUSED_RESULT;
/* Adds those that a pending anchor has. FALSE: there is no room for all. */
gboolean kvsql_anchor_add_all_old (KvsqlAnchor *self,
                                   const KvsqlAnchor *from) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_anchor_succeed:
 * @before: what was read; not moving
 * @tuple: a record; empty: a DELETE
 *
 * Makes the pending anchor of a write that replaces @before. If that is pending, too, its work
 * becomes part of the new write: its tuple and its older tuples become older tuples of @out.
 *
 * Returns: FALSE if there is no room for them: @before has to be finished first.
 */
gboolean kvsql_anchor_succeed (const KvsqlAnchor *before, KvsqlSlice tuple, gint64 timestamp,
                               KvsqlAnchor *out) G_GNUC_WARN_UNUSED_RESULT;

/* Makes the pending anchor of a load. @before is not pending. Its timestamp may be 0. */
void kvsql_anchor_load (const KvsqlAnchor *before, KvsqlSlice tuple, gint64 timestamp,
                        KvsqlAnchor *out);

/* Makes the moving anchor of an UPDATE that changes the key. @before is live and not moving, and
 * its tuple stays until the move is decided. FALSE: there is no room, as above. */
gboolean kvsql_anchor_begin_move (const KvsqlAnchor *before, KvsqlSlice moved_tuple,
                                  KvsqlSlice expected_state, gint64 timestamp,
                                  KvsqlAnchor *out) G_GNUC_WARN_UNUSED_RESULT;
/* Makes the anchor of the other key, which decides the move. @before has no tuple. FALSE: no anchor
 * that kvsql has written is like this one. */
gboolean kvsql_anchor_arrive (const KvsqlAnchor *before, const KvsqlAnchor *moving,
                              KvsqlSlice source, gint64 timestamp,
                              KvsqlAnchor *out) G_GNUC_WARN_UNUSED_RESULT;
/* Makes the anchor that replaces @moving when the move is decided: without the tuple, or, if the
 * move is taken back, with it. FALSE: as for kvsql_anchor_arrive(). */
gboolean kvsql_anchor_end_move (const KvsqlAnchor *moving, gboolean is_moved, gint64 timestamp,
                                KvsqlAnchor *out) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
