/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-write-mode.c: DEFINE RELATION … WITH (writes = …), and the ids that definitions keep for
 * anchors.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"
#include "tests/harness/service-fixture.h"

#define DEFINE_R                                                                                   \
  "DEFINE RELATION r { k BIGINT KEY, v BIGINT, w STRING } WITH (writes = checked);" /* 1 */        \
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, FAMILY 'f', "                        \
  "QUALIFIER attr_name[k], VALUE attr_value[k] }" /* 2 */

/* "7: k=1 v=2": the last id, and the attributes with theirs. */
static void
assert_ids (ServiceFixture *self, const gchar *expected)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);
  const KvsqlRelation *relation = ((const KvsqlCatalogEntry *)catalog->entries->pdata[0])->relation;
  g_autoptr (GString) got = g_string_new (NULL);

  g_string_append_printf (got, "%u:", relation->last_attribute_id);
  for (guint i = 0; i < relation->n_attributes; i++)
    g_string_append_printf (got, " %s=%u", relation->attributes[i].name,
                            relation->attributes[i].id);
  g_assert_cmpstr (got->str, ==, expected);
}

static guint64
get_relation_id (ServiceFixture *self)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);

  return ((const KvsqlCatalogEntry *)catalog->entries->pdata[0])->relation->id;
}

/* No id is ever given to another attribute. */
static void
test_attribute_ids (ServiceFixture *self, gconstpointer data)
{
  guint64 id;

  service_fixture_script (self, DEFINE_R);
  id = get_relation_id (self);
  g_assert_cmpuint (id, !=, 0);
  assert_ids (self, "3: k=1 v=2 w=3");
  service_fixture_script (self, "ALTER RELATION r DROP w");
  assert_ids (self, "3: k=1 v=2");
  service_fixture_script (self, "ALTER RELATION r ADD x BIGINT");
  assert_ids (self, "4: k=1 v=2 x=4");
  service_fixture_script (self, "ALTER RELATION r RENAME k TO key");
  service_fixture_script (self, "COMMENT ON RELATION r IS 'c'");
  assert_ids (self, "4: key=1 v=2 x=4");
  service_fixture_script (self, "ALTER RELATION r DROP v");
  assert_ids (self, "4: key=1 x=4");
  service_fixture_reopen (self);
  assert_ids (self, "4: key=1 x=4");
  service_fixture_script (self, "RESTORE RELATION r TO VERSION 1");
  assert_ids (self, "6: k=1 v=5 w=6");
  service_fixture_script (self, "ALTER RELATION r RENAME TO s");
  assert_ids (self, "6: k=1 v=5 w=6");
  g_assert_cmpuint (get_relation_id (self), ==, id);
}

/* What users see has no ids, and can be defined again. */
static void
test_show (ServiceFixture *self, gconstpointer data)
{
  g_autofree gchar *definition = NULL;
  guint64 id;

  service_fixture_script (self, DEFINE_R ";ALTER RELATION r DROP v");
  id = get_relation_id (self);
  definition = service_fixture_run (self, "SHOW CREATE r");
  g_assert_true (g_str_has_prefix (definition, "DEFINE RELATION r { k BIGINT KEY, w STRING }\n"));
  *strchr (definition, '\n') = '\0';
  service_fixture_script (self, "DROP RELATION r");
  service_fixture_script (self, definition);
  g_assert_cmpuint (get_relation_id (self), !=, 0);
  g_assert_cmpuint (get_relation_id (self), !=, id);
  assert_ids (self, "2: k=1 w=2");
}

/* The anchors of a dropped relation may be older than what another definition has written since. */
static void
test_restore_dropped (ServiceFixture *self, gconstpointer data)
{
  guint64 id;

  service_fixture_script (self, DEFINE_R);
  id = get_relation_id (self);
  service_fixture_script (self, "DROP RELATION r; RESTORE RELATION r TO VERSION 1");
  g_assert_cmpuint (get_relation_id (self), !=, 0);
  g_assert_cmpuint (get_relation_id (self), !=, id);
  service_fixture_script (
      self, "DROP RELATION r; DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH (writes = plain)");
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 1", KVSQL_ERROR_DEFINITION,
                                "writes of relation \"r\" are plain, and were checked then");
}

