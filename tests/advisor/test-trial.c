/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-trial.c: the definitions and statements for copies, and where the values of parameters come
 * from.
 */
#include "config.h"

#include "core/advisor/trial.h"

#include <string.h>

#define RELATIONS                                                                                  \
  "DEFINE RELATION orders { id BIGINT KEY, customer STRING, due DATE DEFAULT CURRENT_DATE,\n"      \
  "  amount DOUBLE, CONSTRAINT positive CHECK (amount > 0) };\n"                                   \
  "DEFINE PRIMARY SCHEMA orders_id FOR orders { TABLE 'ns:orders', ROW ordered{id}, FAMILY 'f',\n" \
  "  QUALIFIER attr_name[id], VALUE attr_value[id] } WITH (create_tables = false);\n"              \
  "DEFINE SCHEMA orders_due FOR orders { TABLE 'due', ROW ordered{due}:ordered{id}, FAMILY 'f' "   \
  "};\n"                                                                                           \
  "STATS orders { ROWS 100000, customer DISTINCT 1000 };\n"                                        \
  "DEFINE RELATION parts { maker STRING KEY, number INT KEY, name STRING };\n"                     \
  "DEFINE PRIMARY SCHEMA parts_key FOR parts { TABLE 'parts', ROW "                                \
  "ordered{maker}:ordered{number},\n"                                                              \
  "  FAMILY 'f', VALUE ordered{name} };\n"

static KvsqlTrial *
make (const gchar *definitions, const gchar *statements)
{
  const KvsqlAdviseOptions options = { .format = "json", .seconds = 20 };
  g_autofree gchar *text = g_strconcat (definitions, statements, NULL);
  g_auto (KvsqlAdviseError) error = { 0 };
  KvsqlTrial *trial = kvsql_trial_new (text, strlen (text), &options, "adv_1", &error);

  g_assert_cmpstr (error.message, ==, NULL);
  g_assert_nonnull (trial);
  return trial;
}

static void
test_definitions (void)
{
  g_autoptr (KvsqlTrial) trial
      = make (RELATIONS, "SELECT id, amount FROM orders WHERE customer = ?");
  const KvsqlTrialRelation *orders = &trial->relations[0];

  g_assert_false (trial->changes_nothing);
  g_assert_cmpuint (trial->n_relations, ==, 2);
  g_assert_false (trial->relations[1].is_used);
  g_assert_cmpstr (orders->copies[0], ==, "adv_1_a_r0_orders");
  g_assert_cmpstr (orders->copies[1], ==, "adv_1_b_r0_orders");
  g_assert_cmpstr (orders->read, ==,
                   "SELECT id, customer, due, amount FROM orders AS kvsqlctl_capture");
  /* without the DEFAULT that differs, with the CHECK */
  g_assert_cmpstr (orders->definitions[0][0], ==,
                   "DEFINE RELATION adv_1_a_r0_orders { id BIGINT KEY, customer STRING, due DATE, "
                   "amount DOUBLE, CONSTRAINT positive CHECK (amount > 0) } COMMENT 'a "
                   "copy of kvsqlctl advise --verify'");
  g_assert_cmpstr (orders->definitions[0][1], ==,
                   "DEFINE PRIMARY SCHEMA adv_1_a_s0_orders_id FOR adv_1_a_r0_orders { TABLE "
                   "'ns:adv_1_a_t1_orders', ROW ordered{id}, FAMILY 'f', QUALIFIER attr_name[id], "
                   "VALUE attr_value[id] }");
  g_assert_true (g_str_has_prefix (orders->definitions[0][2],
                                   "DEFINE SCHEMA adv_1_a_s1_orders_due FOR adv_1_a_r0_orders { "
                                   "TABLE 'adv_1_a_t2_due', "));
  g_assert_null (orders->definitions[0][3]);
  g_assert_true (g_str_has_prefix (orders->definitions[1][2],
                                   "DEFINE SCHEMA adv_1_b_s1_orders_by_customer FOR "
                                   "adv_1_b_r0_orders { TABLE 'adv_1_b_t2_orders_by_customer', "
                                   "ROW ordered{customer}"));
  g_assert_cmpstr (trial->notes[0], ==,
                   "the DEFAULT of orders.due is left out: statements give a value");
  g_assert_null (trial->notes[1]);
}

