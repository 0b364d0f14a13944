/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * make-skip-plan.c: chooses the key prefix of a skip scan and the suffixes to read.
 *
 * Each possible length of the key prefix is tried, and the cheapest is taken. The suffixes are the
 * union of the ranges of all disjuncts. So with several disjuncts the scan may read too many rows;
 * each row is checked.
 */
#include "config.h"

#include "core/plan/make-skip-plan.h"

#include "core/base/interrupt.h"
#include "core/layout/element.h"
#include "core/layout/constrain.h"
#include "core/layout/key-prefix.h"
#include "core/plan/estimate.h"

/* With more ranges or suffixes, their intersection for each key prefix is too expensive. */
#define MAX_RANGES 64
#define MAX_SUFFIXES 256
/* Without statistics it is unknown whether a table has more rows than there can be key prefixes. So
 * a skip scan is then chosen only if there can be few prefixes. */
#define FEW_PREFIXES 256

/* ---- whether a skip scan is possible */

/* Attributes that all disjuncts constrain. */
static KvsqlAttributeSet
find_constrained (const KvsqlSchema *schema, const KvsqlDnf *dnf)
{
  KvsqlAttributeSet result = { 0 };

  for (guint a = 0; a < schema->relation->n_attributes; a++)
    {
      gboolean is_constrained = TRUE;
      for (guint b = 0; b < dnf->n_disjuncts && is_constrained; b++)
        is_constrained = dnf->disjuncts[b].constraints[a].is_constrained;
      if (is_constrained)
        kvsql_attribute_set_add (&result, a);
    }
  return result;
}

/* Whether all cells of a tuple are in one row, with a key that does not depend on a cell that may
 * be absent. */
static gboolean
has_one_row (const KvsqlSchema *schema)
{
  const KvsqlCellLayout *first = &schema->cells[0];
  KvsqlAttributeSet attributes = { 0 };

  if (!first->is_common[KVSQL_FIELD_ROW])
    return FALSE;
  kvsql_sequence_collect_attributes (first->fields[KVSQL_FIELD_ROW], &attributes);
  for (guint c = 0; c < schema->n_cells; c++)
    if (kvsql_attribute_set_intersects (&attributes, &schema->cells[c].optional))
      return FALSE;
  return TRUE;
}

static gboolean
may_skip (const KvsqlAccessPath *self)
{
  gboolean has_range = FALSE;

  if (self->is_exact || self->n_tables == 0)
    return FALSE;
  for (guint t = 0; t < self->n_tables; t++)
    {
      const KvsqlPlanTable *table = &self->tables[t];
      if (table->n_ranges > MAX_RANGES)
        return FALSE;
      for (guint r = 0; r < table->n_ranges; r++)
        has_range = has_range || !kvsql_row_range_is_point (&table->ranges[r]);
    }
  return has_range;
}

/* ---- suffixes */

typedef struct
{
  const KvsqlAccessPath *path;
  const KvsqlDnf *dnf;
  KvsqlArena *arena;
} Maker;

static KvsqlConstrainer
constrainer_of (const Maker *maker, const KvsqlDisjunct *disjunct)
{
  const KvsqlSchema *schema = maker->path->schema;

  return (KvsqlConstrainer){
    .constraints = kvsql_disjunct_get_constraints (disjunct, schema->relation->n_attributes,
                                                   &schema->cells[0], maker->arena),
    .arena = maker->arena,
  };
}

static KvsqlSequence
suffix_of (const KvsqlSequence *row, guint n_prefix)
{
  KvsqlSequence rest = *row;

  g_assert (n_prefix > 0 && n_prefix < row->n_elements);
  rest.elements += n_prefix;
  rest.n_elements -= n_prefix;
  rest.tail_sizes += n_prefix;
  return rest;
}

/* FALSE: nothing bounds the suffixes. */
static gboolean
find_suffixes (const Maker *maker, KvsqlSkipPlan *skip)
{
  KvsqlSequence rest = suffix_of (skip->row, skip->n_prefix);
  KvsqlDelimiter end = { .kind = KVSQL_DELIMITER_END };
  KvsqlRowRanges all = { 0 };

  for (guint b = 0; b < maker->dnf->n_disjuncts && kvsql_interrupt_tick (); b++)
    {
      KvsqlConstrainer constrainer = constrainer_of (maker, &maker->dnf->disjuncts[b]);
      KvsqlByteRanges ranges = { 0 };

      kvsql_sequence_constrain (&rest, &constrainer, end, &ranges);
      if (ranges.is_open || ranges.is_fan_out || kvsql_row_ranges_add (&all, &ranges, maker->arena))
        return FALSE;
    }
  kvsql_row_ranges_merge (&all, maker->arena);
  if (all.n == 0 || all.n > MAX_SUFFIXES)
    return FALSE;
  skip->n_suffixes = all.n;
  skip->suffixes = all.ranges;
  return TRUE;
}

/* ---- estimates */

