/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-order.c: which ORDER BY clauses the order of row keys satisfies.
 */
#include "config.h"

#include "core/plan/select-plan.h"
#include "core/plan/select-planner.h"
#include "core/sql/parser.h"

typedef struct
{
  const gchar *fields; /* of the primary schema, from ROW on */
  const gchar *tail;   /* of the SELECT */
  const gchar *order;  /* "scan", "reverse", "sort" */
  gboolean is_map;     /* the other attribute is a map, with a cell for each entry */
} Case;

static const Case cases[] = {
  /* elements that sort as their values do */
  { "ROW suffix(x'00'){a}:b", "ORDER BY a, b", "scan" },
  { "ROW suffix(x'00'){a}:b", "ORDER BY a DESC, b DESC", "reverse" },
  { "ROW suffix(x'00'){a}:b", "ORDER BY a", "scan" },
  { "ROW suffix(x'00'){a}:b", "ORDER BY a DESC, b", "sort" },
  { "ROW suffix(x'00'){a}:b", "ORDER BY b", "sort" },
  { "ROW suffix(x'00'){a}:b", "ORDER BY b, a", "sort" },
  { "ROW suffix('-'){a}:b", "ORDER BY a", "sort" }, /* 'a!' < 'a-' + … */
  { "ROW size{a}:b", "ORDER BY a", "sort" },
  { "ROW fixed(8, x'00'){a}:b", "ORDER BY a, b DESC", "sort" },
  { "ROW fixed(8, x'00'){a}:b", "ORDER BY a, b", "scan" },
  { "ROW text{d}:suffix(x'00'){a}:b", "ORDER BY d, a, b", "scan" },
  /* attributes that the predicate fixes */
  { "ROW size{a}:b", "WHERE a = 'x' ORDER BY b", "scan" },
  { "ROW size{a}:b", "WHERE a = 'x' ORDER BY a DESC, b DESC", "reverse" },
  { "ROW size{a}:b", "WHERE a IN ('x', 'y') ORDER BY b", "sort" },
  { "ROW size{a}:b", "WHERE a IN ('x') ORDER BY b", "scan" },
  { "ROW size{a}:b", "WHERE a = 'x' AND b > 'c' OR a = 'x' AND b < 'b' ORDER BY b", "scan" },
  { "ROW size{a}:b", "WHERE a = 'x' AND b > 'c' OR a = 'y' ORDER BY b", "sort" },
  { "ROW size{a}:b", "WHERE a = 'x' ORDER BY v", "sort" },
  { "ROW size{a}:b", "WHERE v = 1 AND a = 'x' ORDER BY v, b", "scan" },
  { "ROW size{a}:b", "WHERE v = 1 ORDER BY v", "scan" },
  { "ROW 'p':suffix(x'00'){a}:'q':b", "ORDER BY a, b", "scan" },
  /* each key has one tuple, so later sort keys have no effect */
  { "ROW suffix(x'00'){a}:b", "ORDER BY a, b, v DESC, d", "scan" },
  { "ROW suffix(x'00'){a}:b", "WHERE a = 'x' AND b = 'y' ORDER BY v", "scan" },
  { "ROW suffix(x'00'){a}:b", "ORDER BY a, a DESC, b", "scan" },
  /* tuples in the same row are sorted by their qualifiers, only forwards */
  { "ROW a, QUALIFIER b", "ORDER BY a, b", "scan" },
  { "ROW a, QUALIFIER b", "ORDER BY a DESC", "reverse" },
  { "ROW a, QUALIFIER b", "ORDER BY a DESC, b DESC", "sort" },
  { "ROW a, QUALIFIER b", "WHERE a = 'x' ORDER BY b", "scan" },
  { "ROW a, QUALIFIER b", "WHERE a = 'x' ORDER BY b DESC", "sort" },
  /* numbers in two's complement are read in two parts, if they are the first element */
  { "ROW n:suffix(x'00'){a}:b", "ORDER BY n", "scan" },
  { "ROW n:suffix(x'00'){a}:b", "ORDER BY n DESC", "reverse" },
  { "ROW n:suffix(x'00'){a}:b", "ORDER BY n, a, b", "scan" },
  { "ROW n:suffix(x'00'){a}:b", "WHERE n > -3 AND n < 3 ORDER BY n", "scan" },
  { "ROW suffix(x'00'){a}:n:b", "ORDER BY a, n", "sort" },
  { "ROW suffix(x'00'){a}:n:b", "WHERE a = 'x' ORDER BY n", "scan" },
  { "ROW suffix(x'00'){a}:n:b", "WHERE a IN ('x', 'y') ORDER BY n", "sort" },
  /* the start and the end of these numbers must be known */
  { "ROW prefix('p'){n}:suffix(x'00'){a}:b", "ORDER BY n", "scan" },
  { "ROW prefix('p'){size{n}}:suffix(x'00'){a}:b", "ORDER BY n", "sort" },
  { "ROW prefix('p'){size{n}}:suffix(x'00'){a}:b", "ORDER BY n DESC", "sort" },
  /* that a part is constant does not fix the rest of the attribute */
  { "ROW bucket(100){n}:suffix(x'00'){a}:offset(100){n}:b", "WHERE n >= 0 AND n < 50 ORDER BY a, n",
    "sort" },
  { "ROW bucket(100){n}:suffix(x'00'){a}:offset(100){n}:b", "WHERE n >= 0 AND n < 50 ORDER BY a",
    "scan" },
  { "ROW hash(2){a}:suffix(x'00'){a}:b", "ORDER BY a, b", "sort" },
  { "ROW hash(2){a}:suffix(x'00'){a}:b", "WHERE a = 'x' ORDER BY b DESC", "reverse" },
  { "ROW salt(4){a}:suffix(x'00'){a}:b", "ORDER BY a, b", "sort" },
  { "ROW salt(4){a}:suffix(x'00'){a}:b", "WHERE a = 'x' ORDER BY a, b", "scan" },
  { "ROW a, QUALIFIER n:b", "WHERE a = 'x' ORDER BY n", "sort" },
  /* the cells have more attributes than the relation */
  { "ROW hex{hash(2){a}}:suffix(x'00'){a}:b", "WHERE a = 'x' ORDER BY b", "scan", TRUE },
  { "ROW hex{hash(2){a}}:suffix(x'00'){a}:b", "WHERE a IN ('x', 'y') ORDER BY b", "sort", TRUE },
};

