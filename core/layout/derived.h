/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * derived.h: bytes that only repeat what others hold, and attributes held in parts.
 *
 * hash{…} and salt{…} hold no attribute: they follow from the others. bucket{…}, offset{…} and
 * format{…} hold a part of one: some of them together give it back (bucket and offset of one
 * width), or they only repeat an attribute that stands elsewhere as a whole.
 *
 * Which is which is known when all fields of a cell are compiled (resolve). While a cell is read,
 * the decoder keeps their bytes in slots; when all fields are read, finish puts attributes together
 * from their parts, encodes what is derived again from the attributes that were read, and
 * compares: a cell that was not written this way is not of this layout.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* An attribute that is put together. */
typedef struct
{
  guint attribute;
  KvsqlElement **parts;
  guint n_parts;
} KvsqlJoin;

typedef struct
{
  KvsqlJoin *joins;
  guint n_joins;
  KvsqlElement **checked; /* encoded again and compared */
  guint n_checked;
  KvsqlAttributeSet sources; /* that checking needs */
  guint last_field;          /* none of this reaches into a field behind it */
} KvsqlDerived;

/* A derived element or a part gets its slot; nothing inside of another one does. */
gboolean kvsql_element_take_slot (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                  GError **error);

/* The layout in the braces of a derived element or a part: it places no attribute. */
gboolean kvsql_element_compile_apart (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                      const KvsqlLayoutNode *node, GError **error);

/* name{…} around one attribute, alone or in elements of its own: a part of it. The attribute is a
 * whole number or a time. @as_type: KVSQL_TYPE_NULL for its own. */
gboolean kvsql_element_compile_part (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                     const KvsqlLayoutNode *node, KvsqlType as_type,
                                     GError **error);

/**
 * kvsql_derived_resolve:
 * @fields: (array length=KVSQL_N_FIELDS): of the cell, compiled
 * @out: (out) (nullable): %NULL if there is nothing derived in the cell
 *
 * Adds the attributes that parts give back to @compiler's placed ones. Fails if a part gives
 * nothing back that is not held elsewhere, or if the cell does not hold what an element is derived
 * from.
 */
gboolean kvsql_derived_resolve (KvsqlLayoutCompiler *compiler, KvsqlSequence *const *fields,
                                KvsqlDerived **out, GError **error);

/* The attributes that the first @n_fields of @fields hold as wholes. */
void kvsql_derived_collect_held (const KvsqlDerived *self /* nullable */,
                                 KvsqlSequence *const *fields, guint n_fields,
                                 KvsqlAttributeSet *out);

/* Whether a number is one of @type's: INT, BIGINT, DATE or TIMESTAMP. */
gboolean kvsql_integer_fits (KvsqlType type, gint64 number);

/* After all fields (or those up to last_field) are decoded with the same slots: FALSE if the cell
 * is not of this layout. The batch has columns for the sources. */
gboolean kvsql_derived_finish (const KvsqlDerived *self, const KvsqlRelation *relation,
                               KvsqlDecoder *decoder);

G_END_DECLS