static void
test_refused (ServiceFixture *self, gconstpointer data)
{
#define R "DEFINE RELATION r { k BIGINT KEY, v BIGINT }"
  service_fixture_assert_fails (self, R " WITH (writes = dumb)", KVSQL_ERROR_DEFINITION,
                                "option \"writes\" needs plain, checked or blind");
  service_fixture_assert_fails (self, R " WITH (writes = 1)", KVSQL_ERROR_DEFINITION,
                                "option \"writes\" needs plain, checked or blind");
  service_fixture_assert_fails (self, R " WITH (write = plain)", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation option \"write\" does not exist");
  service_fixture_assert_fails (self, R " WITH (writes = plain, writes = plain)",
                                KVSQL_ERROR_DEFINITION, "option \"writes\" is given twice");
  service_fixture_assert_fails (self, R " WITH (writes = checked, id = x'0102030405060708')",
                                KVSQL_ERROR_DEFINITION, "option \"id\" is given by kvsql");
  service_fixture_assert_fails (self, R " WITH (last_attribute_id = 7)", KVSQL_ERROR_DEFINITION,
                                "option \"last_attribute_id\" is given by kvsql");
  service_fixture_assert_fails (self, R " WITH writes", KVSQL_ERROR_SYNTAX,
                                "syntax error at or near \"writes\", expected \"(\"");
#undef R
  service_fixture_script (self, DEFINE_R);
  service_fixture_assert_fails (
      self, "DEFINE SCHEMA s FOR r { TABLE 's', ROW k, FAMILY 'f', VALUE v } WITH (ttl = 60)",
      KVSQL_ERROR_DEFINITION, "tuples of relation \"r\" cannot expire: its writes are checked");
}

/* A store with atomic batches needs no anchors: its relations behave as ever. */
static void
test_atomic_store (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self, DEFINE_R);
  service_fixture_script (self, "INSERT INTO r VALUES (1, 2, 'a') USING TIMESTAMP 5");
  service_fixture_script (self, "UPDATE r SET k = 7 WHERE k = 1");
  service_fixture_assert (self, "SELECT * FROM r", "7|2|a");
}

/* What the definition is defined with (nullable); the relation's anchors. */
static void
assert_mode (ServiceFixture *self, const gchar *expected, guint64 *out_id)
{
  g_autofree gchar *definition = service_fixture_run (self, "SHOW CREATE r");

  *out_id = get_relation_id (self);
  definition[strcspn (definition, "\n")] = '\0';
  g_assert_cmpstr (strstr (definition, " WITH "), ==, expected);
}

/* Anchors of an earlier time are outdated. */
static void
test_alter (ServiceFixture *self, gconstpointer data)
{
  guint64 first, second;

  service_fixture_script (self, DEFINE_R);
  assert_mode (self, NULL, &first);
  service_fixture_script (self, "ALTER RELATION r WITH (writes = checked)");
  assert_mode (self, NULL, &second);
  g_assert_cmpuint (second, ==, first);
  service_fixture_script (self, "ALTER RELATION r DROP v; ALTER RELATION r WITH (writes = PLAIN)");
  assert_mode (self, " WITH (writes = plain)", &second);
  g_assert_cmpuint (second, ==, 0);
  service_fixture_script (self, "INSERT INTO r VALUES (1, 'a')");
  service_fixture_script (self, "ALTER RELATION r WITH (writes = checked)");
  assert_mode (self, NULL, &second);
  g_assert_cmpuint (second, !=, 0);
  g_assert_cmpuint (second, !=, first);
  assert_ids (self, "2: k=1 w=2");
  service_fixture_reopen (self);
  assert_mode (self, NULL, &first);
  g_assert_cmpuint (second, ==, first);
  service_fixture_script (self, "ALTER RELATION r WITH (writes = plain)");
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 1", KVSQL_ERROR_DEFINITION,
                                "writes of relation \"r\" are plain, and were checked then");
  service_fixture_script (self, "ALTER RELATION r WITH (writes = checked);"
                                "RESTORE RELATION r TO VERSION 1");
  assert_mode (self, NULL, &first);
}

