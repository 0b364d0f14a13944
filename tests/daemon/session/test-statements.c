/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-statements.c: prepared statements belong to their session, count against its memory,
 * and are removed with it.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

typedef struct
{
  ServiceFixture fixture;
  KvsqldSession *sessions[2];
  KvsqldRequest requests[2];
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  service_fixture_open (&self->fixture, NULL);
  service_fixture_fill (&self->fixture, 4, "v");
  for (guint i = 0; i < 2; i++)
    {
      self->sessions[i] = kvsqld_session_new (kvsqld_service_get_activity (self->fixture.service),
                                              "127.0.0.1", NULL);
      self->requests[i] = (KvsqldRequest){ .session = self->sessions[i] };
    }
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < 2; i++)
    kvsqld_session_end (self->sessions[i]);
  service_fixture_close (&self->fixture);
}

static gint64
prepare (Fixture *self, guint session, const gchar *sql, GError **error)
{
  g_autoptr (KvsqldPrepared) prepared = kvsqld_service_prepare (
      self->fixture.service, &self->requests[session], kvsql_slice_from_text (sql), error);

  return prepared == NULL ? 0 : prepared->id;
}

static gint64
must_prepare (Fixture *self, guint session, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  gint64 id = prepare (self, session, sql, &error);

  g_assert_no_error (error);
  return id;
}

static guint
count (Fixture *self)
{
  return kvsqld_statements_get_size (self->fixture.service->statements);
}

static gsize
get_used (Fixture *self)
{
  return kvsql_account_get_used (self->fixture.service->account);
}

/* A statement whose tree is much larger than its text. */
static gchar *
make_large (guint n_values)
{
  GString *sql = g_string_new ("SELECT k FROM r WHERE k IN (0");

  for (guint i = 1; i < n_values; i++)
    g_string_append_printf (sql, ",%u", i);
  g_string_append_c (sql, ')');
  return g_string_free (sql, FALSE);
}

static void
assert_unknown (const GError *error, gint64 id)
{
  g_autofree gchar *message
      = g_strdup_printf ("there is no prepared statement %" G_GINT64_FORMAT, id);

  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_BAD_STATEMENT_ID);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_cmpstr (kvsql_error_code_sqlstate (error->code), ==, "26000");
  g_assert_cmpstr (kvsql_error_get_hint (error), ==,
                   "A statement belongs to the connection that prepared it, and ends with it; "
                   "prepare it again.");
}

/* For another session the statement does not exist, even with its id. */
static void
test_belongs_to_session (Fixture *self, gconstpointer data)
{
  KvsqldService *service = self->fixture.service;
  gint64 id = must_prepare (self, 0, "SELECT k FROM r");
  g_autoptr (KvsqlResultPage) page = NULL;
  g_autoptr (GError) executed = NULL, closed = NULL, without = NULL, error = NULL;

  g_assert_null (kvsqld_service_execute (service, &self->requests[1], id, NULL, 0, &executed));
  assert_unknown (executed, id);
  g_assert_false (kvsqld_service_close_statement (service, &self->requests[1], id, &closed));
  assert_unknown (closed, id);
  g_assert_null (kvsqld_service_execute (service, NULL, id, NULL, 0, &without));
  assert_unknown (without, id);

  page = kvsqld_service_execute (service, &self->requests[0], id, NULL, 0, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (page->rows->n_rows, ==, 4);
  g_assert_true (kvsqld_service_close_statement (service, &self->requests[0], id, &error));
  g_assert_cmpuint (count (self), ==, 0);
}

static void
test_ends_with_session (Fixture *self, gconstpointer data)
{
  g_autofree gchar *large = make_large (1000);
  gsize before = get_used (self);

  must_prepare (self, 1, "SELECT k FROM r");
  for (guint i = 0; i < 10; i++)
    must_prepare (self, 0, large);
  g_assert_cmpuint (count (self), ==, 11);
  g_assert_cmpuint (get_used (self), >, before + 10 * strlen (large));
  g_clear_pointer (&self->sessions[0], kvsqld_session_end);
  g_assert_cmpuint (count (self), ==, 1);
  g_clear_pointer (&self->sessions[1], kvsqld_session_end);
  g_assert_cmpuint (count (self), ==, 0);
  g_assert_cmpuint (get_used (self), ==, before);
}

/* The tree is freed with its last user, which may be a running statement. */
static void
test_ends_while_cursor_is_open (Fixture *self, gconstpointer data)
{
  gint64 id = must_prepare (self, 0, "SELECT k FROM r");
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) first = NULL, second = NULL;
  KvsqldRequest one_row = self->requests[0];
  gsize size;
  const guint8 *cursor;

  one_row.max_rows = 1;
  first = kvsqld_service_execute (self->fixture.service, &one_row, id, NULL, 0, &error);
  g_assert_no_error (error);
  g_clear_pointer (&self->sessions[0], kvsqld_session_end);
  cursor = g_bytes_get_data (first->cursor, &size);
  second = kvsqld_service_fetch (self->fixture.service, NULL, kvsql_slice (cursor, size), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (second->rows->n_rows, ==, 3);
}

static void
assert_limit (const GError *error, const gchar *message, const gchar *key)
{
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, message);
  g_assert_nonnull (strstr (kvsql_error_get_hint (error), key));
}

