/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * each.h: each{…}: a repeating element, with which one cell holds several tuples.
 *
 * The elements follow one another to the end of the field, or their number comes first
 * (each(n){…}), or a separator is between two of them (each(s){…}). What is in the field before
 * and after them is the same in all tuples of the cell. QUALIFIER may repeat together with VALUE:
 * its first element and that of VALUE are the first tuple, and so on.
 *
 * The fields are compiled as they are written for one tuple: with one element. So the proof, the
 * planner and the encoder of a tuple see fields as any others. KvsqlEach has the parts of such a
 * sequence. Its elements are shared with the field.
 *
 * An element has to show where it ends: it has a fixed size, or a length, or ends at a separator.
 * So the bytes can be split in one way only, from the left to the right (kvsql_each_next()).
 */
#pragma once

#include "core/layout/layout-types.h"
#include "core/sql/ast-definition.h"

G_BEGIN_DECLS

typedef struct _KvsqlEach KvsqlEach;
struct _KvsqlEach
{
  KvsqlEach *qualifier; /* nullable: QUALIFIER repeats, too; of that of VALUE */
  KvsqlSpan span;
  guint count_size;     /* bytes of the number of elements; 0: the number is not written */
  KvsqlSlice separator; /* between two elements; empty: none */
  KvsqlSequence *before;
  KvsqlSequence *inner;
  KvsqlSequence *after;         /* of a fixed size */
  KvsqlAttributeSet attributes; /* on which the bytes of an element depend, in both fields */
  gboolean is_tsdb;             /* values of points; a byte follows those of several points */
};

/* An each{…} in the layouts of a cell. */
typedef struct
{
  const KvsqlLayoutNode *node; /* NULL: none */
  guint index;                 /* of the node in its field */
} KvsqlEachPlace;

typedef struct
{
  KvsqlEachPlace qualifier; /* only together with @value */
  KvsqlEachPlace value;
} KvsqlEachPlaces;

/* Searches the layouts of a cell. Fails if each{…} is in another place than the outermost level of
 * VALUE, or of VALUE and QUALIFIER, or twice.
 * @layouts: (array length=KVSQL_N_FIELDS) */
gboolean kvsql_each_find (const KvsqlLayoutSequence *layouts, KvsqlEachPlaces *out,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Replaces the layouts of fields with each{…} by those with one element. Checks the arguments.
 * @layouts: (array length=KVSQL_N_FIELDS) */
gboolean kvsql_each_flatten (const KvsqlEachPlaces *places, KvsqlLayoutSequence *layouts,
                             KvsqlArena *arena, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/**
 * kvsql_each_compile:
 * @layouts: (array length=KVSQL_N_FIELDS): as they are written
 * @fields: (array length=KVSQL_N_FIELDS): the compiled forms of kvsql_each_flatten()
 *
 * Fails if an element does not show where it ends. KEY attributes of elements are made strict: each
 * value has one form only.
 *
 * Returns: (nullable): in @arena
 */
KvsqlEach *kvsql_each_compile (const KvsqlEachPlaces *places, const KvsqlLayoutSequence *layouts,
                               KvsqlSequence *const *fields, const KvsqlRelation *relation,
                               KvsqlArena *arena, GError **error);

/* ---- reading */

/* The elements of one field that were not read yet. */
typedef struct
{
  const KvsqlEach *each;
  KvsqlSlice rest;
  KvsqlSlice element;   /* the bytes of the one that was read last */
  guint64 n_left;       /* of counted elements */
  gboolean has_element; /* with a separator: another element follows, which may be empty */
} KvsqlEachList;

typedef struct
{
  KvsqlEachList value;
  KvsqlEachList qualifier; /* each NULL: QUALIFIER does not repeat */
  guint64 n;               /* elements that were read, and the end of the list */
} KvsqlEachWalk;

typedef enum
{
  KVSQL_EACH_ELEMENT,
  KVSQL_EACH_END,
  KVSQL_EACH_DAMAGED, /* the rest is not a list of elements */
} KvsqlEachStep;

/* Decodes QUALIFIER and VALUE, except for their elements. FALSE: the bytes are not a value of the
 * fields. @fields: (array length=KVSQL_N_FIELDS): of the cell */
gboolean kvsql_each_begin (const KvsqlEach *self, KvsqlSequence *const *fields,
                           KvsqlSlice qualifier, KvsqlSlice value, KvsqlDecoder *decoder,
                           KvsqlEachWalk *out);
/* Decodes the next element. @decoder has slots. */
KvsqlEachStep kvsql_each_next (KvsqlEachWalk *self, KvsqlDecoder *decoder);

G_END_DECLS
