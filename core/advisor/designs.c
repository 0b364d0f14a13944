/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * designs.c: the candidate schemas of a relation.
 *
 * For each row key, the attributes in the value decide what the schema can do for a statement that
 * uses the key: nothing but find tuples (an index), find and filter them, or answer the statement
 * (covering). A schema that serves several statements needs the union of what they need. So the
 * values of a row key are these sets, closed under union, and all attributes (a schema that can be
 * the primary).
 */
#include "config.h"

#include "core/advisor/design.h"
#include "core/base/interrupt.h"

#define MAX_VALUES 64    /* of a row key */
#define MAX_SUBSETS_OF 3 /* filters */

typedef struct
{
  const KvsqlWorkload *workload;
  const KvsqlRelation *relation;
  guint number;
  KvsqlArena *arena;
  const KvsqlKeyRows *rows;
  KvsqlAttributeSet *assigned; /* what each UPDATE assigns, without repetitions */
  guint n_assigned;
  KvsqlDesigns *designs;
} Maker;

typedef struct
{
  KvsqlAttributeSet *items;
  guint n;
} Values;

static void
remove_all (KvsqlAttributeSet *self, const KvsqlAttributeSet *other)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->bits); i++)
    self->bits[i] &= ~other->bits[i];
}

static void
add_value (const Maker *self, Values *values, const KvsqlAttributeSet *value)
{
  for (guint i = 0; i < values->n; i++)
    if (memcmp (&values->items[i], value, sizeof *value) == 0)
      return;
  if (values->n < MAX_VALUES)
    *KVSQL_ARENA_ADD (self->arena, values->items, values->n) = *value;
}

/* Whether a statement can use the row key, or reads the relation as a whole by its KEY. */
static gboolean
is_helped (const Maker *self, const KvsqlKeyRow *row, const KvsqlShape *shape)
{
  if (kvsql_row_count_equal (row->attributes, row->n, shape) > 0
      || kvsql_attribute_set_has (&shape->bounded, row->attributes[0])
      || kvsql_row_gives_order (row->attributes, row->n, 0, shape))
    return TRUE;
  return kvsql_attribute_set_has (&self->relation->keys, row->attributes[0]);
}

/* The filters of a statement without what an UPDATE assigns: such an index is not written by it. */
static void
add_stable_filters (const Maker *self, Values *values, const KvsqlAttributeSet *filter)
{
  KvsqlAttributeSet stable = *filter;

  for (guint i = 0; i < self->n_assigned && kvsql_interrupt_tick (); i++)
    {
      KvsqlAttributeSet without = *filter;

      remove_all (&without, &self->assigned[i]);
      remove_all (&stable, &self->assigned[i]);
      add_value (self, values, &without);
    }
  add_value (self, values, &stable);
}

/* An index may also have only some of the filters, where the bytes are limited. */
static void
add_some_filters (const Maker *self, Values *values, const KvsqlAttributeSet *filter)
{
  guint attributes[MAX_SUBSETS_OF], n = 0;

  for (gint a = -1; (a = kvsql_attribute_set_next (filter, a)) >= 0; n++)
    {
      if (n == MAX_SUBSETS_OF)
        return;
      attributes[n] = (guint)a;
    }
  for (guint bits = 1; bits < 1u << n; bits++)
    {
      KvsqlAttributeSet some = { 0 };

      for (guint i = 0; i < n; i++)
        if ((bits >> i & 1) != 0)
          kvsql_attribute_set_add (&some, attributes[i]);
      add_value (self, values, &some);
    }
}

static void
add_values_of (const Maker *self, Values *values, const KvsqlAttributeSet *in_row,
               const KvsqlShape *shape)
{
  KvsqlAttributeSet covering = kvsql_shape_get_needed (shape), filter = shape->filtered;

  kvsql_attribute_set_add_all (&filter, &shape->equal);
  kvsql_attribute_set_add_all (&filter, &shape->bounded);
  remove_all (&covering, in_row);
  remove_all (&filter, in_row);
  add_value (self, values, &covering);
  add_value (self, values, &filter);
  add_stable_filters (self, values, &filter);
  add_some_filters (self, values, &filter);
}

/* Whether an UPDATE or DELETE by KEY could read its old tuple by the row key. */
static gboolean
helps_write (const Maker *self, const KvsqlKeyRow *row)
{
  const KvsqlShape by_key = { .equal = self->relation->keys };

  if (kvsql_row_count_equal (row->attributes, row->n, &by_key) == row->n)
    return TRUE;
  for (guint i = 0; i < self->workload->n_statements; i++)
    {
      const KvsqlWorkloadStatement *statement = &self->workload->statements[i];

      if (statement->relation == self->number && statement->first == i
          && (statement->shape.kind == KVSQL_STATEMENT_UPDATE
              || statement->shape.kind == KVSQL_STATEMENT_DELETE)
          && kvsql_shape_is_by_key (&statement->shape, self->relation)
          && is_helped (self, row, &statement->shape))
        return TRUE;
    }
  return FALSE;
}

