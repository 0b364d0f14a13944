/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-join-search.c: the orders of random trees of joins.
 *
 * All orders that the graph allows are made without the search. The search has to find the cheapest
 * of them. Each is computed over small random tables with NULLs, and has to give the rows of the
 * tree as it was written. KVSQL_TEST_SEED repeats a run.
 */
#include "config.h"

#include "core/plan/join-search.h"
#include "tests/size.h"

#include <string.h>

#define MOST_INPUTS 6
#define MOST_ATOMS 4
#define MOST_ROWS 3
#define SETS (1 << MOST_INPUTS)
#define NO_ROW (-1)

/* ---- conditions */

typedef enum
{
  EQUAL,          /* x = y */
  EQUAL_OR_NULL,  /* coalesce (x, 0) = coalesce (y, 0) */
  EQUAL_OR_NULL2, /* x = coalesce (y, 0) */
  IS_ONE,         /* x = 1 */
  SUM,            /* x = coalesce (y, 0) + coalesce (z, 0) */
  N_ATOMS
} AtomKind;

typedef struct
{
  AtomKind kind;
  guint inputs[3];
} Atom;

/* ---- a case */

typedef struct
{
  gint values[MOST_INPUTS][MOST_ROWS]; /* negative: NULL */
  guint n_rows[MOST_INPUTS];
  Atom atoms[64][MOST_ATOMS]; /* by operator */
  guint n_atoms[64];
  KvsqlJoinGraph graph;
  gdouble rows[SETS]; /* as if estimated */
  KvsqlArena *arena;
  GRand *rand;
} Case;

static KvsqlInputSet
set_of (guint32 bits)
{
  return (KvsqlInputSet){ .bits = { bits } };
}

static guint
one_of (Case *self, guint32 set)
{
  guint n = (guint)g_rand_int_range (self->rand, 0, __builtin_popcount (set));

  while (n-- > 0)
    set &= set - 1;
  return (guint)__builtin_ctz (set);
}

static void
add_atom (Case *self, guint number, AtomKind kind, guint x, guint y, guint z)
{
  static const gboolean refuses[N_ATOMS][3] = {
    [EQUAL] = { TRUE, TRUE },
    [EQUAL_OR_NULL2] = { TRUE },
    [IS_ONE] = { TRUE },
    [SUM] = { TRUE },
  };
  static const guint n_inputs[N_ATOMS] = { 2, 2, 2, 1, 3 };
  KvsqlJoinOperator *one = &self->graph.operators[number];
  Atom *atom = &self->atoms[number][self->n_atoms[number]++];

  *atom = (Atom){ kind, { x, y, z } };
  for (guint i = 0; i < n_inputs[kind]; i++)
    {
      kvsql_attribute_set_add (&one->used, atom->inputs[i]);
      if (refuses[kind][i])
        kvsql_attribute_set_add (&one->refused, atom->inputs[i]);
    }
}

static guint
add_operator (Case *self, KvsqlJoinTreeKind kind, guint32 left, guint32 right)
{
  *KVSQL_ARENA_ADD (self->arena, self->graph.operators, self->graph.n_operators)
      = (KvsqlJoinOperator){ .kind = kind, .left = set_of (left), .right = set_of (right) };
  return self->graph.n_operators - 1;
}

