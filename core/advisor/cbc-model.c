/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * cbc-model.c: see cbc-model.h; the model is in solver-cbc.c.
 *
 * Variables are numbered: x of the items, r of the items, then for each group z (of conditional
 * ones) and y of its plans. Rows are collected, and given to CBC by columns, as it wants them.
 */
#include "config.h"

#include "core/advisor/cbc-model.h"

#include <coin/Cbc_C_Interface.h>
#include <dlfcn.h>
#include <float.h>
#include <math.h>

#define LIBRARY "libCbcSolver.so.3"
/* CBC's tolerances are absolute; costs are scaled so that the first selection has this one. */
#define SCALE 1000.0

/* The functions that are used, with the types of the header. */
#define FUNCTIONS(FUNCTION)                                                                        \
  FUNCTION (Cbc_newModel)                                                                          \
  FUNCTION (Cbc_deleteModel)                                                                       \
  FUNCTION (Cbc_loadProblem)                                                                       \
  FUNCTION (Cbc_setInteger)                                                                        \
  FUNCTION (Cbc_setParameter)                                                                      \
  FUNCTION (Cbc_setLogLevel)                                                                       \
  FUNCTION (Cbc_setMaximumSeconds)                                                                 \
  FUNCTION (Cbc_setAllowableFractionGap)                                                           \
  FUNCTION (Cbc_setAllowableGap)                                                                   \
  FUNCTION (Cbc_setMIPStartI)                                                                      \
  FUNCTION (Cbc_solve)                                                                             \
  FUNCTION (Cbc_isProvenOptimal)                                                                   \
  FUNCTION (Cbc_getBestPossibleObjValue)                                                           \
  FUNCTION (Cbc_getObjValue)                                                                       \
  FUNCTION (Cbc_getColSolution)

typedef struct
{
#define FUNCTION(name) __typeof__ (&name) name;
  FUNCTIONS (FUNCTION)
#undef FUNCTION
} Library;

typedef struct
{
  guint column, row;
  gdouble value;
} Entry;

typedef struct
{
  const KvsqlChoice *choice;
  const KvsqlSelection *start;
  gdouble unit;
  GArray *costs;         /* (element-type gdouble) by column */
  GArray *starts;        /* (element-type gdouble) by column */
  GArray *entries;       /* (element-type Entry) */
  GArray *lower, *upper; /* (element-type gdouble) by row */
} Model;

static gboolean
load (Library *out)
{
  gpointer handle = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);

  if (handle == NULL)
    return FALSE;
#define FUNCTION(name)                                                                             \
  *(gpointer *)&out->name = dlsym (handle, #name);                                                 \
  if (out->name == NULL)                                                                           \
    return FALSE;
  FUNCTIONS (FUNCTION)
#undef FUNCTION
  return TRUE;
}

/* ---- columns and rows */

static guint
add_column (Model *self, gdouble cost, gboolean start)
{
  gdouble scaled = cost * self->unit, value = start ? 1 : 0;

  g_array_append_val (self->costs, scaled);
  g_array_append_val (self->starts, value);
  return self->costs->len - 1;
}

static guint
add_row (Model *self, gdouble lower, gdouble upper)
{
  g_array_append_val (self->lower, lower);
  g_array_append_val (self->upper, upper);
  return self->lower->len - 1;
}

static void
add_entry (Model *self, guint row, guint column, gdouble value)
{
  Entry entry = { column, row, value };

  g_array_append_val (self->entries, entry);
}

/* a <= b */
static void
add_implication (Model *self, guint a, guint b)
{
  guint row = add_row (self, -DBL_MAX, 0);

  add_entry (self, row, a, 1);
  add_entry (self, row, b, -1);
}

/* ---- the model */

static guint
primary_column (const Model *self, guint item)
{
  return self->choice->n_items + item;
}

static void
add_items (Model *self)
{
  const KvsqlChoice *choice = self->choice;

  for (guint i = 0; i < choice->n_items; i++)
    add_column (self, choice->items[i].cost, self->start->chosen[i]);
  for (guint i = 0; i < choice->n_items; i++)
    add_column (self, 0, self->start->primary[choice->items[i].class] == i);
  for (guint i = 0; i < choice->n_items; i++)
    add_implication (self, primary_column (self, i), i);
}

static void
add_classes (Model *self)
{
  const KvsqlChoice *choice = self->choice;

  for (guint class = 0; class < choice->n_classes; class ++)
    {
      guint one = add_row (self, 1, 1), count = 0;

      if (choice->count_limit < G_MAXUINT)
        count = add_row (self, 0, choice->count_limit);
      for (guint i = 0; i < choice->n_items; i++)
        {
          if (choice->items[i].class != class)
            continue;
          if (choice->items[i].can_be_primary)
            add_entry (self, one, primary_column (self, i), 1);
          if (choice->count_limit < G_MAXUINT)
            add_entry (self, count, i, 1);
        }
    }
}

static void
add_size (Model *self)
{
  gdouble limit = self->choice->size_limit;
  guint row;

  if (!(limit < INFINITY) || !(limit > 0))
    return;
  row = add_row (self, 0, SCALE);
  for (guint i = 0; i < self->choice->n_items; i++)
    add_entry (self, row, i, self->choice->items[i].size / limit * SCALE);
}