/* Parameters as "kind relation.attribute tuple". */
static gchar *
describe (const KvsqlTrial *trial, const KvsqlTrialStatement *statement)
{
  static const gchar *const kinds[] = { "value", "lower", "upper", "pattern", "fresh", "number" };
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < statement->n_parameters; i++)
    {
      const KvsqlTrialParameter *parameter = &statement->parameters[i];

      g_string_append_printf (out, "%s%s", i > 0 ? ", " : "", kinds[parameter->kind]);
      if (parameter->kind == KVSQL_TRIAL_NUMBER)
        g_string_append_printf (out, " %d", (gint)parameter->number);
      else
        g_string_append_printf (
            out, " %s%s %u%s",
            trial->relations[parameter->relation].attributes[parameter->attribute].name,
            trial->relations[parameter->relation].attributes[parameter->attribute].is_key ? "!"
                                                                                          : "",
            parameter->tuple, parameter->has_both ? " both" : "");
    }
  return g_string_free (out, FALSE);
}

static void
test_statements (void)
{
  static const struct
  {
    const gchar *text;
    const gchar *sql; /* for the copy of today, where names are short: A is orders, P is parts */
    const gchar *parameters;
    KvsqlTrialAnswer answer;
    guint n_order;
    const gchar *reason;
  } cases[] = {
    { "SELECT id FROM orders WHERE customer = ? AND due BETWEEN ? AND ?",
      "SELECT id FROM A AS orders WHERE customer = $1 AND due BETWEEN $2 AND $3",
      "value customer 0, lower due 0 both, upper due 0 both" },
    { "SELECT * FROM orders WHERE due < :d ORDER BY due LIMIT 3",
      "SELECT * FROM A AS orders WHERE due < $1 ORDER BY due LIMIT 3", "upper due 0",
      KVSQL_TRIAL_COUNT, 1 },
    { "SELECT amount, id FROM orders WHERE ? <= amount AND amount < ? ORDER BY id DESC LIMIT ?",
      "SELECT amount, id FROM A AS orders WHERE $1 <= amount AND amount < $2 ORDER BY id DESC "
      "LIMIT "
      "$3",
      "lower amount 0 both, upper amount 0 both, number 10", KVSQL_TRIAL_ALL_ROWS, 1 },
    { "SELECT orders.id, p.name FROM orders JOIN parts AS p ON p.maker = customer WHERE orders.id "
      "IN (?, ?) AND p.name LIKE ?",
      "SELECT orders.id, p.name FROM A AS orders JOIN P AS p ON p.maker = customer WHERE orders.id "
      "IN ($1, $2) AND p.name LIKE $3",
      "value id! 0, value id! 1, pattern name 0" },
    { "SELECT count(*) FROM orders WHERE due > now() - INTERVAL '1 day'",
      "SELECT count(*) FROM A AS orders WHERE due > $1", "lower due 0" },
    { "SELECT amount AS id, due FROM orders ORDER BY id LIMIT 3",
      "SELECT amount AS id, due FROM A AS orders ORDER BY id LIMIT 3", "", KVSQL_TRIAL_COUNT, 1 },
    { "SELECT now(), id FROM orders", "SELECT now(), id FROM A AS orders", "", KVSQL_TRIAL_COUNT },
    { "SELECT id FROM orders WHERE upper(customer) = ? AND amount * ? > 7",
      "SELECT id FROM A AS orders WHERE upper(customer) = $1 AND amount * $2 > 7",
      "value customer 0, value amount 0" },
    { "INSERT INTO parts VALUES (?, ?, ?)",
      "INSERT INTO P (maker, number, name) VALUES ($1, $2, $3)",
      "value maker! 0, value number! 0, value name 1" },
    { "INSERT INTO orders (id, amount) VALUES (?, ?), (?, 3) FRESH",
      "INSERT INTO A (id, amount, due) VALUES ($1, $2, $3), ($4, 3, $5)",
      "fresh id! 0, value amount 1, fresh id! 2, value due 1, value due 3" },
    { "INSERT INTO orders (id, due) VALUES (nextval('s'), ?)",
      "INSERT INTO A (id, due) VALUES ($1, $2)", "value due 1, fresh id! 0" },
    { "UPDATE orders SET due = CURRENT_DATE, amount = amount + ? WHERE id = ?",
      "UPDATE A AS orders SET due = $1, amount = amount + $2 WHERE id = $3",
      "value amount 0, value id! 0, value due 1" },
    { "DELETE FROM parts WHERE maker = ? ORDER BY maker, number LIMIT 2",
      "DELETE FROM P AS parts WHERE maker = $1 ORDER BY maker, number LIMIT 2", "value maker! 0" },
    { "DELETE FROM parts WHERE maker = ? LIMIT 2",
      .reason = "which tuples it writes is not clear" },
    { "UPDATE orders SET id = ? WHERE id = ?", .reason = "it changes the KEY" },
    { "SELECT ? + 1 FROM orders", .reason = "nothing says which values parameter 1 has" },
    { "SELECT id FROM orders WHERE random() < 0.1 AND id > 3 OR random() > 1 - amount",
      .reason = "the result of random () differs from call to call" },
  };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (KvsqlTrial) trial = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_string_append_printf (text, "%s;\n", cases[i].text);
  trial = make (RELATIONS, text->str);
  g_assert_cmpuint (trial->n_statements, ==, G_N_ELEMENTS (cases));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const KvsqlTrialStatement *statement = &trial->statements[i];
      g_autoptr (GString) sql = g_string_new (statement->statement.sql[0]);
      g_autofree gchar *parameters = describe (trial, statement);

      g_test_message ("%s", cases[i].text);
      if (cases[i].reason != NULL)
        {
          g_assert_nonnull (statement->reason);
          g_assert_true (g_str_has_prefix (statement->reason, cases[i].reason));
          continue;
        }
      g_assert_cmpstr (statement->reason, ==, NULL);
      g_string_replace (sql, "adv_1_a_r0_orders", "A", 0);
      g_string_replace (sql, "adv_1_a_r1_parts", "P", 0);
      g_assert_cmpstr (sql->str, ==, cases[i].sql);
      g_assert_cmpstr (parameters, ==, cases[i].parameters);
      g_assert_cmpint (statement->answer, ==, cases[i].answer);
      g_assert_cmpuint (statement->n_order, ==, cases[i].n_order);
    }
}