/* An operator with a random condition over what is visible of both sides. */
static void
add_random_operator (Case *self, KvsqlJoinTreeKind kind, guint32 left, guint32 right,
                     guint32 seen_left, guint32 seen_right)
{
  guint number = add_operator (self, kind, left, right), x = one_of (self, seen_left),
        y = one_of (self, seen_right), z = one_of (self, seen_left | seen_right);
  gint draw = g_rand_int_range (self->rand, 0, 100);

  if (draw < 5 && kind == KVSQL_JOIN_TREE_INNER)
    return; /* a cross join */
  if (draw < 10 && kind != KVSQL_JOIN_TREE_INNER)
    add_atom (self, number, IS_ONE, x, x, x);
  else if (draw < 60)
    add_atom (self, number, EQUAL, x, y, x);
  else if (draw < 70)
    add_atom (self, number, EQUAL_OR_NULL2, x, y, x);
  else if (draw < 80)
    add_atom (self, number, EQUAL_OR_NULL2, y, x, x);
  else if (draw < 88)
    add_atom (self, number, EQUAL_OR_NULL, x, y, x);
  else
    add_atom (self, number, SUM, x, y, z);
  if (kind != KVSQL_JOIN_TREE_INNER && g_rand_boolean (self->rand))
    add_atom (self, number, EQUAL, one_of (self, seen_left), one_of (self, seen_right), 0);
  if (kind == KVSQL_JOIN_TREE_INNER && g_rand_boolean (self->rand))
    add_atom (self, add_operator (self, kind, left, right), EQUAL, one_of (self, seen_left),
              one_of (self, seen_right), 0);
}

static KvsqlJoinTreeKind
random_kind (Case *self)
{
  static const KvsqlJoinTreeKind kinds[] = { KVSQL_JOIN_TREE_INNER, KVSQL_JOIN_TREE_INNER,
                                             KVSQL_JOIN_TREE_INNER, KVSQL_JOIN_TREE_LEFT,
                                             KVSQL_JOIN_TREE_LEFT,  KVSQL_JOIN_TREE_FULL,
                                             KVSQL_JOIN_TREE_SEMI,  KVSQL_JOIN_TREE_ANTI };

  return kinds[g_rand_int_range (self->rand, 0, G_N_ELEMENTS (kinds))];
}

/* A random tree over the inputs from @first to @end. Returns those that are visible above it. */
static guint32
add_tree (Case *self, guint first, guint end)
{
  guint cut;
  guint32 left, right, seen_left, seen_right;
  KvsqlJoinTreeKind kind;

  if (end - first == 1)
    return 1u << first;
  cut = (guint)g_rand_int_range (self->rand, (gint)first + 1, (gint)end);
  seen_left = add_tree (self, first, cut);
  seen_right = add_tree (self, cut, end);
  left = (1u << cut) - (1u << first);
  right = (1u << end) - (1u << cut);
  kind = random_kind (self);
  add_random_operator (self, kind, left, right, seen_left, seen_right);
  *KVSQL_ARENA_ADD (self->arena, self->graph.steps, self->graph.n_steps)
      = (KvsqlJoinStep){ set_of (left), set_of (right) };
  return kind == KVSQL_JOIN_TREE_SEMI || kind == KVSQL_JOIN_TREE_ANTI ? seen_left
                                                                      : seen_left | seen_right;
}

static void
case_init (Case *self, guint n)
{
  self->graph.n_inputs = n;
  self->arena = kvsql_arena_new ();
  for (guint i = 0; i < n; i++)
    {
      self->n_rows[i] = (guint)g_rand_int_range (self->rand, 0, MOST_ROWS + 1);
      for (guint r = 0; r < MOST_ROWS; r++)
        self->values[i][r] = g_rand_int_range (self->rand, -1, 3);
    }
  for (guint s = 0; s < SETS; s++)
    self->rows[s] = g_rand_int_range (self->rand, 1, 1000);
}

/* ---- orders */

typedef struct _Tree Tree;
struct _Tree
{
  guint input;
  const Tree *a, *b; /* NULL: an input */
  KvsqlJoinPair pair;
  gdouble cost;
  GArray *result; /* nullable: of gint8[MOST_INPUTS]: rows by input */
};

static void
tree_free (gpointer data)
{
  Tree *self = data;

  if (self->result != NULL)
    g_array_unref (self->result);
  g_free (self->pair.operators);
  g_free (self);
}

/* Of all sets of inputs. */
typedef struct
{
  GPtrArray *trees[SETS];
} Orders;