static void
estimate (const Maker *maker, KvsqlSkipPlan *skip, KvsqlAttributeSet *bounded)
{
  const KvsqlStatistics *statistics = maker->dnf->statistics;
  KvsqlSequence rest = suffix_of (skip->row, skip->n_prefix);
  gdouble share = 0, rows = maker->path->rows;

  for (guint b = 0; b < maker->dnf->n_disjuncts && kvsql_interrupt_tick (); b++)
    {
      const KvsqlDisjunct *disjunct = &maker->dnf->disjuncts[b];
      KvsqlConstrainer constrainer = constrainer_of (maker, disjunct);
      KvsqlAttributeSet mine = maker->path->bounded;
      gboolean is_exact;
      gdouble part = kvsql_estimate_sequence (&rest, &constrainer, &mine, &is_exact);

      share += statistics == NULL ? part : kvsql_estimate_known_share (statistics, disjunct, &mine);
      skip->n_prefixes
          += kvsql_estimate_key_prefixes (skip->row, skip->n_prefix, &constrainer, statistics);
      kvsql_attribute_set_add_all (bounded, &mine);
    }
  if (statistics != NULL)
    rows = kvsql_estimate_table_rows (statistics);
  skip->matching = MIN (rows * share, maker->path->rows);
  skip->is_known = skip->n_prefixes <= (statistics != NULL ? G_MAXDOUBLE : FEW_PREFIXES);
  skip->n_prefixes = CLAMP (skip->n_prefixes, 1, MAX (maker->path->rows, 1));
}

/* Whether the bytes of an element are known before the scan. Then ordinary ranges can bound the
 * elements after it. */
static gboolean
is_point (const KvsqlElement *element, const KvsqlConstrainer *constrainer)
{
  KvsqlDelimiter delimiter = { .kind = KVSQL_DELIMITER_UNKNOWN };
  KvsqlByteRanges ranges = { 0 };

  element->klass->constrain (element, constrainer, delimiter, &ranges);
  return kvsql_byte_ranges_are_points (&ranges) || ranges.as_points != NULL;
}

/* FALSE: all elements of the prefix are known, so ordinary ranges bound as much as a skip scan. */
static gboolean
find_open_elements (const Maker *maker, KvsqlSkipPlan *skip)
{
  gboolean has_open = FALSE;

  skip->is_open = kvsql_arena_array (maker->arena, gboolean, skip->n_prefix);
  for (guint b = 0; b < maker->dnf->n_disjuncts && kvsql_interrupt_tick (); b++)
    {
      KvsqlConstrainer constrainer = constrainer_of (maker, &maker->dnf->disjuncts[b]);
      for (guint i = 0; i < skip->n_prefix; i++)
        {
          skip->is_open[i] = skip->is_open[i] || !is_point (skip->row->elements[i], &constrainer);
          has_open = has_open || skip->is_open[i];
        }
    }
  return has_open;
}

/* ---- the choice */

static gboolean
is_about (const KvsqlElement *element, const KvsqlAttributeSet *constrained)
{
  KvsqlSequence one
      = { .elements = (KvsqlElement *[]){ (KvsqlElement *)element }, .n_elements = 1 };
  KvsqlAttributeSet attributes = { 0 };
  KvsqlAttributeSet none = { 0 };

  kvsql_sequence_collect_attributes (&one, &attributes);
  return !kvsql_attribute_set_contains (&none, &attributes)
         && kvsql_attribute_set_contains (constrained, &attributes);
}

static gboolean
try_prefix (const Maker *maker, const KvsqlSequence *row, guint n_prefix,
            const KvsqlStoreCapabilities *capabilities, KvsqlAccessPath *out)
{
  KvsqlSkipPlan *skip;

  if (!kvsql_sequence_has_key_prefix (row, n_prefix))
    return FALSE;
  skip = kvsql_arena_new0 (maker->arena, KvsqlSkipPlan);
  skip->row = row;
  skip->n_prefix = n_prefix;
  if (!find_open_elements (maker, skip) || !find_suffixes (maker, skip))
    return FALSE;
  *out = *maker->path;
  estimate (maker, skip, &out->bounded);
  out->skip = skip;
  out->filter = NULL; /* with a filter, the store could have to read many rows before it finds the
                         next key prefix */
  out->is_full_scan = FALSE;
  kvsql_access_path_estimate (out, skip->matching, capabilities);
  return TRUE;
}

gboolean
kvsql_access_path_make_skip (const KvsqlAccessPath *self, const KvsqlDnf *dnf,
                             const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                             KvsqlAccessPath *out)
{
  const KvsqlSequence *row = self->schema->cells[0].fields[KVSQL_FIELD_ROW];
  Maker maker = { .path = self, .dnf = dnf, .arena = arena };
  KvsqlAttributeSet constrained;
  gboolean is_found = FALSE;

  if (row->n_elements < 2 || !may_skip (self) || !has_one_row (self->schema))
    return FALSE;
  constrained = find_constrained (self->schema, dnf);
  for (guint n = 1; n < row->n_elements; n++)
    {
      KvsqlAccessPath tried;

      if (!is_about (row->elements[n], &constrained)
          || !try_prefix (&maker, row, n, capabilities, &tried)
          || (is_found && kvsql_access_path_compare (&tried, out) >= 0))
        continue;
      *out = tried;
      is_found = TRUE;
    }
  return is_found;
}