static const gchar map_relation[]
    = "DEFINE RELATION r { a STRING KEY, b STRING KEY, m MAP<STRING, INT> }";
static const gchar other_relation[]
    = "DEFINE RELATION r { a STRING KEY, b STRING KEY, v INT, d DATE, n INT }";

static gchar *
make_schema (const Case *c)
{
  gboolean has_n = strstr (c->fields, "n:") != NULL || strstr (c->fields, "{n}") != NULL;

  if (c->is_map)
    return g_strdup_printf ("DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', %s, FAMILY 'f', "
                            "QUALIFIER 'm':map_key(m), VALUE map_value(m) } WITH (marker = '_')",
                            c->fields);
  return g_strdup_printf (
      "DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', %s, FAMILY 'f', VALUE %s%sv }", c->fields,
      strstr (c->fields, "{d}") != NULL ? "" : "d:", has_n ? "" : "n:");
}

static KvsqlCatalog *
make_catalog (const Case *c)
{
  KvsqlCatalog *catalog = kvsql_catalog_new (1);
  g_autofree gchar *schema = make_schema (c);

  kvsql_catalog_add_definition (catalog, NULL, c->is_map ? map_relation : other_relation);
  kvsql_catalog_add_definition (catalog, NULL, schema);
  for (guint i = 0; i < catalog->load_errors->len; i++)
    g_error ("%s: %s", schema, (const gchar *)catalog->load_errors->pdata[i]);
  return catalog;
}

static const gchar *
order_of (const Case *c, guint flags)
{
  g_autoptr (KvsqlCatalog) catalog = make_catalog (c);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GError) error = NULL;
  g_autofree gchar *sql = g_strdup_printf ("SELECT * FROM r %s", c->tail);
  KvsqlStoreCapabilities capabilities = { .flags = flags, .costs = KVSQL_USUAL_STORE_COSTS (1) };
  KvsqlBinder binder = { .arena = arena };
  const KvsqlAstStatement *statement
      = kvsql_parser_parse (kvsql_slice_from_text (sql), arena, &error);
  const KvsqlSelectPlan *plan;

  g_assert_no_error (error);
  plan = kvsql_select_plan_make (catalog, &statement->select, &binder, &capabilities, &error);
  g_assert_no_error (error);
  return !plan->best->gives_order ? "sort" : plan->best->is_reversed ? "reverse" : "scan";
}

static void
test_order (gconstpointer data)
{
  const Case *c = data;
  gboolean is_reverse = g_str_equal (c->order, "reverse");

  g_assert_cmpstr (order_of (c, KVSQL_STORE_REVERSE_SCAN), ==, c->order);
  g_assert_cmpstr (order_of (c, 0), ==, is_reverse ? "sort" : c->order);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree gchar *path = g_strdup_printf ("/plan/order/%s%s %s", cases[i].fields,
                                                cases[i].is_map ? " map" : "", cases[i].tail);
      g_test_add_data_func (path, &cases[i], test_order);
    }
  return g_test_run ();
}