static void
add_pairs (Orders *self, const Case *cause, guint32 a, guint32 b)
{
  KvsqlInputSet x = set_of (a), y = set_of (b);
  guint *operators = g_new (guint, cause->graph.n_operators);
  KvsqlJoinPair pair = { .operators = operators };

  if (kvsql_join_graph_match (&cause->graph, &x, &y, &pair))
    for (guint i = 0; i < self->trees[a]->len; i++)
      for (guint k = 0; k < self->trees[b]->len; k++)
        {
          Tree *tree = g_new0 (Tree, 1);

          tree->a = self->trees[a]->pdata[i];
          tree->b = self->trees[b]->pdata[k];
          tree->pair = pair;
          tree->pair.operators = g_memdup2 (operators, sizeof (guint) * cause->graph.n_operators);
          tree->cost = tree->a->cost + tree->b->cost + cause->rows[a | b];
          g_ptr_array_add (self->trees[a | b], tree);
        }
  g_free (operators);
}

static void
orders_init (Orders *self, const Case *cause)
{
  guint n = cause->graph.n_inputs;

  for (guint32 set = 1; set < 1u << n; set++)
    {
      self->trees[set] = g_ptr_array_new_with_free_func (tree_free);
      if ((set & (set - 1)) == 0)
        {
          Tree *tree = g_new0 (Tree, 1);

          tree->input = (guint)__builtin_ctz (set);
          g_ptr_array_add (self->trees[set], tree);
        }
      for (guint32 part = set & (set - 1); part != 0; part = (part - 1) & set)
        if ((part & (set & -set)) != 0 && part != set)
          add_pairs (self, cause, part, set & ~part);
    }
}

static void
orders_clear (Orders *self, guint n)
{
  for (guint32 set = 1; set < 1u << n; set++)
    g_ptr_array_unref (self->trees[set]);
}

/* ---- rows */

static gint
value_of (const Case *self, const gint8 *row, guint input)
{
  return row[input] == NO_ROW ? -1 : self->values[input][row[input]];
}

static gboolean
is_true (const Case *self, const Atom *atom, const gint8 *row)
{
  gint x = value_of (self, row, atom->inputs[0]), y = value_of (self, row, atom->inputs[1]),
       z = value_of (self, row, atom->inputs[2]);

  switch (atom->kind)
    {
    case EQUAL:
      return x >= 0 && x == y;
    case EQUAL_OR_NULL:
      return MAX (x, 0) == MAX (y, 0);
    case EQUAL_OR_NULL2:
      return x >= 0 && x == MAX (y, 0);
    case IS_ONE:
      return x == 1;
    default:
      return x >= 0 && x == MAX (y, 0) + MAX (z, 0);
    }
}

static gboolean
is_partner (const Case *self, const KvsqlJoinPair *pair, const gint8 *row)
{
  for (guint i = 0; i < pair->n_operators; i++)
    for (guint a = 0; a < self->n_atoms[pair->operators[i]]; a++)
      if (!is_true (self, &self->atoms[pair->operators[i]][a], row))
        return FALSE;
  return TRUE;
}

static const gint8 *
row_of (const GArray *rows, guint i)
{
  return (const gint8 *)rows->data + (gsize)i * MOST_INPUTS;
}

static void
merge_rows (const gint8 *a, const gint8 *b, gint8 *out)
{
  for (guint i = 0; i < MOST_INPUTS; i++)
    out[i] = a[i] == NO_ROW ? b[i] : a[i];
}

static gint
compare_rows (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, MOST_INPUTS);
}

