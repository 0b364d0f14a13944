/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * dnf.c: disjunctive normal form over intervals.
 *
 * Nested operands of the same connective are flattened. Then all terms of an AND, or of an OR, that
 * are about the same attribute are combined by sorting and merging, so that n terms cost n log n.
 * Only the remaining alternatives of an AND are multiplied, and only if there are few.
 *
 * Most disjuncts constrain one attribute. So until the end a disjunct is a list of terms, not an
 * array by attribute.
 */
#include "config.h"

#include "core/plan/dnf.h"

#include "core/base/interrupt.h"
#include "core/layout/element.h"

/* Bound of the disjuncts and intervals that multiplication may make in one predicate. */
#define MAX_PRODUCT (64 * 1024)

typedef struct
{
  guint attribute;
  KvsqlConstraint constraint;
} Term;

typedef struct
{
  Term *terms; /* of different attributes, ascending */
  guint n_terms;
} Disjunct;

/* Disjuncts; a row that satisfies the predicate satisfies at least one of them. */
typedef struct
{
  Disjunct *disjuncts;
  guint n_disjuncts;
  gboolean is_exact;
} Union;

typedef struct
{
  guint n_attributes;
  KvsqlArena *arena;
  guint *ends;   /* by attribute: end of its terms in the last result of arrange() */
  guint *united; /* by attribute: the last union (a count of n_unions) in which it was merged */
  guint n_unions;
  gsize n_made; /* disjuncts and intervals made by multiplication */
} Maker;

static Union make (Maker *maker, const KvsqlPredicate *predicate);

static Union
nothing (gboolean is_exact)
{
  return (Union){ .is_exact = is_exact };
}

static Union
everything (const Maker *maker, gboolean is_exact)
{
  return (Union){ .disjuncts = kvsql_arena_new0 (maker->arena, Disjunct),
                  .n_disjuncts = 1,
                  .is_exact = is_exact };
}

/* ---- terms of one attribute */

static KvsqlConstraint
constrained (KvsqlInterval *intervals, guint n_intervals, gboolean allows_null)
{
  return (KvsqlConstraint){ .is_constrained = TRUE,
                            .allows_null = allows_null,
                            .intervals = intervals,
                            .n_intervals = n_intervals };
}

static KvsqlInterval
point (KvsqlValue value)
{
  return (KvsqlInterval){ .low = value, .high = value, .has_low = TRUE, .has_high = TRUE };
}

static KvsqlConstraint
from_compare (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *intervals = kvsql_arena_array (maker->arena, KvsqlInterval, 2);
  guint n = 1;

  switch (predicate->op)
    {
    case KVSQL_OP_EQ:
      intervals[0] = point (predicate->value);
      break;
    case KVSQL_OP_NE:
      intervals[0]
          = (KvsqlInterval){ .high = predicate->value, .has_high = TRUE, .high_is_open = TRUE };
      intervals[1]
          = (KvsqlInterval){ .low = predicate->value, .has_low = TRUE, .low_is_open = TRUE };
      n = 2;
      break;
    case KVSQL_OP_LT:
    case KVSQL_OP_LE:
      intervals[0] = (KvsqlInterval){ .high = predicate->value,
                                      .has_high = TRUE,
                                      .high_is_open = predicate->op == KVSQL_OP_LT };
      break;
    default:
      intervals[0] = (KvsqlInterval){ .low = predicate->value,
                                      .has_low = TRUE,
                                      .low_is_open = predicate->op == KVSQL_OP_GT };
      break;
    }
  return constrained (intervals, n, FALSE);
}

static KvsqlConstraint
from_in (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *intervals
      = kvsql_arena_array (maker->arena, KvsqlInterval, predicate->n_values + 1);

  if (!predicate->is_negated)
    {
      for (guint i = 0; i < predicate->n_values; i++)
        intervals[i] = point (predicate->values[i]);
      return constrained (intervals, predicate->n_values, FALSE);
    }
  for (guint i = 0; i <= predicate->n_values; i++)
    {
      if (i > 0)
        intervals[i].low = predicate->values[i - 1];
      if (i < predicate->n_values)
        intervals[i].high = predicate->values[i];
      intervals[i].has_low = intervals[i].low_is_open = i > 0;
      intervals[i].has_high = intervals[i].high_is_open = i < predicate->n_values;
    }
  return constrained (intervals, predicate->n_values + 1, FALSE);
}

/* The bytes after the last % or _. */
static KvsqlSlice
ending_of (const KvsqlLike *like)
{
  gsize from = like->size;

  while (from > 0 && like->kinds[from - 1] == 0)
    from--;
  return kvsql_slice (like->bytes + from, like->size - from);
}

