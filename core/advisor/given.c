/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * given.c: schemas that exist, as designs.
 *
 * The planner knows them by their definitions (planner.c). The design says what writes and sizes
 * depend on: the attributes in its cell keys, and those in its values.
 */
#include "config.h"

#include "core/advisor/design.h"

#include "core/catalog/schema.h"
#include "core/sql/parser.h"

static void
add_to_row (KvsqlDesign *design, guint attribute)
{
  for (guint i = 0; i < design->n_row; i++)
    if (design->row[i] == attribute)
      return;
  if (kvsql_attribute_set_has (&design->in_row, attribute))
    design->row[design->n_row++] = attribute;
}

/* The attributes of a layout, in its order. */
static void
add_layout (KvsqlDesign *design, const KvsqlLayoutSequence *layout, const KvsqlRelation *relation)
{
  for (guint i = 0; i < layout->n_nodes; i++)
    {
      const KvsqlLayoutNode *node = &layout->nodes[i];
      guint attribute;

      if (node->kind == KVSQL_LAYOUT_ATTRIBUTE
          && kvsql_relation_find (relation, &node->name, &attribute, NULL))
        add_to_row (design, attribute);
      if (node->has_inner)
        add_layout (design, &node->inner, relation);
    }
}

static void
make_row (KvsqlDesign *design, const KvsqlRelation *relation, KvsqlArena *arena)
{
  g_autoptr (KvsqlArena) own = kvsql_arena_new ();
  const KvsqlAstStatement *ast
      = kvsql_parser_parse_definition (kvsql_slice_from_text (design->given->text), own, NULL);

  design->row = kvsql_arena_array (arena, guint, relation->n_attributes);
  if (ast != NULL)
    add_layout (design, &ast->define_schema.fields[KVSQL_FIELD_ROW], relation);
  /* those of TABLE, FAMILY and QUALIFIER */
  for (guint a = 0; a < relation->n_attributes; a++)
    add_to_row (design, a);
}

static KvsqlDesign
make_design (const KvsqlWorkload *workload, const KvsqlWorkloadSchema *given, KvsqlArena *arena)
{
  const KvsqlRelation *relation = workload->relations[given->relation].relation;
  KvsqlDesign design = { .relation = given->relation, .given = given };

  design.in_row = given->schema->cell_key_attributes;
  design.holds = given->schema->holds;
  kvsql_attribute_set_add_all (&design.holds, &design.in_row);
  design.value = design.holds;
  for (guint i = 0; i < G_N_ELEMENTS (design.value.bits); i++)
    design.value.bits[i] &= ~design.in_row.bits[i];
  design.is_whole = kvsql_attribute_set_contains (&design.holds, &relation->all);
  make_row (&design, relation, arena);
  return design;
}

static gboolean
is_like (const KvsqlDesign *a, const KvsqlDesign *b)
{
  return a->n_row == b->n_row && memcmp (a->row, b->row, a->n_row * sizeof *a->row) == 0
         && memcmp (&a->value, &b->value, sizeof a->value) == 0;
}

void
kvsql_designs_add_given (const KvsqlWorkload *workload, guint relation, KvsqlArena *arena,
                         KvsqlDesigns *designs)
{
  for (guint i = 0; i < workload->n_schemas; i++)
    {
      KvsqlDesign design;
      guint n = designs->n > 0 ? 1 : 0; /* the first one stays */

      if (workload->schemas[i].relation != relation)
        continue;
      design = make_design (workload, &workload->schemas[i], arena);
      for (guint j = n; j < designs->n; j++)
        if (designs->items[j].given != NULL || !is_like (&designs->items[j], &design))
          designs->items[n++] = designs->items[j];
      designs->n = n;
      *KVSQL_ARENA_ADD (arena, designs->items, designs->n) = design;
    }
}

gboolean
kvsql_design_can_be_primary (const KvsqlWorkload *workload, const KvsqlDesign *design)
{
  for (guint i = 0; i < workload->n_schemas; i++)
    if (workload->schemas[i].relation == design->relation
        && workload->schemas[i].schema->is_primary)
      return design->given == &workload->schemas[i];
  return design->is_whole && design->given == NULL;
}