/* As a daemon leaves it that has ended in the middle of ALTER. */
static void
leave_paused (ServiceFixture *self, const gchar *options)
{
  g_autofree gchar *text = g_strdup_printf ("DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH "
                                            "(writes = paused%s, pause = x'0102030405060708')",
                                            options);
  const KvsqlDefinitionChange change
      = { .kind = KVSQL_DEFINITION_RELATION, .name = "r", .text = text };
  const KvsqldAuthor author = { .by = "", .daemon = "", .statement = "" };
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->service->definitions);
  g_autoptr (GError) error = NULL;

  assert_done (kvsqld_definitions_commit (self->service->definitions, catalog, &change, 1, &author,
                                          NULL, &error),
               error);
}

static void
test_interrupted (ServiceFixture *self, gconstpointer data)
{
  guint64 id;

  leave_paused (self, "");
  assert_mode (self, " WITH (writes = plain)", &id);
  service_fixture_assert_fails (self, "EXPLAIN (CALLS) INSERT INTO r VALUES (1, 2)",
                                KVSQL_ERROR_INVALID, "relation \"r\" has no primary schema");
  service_fixture_script (self, "ALTER RELATION r WITH (writes = plain)");
  assert_mode (self, " WITH (writes = plain)", &id);
  g_assert_cmpuint (id, ==, 0);

  leave_paused (self, ", id = x'0000000000000007'");
  assert_mode (self, NULL, &id);
  g_assert_cmpuint (id, ==, 7);
  service_fixture_script (self, "ALTER RELATION r WITH (writes = checked)");
  assert_mode (self, NULL, &id);
  g_assert_cmpuint (id, ==, 7);
}

/* A statement that waits for the end of the pause ends it, if ALTER does not. */
static void
test_waiting (ServiceFixture *self, gconstpointer data)
{
  guint64 id;

  leave_paused (self, ", id = x'0000000000000007'");
  service_fixture_script (self, "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, "
                                "FAMILY 'f', VALUE ordered{v} }; INSERT INTO r VALUES (1, 2);"
                                "UPDATE r SET v = 3");
  service_fixture_assert (self, "SELECT * FROM r", "1|3");
  assert_mode (self, NULL, &id);
  g_assert_cmpuint (id, ==, 7);
}

/* No statement would end the pause of a relation that is new. */
static void
test_restore_paused (ServiceFixture *self, gconstpointer data)
{
  guint64 id;

  leave_paused (self, "");
  service_fixture_script (self, "DROP RELATION r; RESTORE RELATION r TO VERSION 1;"
                                "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, "
                                "FAMILY 'f', VALUE ordered{v} }; INSERT INTO r VALUES (1, 2)");
  assert_mode (self, " WITH (writes = plain)", &id);
  service_fixture_script (self, "DROP RELATION r");
  leave_paused (self, ", id = x'0000000000000007'");
  service_fixture_script (self, "DROP RELATION r; RESTORE RELATION r TO VERSION 6");
  assert_mode (self, NULL, &id);
  g_assert_cmpuint (id, !=, 0);
  g_assert_cmpuint (id, !=, 7);
}

static void
test_alter_refused (ServiceFixture *self, gconstpointer data)
{
  service_fixture_script (self,
                          "DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH (writes = plain);"
                          "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, "
                          "FAMILY 'f', VALUE ordered{v} } WITH (ttl = 60)");
  service_fixture_assert_fails (self, "ALTER RELATION q WITH (writes = checked)",
                                KVSQL_ERROR_UNKNOWN_NAME, "relation \"q\" does not exist");
  service_fixture_assert_fails (self, "ALTER RELATION r WITH (writes = paused)",
                                KVSQL_ERROR_DEFINITION,
                                "option \"writes\" needs plain, checked or blind");
  service_fixture_assert_fails (self, "ALTER RELATION r WITH (writes = plain, pause = x'00')",
                                KVSQL_ERROR_DEFINITION, "option \"pause\" is given by kvsql");
  service_fixture_assert_fails (self, "ALTER RELATION r WITH (writes = plain, writes = plain)",
                                KVSQL_ERROR_DEFINITION, "option \"writes\" is given twice");
  service_fixture_assert_fails (self, "ALTER RELATION r WITH (ttl = 1)", KVSQL_ERROR_UNKNOWN_NAME,
                                "relation option \"ttl\" does not exist");
  service_fixture_assert_fails (self, "ALTER RELATION r SET (writes = checked)", KVSQL_ERROR_SYNTAX,
                                "syntax error at or near \"SET\", expected ADD, DROP, RENAME, "
                                "ALTER, OWNER or WITH");
  service_fixture_assert_fails (self, "ALTER RELATION r WITH (writes = checked)",
                                KVSQL_ERROR_DEFINITION,
                                "schema \"p\" does not allow it: tuples of relation \"r\" cannot "
                                "expire: its writes are checked");
}