static KvsqlConstraint
from_like (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *interval = kvsql_arena_array (maker->arena, KvsqlInterval, 1);
  const KvsqlLike *like = predicate->like;
  KvsqlType type = like->is_bytes ? KVSQL_TYPE_BYTES : KVSQL_TYPE_STRING;
  KvsqlConstraint result = constrained (interval, 1, FALSE);

  if (!predicate->is_negated)
    result.ending = ending_of (like);
  if (!predicate->is_negated && like->prefix_size > 0)
    {
      KvsqlSlice prefix = kvsql_slice (like->bytes, like->prefix_size), after;
      interval->low = (KvsqlValue){ .type = type, .bytes = prefix };
      interval->has_low = TRUE;
      interval->has_high = interval->high_is_open
          = kvsql_slice_successor (maker->arena, prefix, &after);
      if (interval->has_high)
        interval->high = (KvsqlValue){ .type = type, .bytes = after };
    }
  return result;
}

static KvsqlConstraint
from_is_null (const Maker *maker, const KvsqlPredicate *predicate)
{
  KvsqlInterval *interval = kvsql_arena_array (maker->arena, KvsqlInterval, 1);

  return constrained (interval, predicate->is_negated ? 1 : 0, !predicate->is_negated);
}

static Union
from_constraint (const Maker *maker, const KvsqlPredicate *predicate, KvsqlConstraint constraint,
                 gboolean is_exact)
{
  Union result = everything (maker, is_exact);

  result.disjuncts[0].terms = kvsql_arena_new0 (maker->arena, Term);
  result.disjuncts[0].terms[0] = (Term){ predicate->attribute, constraint };
  result.disjuncts[0].n_terms = 1;
  return result;
}

/* ---- several terms of one attribute */

/* The constraints of all terms, grouped by attribute. */
static KvsqlConstraint *
arrange (Maker *maker, const Term *terms, guint n)
{
  KvsqlConstraint *result = kvsql_arena_alloc (maker->arena, n * sizeof *result);
  guint *ends = maker->ends, begin = 0;

  memset (ends, 0, maker->n_attributes * sizeof *ends);
  for (guint i = 0; i < n; i++)
    ends[terms[i].attribute]++;
  for (guint a = 0; a < maker->n_attributes; a++)
    {
      guint count = ends[a];
      ends[a] = begin;
      begin += count;
    }
  for (guint i = 0; i < n; i++)
    result[ends[terms[i].attribute]++] = terms[i].constraint;
  g_assert (begin == n); /* each term has its place */
  return result;
}

/* Intersects all terms to one disjunct. FALSE if no row satisfies it. */
static gboolean
intersect_terms (Maker *maker, const Term *terms, guint n, Disjunct *out)
{
  KvsqlConstraint *constraints;
  guint begin = 0;

  *out = (Disjunct){ .terms = kvsql_arena_alloc (maker->arena,
                                                 MIN (n, maker->n_attributes) * sizeof (Term)) };
  if (n == 0)
    return TRUE;
  constraints = arrange (maker, terms, n);
  for (guint a = 0; a < maker->n_attributes; a++)
    {
      Term *term = &out->terms[out->n_terms];
      guint end = maker->ends[a];

      if (begin == end)
        continue;
      *term = (Term){ a, kvsql_constraint_intersect_all (constraints + begin, end - begin,
                                                         maker->arena) };
      if (kvsql_constraint_is_empty (&term->constraint))
        return FALSE;
      out->n_terms++;
      begin = end;
    }
  return TRUE;
}

/* Merges all disjuncts that constrain only the same attribute, in the place of the first. Returns
 * the new number of disjuncts. */
static guint
unite_terms (Maker *maker, Disjunct *disjuncts, guint n)
{
  Term *terms = kvsql_arena_alloc (maker->arena, n * sizeof *terms);
  KvsqlConstraint *constraints;
  guint n_terms = 0, n_left = 0;

  maker->n_unions++;
  for (guint i = 0; i < n; i++)
    if (disjuncts[i].n_terms == 1)
      terms[n_terms++] = disjuncts[i].terms[0];
  constraints = arrange (maker, terms, n_terms);
  for (guint i = 0; i < n; i++)
    {
      guint attribute = disjuncts[i].n_terms == 1 ? disjuncts[i].terms[0].attribute : 0;
      guint begin = attribute == 0 ? 0 : maker->ends[attribute - 1];

      if (disjuncts[i].n_terms != 1)
        disjuncts[n_left++] = disjuncts[i];
      else if (maker->united[attribute] != maker->n_unions)
        {
          maker->united[attribute] = maker->n_unions;
          disjuncts[i].terms[0].constraint = kvsql_constraint_unite_all (
              constraints + begin, maker->ends[attribute] - begin, maker->arena);
          disjuncts[n_left++] = disjuncts[i];
        }
    }
  return n_left;
}

/* ---- AND */

