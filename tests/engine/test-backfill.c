/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-backfill.c: the schemas that can be filled.
 */
#include "config.h"

#include "core/engine/backfill.h"
#include "tests/engine/engine-fixture.h"

#define INDEX(name, options)                                                                       \
  "DEFINE SCHEMA " name " FOR r { TABLE '" name "', ROW size{v}:k, FAMILY 'f', VALUE '' }" options

static const gchar *const definitions[]
    = { "DEFINE RELATION r { k STRING KEY, v STRING }",
        "DEFINE PRIMARY SCHEMA p FOR r { TABLE 't', ROW k, FAMILY 'f', QUALIFIER 'v', VALUE v }",
        INDEX ("building", " WITH (state = building)"),
        INDEX ("filled", ""),
        INDEX ("only_read", " WITH (role = read)"),
        "DEFINE RELATION q { k STRING KEY }",
        "DEFINE SCHEMA alone FOR q { TABLE 'q', ROW k, FAMILY 'f', VALUE '' }",
        NULL };

/* @message: NULL: the schema is found */
static void
assert_find (EngineFixture *self, const gchar *text, gint code, const gchar *message)
{
  const KvsqlName name = { .text = text, .span = KVSQL_SPAN_NONE };
  g_autoptr (GError) error = NULL;
  const KvsqlSchema *schema = kvsql_execution_find_fillable (&self->execution, &name, &error);

  g_assert_cmpstr (schema == NULL ? NULL : schema->name, ==, message == NULL ? text : NULL);
  if (message == NULL)
    return;
  g_assert_error (error, KVSQL_ERROR, code);
  g_assert_nonnull (strstr (error->message, message));
}

static void
test_find (void)
{
  EngineFixture fixture;

  engine_fixture_open (&fixture, definitions);
  assert_find (&fixture, "building", 0, NULL);
  assert_find (&fixture, "filled", 0, NULL);
  assert_find (&fixture, "p", KVSQL_ERROR_INVALID, "is the primary, which others are filled from");
  assert_find (&fixture, "only_read", KVSQL_ERROR_INVALID, "is only read, so it cannot be filled");
  assert_find (&fixture, "alone", KVSQL_ERROR_INVALID, "has no primary schema");
  assert_find (&fixture, "x", KVSQL_ERROR_UNKNOWN_NAME, "x");
  engine_fixture_close (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/backfill/find", test_find);
  return g_test_run ();
}
