/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * inner.c: what the classes share that have an inner layout.
 */
#include "config.h"

#include "core/layout/inner.h"

#include "core/layout/compile-sequence.h"
#include "core/layout/element-classes.h"
#include "core/sql/ast-definition.h"

gboolean
kvsql_element_bind_inner_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                    const KvsqlLayoutNode *node, GError **error)
{
  if (node->inner.n_nodes != 1 || node->inner.nodes[0].kind != KVSQL_LAYOUT_ATTRIBUTE)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "%s applies to one attribute", node->name.text);
  if (!kvsql_element_bind_attribute (self, compiler, &node->inner.nodes[0].name, error))
    return FALSE;
  if ((kvsql_type_is_list (self->type) && !self->klass->takes_list)
      || (kvsql_type_is_map (self->type) && !self->klass->takes_map))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "%s{…} cannot hold attribute \"%s\", which is a %s", node->name.text,
                            node->inner.nodes[0].name.text, kvsql_type_get_name (self->type))
           || kvsql_error_hint (error, "Use json{%s}.", node->inner.nodes[0].name.text);
  if (kvsql_type_is_json (self->type))
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->span,
                            "%s{…} cannot hold attribute \"%s\", which is a %s", node->name.text,
                            node->inner.nodes[0].name.text, kvsql_type_get_name (self->type))
           || kvsql_error_hint (error, "Use the bare attribute: its bytes are JSON text.");
  return TRUE;
}

gboolean
kvsql_element_compile_inner (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                             const KvsqlLayoutNode *node, GError **error)
{
  KvsqlSequence *inner = kvsql_sequence_compile (compiler, &node->inner, error);

  if (inner == NULL)
    return FALSE;
  kvsql_element_set_inner (self, inner);
  return TRUE;
}

static const KvsqlElement *
find_length (const KvsqlSequence *sequence)
{
  for (guint i = 0; i < sequence->n_elements; i++)
    {
      const KvsqlElement *element = sequence->elements[i], *inside;
      if (element->klass->has_length && element->fixed_size < 0)
        return element;
      inside = element->inner == NULL ? NULL : find_length (element->inner);
      if (inside != NULL)
        return inside;
    }
  return NULL;
}

gboolean
kvsql_element_reject_lengths (const KvsqlElement *self, const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlElement *found = find_length (self->inner);

  if (found == NULL)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, found->span, "%s is not possible in %s",
                   found->klass->name, node->name.text);
  return kvsql_error_hint (error, "Put it around: %s{%s{…}}.", found->klass->name, node->name.text);
}

gboolean
kvsql_element_holds_part (const KvsqlElement *self)
{
  while (!self->is_part && self->inner != NULL)
    self = self->inner->elements[0];
  return self->is_part;
}

gssize
kvsql_sequence_get_own_length (const KvsqlSequence *inner, KvsqlSlice bytes)
{
  const KvsqlElement *only = inner->n_elements == 1 ? inner->elements[0] : NULL;

  if (only == NULL || !only->is_prefix_free)
    return -1;
  if (only->fixed_size >= 0)
    return (gsize)only->fixed_size <= bytes.size ? only->fixed_size : -1;
  return only->klass->next_length (only, bytes, -1);
}

KvsqlByteOrder
kvsql_sequence_inner_order (const KvsqlSequence *self)
{
  return self->n_elements == 1 ? kvsql_element_byte_order (self->elements[0])
                               : KVSQL_BYTE_ORDER_NONE;
}

KvsqlDelimiter
kvsql_sequence_inner_delimiter (const KvsqlSequence *inner, gsize size)
{
  /* the sizes of several inner values are unknown */
  if (inner->n_elements == 1 && inner->elements[0]->inner == NULL)
    return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_FIXED, .size = size };
  return (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_UNKNOWN };
}
