/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * window-sort.c: orders windows so that they need few sorts.
 *
 * The rows of a partition have to be consecutive, and sorted by ORDER BY. So a sort serves each
 * window whose PARTITION BY is, as a set, its first keys, and whose ORDER BY is the keys after
 * them. The window with most keys is the first of a group, and the others of the group follow
 * without a sort. The group that has the order of the statement's ORDER BY comes last.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/base/sort.h"
#include "core/plan/window.h"

/* The windows that share a sort. */
typedef struct
{
  guint first, n; /* of the ordered windows */
} Group;

static guint
count_keys (const KvsqlWindow *window)
{
  return window->n_partition + window->n_order;
}

static gboolean
has_column (const KvsqlSortKey *keys, guint n, guint column)
{
  for (guint i = 0; i < n; i++)
    if (keys[i].column == column)
      return TRUE;
  return FALSE;
}

static gboolean
is_same_key (const KvsqlSortKey *a, const KvsqlSortKey *b)
{
  return a->column == b->column && !a->is_descending == !b->is_descending
         && !a->nulls_first == !b->nulls_first;
}

/* Appends the keys that decide something after those that are there. */
static void
append_keys (KvsqlWindow *window, const KvsqlSortKey *keys, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!has_column (window->sort, window->n_sort, keys[i].column))
      window->sort[window->n_sort++] = keys[i];
}

static void
make_sort (KvsqlWindow *window, KvsqlArena *arena)
{
  window->sort = kvsql_arena_array (arena, KvsqlSortKey, count_keys (window) + 1);
  window->n_sort = 0;
  append_keys (window, window->partition, window->n_partition);
  append_keys (window, window->order, window->n_order);
}

/* Whether rows sorted by the keys of @leader have an order that @window can use. */
static gboolean
fits (const KvsqlWindow *leader, const KvsqlWindow *window)
{
  guint next = 0, k = 0;

  while (next < leader->n_sort
         && has_column (window->partition, window->n_partition, leader->sort[next].column))
    next++;
  for (guint i = 0; i < window->n_partition; i++)
    if (!has_column (leader->sort, next, window->partition[i].column))
      return FALSE;
  for (k = 0; k < window->n_order; k++)
    {
      const KvsqlSortKey *key = &window->order[k];

      if (has_column (leader->sort, next, key->column))
        continue;
      if (next == leader->n_sort || !is_same_key (&leader->sort[next], key))
        return FALSE;
      next++;
    }
  return TRUE;
}

static gint
compare_windows (gconstpointer a, gconstpointer b)
{
  return (gint)count_keys (b) - (gint)count_keys (a);
}

/* Whether the rows after the group have the order of @order. */
static gboolean
gives_order (const KvsqlWindow *leader, const KvsqlSortKey *order, guint n_order)
{
  guint next = 0;

  for (guint i = 0; i < n_order; i++)
    {
      if (has_column (leader->sort, next, order[i].column))
        continue;
      if (next == leader->n_sort || !is_same_key (&leader->sort[next], &order[i]))
        return FALSE;
      next++;
    }
  return TRUE;
}

/* Moves the windows that fit their leader to the places after it. Returns: the groups. */
static Group *
make_groups (const KvsqlWindows *self, KvsqlWindow *out, guint *out_n, KvsqlArena *arena)
{
  Group *groups = kvsql_arena_array (arena, Group, self->n_windows + 1);
  gboolean *is_placed = kvsql_arena_array (arena, gboolean, self->n_windows + 1);
  guint n = 0;

  *out_n = 0;
  for (guint i = 0; i < self->n_windows && kvsql_interrupt_tick (); i++)
    {
      Group *group = &groups[*out_n];

      if (is_placed[i])
        continue;
      *group = (Group){ .first = n, .n = 0 };
      for (guint k = i; k < self->n_windows && kvsql_interrupt_tick (); k++)
        if (k == i || (!is_placed[k] && fits (&self->windows[i], &self->windows[k])))
          {
            is_placed[k] = TRUE;
            out[n++] = self->windows[k];
            group->n++;
          }
      ++*out_n;
    }
  return groups;
}

static void
add_group (KvsqlWindows *self, const KvsqlWindow *ordered, const Group *group)
{
  for (guint i = 0; i < group->n; i++)
    {
      self->windows[self->n_windows] = ordered[group->first + i];
      if (i > 0)
        self->windows[self->n_windows].n_sort = 0;
      self->n_windows++;
    }
  self->last_sort = ordered[group->first].sort;
  self->n_last_sort = ordered[group->first].n_sort;
}

void
kvsql_windows_sort (KvsqlWindows *self, const KvsqlSortKey *order, guint n_order, KvsqlArena *arena)
{
  KvsqlWindow *ordered = kvsql_arena_array (arena, KvsqlWindow, self->n_windows + 1);
  guint n_groups, last;
  Group *groups;

  kvsql_sort (self->windows, self->n_windows, sizeof (KvsqlWindow), compare_windows, arena);
  for (guint i = 0; i < self->n_windows; i++)
    make_sort (&self->windows[i], arena);
  groups = make_groups (self, ordered, &n_groups, arena);
  last = n_groups;
  for (guint i = 0; i < n_groups && n_order > 0; i++)
    if (gives_order (&ordered[groups[i].first], order, n_order))
      last = i;
  self->n_windows = 0;
  for (guint i = 0; i < n_groups; i++)
    if (i != last)
      add_group (self, ordered, &groups[i]);
  if (last < n_groups)
    add_group (self, ordered, &groups[last]);
  self->gives_order = last < n_groups;
  for (guint i = 0; i < self->windows[0].n_sort; i++)
    self->sorts_tuples
        = self->sorts_tuples && self->windows[0].sort[i].attribute != KVSQL_NO_ATTRIBUTE;
}
