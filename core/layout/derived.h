/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * derived.h: elements whose bytes follow from other elements, and attributes that are stored in
 * parts.
 *
 * hash{…} and salt{…} hold no attribute: their bytes follow from the attributes. bucket{…},
 * offset{…} and format{…} hold a part of an attribute. Several parts together give the attribute
 * back (bucket and offset of the same width), or a part only repeats an attribute that another
 * element holds.
 *
 * kvsql_derived_resolve() finds out which case applies, after all fields of a cell are compiled.
 * While a cell is decoded, the bytes of these elements are kept in slots. After all fields are
 * decoded, kvsql_derived_finish() computes the attributes from their parts. It then encodes each
 * derived element from the decoded attributes and compares the bytes: a cell with other bytes is
 * not a cell of this layout.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

typedef struct _KvsqlLayoutNode KvsqlLayoutNode; /* core/sql/ast-definition.h */

/* An attribute that is computed from its parts. */
typedef struct
{
  guint attribute;
  KvsqlElement **parts;
  guint n_parts;
} KvsqlCompositeAttribute;

typedef struct
{
  KvsqlCompositeAttribute *composites;
  guint n_composites;
  KvsqlElement **checked; /* encoded from the attributes, and compared */
  guint n_checked;
  KvsqlAttributeSet sources; /* attributes that the comparison needs */
  guint last_field;          /* the last field with a part or a derived element */
} KvsqlDerived;

/* Gives a derived element or a part its slot. An element inside another such element gets none. */
gboolean kvsql_element_take_slot (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Compiles the layout in the braces of a derived element or a part. It places no attribute. */
gboolean kvsql_element_compile_apart (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                      const KvsqlLayoutNode *node,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Compiles name{…} of a part. The braces contain one attribute, a whole number or a time, alone or
 * in other elements. @as_type: the type of the part; KVSQL_TYPE_NULL: that of the attribute */
gboolean kvsql_element_compile_part (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                     const KvsqlLayoutNode *node, KvsqlType as_type,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_derived_resolve:
 * @fields: (array length=KVSQL_N_FIELDS): the compiled fields of the cell
 * @out: (out) (nullable): %NULL if the cell has no derived elements and no parts
 *
 * Adds the attributes that parts determine, to the placed attributes of @compiler. Fails if a part
 * belongs to an attribute that the cell does not hold, or if an element is derived from an
 * attribute that the cell does not hold.
 */
gboolean kvsql_derived_resolve (KvsqlLayoutCompiler *compiler, KvsqlSequence *const *fields,
                                KvsqlDerived **out, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Adds the attributes that the first @n_fields of @fields hold completely. */
void kvsql_derived_collect_held (const KvsqlDerived *self /* nullable */,
                                 KvsqlSequence *const *fields, guint n_fields,
                                 KvsqlAttributeSet *out);

/* Whether a number is a value of @type: INT, BIGINT, DATE or TIMESTAMP. */
gboolean kvsql_integer_fits (KvsqlType type, gint64 number);

/* Call this after all fields (or those up to last_field) were decoded with the same slots. FALSE if
 * the cell is not a cell of this layout. The batch must have columns for the sources. */
gboolean kvsql_derived_finish (const KvsqlDerived *self, const KvsqlRelation *relation,
                               KvsqlDecoder *decoder);

G_END_DECLS
