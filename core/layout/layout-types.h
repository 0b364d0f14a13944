/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * layout-types.h: a compiled layout, and what its elements get when they write and read.
 *
 * A field of a schema (TABLE, ROW …) is a sequence of elements (element.h). Compiled sequences are
 * immutable and shared by all threads. They are made by compile-sequence.h, written and read by
 * sequence.h, and intersected with constraints by constrain.h.
 */
#pragma once

#include "core/base/vector.h"
#include "core/layout/ranges/byte-ranges.h"
#include "core/schema/attribute-set.h"

G_BEGIN_DECLS

typedef struct _KvsqlRelation KvsqlRelation; /* core/schema/relation.h */
typedef struct _KvsqlElement KvsqlElement;
typedef struct _KvsqlDecodePlan KvsqlDecodePlan;
typedef struct _KvsqlEncodePlan KvsqlEncodePlan;

typedef struct
{
  KvsqlElement **elements;
  guint n_elements;
  gssize fixed_size;            /* of the sequence; -1: variable */
  gssize *tail_sizes;           /* [i]: size of all elements after i; -1: variable */
  guint n_attributes;           /* of the relation */
  KvsqlAttributeSet attributes; /* on which the bytes depend */
  gboolean is_constant;         /* its bytes are always @constant */
  KvsqlSlice constant;
  const gchar *loss;              /* nullable: that of an element */
  KvsqlAttributeSet derived_from; /* attributes on which its derived elements and parts depend */
  const KvsqlDecodePlan *plan;    /* nullable: decodes without a search (decode-plan.h) */
  const KvsqlEncodePlan *encode_plan; /* nullable: encodes without a check (encode-plan.h) */
} KvsqlSequence;

/* ---- compiling */

typedef struct
{
  KvsqlArena *arena; /* owns the result */
  const KvsqlRelation *relation;
  gboolean is_cell_key;
  KvsqlAttributeSet placed; /* attributes that an element holds, so far */
  guint field;              /* that is being compiled */
  gboolean is_apart;        /* inside a derived element or a part */
  KvsqlType as_type;        /* the type of attributes; KVSQL_TYPE_NULL: their own */
  KvsqlElement **slots;     /* KVSQL_MAX_SLOTS: the derived elements and parts of the cell */
  guint n_slots;
} KvsqlLayoutCompiler;

/* ---- writing */

typedef struct
{
  const KvsqlRelation *relation;
  const gchar *schema;
  const KvsqlValue *tuple; /* by attribute */
} KvsqlEncoder;

/* ---- reading */

#define KVSQL_MAX_SLOTS 32

/* The bytes of a derived element or a part, kept until all fields of the cell are decoded. */
typedef struct
{
  KvsqlSlice bytes;
  gint64 number; /* the value of a part */
} KvsqlSlot;

typedef struct
{
  KvsqlBatch *batch; /* columns by attribute, only for wanted ones; NULL: constants only */
  guint row;
  KvsqlArena *arena; /* for values whose bytes are not slices of the store's memory */
  guint steps;       /* of backtracking in this field */
  KvsqlSlot *slots;  /* nullable; of the cell: filled by its fields, used by derived.h */
  struct _KvsqlReadings *readings; /* nullable: selects the reading (readings.h) */
} KvsqlDecoder;

/* ---- order */

typedef enum
{
  KVSQL_ORDER_NONE,
  KVSQL_ORDER_ASCENDING,
  KVSQL_ORDER_DESCENDING,
} KvsqlOrder;

/* How the bytes of an element sort. If there is an order, a greater value has greater bytes
 * (DESCENDING: smaller bytes), whatever follows in the field. If the element has a form for NULL,
 * NULL sorts first or last, as @nulls_first says. */
typedef struct
{
  KvsqlOrder order;
  KvsqlOrder order_by_sign; /* with order NONE: the order among values >= 0, and among values < 0,
                               which have greater bytes */
  gboolean nulls_first;     /* in the order of the bytes */
  gboolean is_last_only;    /* only true if the element is the last of its field */
  gboolean is_loose; /* equal values may have different bytes (-0 and 0), so later elements are not
                        sorted within equal values */
} KvsqlByteOrder;

#define KVSQL_BYTE_ORDER_NONE ((KvsqlByteOrder){ .order = KVSQL_ORDER_NONE })

G_END_DECLS