/* FALSE: the intersection is empty. */
static gboolean
intersect_disjuncts (Maker *maker, const Disjunct *a, const Disjunct *b, Disjunct *out)
{
  guint i = 0, j = 0;

  *out = (Disjunct){ .terms = kvsql_arena_alloc (maker->arena,
                                                 (a->n_terms + b->n_terms) * sizeof (Term)) };
  maker->n_made++;
  while (i < a->n_terms || j < b->n_terms)
    {
      const Term *left = i < a->n_terms ? &a->terms[i] : NULL;
      const Term *right = j < b->n_terms ? &b->terms[j] : NULL;
      Term *term = &out->terms[out->n_terms++];
      gboolean is_both = left != NULL && right != NULL && left->attribute == right->attribute;
      gboolean is_left = left != NULL && (right == NULL || left->attribute <= right->attribute);

      *term = is_left ? *left : *right;
      i += is_left;
      j += !is_left || is_both;
      if (!is_both)
        continue;
      kvsql_constraint_intersect (&term->constraint, &right->constraint, maker->arena);
      maker->n_made += term->constraint.n_intervals;
      if (kvsql_constraint_is_empty (&term->constraint))
        return FALSE;
    }
  return TRUE;
}

/* If the product is too large, keeps the side with fewer disjuncts. The other side is checked on
 * the rows. */
static Union
multiply (Maker *maker, Union a, Union b)
{
  Union result = { .is_exact = a.is_exact && b.is_exact },
        kept = a.n_disjuncts <= b.n_disjuncts ? a : b;

  kept.is_exact = FALSE;
  if ((gsize)a.n_disjuncts * b.n_disjuncts > KVSQL_MAX_DISJUNCTS)
    return kept;
  result.disjuncts
      = kvsql_arena_alloc (maker->arena, (gsize)a.n_disjuncts * b.n_disjuncts * sizeof (Disjunct));
  for (guint i = 0; i < a.n_disjuncts; i++)
    for (guint j = 0; j < b.n_disjuncts; j++)
      {
        if (maker->n_made > MAX_PRODUCT || !kvsql_interrupt_tick ())
          return kept;
        if (intersect_disjuncts (maker, &a.disjuncts[i], &b.disjuncts[j],
                                 &result.disjuncts[result.n_disjuncts]))
          result.n_disjuncts++;
      }
  return result;
}

typedef struct
{
  Term *terms; /* of all operands with one disjunct */
  guint n_terms;
  Union *unions; /* the other operands */
  guint n_unions;
  gboolean is_empty;
  gboolean is_exact;
} Conjunction;

static void
add_conjuncts (Maker *maker, const KvsqlPredicate *predicate, Conjunction *out)
{
  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *child = predicate->children[i];
      Union one;

      if (child->kind == KVSQL_PREDICATE_AND)
        {
          add_conjuncts (maker, child, out);
          continue;
        }
      one = make (maker, child);
      out->is_exact = out->is_exact && one.is_exact;
      out->is_empty = out->is_empty || one.n_disjuncts == 0;
      if (one.n_disjuncts > 1)
        *KVSQL_ARENA_ADD (maker->arena, out->unions, out->n_unions) = one;
      else if (one.n_disjuncts == 1)
        for (guint t = 0; t < one.disjuncts[0].n_terms; t++)
          *KVSQL_ARENA_ADD (maker->arena, out->terms, out->n_terms) = one.disjuncts[0].terms[t];
    }
}

static Union
make_and (Maker *maker, const KvsqlPredicate *predicate)
{
  Conjunction all = { .is_exact = TRUE };
  Union result;

  add_conjuncts (maker, predicate, &all);
  result = everything (maker, all.is_exact);
  if (all.is_empty || !intersect_terms (maker, all.terms, all.n_terms, &result.disjuncts[0]))
    return nothing (all.is_exact);
  for (guint i = 0; i < all.n_unions; i++)
    result = multiply (maker, result, all.unions[i]);
  return result;
}

/* ---- OR */

typedef struct
{
  Disjunct *disjuncts;
  guint n_disjuncts;
  guint n_wide; /* of them: not about exactly one attribute */
  gboolean is_exact;
} Disjunction;

static void
add_disjuncts (Maker *maker, const KvsqlPredicate *predicate, Disjunction *out)
{
  for (guint i = 0; i < predicate->n_children && kvsql_interrupt_tick (); i++)
    {
      const KvsqlPredicate *child = predicate->children[i];
      Union one;

      if (out->n_wide > KVSQL_MAX_DISJUNCTS)
        return;
      if (child->kind == KVSQL_PREDICATE_OR)
        {
          add_disjuncts (maker, child, out);
          continue;
        }
      one = make (maker, child);
      out->is_exact = out->is_exact && one.is_exact;
      for (guint b = 0; b < one.n_disjuncts; b++)
        {
          *KVSQL_ARENA_ADD (maker->arena, out->disjuncts, out->n_disjuncts) = one.disjuncts[b];
          out->n_wide += one.disjuncts[b].n_terms != 1;
        }
    }
}

