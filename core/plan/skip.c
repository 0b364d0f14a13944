/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * skip.c: where a front may end, what is read behind it, and what that costs.
 *
 * Every end of a front is tried, and the cheapest taken. The ranges behind a front are those that
 * any box gives there, so that with several boxes more than they ask for may be read; what is read
 * is checked.
 */
#include "config.h"

#include "core/layout/front.h"
#include "core/plan/candidate.h"
#include "core/plan/estimate.h"
#include "core/plan/skip.h"

/* More of either are too many to lay over each other for each front. */
#define MAX_RANGES 64
#define MAX_BEHIND 256
/* Without statistics nobody knows whether a table is larger than the number of fronts that there
 * may be, unless they are few. */
#define FEW_FRONTS 256
/* A window costs this part of a request at most … */
#define WINDOW_PART 5
#define LEAST_WINDOW 2
#define LARGEST_WINDOW 32
/* … and behind it, the rest of what is wanted of the front is one more request. */
#define REQUESTS_PER_FRONT 2

guint
kvsql_skip_get_window (const KvsqlStoreCapabilities *capabilities)
{
  return (guint)CLAMP (capabilities->request_cost / WINDOW_PART, LEAST_WINDOW, LARGEST_WINDOW);
}

gdouble
kvsql_skip_get_cost (const KvsqlSkip *self, gdouble rows,
                     const KvsqlStoreCapabilities *capabilities)
{
  gdouble fronts = self->n_fronts * MIN (rows / MAX (self->matching, 1e-9), 1);
  gdouble each
      = REQUESTS_PER_FRONT * capabilities->request_cost + kvsql_skip_get_window (capabilities);

  return MAX (fronts, 1) * each;
}

/* ---- whether */

/* Attributes of which every box says something that holds for all cells. */
static KvsqlAttributeSet
find_constrained (const KvsqlSchema *schema, const KvsqlBoxes *boxes)
{
  KvsqlAttributeSet result = { 0 };

  for (guint a = 0; a < schema->relation->n_attributes; a++)
    {
      gboolean is_constrained = TRUE;
      for (guint b = 0; b < boxes->n_boxes && is_constrained; b++)
        is_constrained = boxes->boxes[b].constraints[a].is_constrained;
      if (is_constrained)
        kvsql_attribute_set_add (&result, a);
    }
  return result;
}

/* All cells of a tuple are in one row, whose key no cell of its own may be missing for. */
static gboolean
has_one_row (const KvsqlSchema *schema)
{
  const KvsqlCellLayout *first = &schema->cells[0];
  KvsqlAttributeSet attributes = { 0 };

  if (!first->is_common[KVSQL_FIELD_ROW])
    return FALSE;
  kvsql_sequence_collect_attributes (first->fields[KVSQL_FIELD_ROW], &attributes);
  for (guint c = 0; c < schema->n_cells; c++)
    if (schema->cells[c].fan_attribute >= 0
        && kvsql_attribute_set_has (&attributes, schema->cells[c].fan_attribute))
      return FALSE;
  return TRUE;
}

static gboolean
is_worth_a_look (const KvsqlCandidate *self)
{
  gboolean has_range = FALSE;

  if (self->is_proved || self->n_tables == 0)
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

/* ---- what is behind a front */

typedef struct
{
  const KvsqlCandidate *candidate;
  const KvsqlBoxes *boxes;
  KvsqlArena *arena;
  guint n_attributes; /* of the cells: those of a map have more than the relation */
} Maker;

static KvsqlConstrainer
constrainer_of (const Maker *maker, const KvsqlBox *box)
{
  guint n = maker->candidate->schema->relation->n_attributes;
  KvsqlConstraint *constraints = box->constraints;

  if (maker->n_attributes > n)
    {
      constraints = kvsql_arena_array (maker->arena, KvsqlConstraint, maker->n_attributes);
      memcpy (constraints, box->constraints, n * sizeof (KvsqlConstraint));
    }
  return (KvsqlConstrainer){ .constraints = constraints, .arena = maker->arena };
}

static KvsqlSequence
behind (const KvsqlSequence *row, guint n_front)
{
  KvsqlSequence rest = *row;

  rest.elements += n_front;
  rest.n_elements -= n_front;
  rest.tail_sizes += n_front;
  return rest;
}

/* FALSE: nothing bounds what is behind the front. */
static gboolean
lay_behind (const Maker *maker, KvsqlSkip *skip)
{
  KvsqlSequence rest = behind (skip->row, skip->n_front);
  KvsqlFollow end = { .kind = KVSQL_FOLLOW_END };
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (KvsqlRowRange));

  for (guint b = 0; b < maker->boxes->n_boxes; b++)
    {
      KvsqlConstrainer constrainer = constrainer_of (maker, &maker->boxes->boxes[b]);
      KvsqlPieces pieces = { 0 };

      kvsql_sequence_constrain (&rest, &constrainer, end, &pieces);
      if (pieces.is_open || pieces.is_fan_out
          || kvsql_row_ranges_add (ranges, &pieces, maker->arena))
        return FALSE;
    }
  kvsql_row_ranges_merge (ranges);
  if (ranges->len == 0 || ranges->len > MAX_BEHIND)
    return FALSE;
  skip->n_behind = ranges->len;
  skip->behind
      = kvsql_arena_copy (maker->arena, ranges->data, ranges->len * sizeof (KvsqlRowRange));
  return TRUE;
}

