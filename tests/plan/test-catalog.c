/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-catalog.c: a new catalog shares unchanged relations with the previous one, each relation
 * sees only its own neighbours, and names are found by the rules of SQL.
 */
#include "config.h"

#include "core/base/interrupt.h"
#include "core/catalog/catalog.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/element.h"
#include "core/layout/sequence.h"
#include "core/sql/ast-definition.h"
#include "core/sql/parser.h"

#define RELATION "DEFINE RELATION r { k STRING KEY, v STRING }"
#define OTHER "DEFINE RELATION `R` { k STRING KEY }"
#define PRIMARY                                                                                    \
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW k, FAMILY 'f', QUALIFIER '', VALUE v }"
#define SECOND "DEFINE SCHEMA s FOR r { TABLE 't', ROW v:'/':k, FAMILY 'g', VALUE '' }"
#define APART "DEFINE SCHEMA a FOR r { TABLE 'u', ROW v:'/':k, FAMILY 'g', VALUE '' }"
#define OPEN "DEFINE SCHEMA o FOR r { TABLE 'x':k, ROW v:'/', FAMILY 'g', VALUE '' }"

static KvsqlCatalog *
build (const KvsqlCatalog *before, const gchar *const *texts)
{
  KvsqlCatalog *self = kvsql_catalog_new (before != NULL ? before->epoch + 1 : 1);

  for (guint i = 0; texts[i] != NULL; i++)
    kvsql_catalog_add_definition (self, before, texts[i]);
  g_assert_cmpstr (self->load_errors->len > 0 ? self->load_errors->pdata[0] : NULL, ==, NULL);
  return self;
}

static const KvsqlSchema *
schema_of (const KvsqlCatalog *catalog, const gchar *text)
{
  const KvsqlName name = { .text = text };
  const KvsqlSchema *schema = kvsql_catalog_lookup_schema (catalog, &name);

  g_assert_nonnull (schema);
  return schema;
}

static gboolean
are_neighbours (const KvsqlCatalog *catalog, const gchar *a, const gchar *b)
{
  gboolean one
      = g_ptr_array_find (schema_of (catalog, a)->neighbours, schema_of (catalog, b), NULL);
  gboolean other
      = g_ptr_array_find (schema_of (catalog, b)->neighbours, schema_of (catalog, a), NULL);

  g_assert_cmpint (one, ==, other);
  return one;
}

static void
test_shared (void)
{
  const gchar *const first[] = { RELATION, PRIMARY, NULL };
  const gchar *const next[] = { RELATION, PRIMARY, SECOND, APART, OPEN, NULL };
  KvsqlCatalog *before = build (NULL, first), *after = build (before, next), *last;

  g_assert_true (schema_of (after, "p")->relation == schema_of (before, "p")->relation);
  g_assert_true (schema_of (after, "p")->cells == schema_of (before, "p")->cells);
  g_assert_true (schema_of (after, "p") != schema_of (before, "p"));
  g_assert_cmpuint (schema_of (before, "p")->neighbours->len, ==, 0);
  g_assert_true (are_neighbours (after, "p", "s"));
  g_assert_false (are_neighbours (after, "p", "a"));
  g_assert_true (are_neighbours (after, "p", "o"));
  g_assert_true (are_neighbours (after, "a", "o"));

  /* a shared relation outlives the catalog that compiled it */
  kvsql_catalog_unref (before);
  last = build (after, first);
  kvsql_catalog_unref (after);
  g_assert_cmpuint (schema_of (last, "p")->neighbours->len, ==, 0);
  g_assert_cmpstr (schema_of (last, "p")->name, ==, "p");
  g_assert_cmpuint (schema_of (last, "p")->n_cells, ==, 1);
  kvsql_catalog_unref (last);
}

static void
test_changed_relation (void)
{
  const gchar *const first[] = { RELATION, PRIMARY, NULL };
  const gchar *const next[]
      = { "DEFINE RELATION r { k STRING KEY, v STRING COMMENT 'now said' }", PRIMARY, NULL };
  KvsqlCatalog *before = build (NULL, first), *after = build (before, next);

  g_assert_true (schema_of (after, "p")->relation != schema_of (before, "p")->relation);
  g_assert_true (schema_of (after, "p")->cells != schema_of (before, "p")->cells);
  g_assert_cmpstr (schema_of (after, "p")->relation->attributes[1].comment, ==, "now said");
  kvsql_catalog_unref (before);
  kvsql_catalog_unref (after);
}

static const gchar *
found (const KvsqlCatalog *catalog, const gchar *text, gboolean is_quoted)
{
  const KvsqlName name = { .text = text, .is_quoted = is_quoted };
  const KvsqlCatalogEntry *entry = kvsql_catalog_lookup (catalog, &name);

  return entry == NULL ? NULL : entry->relation->is_quoted ? "quoted" : "bare";
}