static void
add_group (Model *self, const KvsqlChoiceGroup *group)
{
  gboolean is_read = kvsql_selection_is_read (self->start, group);
  const KvsqlChoicePlan *best = is_read ? kvsql_selection_find_plan (self->start, group) : NULL;
  guint sum = add_row (self, group->is_conditional ? 0 : 1, group->is_conditional ? 0 : 1);

  if (group->is_conditional)
    {
      guint read = add_column (self, 0, is_read);

      add_entry (self, sum, read, -1);
      for (guint i = 0; i < group->n_triggers; i++)
        add_implication (self, group->triggers[i], read);
    }
  for (guint i = 0; i < group->n_plans; i++)
    {
      const KvsqlChoicePlan *plan = &group->plans[i];
      guint column = add_column (self, group->weight * plan->cost, plan == best);

      add_entry (self, sum, column, 1);
      add_implication (self, column, plan->item);
      if (plan->primary != KVSQL_NO_ITEM)
        add_implication (self, column, primary_column (self, plan->primary));
    }
}

/* ---- the solver */

static gint
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *left = a, *right = b;

  if (left->column != right->column)
    return left->column < right->column ? -1 : 1;
  return left->row < right->row ? -1 : left->row > right->row;
}

static void
load_problem (const Model *self, const Library *library, Cbc_Model *model)
{
  guint n_columns = self->costs->len, n_entries = self->entries->len;
  g_autofree int *first = g_new0 (int, n_columns + 1);
  g_autofree int *rows = g_new (int, n_entries);
  g_autofree gdouble *values = g_new (gdouble, n_entries);
  g_autofree gdouble *zeros = g_new0 (gdouble, n_columns);
  g_autofree gdouble *ones = g_new (gdouble, n_columns);

  g_array_sort (self->entries, compare_entries);
  for (guint i = 0; i < n_entries; i++)
    {
      const Entry *entry = &g_array_index (self->entries, Entry, i);

      rows[i] = (int)entry->row;
      values[i] = entry->value;
      first[entry->column + 1] = (int)i + 1;
    }
  for (guint i = 0; i < n_columns; i++)
    {
      first[i + 1] = MAX (first[i + 1], first[i]); /* columns without entries */
      ones[i] = 1;
    }
  library->Cbc_loadProblem (model, (int)n_columns, (int)self->lower->len, first, rows, values,
                            zeros, ones, (const gdouble *)(gpointer)self->costs->data,
                            (const gdouble *)(gpointer)self->lower->data,
                            (const gdouble *)(gpointer)self->upper->data);
  for (guint i = 0; i < n_columns; i++)
    library->Cbc_setInteger (model, (int)i);
}

static void
set_start (const Model *self, const Library *library, Cbc_Model *model)
{
  g_autofree int *columns = g_new (int, self->costs->len);

  for (guint i = 0; i < self->costs->len; i++)
    columns[i] = (int)i;
  library->Cbc_setMIPStartI (model, (int)self->costs->len, columns,
                             (const gdouble *)(gpointer)self->starts->data);
}

static void
read_solution (const Model *self, const gdouble *solution, KvsqlSelection *out)
{
  const KvsqlChoice *choice = self->choice;

  for (guint i = 0; i < choice->n_items; i++)
    {
      out->chosen[i] = solution[i] > 0.5;
      if (choice->items[i].can_be_primary && solution[primary_column (self, i)] > 0.5)
        out->primary[choice->items[i].class] = i;
    }
}

static gboolean
solve (const Model *self, const Library *library, gdouble seconds, KvsqlSelection *out,
       gdouble *out_bound)
{
  Cbc_Model *model = library->Cbc_newModel ();
  const gdouble *solution;

  library->Cbc_setLogLevel (model, 0);
  library->Cbc_setParameter (model, "logLevel", "0");
  load_problem (self, library, model);
  set_start (self, library, model);
  library->Cbc_setMaximumSeconds (model, seconds);
  library->Cbc_setAllowableGap (model, 1e-9);
  library->Cbc_setAllowableFractionGap (model, 0);
  library->Cbc_solve (model);
  solution = library->Cbc_getColSolution (model);
  *out_bound = library->Cbc_isProvenOptimal (model) ? library->Cbc_getObjValue (model)
                                                    : library->Cbc_getBestPossibleObjValue (model);
  *out_bound /= self->unit;
  if (solution == NULL || !isfinite (*out_bound))
    return FALSE;
  read_solution (self, solution, out);
  return TRUE; /* the process ends: the model is not freed */
}

gboolean
kvsql_cbc_solve (const KvsqlChoice *choice, const KvsqlSelection *start, gdouble seconds,
                 KvsqlSelection *out, gdouble *out_bound)
{
  Model self = { .choice = choice, .start = start };
  Library library;

  if (!load (&library))
    return FALSE;
  self.unit = start->cost > 0 ? SCALE / start->cost : 1;
  self.costs = g_array_new (FALSE, FALSE, sizeof (gdouble));
  self.starts = g_array_new (FALSE, FALSE, sizeof (gdouble));
  self.entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self.lower = g_array_new (FALSE, FALSE, sizeof (gdouble));
  self.upper = g_array_new (FALSE, FALSE, sizeof (gdouble));
  add_items (&self);
  add_classes (&self);
  add_size (&self);
  for (guint i = 0; i < choice->n_groups; i++)
    add_group (&self, &choice->groups[i]);
  return solve (&self, &library, seconds, out, out_bound);
}