static GArray *
join_rows (const Case *self, const KvsqlJoinPair *pair, const GArray *left, const GArray *right)
{
  GArray *out = g_array_new (FALSE, FALSE, MOST_INPUTS);
  g_autofree gboolean *is_met = g_new0 (gboolean, right->len + 1);
  KvsqlJoinTreeKind kind = pair->kind;
  gboolean is_semi = kind == KVSQL_JOIN_TREE_SEMI || kind == KVSQL_JOIN_TREE_ANTI,
           is_outer = kind == KVSQL_JOIN_TREE_LEFT || kind == KVSQL_JOIN_TREE_FULL;

  for (guint i = 0; i < left->len; i++)
    {
      gboolean has_partner = FALSE;

      for (guint k = 0; k < right->len; k++)
        {
          gint8 row[MOST_INPUTS];

          merge_rows (row_of (left, i), row_of (right, k), row);
          if (!is_partner (self, pair, row))
            continue;
          has_partner = is_met[k] = TRUE;
          if (!is_semi)
            g_array_append_vals (out, row, 1);
        }
      if (is_semi ? has_partner == (kind == KVSQL_JOIN_TREE_SEMI) : is_outer && !has_partner)
        g_array_append_vals (out, row_of (left, i), 1);
    }
  for (guint k = 0; k < right->len && kind == KVSQL_JOIN_TREE_FULL; k++)
    if (!is_met[k])
      g_array_append_vals (out, row_of (right, k), 1);
  g_array_sort (out, compare_rows);
  return out;
}

static GArray *
read_input (const Case *self, guint input)
{
  GArray *out = g_array_new (FALSE, FALSE, MOST_INPUTS);

  for (guint r = 0; r < self->n_rows[input]; r++)
    {
      gint8 row[MOST_INPUTS];

      memset (row, NO_ROW, sizeof row);
      row[input] = (gint8)r;
      g_array_append_vals (out, row, 1);
    }
  return out;
}

static const GArray *
evaluate (const Case *self, const Tree *tree)
{
  Tree *kept = (Tree *)tree;

  if (tree->result == NULL && tree->a == NULL)
    kept->result = read_input (self, tree->input);
  else if (tree->result == NULL)
    {
      const GArray *a = evaluate (self, tree->a), *b = evaluate (self, tree->b);

      kept->result = join_rows (self, &tree->pair, tree->pair.is_swapped ? b : a,
                                tree->pair.is_swapped ? a : b);
    }
  return tree->result;
}

/* The rows of the tree as it was written: each step is a join of its operators. */
static GArray *
evaluate_written (const Case *self)
{
  GArray *joined[MOST_INPUTS];
  GArray *result;

  for (guint i = 0; i < self->graph.n_inputs; i++)
    joined[i] = read_input (self, i);
  for (guint s = 0; s < self->graph.n_steps; s++)
    {
      const KvsqlJoinStep *step = &self->graph.steps[s];
      guint a = (guint)kvsql_attribute_set_next (&step->left, -1),
            b = (guint)kvsql_attribute_set_next (&step->right, -1), operators[64];
      KvsqlJoinPair pair = { .operators = operators };

      for (guint i = 0; i < self->graph.n_operators; i++)
        if (memcmp (&self->graph.operators[i].left, &step->left, sizeof step->left) == 0
            && memcmp (&self->graph.operators[i].right, &step->right, sizeof step->right) == 0)
          {
            pair.kind = self->graph.operators[i].kind;
            pair.operators[pair.n_operators++] = i;
          }
      result = join_rows (self, &pair, joined[a], joined[b]);
      g_array_unref (joined[a]);
      joined[a] = result;
    }
  result = g_array_ref (joined[0]);
  for (guint i = 0; i < self->graph.n_inputs; i++)
    g_array_unref (joined[i]);
  return result;
}

/* ---- the search */

static gboolean
make (const KvsqlPartialJoin *a, const KvsqlPartialJoin *b, const KvsqlJoinPair *pair, gdouble rows,
      gpointer data, KvsqlPartialJoin *out)
{
  const Case *self = data;

  (void)pair;
  out->probe = a;
  out->build = b;
  out->rows = self->rows[out->inputs.bits[0]];
  g_assert_true (rows < 0 || rows == out->rows);
  out->cost = a->cost + b->cost + out->rows;
  return TRUE;
}