static void
test_names (void)
{
  const gchar *const texts[] = { RELATION, OTHER, NULL };
  KvsqlCatalog *catalog = build (NULL, texts);

  g_assert_cmpstr (found (catalog, "r", FALSE), ==, "bare");
  g_assert_cmpstr (found (catalog, "r", TRUE), ==, "bare");
  g_assert_cmpstr (found (catalog, "R", TRUE), ==, "quoted");
  g_assert_cmpstr (found (catalog, "q", FALSE), ==, NULL);
  kvsql_catalog_unref (catalog);
}

static gboolean
fail (gconstpointer data, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE, "too late");
}

/* The definition is parsed again. That ends early if the deadline of the statement has passed. */
static void
test_state_interrupted (void)
{
  const gchar *const texts[] = { RELATION, PRIMARY, NULL };
  KvsqlCatalog *catalog = build (NULL, texts);
  const KvsqlSchema *schema = schema_of (catalog, "p");
  g_autofree gchar *whole = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  g_autofree gchar *interrupted = NULL;
  KvsqlInterrupt interrupt;

  kvsql_interrupt_enter (&interrupt, fail, NULL);
  kvsql_interrupt_check_soon ();
  interrupted = kvsql_schema_print_with_state (schema, KVSQL_STATE_DELETING);
  kvsql_interrupt_leave (&interrupt);
  g_assert_nonnull (strstr (whole, "deleting"));
  g_assert_cmpstr (interrupted, ==, schema->text);
  kvsql_catalog_unref (catalog);
}

static gboolean
count (gconstpointer data, GError **error)
{
  ++*(guint *)data;
  return TRUE;
}

/* Builds the automaton of VALUE. Returns the bytes that it needs. */
static gsize
build_automaton (const KvsqlSequence *sequence, KvsqlInterruptCheck check, guint *n_checks)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  KvsqlNfa *nfa = kvsql_nfa_new (arena);
  KvsqlInterrupt interrupt;

  kvsql_interrupt_enter (&interrupt, check, n_checks);
  kvsql_sequence_automaton (sequence, nfa);
  kvsql_interrupt_leave (&interrupt);
  return kvsql_arena_get_size (arena);
}

/* The automaton of a long layout is built with checks in between, and a failed one ends it. */
static void
test_automaton_interrupted (void)
{
  const gchar *const texts[] = { "DEFINE RELATION q { a STRING KEY, n INT }", NULL };
  const KvsqlName name = { .text = "q", .span = KVSQL_SPAN_NONE };
  KvsqlCatalog *catalog = build (NULL, texts);
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GString) text
      = g_string_new ("DEFINE SCHEMA z FOR q { TABLE 'z', ROW a, FAMILY 'f', VALUE ");
  g_autoptr (GError) error = NULL;
  KvsqlAstStatement *statement;
  KvsqlCellLayout *cells;
  guint n_cells, n_checks = 0, n_failed = 0;
  gsize whole, cut;

  for (guint i = 0; i < 2000; i++)
    g_string_append (text, i == 0 ? "suffix('-'){text{n}}" : ":suffix('-'){text{n}}");
  g_string_append (text, " }");
  statement = kvsql_parser_parse (kvsql_slice_from_text (text->str), arena, &error);
  g_assert_no_error (error);
  g_assert_true (kvsql_cell_layouts_compile (
      &statement->define_schema, kvsql_catalog_lookup (catalog, &name)->relation, KVSQL_SLICE_EMPTY,
      KVSQL_SLICE_EMPTY, arena, &cells, &n_cells, &error));
  g_assert_no_error (error);
  whole = build_automaton (cells[0].fields[KVSQL_FIELD_VALUE], count, &n_checks);
  cut = build_automaton (cells[0].fields[KVSQL_FIELD_VALUE], fail, &n_failed);
  g_assert_cmpuint (n_checks, >=, 40);
  g_assert_cmpuint (cut, <, whole / 10);
  kvsql_catalog_unref (catalog);
}

/* The hint for an unknown schema says what is missing. */
static void
test_hints (void)
{
  static const struct
  {
    const gchar *definitions[3];
    const gchar *hint;
  } cases[] = {
    { { NULL }, "Nothing is defined yet; begin with DEFINE RELATION." },
    { { RELATION, NULL }, "No schema is defined yet; begin with DEFINE PRIMARY SCHEMA … FOR r." },
    { { RELATION, PRIMARY, NULL }, "Did you mean \"p\"?" },
  };
  const KvsqlName name = { .text = "pp", .span = KVSQL_SPAN_NONE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (KvsqlCatalog) catalog = build (NULL, cases[i].definitions);
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsql_catalog_find_schema (catalog, &name, &error));
      g_assert_cmpstr (kvsql_error_get_hint (error), ==, cases[i].hint);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/catalog/shared", test_shared);
  g_test_add_func ("/catalog/hints", test_hints);
  g_test_add_func ("/catalog/changed-relation", test_changed_relation);
  g_test_add_func ("/catalog/names", test_names);
  g_test_add_func ("/catalog/state-interrupted", test_state_interrupted);
  g_test_add_func ("/catalog/automaton-interrupted", test_automaton_interrupted);
  return g_test_run ();
}