static void
test_counts_are_bounded (Fixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_statements = 3, .max_session_statements = 2 };
  g_autoptr (GError) of_session = NULL, of_all = NULL;

  kvsqld_service_set_limits (self->fixture.service, &limits);
  must_prepare (self, 0, "SELECT k FROM r");
  must_prepare (self, 0, "SELECT k FROM r");
  g_assert_cmpint (prepare (self, 0, "SELECT k FROM r", &of_session), ==, 0);
  assert_limit (of_session, "this session has 2 prepared statements already",
                "raise max_session_statements in");
  must_prepare (self, 1, "SELECT k FROM r");
  g_assert_cmpint (prepare (self, 1, "SELECT k FROM r", &of_all), ==, 0);
  assert_limit (of_all, "there are 3 prepared statements already",
                "raise max_prepared_statements in");
}

/* 16 MiB in all: 4 MiB for prepared statements, 1 MiB for those of one session. */
static void
test_memory_is_bounded (Fixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_memory = 16 << 20 };
  g_autofree gchar *large = make_large (500);
  GPtrArray *more = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_session_end);
  GError *error = NULL;

  kvsqld_service_set_limits (self->fixture.service, &limits);
  while (prepare (self, 0, large, &error) != 0)
    g_assert_cmpuint (get_used (self), <, 2 << 20);
  assert_limit (error, "the prepared statements of this session need more than 1024 KiB of memory",
                "raise max_memory in");
  g_clear_error (&error);
  must_prepare (self, 1, large);

  while (error == NULL && more->len < 100)
    {
      self->requests[1].session = kvsqld_session_new (
          kvsqld_service_get_activity (self->fixture.service), "127.0.0.1", NULL);
      g_ptr_array_add (more, self->requests[1].session);
      prepare (self, 1, large, &error);
    }
  assert_limit (error, "the prepared statements of all sessions need more than 4096 KiB of memory",
                "raise max_memory in");
  g_error_free (error);
  g_assert_cmpuint (get_used (self), <, 5 << 20);
  /* running statements still have their part */
  service_fixture_assert (&self->fixture, "SELECT count(*) FROM r", "4");
  g_ptr_array_unref (more);
}

#define TEST(path, function)                                                                       \
  g_test_add ("/daemon/session-statements/" path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("belong-to-session", test_belongs_to_session);
  TEST ("end-with-session", test_ends_with_session);
  TEST ("end-while-cursor-is-open", test_ends_while_cursor_is_open);
  TEST ("counts-are-bounded", test_counts_are_bounded);
  TEST ("memory-is-bounded", test_memory_is_bounded);
  return g_test_run ();
}