/* ---- how much that is */

static void
estimate (const Maker *maker, KvsqlSkip *skip, KvsqlAttributeSet *bounded)
{
  const KvsqlStatistics *statistics = maker->boxes->statistics;
  KvsqlSequence rest = behind (skip->row, skip->n_front);
  gdouble share = 0, rows = maker->candidate->rows;

  for (guint b = 0; b < maker->boxes->n_boxes; b++)
    {
      const KvsqlBox *box = &maker->boxes->boxes[b];
      KvsqlConstrainer constrainer = constrainer_of (maker, box);
      KvsqlAttributeSet mine = maker->candidate->bounded;
      gboolean is_exact;
      gdouble part = kvsql_estimate_sequence (&rest, &constrainer, &mine, &is_exact);

      share += statistics == NULL ? part : kvsql_estimate_known_share (statistics, box, &mine);
      skip->n_fronts += kvsql_estimate_fronts (skip->row, skip->n_front, &constrainer, statistics);
      kvsql_attribute_set_add_all (bounded, &mine);
    }
  if (statistics != NULL)
    rows = kvsql_estimate_table_rows (statistics);
  skip->matching = MIN (rows * share, maker->candidate->rows);
  skip->is_known = skip->n_fronts <= (statistics != NULL ? G_MAXDOUBLE : FEW_FRONTS);
  skip->n_fronts = CLAMP (skip->n_fronts, 1, MAX (maker->candidate->rows, 1));
}

/* Whether the bytes of an element are known beforehand, so that ranges say more behind it. */
static gboolean
is_point (const KvsqlElement *element, const KvsqlConstrainer *constrainer)
{
  KvsqlFollow follow = { .kind = KVSQL_FOLLOW_UNKNOWN };
  KvsqlPieces pieces = { 0 };

  element->klass->constrain (element, constrainer, follow, &pieces);
  return kvsql_pieces_are_points (&pieces) || pieces.as_points != NULL;
}

/* FALSE: there are none, and the ranges do what skipping could. */
static gboolean
find_open_elements (const Maker *maker, KvsqlSkip *skip)
{
  gboolean has_open = FALSE;

  skip->is_open = kvsql_arena_array (maker->arena, gboolean, skip->n_front);
  for (guint b = 0; b < maker->boxes->n_boxes; b++)
    {
      KvsqlConstrainer constrainer = constrainer_of (maker, &maker->boxes->boxes[b]);
      for (guint i = 0; i < skip->n_front; i++)
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
try_front (const Maker *maker, const KvsqlSequence *row, guint n_front,
           const KvsqlStoreCapabilities *capabilities, KvsqlCandidate *out)
{
  KvsqlSkip *skip;

  if (!kvsql_sequence_has_front (row, n_front))
    return FALSE;
  skip = kvsql_arena_new0 (maker->arena, KvsqlSkip);
  skip->row = row;
  skip->n_front = n_front;
  if (!find_open_elements (maker, skip) || !lay_behind (maker, skip))
    return FALSE;
  *out = *maker->candidate;
  estimate (maker, skip, &out->bounded);
  out->skip = skip;
  out->filter = NULL; /* it would have to look far for the next front */
  out->is_full_scan = FALSE;
  kvsql_candidate_estimate (out, skip->matching, capabilities);
  return TRUE;
}

gboolean
kvsql_candidate_make_skip (const KvsqlCandidate *self, const KvsqlBoxes *boxes,
                           const KvsqlStoreCapabilities *capabilities, KvsqlArena *arena,
                           KvsqlCandidate *out)
{
  const KvsqlCellLayout *cell = &self->schema->cells[0];
  const KvsqlSequence *row = cell->fields[KVSQL_FIELD_ROW];
  Maker maker = {
    .candidate = self, .boxes = boxes, .arena = arena, .n_attributes = cell->relation->n_attributes
  };
  KvsqlAttributeSet constrained;
  gboolean is_found = FALSE;

  if (row->n_elements < 2 || !is_worth_a_look (self) || !has_one_row (self->schema))
    return FALSE;
  constrained = find_constrained (self->schema, boxes);
  for (guint n = 1; n < row->n_elements; n++)
    {
      KvsqlCandidate tried;

      if (!is_about (row->elements[n], &constrained)
          || !try_front (&maker, row, n, capabilities, &tried)
          || (is_found && kvsql_candidate_compare (&tried, out) >= 0))
        continue;
      *out = tried;
      is_found = TRUE;
    }
  return is_found;
}