/* What a write changes is read before, and what it adds is removed. */
static void
test_writes (void)
{
  g_autoptr (KvsqlTrial) trial = make (RELATIONS, "INSERT INTO orders VALUES (?, ?, ?, ?) FRESH;\n"
                                                  "UPDATE orders SET amount = ? WHERE id = ?;\n"
                                                  "SELECT id FROM orders WHERE customer = ?");
  const KvsqlTrialStatement *insert = &trial->statements[0], *update = &trial->statements[1];

  g_assert_cmpstr (
      insert->touched.sql[1], ==,
      "SELECT id, customer, due, amount FROM adv_1_b_r0_orders AS orders WHERE id = $1");
  g_assert_cmpstr (insert->removed.sql[1], ==,
                   "DELETE FROM adv_1_b_r0_orders AS orders WHERE id = $1");
  g_assert_false (insert->is_explained);
  g_assert_cmpfloat (insert->write_cost[0], >, 0);
  g_assert_cmpstr (
      update->touched.sql[0], ==,
      "SELECT id, customer, due, amount FROM adv_1_a_r0_orders AS orders WHERE id = $1");
  g_assert_cmpuint (update->touched.parameters[0], ==, 1);
  g_assert_null (update->removed.sql[0]);
  g_assert_true (update->is_explained);
}

static void
check_refused (const gchar *schema, const gchar *message)
{
  const KvsqlAdviseOptions options = { .format = "text", .seconds = 20 };
  g_autofree gchar *text
      = g_strconcat ("DEFINE RELATION r { a STRING KEY, b INT };\n", schema,
                     "STATS r { ROWS 1000 };\nSELECT a FROM r WHERE b = ?", NULL);
  g_auto (KvsqlAdviseError) error = { 0 };

  g_assert_null (kvsql_trial_new (text, strlen (text), &options, "adv_1", &error));
  g_assert_cmpstr (error.message, ==, message);
}

static void
test_refused (void)
{
  check_refused ("", "relation \"r\" has no primary schema, so there are no tuples to copy");
  check_refused ("DEFINE PRIMARY SCHEMA s FOR r { TABLE 't', ROW a, FAMILY 'f', VALUE b } WITH "
                 "(role = read);\n",
                 "schema \"s\" cannot be copied: it is only read (role = read): another program "
                 "writes its table");
  check_refused ("DEFINE PRIMARY SCHEMA s FOR r { TABLE 't-':a, ROW 'x', FAMILY 'f', VALUE b };\n",
                 "schema \"s\" cannot be copied: its tables depend on the tuple");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/advisor/trial/definitions", test_definitions);
  g_test_add_func ("/advisor/trial/statements", test_statements);
  g_test_add_func ("/advisor/trial/writes", test_writes);
  g_test_add_func ("/advisor/trial/refused", test_refused);
  return g_test_run ();
}