#define BLIND                                                                                      \
  "DEFINE RELATION r { k BIGINT KEY, v BIGINT } WITH (writes = 'blind');"                          \
  "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, FAMILY 'f', VALUE ordered{v} };"     \
  "DEFINE SCHEMA s FOR r { TABLE 's', ROW k, FAMILY 'f', VALUE v }"

/* In quotes the word is the same, for each mode. */
static void
test_blind (ServiceFixture *self, gconstpointer data)
{
  guint64 first, second;

  service_fixture_script (self, BLIND);
  assert_mode (self, " WITH (writes = blind)", &first);
  g_assert_cmpuint (first, !=, 0);
  service_fixture_script (self, "INSERT INTO r VALUES (1, 2), (2, 3), (1, 4);"
                                "DELETE FROM r WHERE k = 2");
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA p", "1|4");
  service_fixture_assert (self, "SELECT * FROM r USING SCHEMA s", "1|4");
  service_fixture_script (self, "ALTER RELATION r WITH (writes = 'blind')");
  assert_mode (self, " WITH (writes = blind)", &second);
  g_assert_cmpuint (second, ==, first);
  service_fixture_script (self, "ALTER RELATION r WITH (writes = 'checked')");
  assert_mode (self, NULL, &second);
  g_assert_cmpuint (second, !=, first);
  service_fixture_script (self, "UPDATE r SET v = 5; ALTER RELATION r WITH (writes = blind)");
  assert_mode (self, " WITH (writes = blind)", &first);
  g_assert_cmpuint (second, !=, first);
  service_fixture_reopen (self);
  assert_mode (self, " WITH (writes = blind)", &second);
  g_assert_cmpuint (second, ==, first);
  service_fixture_script (self, "ALTER RELATION r WITH (writes = 'plain')");
  assert_mode (self, " WITH (writes = plain)", &second);
  g_assert_cmpuint (second, ==, 0);
  service_fixture_assert_fails (self, "RESTORE RELATION r TO VERSION 1", KVSQL_ERROR_DEFINITION,
                                "writes of relation \"r\" are plain, and were blind then");
}

/* The former mode of a pause is known, also if it was not checked. */
static void
test_blind_interrupted (ServiceFixture *self, gconstpointer data)
{
  guint64 id;

  leave_paused (self, ", id = x'0000000000000007', former = blind");
  assert_mode (self, " WITH (writes = blind)", &id);
  service_fixture_script (self, "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW ordered{k}, "
                                "FAMILY 'f', VALUE ordered{v} }; INSERT INTO r VALUES (1, 2)");
  service_fixture_assert (self, "SELECT * FROM r", "1|2");
  assert_mode (self, " WITH (writes = blind)", &id);
  g_assert_cmpuint (id, ==, 7);
  service_fixture_assert_fails (self, "UPDATE r SET v = 3", KVSQL_ERROR_INVALID,
                                "UPDATE depends on the stored tuple, and writes of relation \"r\" "
                                "are blind: they do not read it");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(path, function)                                                                        \
  g_test_add ("/write-mode/" path, ServiceFixture, NULL, service_fixture_set_up, function,         \
              service_fixture_tear_down)
  ADD ("attribute-ids", test_attribute_ids);
  ADD ("show", test_show);
  ADD ("restore-dropped", test_restore_dropped);
  ADD ("refused", test_refused);
  ADD ("atomic-store", test_atomic_store);
  ADD ("alter", test_alter);
  ADD ("alter-refused", test_alter_refused);
  ADD ("interrupted", test_interrupted);
  ADD ("waiting", test_waiting);
  ADD ("restore-paused", test_restore_paused);
  ADD ("blind", test_blind);
  ADD ("blind-interrupted", test_blind_interrupted);
#undef ADD
  return g_test_run ();
}