static KvsqlJoinSearch
search_of (Case *self)
{
  KvsqlJoinSearch search = { .graph = &self->graph, .make = make, .data = self };

  search.arena = self->arena;
  search.inputs = kvsql_arena_array (self->arena, KvsqlPartialJoin, self->graph.n_inputs);
  for (guint i = 0; i < self->graph.n_inputs; i++)
    {
      search.inputs[i].input = i;
      search.inputs[i].inputs = set_of (1u << i);
    }
  return search;
}

static gdouble
least_cost (const GPtrArray *trees)
{
  gdouble cost = G_MAXDOUBLE;

  for (guint i = 0; i < trees->len; i++)
    cost = MIN (cost, ((const Tree *)trees->pdata[i])->cost);
  return cost;
}

static void
check_search (Case *self, const Orders *orders)
{
  KvsqlJoinSearch search = search_of (self);
  const GPtrArray *all = orders->trees[(1u << self->graph.n_inputs) - 1];
  const KvsqlPartialJoin *best = kvsql_join_search_run (&search), *greedy;

  g_assert_cmpuint (all->len, >, 0); /* that of the text */
  g_assert_nonnull (best);
  g_assert_cmpfloat (best->cost, ==, least_cost (all));
  greedy = kvsql_join_search_greedy (&search);
  g_assert_true (greedy == NULL || greedy->cost >= best->cost);
}

static void
print_graph (const Case *self)
{
  for (guint i = 0; i < self->graph.n_operators; i++)
    {
      const KvsqlJoinOperator *one = &self->graph.operators[i];

      g_printerr ("%u: kind %d, %x with %x, used %x, refused %x, needs %x and %x, %u rules\n", i,
                  one->kind, (guint)one->left.bits[0], (guint)one->right.bits[0],
                  (guint)one->used.bits[0], (guint)one->refused.bits[0],
                  (guint)one->needed_left.bits[0], (guint)one->needed_right.bits[0], one->n_rules);
    }
}

static void
check_rows (const Case *self, const Orders *orders)
{
  const GPtrArray *all = orders->trees[(1u << self->graph.n_inputs) - 1];
  g_autoptr (GArray) expected = evaluate_written (self);

  for (guint i = 0; i < all->len; i++)
    {
      const GArray *rows = evaluate (self, all->pdata[i]);

      if (rows->len != expected->len
          || (rows->len > 0
              && memcmp (rows->data, expected->data, (gsize)rows->len * MOST_INPUTS) != 0))
        {
          print_graph (self);
          g_error ("order %u of %u gives %u rows, not %u, or other ones", i, all->len, rows->len,
                   expected->len);
        }
    }
}

static void
test_random (void)
{
  const gchar *given = g_getenv ("KVSQL_TEST_SEED");
  guint32 seed = given != NULL ? (guint32)g_ascii_strtoull (given, NULL, 10) : g_random_int ();
  guint n_cases = test_size (3000, 300), n_orders = 0;
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  g_test_message ("KVSQL_TEST_SEED=%u", seed);
  for (guint i = 0; i < n_cases; i++)
    {
      Case one = { .rand = rand };
      Orders orders;

      case_init (&one, (guint)g_rand_int_range (rand, 2, MOST_INPUTS + 1));
      (void)add_tree (&one, 0, one.graph.n_inputs);
      kvsql_join_graph_find_conflicts (&one.graph, one.arena);
      orders_init (&orders, &one);
      n_orders += orders.trees[(1u << one.graph.n_inputs) - 1]->len;
      check_search (&one, &orders);
      check_rows (&one, &orders);
      orders_clear (&orders, one.graph.n_inputs);
      kvsql_arena_free (one.arena);
    }
  g_test_message ("%u trees have %u orders", n_cases, n_orders);
  g_assert_cmpuint (n_orders, >, 4 * n_cases); /* joins do change places */
}

/* ---- how many orders there are */

