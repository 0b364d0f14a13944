/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-cursor-share.c: the memory of unused cursors, and returning free memory to the system.
 */
#include "config.h"

#include "daemon/service/service-private.h"
#include "tests/harness/service-fixture.h"

#define N_ROWS 4096
#define N_CURSORS 60
#define SQL "SELECT k, v FROM r ORDER BY v, k DESC"

typedef struct
{
  ServiceFixture fixture;
  KvsqldSession *sessions[2];
  KvsqldRequest requests[2];
} Fixture;

/* 16 MiB: 4 MiB for all cursors, 1 MiB for those of a session; one of them takes about 300 KiB. */
static void
set_up (Fixture *self, gconstpointer data)
{
  KvsqldServiceLimits limits = { .max_memory = 16 << 20, .page_rows = 10 };

  service_fixture_open (&self->fixture, NULL);
  service_fixture_fill (&self->fixture, N_ROWS, "a value that is not so short");
  kvsqld_service_set_limits (self->fixture.service, &limits);
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

static GBytes *
open_cursor (Fixture *self, guint session)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->fixture.service, &self->requests[session],
                              kvsql_slice_from_text (SQL), NULL, 0, &error);

  g_assert_no_error (error);
  g_assert_nonnull (page->cursor);
  return g_bytes_ref (page->cursor);
}

/* The second page, from the cached cursor or from its token. */
static void
assert_goes_on (Fixture *self, guint session, GBytes *cursor)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) rows = g_string_new (NULL);
  g_autoptr (KvsqlResultPage) page = kvsqld_service_fetch (
      self->fixture.service, &self->requests[session],
      kvsql_slice (g_bytes_get_data (cursor, NULL), g_bytes_get_size (cursor)), &error);

  g_assert_no_error (error);
  g_assert_cmpuint (page->rows->n_rows, ==, 10);
  g_assert_cmpint (kvsql_vector_get (&page->rows->columns[0], 0).integer, ==, N_ROWS - 11);
}

static guint
count (Fixture *self, gsize *out_bytes)
{
  return kvsqld_cursors_get_size (self->fixture.service->cursors, out_bytes);
}

static void
test_share_of_session (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) cursors = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  g_autoptr (GBytes) other = open_cursor (self, 1);
  gsize one, bytes;

  g_assert_cmpuint (count (self, &one), ==, 1);
  g_assert_cmpuint (one, >, 64 << 10);
  for (guint i = 0; i < N_CURSORS; i++)
    {
      g_ptr_array_add (cursors, open_cursor (self, 0));
      count (self, &bytes);
      g_assert_cmpuint (bytes, <=, one + (1 << 20));
    }
  g_assert_cmpuint (kvsql_account_get_used (self->fixture.service->account), <, 3 << 20);
  /* the other session's cursor is still there, and the newest one of this session */
  g_assert_cmpuint (count (self, NULL), >=, 2);
  assert_goes_on (self, 1, other);
  assert_goes_on (self, 0, cursors->pdata[0]);
  assert_goes_on (self, 0, cursors->pdata[N_CURSORS - 1]);
}

static void
test_share_of_all (Fixture *self, gconstpointer data)
{
  g_autoptr (GPtrArray) sessions
      = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_session_end);
  g_autoptr (GBytes) first = open_cursor (self, 0);
  gsize bytes;

  for (guint i = 0; i < N_CURSORS; i++)
    {
      self->requests[1].session = kvsqld_session_new (
          kvsqld_service_get_activity (self->fixture.service), "127.0.0.1", NULL);
      g_ptr_array_add (sessions, self->requests[1].session);
      g_bytes_unref (open_cursor (self, 1));
      count (self, &bytes);
      g_assert_cmpuint (bytes, <=, 4 << 20);
    }
  g_assert_cmpuint (kvsql_account_get_used (self->fixture.service->account), <, 6 << 20);
  assert_goes_on (self, 0, first);
}

/* AddressSanitizer and ThreadSanitizer have allocators of their own. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define N_BLOCKS 65536
#define BLOCK 4096

static void
test_trim (void)
{
  g_autofree gpointer *blocks = g_new (gpointer, N_BLOCKS);
  KvsqldTrim trim;
  gint64 before, after;

  kvsqld_trim_init (&trim);
  g_assert_false (kvsqld_trim_if_worth (&trim));
  for (guint i = 0; i < N_BLOCKS; i++)
    blocks[i] = memset (g_malloc (BLOCK), 1, BLOCK);
  g_assert_false (kvsqld_trim_if_worth (&trim)); /* all is in use */
  /* blocks in use remain between the freed ones */
  for (guint i = 0; i < N_BLOCKS; i++)
    if (i % 64 != 0)
      g_free (blocks[i]);
  before = kvsqld_metrics_get_resident_bytes ();
  kvsqld_trim_after_free (&trim, 1 << 20); /* not much */
  g_assert_cmpint (kvsqld_metrics_get_resident_bytes (), >, before - N_BLOCKS * BLOCK / 2);
  kvsqld_trim_after_free (&trim, (guint64)N_BLOCKS * BLOCK);
  after = kvsqld_metrics_get_resident_bytes ();
  g_assert_cmpint (after, <, before - N_BLOCKS * BLOCK / 2);
  g_assert_false (kvsqld_trim_if_worth (&trim));
  for (guint i = 0; i < N_BLOCKS; i += 64)
    g_free (blocks[i]);
  kvsqld_trim_clear (&trim);
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/daemon/cursor-share/of-session", Fixture, NULL, set_up, test_share_of_session,
              tear_down);
  g_test_add ("/daemon/cursor-share/of-all", Fixture, NULL, set_up, test_share_of_all, tear_down);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  g_test_add_func ("/daemon/trim", test_trim);
#endif
  return g_test_run ();
}