static Union
make_or (Maker *maker, const KvsqlPredicate *predicate)
{
  Disjunction all = { .is_exact = TRUE };

  add_disjuncts (maker, predicate, &all);
  if (all.n_wide <= KVSQL_MAX_DISJUNCTS)
    all.n_disjuncts = unite_terms (maker, all.disjuncts, all.n_disjuncts);
  if (all.n_disjuncts > KVSQL_MAX_DISJUNCTS)
    return everything (maker, FALSE);
  return (Union){ .disjuncts = all.disjuncts,
                  .n_disjuncts = all.n_disjuncts,
                  .is_exact = all.is_exact };
}

/* ---- the tree */

static Union
make (Maker *maker, const KvsqlPredicate *predicate)
{
  switch (predicate->kind)
    {
    case KVSQL_PREDICATE_CONSTANT:
      return predicate->truth ? everything (maker, TRUE) : nothing (TRUE);
    case KVSQL_PREDICATE_COMPARE:
      return from_constraint (maker, predicate, from_compare (maker, predicate), TRUE);
    case KVSQL_PREDICATE_IN:
      return from_constraint (maker, predicate, from_in (maker, predicate), TRUE);
    case KVSQL_PREDICATE_LIKE:
      return from_constraint (maker, predicate, from_like (maker, predicate),
                              !predicate->is_negated && predicate->like->is_prefix);
    case KVSQL_PREDICATE_IS_NULL:
      return from_constraint (maker, predicate, from_is_null (maker, predicate), TRUE);
    case KVSQL_PREDICATE_AND:
      return make_and (maker, predicate);
    case KVSQL_PREDICATE_OR:
      return make_or (maker, predicate);
    default:
      return everything (maker, FALSE);
    }
}

/* An element ignores a constraint with too many intervals (core/layout/ranges/byte-ranges.h). In
 * place of them, this uses the bounding range of the intervals. FALSE: the result admits more
 * values than @self did. */
static gboolean
bound_intervals (KvsqlConstraint *self, KvsqlArena *arena)
{
  const KvsqlInterval *last;
  KvsqlInterval *bounding_range;

  if (self->n_intervals <= KVSQL_MAX_BYTE_RANGES)
    return TRUE;
  last = &self->intervals[self->n_intervals - 1];
  bounding_range = kvsql_arena_copy (arena, &self->intervals[0], sizeof *bounding_range);
  bounding_range->high = last->high;
  bounding_range->has_high = last->has_high;
  bounding_range->high_is_open = last->high_is_open;
  self->intervals = bounding_range;
  self->n_intervals = 1;
  return FALSE;
}

KvsqlConstraint *
kvsql_disjunct_get_constraints (const KvsqlDisjunct *self, guint n_attributes,
                                const KvsqlCellLayout *cell, KvsqlArena *arena)
{
  KvsqlConstraint *result;

  g_assert (cell->relation->n_attributes >= n_attributes);
  if (cell->relation->n_attributes == n_attributes)
    return self->constraints;
  result = kvsql_arena_array (arena, KvsqlConstraint, cell->relation->n_attributes);
  memcpy (result, self->constraints, n_attributes * sizeof (KvsqlConstraint));
  return result;
}

void
kvsql_dnf_from_predicate (const KvsqlPredicate *predicate, guint n_attributes, KvsqlArena *arena,
                          KvsqlDnf *out)
{
  Maker maker = { .n_attributes = n_attributes,
                  .arena = arena,
                  .ends = kvsql_arena_array (arena, guint, n_attributes),
                  .united = kvsql_arena_array (arena, guint, n_attributes) };
  Union all = make (&maker, predicate);

  g_assert (all.n_disjuncts <= KVSQL_MAX_DISJUNCTS);
  *out = (KvsqlDnf){ .disjuncts = kvsql_arena_array (arena, KvsqlDisjunct, all.n_disjuncts),
                     .n_disjuncts = all.n_disjuncts,
                     .is_exact = all.is_exact };
  for (guint b = 0; b < all.n_disjuncts; b++)
    {
      KvsqlConstraint *constraints = kvsql_arena_array (arena, KvsqlConstraint, n_attributes);

      for (guint t = 0; t < all.disjuncts[b].n_terms; t++)
        {
          Term *term = &all.disjuncts[b].terms[t];

          g_assert (term->attribute < n_attributes);
          g_assert (t == 0 || term[-1].attribute < term->attribute); /* else one would be lost */
          out->is_exact = bound_intervals (&term->constraint, arena) && out->is_exact;
          constraints[term->attribute] = term->constraint;
        }
      out->disjuncts[b].constraints = constraints;
    }
}