static guint
count_orders (guint n, const guint (*edges)[2], guint n_edges)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Case one = { .rand = rand };
  Orders orders;
  guint count;

  case_init (&one, n);
  for (guint i = 1; i < n; i++)
    for (guint e = 0; e < n_edges; e++)
      if (edges[e][1] == i)
        add_atom (&one, add_operator (&one, KVSQL_JOIN_TREE_INNER, (1u << i) - 1, 1u << i), EQUAL,
                  edges[e][0], i, 0);
  kvsql_join_graph_find_conflicts (&one.graph, one.arena);
  orders_init (&orders, &one);
  count = orders.trees[(1u << n) - 1]->len;
  orders_clear (&orders, n);
  kvsql_arena_free (one.arena);
  return count;
}

/* Without the two sides of each join changed: a chain has Catalan numbers, a clique (2n - 3)!!, a
 * star (n - 1)! orders. */
static void
test_counts (void)
{
  static const guint chain[][2] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 4 } },
                     star[][2] = { { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 } },
                     clique[][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 }, { 0, 3 }, { 1, 3 },
                                     { 2, 3 }, { 0, 4 }, { 1, 4 }, { 2, 4 }, { 3, 4 } };

  g_assert_cmpuint (count_orders (5, chain, G_N_ELEMENTS (chain)), ==, 14);
  g_assert_cmpuint (count_orders (5, star, G_N_ELEMENTS (star)), ==, 24);
  g_assert_cmpuint (count_orders (5, clique, G_N_ELEMENTS (clique)), ==, 105);
}

/* ---- which joins change places */

static guint
count_of_two (KvsqlJoinTreeKind below, KvsqlJoinTreeKind above, guint left, guint right)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Case one = { .rand = rand };
  Orders orders;
  guint count;

  case_init (&one, 3);
  add_atom (&one, add_operator (&one, below, 1, 2), EQUAL, 0, 1, 0);
  add_atom (&one, add_operator (&one, above, 3, 4), EQUAL, left, right, 0);
  kvsql_join_graph_find_conflicts (&one.graph, one.arena);
  orders_init (&orders, &one);
  count = orders.trees[7]->len;
  orders_clear (&orders, 3);
  kvsql_arena_free (one.arena);
  return count;
}

static void
test_laws (void)
{
  /* (a LEFT b ON ab) LEFT c ON bc: c may come first; ON ac, too */
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_LEFT, KVSQL_JOIN_TREE_LEFT, 1, 2), ==, 2);
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_LEFT, KVSQL_JOIN_TREE_LEFT, 0, 2), ==, 2);
  /* (a LEFT b ON ab) JOIN c ON bc: no; ON ac: yes */
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_LEFT, KVSQL_JOIN_TREE_INNER, 1, 2), ==, 1);
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_LEFT, KVSQL_JOIN_TREE_INNER, 0, 2), ==, 2);
  /* (a JOIN b ON ab) LEFT, SEMI or ANTI c: yes */
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_INNER, KVSQL_JOIN_TREE_LEFT, 1, 2), ==, 2);
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_INNER, KVSQL_JOIN_TREE_SEMI, 1, 2), ==, 2);
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_INNER, KVSQL_JOIN_TREE_ANTI, 0, 2), ==, 2);
  /* (a SEMI b ON ab) JOIN c ON ac: yes */
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_SEMI, KVSQL_JOIN_TREE_INNER, 0, 2), ==, 2);
  /* (a FULL b) and an inner join: no; with another FULL on b: yes */
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_FULL, KVSQL_JOIN_TREE_INNER, 0, 2), ==, 1);
  g_assert_cmpuint (count_of_two (KVSQL_JOIN_TREE_FULL, KVSQL_JOIN_TREE_FULL, 1, 2), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/join-search/counts", test_counts);
  g_test_add_func ("/plan/join-search/laws", test_laws);
  g_test_add_func ("/plan/join-search/random", test_random);
  return g_test_run ();
}