/* What an UPDATE or DELETE by KEY has to know to find the entries of other schemas. */
static void
add_values_of_rows (const Maker *self, Values *values, const KvsqlKeyRow *row,
                    const KvsqlAttributeSet *in_row)
{
  if (!helps_write (self, row))
    return;
  for (guint i = 0; i < self->rows->n; i++)
    {
      KvsqlAttributeSet value = { 0 };

      for (guint j = 0; j < self->rows->items[i].n; j++)
        kvsql_attribute_set_add (&value, self->rows->items[i].attributes[j]);
      remove_all (&value, in_row);
      add_value (self, values, &value);
    }
}

/* What an index has to hold to be looked up in a primary whose row is more than the KEY. */
static void
add_addresses (const Maker *self, Values *values, const KvsqlAttributeSet *in_row)
{
  const KvsqlShape by_key = { .equal = self->relation->keys };
  guint n_keys = 0;

  for (gint a = -1; (a = kvsql_attribute_set_next (&self->relation->keys, a)) >= 0;)
    n_keys++;
  for (guint i = 0; i < self->rows->n && kvsql_interrupt_tick (); i++)
    {
      const KvsqlKeyRow *row = &self->rows->items[i];
      KvsqlAttributeSet value = { 0 };

      /* the planner looks up in any primary, the others by the KEY only */
      if (row->n == n_keys || values->n >= MAX_VALUES / 2
          || (self->workload->planned == NULL
              && kvsql_row_count_equal (row->attributes, row->n, &by_key) != n_keys))
        continue;
      for (guint j = 0; j < row->n; j++)
        kvsql_attribute_set_add (&value, row->attributes[j]);
      remove_all (&value, in_row);
      add_value (self, values, &value);
    }
}

static void
close_under_union (const Maker *self, Values *values)
{
  for (guint i = 0; i < values->n; i++)
    for (guint j = 0; j < i && kvsql_interrupt_tick (); j++)
      {
        KvsqlAttributeSet both = values->items[i];

        kvsql_attribute_set_add_all (&both, &values->items[j]);
        add_value (self, values, &both);
      }
}

static void
add_design (const Maker *self, const KvsqlKeyRow *row, const KvsqlAttributeSet *in_row,
            const KvsqlAttributeSet *value)
{
  KvsqlDesign *design;

  if (self->designs->n >= KVSQL_MAX_DESIGNS)
    return;
  design = KVSQL_ARENA_ADD (self->arena, self->designs->items, self->designs->n);
  *design = (KvsqlDesign){ .relation = self->number, .row = row->attributes, .n_row = row->n };
  design->in_row = *in_row;
  design->value = *value;
  design->holds = *in_row;
  kvsql_attribute_set_add_all (&design->holds, value);
  design->is_whole = kvsql_attribute_set_contains (&design->holds, &self->relation->all);
}

static void
add_designs_of (const Maker *self, const KvsqlKeyRow *row)
{
  KvsqlAttributeSet in_row = { 0 }, value = self->relation->all, none = { 0 };
  Values values = { NULL, 0 };

  for (guint i = 0; i < row->n; i++)
    kvsql_attribute_set_add (&in_row, row->attributes[i]);
  remove_all (&value, &in_row);
  add_value (self, &values, &value);
  add_value (self, &values, &none);
  for (guint i = 0; i < self->workload->n_statements && values.n < MAX_VALUES; i++)
    {
      const KvsqlWorkloadStatement *statement = &self->workload->statements[i];

      if (!kvsql_interrupt_tick ())
        break;
      if (statement->relation == self->number && statement->first == i
          && statement->shape.kind != KVSQL_STATEMENT_INSERT
          && is_helped (self, row, &statement->shape))
        add_values_of (self, &values, &in_row, &statement->shape);
    }
  add_values_of_rows (self, &values, row, &in_row);
  add_addresses (self, &values, &in_row);
  close_under_union (self, &values);
  for (guint i = 0; i < values.n; i++)
    add_design (self, row, &in_row, &values.items[i]);
}

static void
add_assigned (Maker *self, const KvsqlAttributeSet *assigned)
{
  for (guint i = 0; i < self->n_assigned; i++)
    if (memcmp (&self->assigned[i], assigned, sizeof *assigned) == 0)
      return;
  *KVSQL_ARENA_ADD (self->arena, self->assigned, self->n_assigned) = *assigned;
}

gboolean
kvsql_designs_make (const KvsqlWorkload *workload, guint relation, KvsqlArena *arena,
                    KvsqlDesigns *out, GError **error)
{
  Maker self = { .workload = workload, .number = relation, .arena = arena, .designs = out };
  KvsqlKeyRows rows;

  *out = (KvsqlDesigns){ 0 };
  self.relation = workload->relations[relation].relation;
  (void)!kvsql_rows_make (workload, relation, arena, &rows, NULL);
  self.rows = &rows;
  for (guint i = 0; i < workload->n_statements; i++)
    if (workload->statements[i].relation == relation
        && workload->statements[i].shape.kind == KVSQL_STATEMENT_UPDATE)
      add_assigned (&self, &workload->statements[i].shape.assigned);
  for (guint i = 0; i < rows.n && (i == 0 || kvsql_interrupt_tick ()); i++)
    add_designs_of (&self, &rows.items[i]);
  return kvsql_interrupt_check (error);
}
