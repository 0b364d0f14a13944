/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-interrupt.c: long computations, and sorts among them, end when their thread is interrupted.
 */
#include "config.h"

#include "core/base/error.h"
#include "core/base/interrupt.h"
#include "core/base/sort.h"

#include <stdlib.h>

typedef struct
{
  guint n_asked;
  guint n_allowed; /* the check fails after so many calls */
} Budget;

static gboolean
check (gconstpointer data, GError **error)
{
  Budget *self = (Budget *)data;

  if (self->n_asked++ < self->n_allowed)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "enough");
}

static guint
count_ticks (guint most)
{
  guint n = 0;

  while (n < most && kvsql_interrupt_tick ())
    n++;
  return n;
}

static void
test_ticks (void)
{
  Budget budget = { .n_allowed = 3 };
  g_autoptr (GError) error = NULL;
  KvsqlInterrupt interrupt;

  g_assert_cmpuint (count_ticks (100000), ==, 100000); /* no check was entered */
  g_assert_true (kvsql_interrupt_check (NULL));
  kvsql_interrupt_enter (&interrupt, check, &budget);
  g_assert_cmpuint (count_ticks (100000), ==, 4 * KVSQL_INTERRUPT_TICKS - 1);
  /* the failure is final, and the check is not called again */
  budget.n_allowed = G_MAXUINT;
  g_assert_cmpuint (count_ticks (100000), ==, 0);
  g_assert_false (kvsql_interrupt_poll (&error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpstr (error->message, ==, "enough");
  g_assert_false (kvsql_interrupt_check (NULL));
  g_assert_cmpuint (budget.n_asked, ==, 4);
  kvsql_interrupt_leave (&interrupt);
  g_assert_cmpuint (count_ticks (100000), ==, 100000);
}

/* An inner statement has its own check. Afterwards that of the outer one is used again. */
static void
test_nesting (void)
{
  Budget none = { 0 }, endless = { .n_allowed = G_MAXUINT };
  KvsqlInterrupt outer, inner;

  kvsql_interrupt_enter (&outer, check, &none);
  g_assert_false (kvsql_interrupt_check (NULL));
  kvsql_interrupt_enter (&inner, check, &endless);
  g_assert_true (kvsql_interrupt_check (NULL));
  kvsql_interrupt_leave (&inner);
  g_assert_cmpuint (count_ticks (10), ==, 0);
  kvsql_interrupt_leave (&outer);
}

/* After a large block of an arena, the next tick calls the check. */
static void
test_memory (void)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  Budget budget = { .n_allowed = G_MAXUINT };
  KvsqlInterrupt interrupt;

  kvsql_interrupt_enter (&interrupt, check, &budget);
  for (guint i = 0; i < 64; i++)
    {
      kvsql_arena_alloc (arena, 1 << 20);
      g_assert_true (kvsql_interrupt_tick ());
    }
  g_assert_cmpuint (budget.n_asked, ==, 64);
  kvsql_interrupt_leave (&interrupt);
}

/* ---- sorting */

typedef struct
{
  gint key;
  guint place;
} Element;

static gint
compare (gconstpointer a, gconstpointer b)
{
  const Element *x = a, *y = b;

  return (x->key > y->key) - (x->key < y->key);
}

static Element *
random_elements (guint n, gint n_keys)
{
  Element *elements = g_new (Element, n);

  for (guint i = 0; i < n; i++)
    elements[i] = (Element){ g_test_rand_int_range (0, n_keys), i };
  return elements;
}

static void
test_sort (void)
{
  for (guint round = 0; round < 300; round++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      guint n = round < 20 ? round : (guint)g_test_rand_int_range (0, 2000);
      g_autofree Element *elements = random_elements (n, g_test_rand_int_range (1, 3000));

      kvsql_sort (elements, n, sizeof *elements, compare, arena);
      for (guint i = 1; i < n; i++)
        {
          g_assert_cmpint (elements[i - 1].key, <=, elements[i].key);
          if (elements[i - 1].key == elements[i].key)
            g_assert_cmpuint (elements[i - 1].place, <, elements[i].place);
        }
    }
}

/* No element is lost, at whatever point the sort is interrupted. */
static void
test_sort_stops (void)
{
  for (guint allowed = 0; allowed < 40; allowed++)
    {
      g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
      g_autofree Element *elements = random_elements (500, 1000);
      g_autofree guint *n_seen = g_new0 (guint, 500);
      Budget budget = { .n_allowed = allowed };
      KvsqlInterrupt interrupt;

      kvsql_interrupt_enter (&interrupt, check, &budget);
      kvsql_sort (elements, 500, sizeof *elements, compare, arena);
      kvsql_interrupt_leave (&interrupt);
      for (guint i = 0; i < 500; i++)
        n_seen[elements[i].place]++;
      for (guint i = 0; i < 500; i++)
        g_assert_cmpuint (n_seen[i], ==, 1);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/interrupt/ticks", test_ticks);
  g_test_add_func ("/base/interrupt/nesting", test_nesting);
  g_test_add_func ("/base/interrupt/memory", test_memory);
  g_test_add_func ("/base/sort/stable", test_sort);
  g_test_add_func ("/base/sort/stops", test_sort_stops);
  return g_test_run ();
}
