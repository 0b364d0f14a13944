/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * service-fixture.c: see the header.
 */
#include "config.h"

#include "tests/harness/service-fixture.h"

#include "core/sql/parser.h"
#include "daemon/stores/stores.h"

#include <glib/gstdio.h>

#include <unistd.h>

void
service_fixture_start (ServiceFixture *self)
{
  g_autoptr (GError) error = NULL;
  KvsqlStore *store = kvsqld_store_open (self->store_url, &error);

  g_assert_no_error (error);
  if (self->is_by_row)
    store->capabilities.flags &= ~(guint)KVSQL_STORE_ATOMIC_BATCH;
  self->service
      = kvsqld_service_new (store, self->store_url, self->registry_url, &self->limits, &error);
  g_assert_no_error (error);
}

gchar *
service_fixture_hbase_url (void)
{
  static gint n_used;
  const gchar *url = g_getenv ("KVSQL_TEST_HBASE_URL");

  if (url == NULL)
    return NULL;
  return g_strdup_printf ("%s%cnamespace=t%d_%d", url, strchr (url, '?') == NULL ? '?' : '&',
                          (gint)getpid (), g_atomic_int_add (&n_used, 1));
}

/* KVSQL_TEST_SERIAL_ROWS=2 makes nearly every scan a long one. */
static KvsqldServiceLimits
limits_from_environment (void)
{
  const gchar *serial_rows = g_getenv ("KVSQL_TEST_SERIAL_ROWS");
  KvsqldServiceLimits limits = { .sort_disk_bytes = G_GUINT64_CONSTANT (8) << 30 };

  if (serial_rows != NULL)
    {
      limits.scan_workers = 3;
      limits.scan_serial_rows = g_ascii_strtoull (serial_rows, NULL, 10);
    }
  return limits;
}

void
service_fixture_open (ServiceFixture *self, const gchar *store_url)
{
  g_autoptr (GError) error = NULL;

  *self = (ServiceFixture){ .directory = g_dir_make_tmp ("kvsql-service-XXXXXX", &error),
                            .limits = limits_from_environment () };
  g_assert_no_error (error);
  self->registry_url = g_strdup_printf ("local://%s/registry", self->directory);
  self->is_by_row = g_strcmp0 (store_url, "rows") == 0;
  if (store_url == NULL || self->is_by_row)
    self->store_url = g_strdup ("memory:");
  else if (g_str_equal (store_url, "rocksdb"))
    /* no test of a service takes the power away */
    self->store_url = g_strdup_printf ("rocksdb://%s/data?sync=false", self->directory);
  else if (g_str_equal (store_url, "hbase"))
    {
      self->store_url = service_fixture_hbase_url ();
      self->is_shared = TRUE;
    }
  else
    self->store_url = g_strdup (store_url);
  service_fixture_start (self);
}

void
service_fixture_open_another (ServiceFixture *self, const ServiceFixture *first)
{
  g_autoptr (GError) error = NULL;

  *self = (ServiceFixture){ .directory = g_dir_make_tmp ("kvsql-service-XXXXXX", &error),
                            .registry_url = g_strdup (first->registry_url),
                            .store_url = g_strdup (first->store_url),
                            .is_by_row = first->is_by_row,
                            .limits = first->limits };
  g_assert_no_error (error);
  service_fixture_start (self);
}

void
service_fixture_reopen (ServiceFixture *self)
{
  kvsqld_service_free (self->service);
  service_fixture_start (self);
}

static void
remove_tree (const gchar *path)
{
  GDir *directory = g_dir_open (path, 0, NULL);

  if (directory != NULL)
    {
      const gchar *name;
      while ((name = g_dir_read_name (directory)) != NULL)
        {
          g_autofree gchar *inside = g_build_filename (path, name, NULL);
          remove_tree (inside);
        }
      g_dir_close (directory);
    }
  g_remove (path);
}

/* Removes what later tests must not find. */
static void
drop_tables (const gchar *store_url)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlStore) store = kvsqld_store_open (store_url, &error);
  g_autoptr (GPtrArray) tables = NULL;

  g_assert_no_error (error);
  tables = kvsql_store_list_tables (store, KVSQL_SLICE_EMPTY, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < tables->len; i++)
    {
      gsize size;
      gconstpointer name = g_bytes_get_data (tables->pdata[i], &size);
      gboolean is_dropped = kvsql_store_drop_table (store, kvsql_slice (name, size), NULL, &error);
      g_assert_no_error (error);
      g_assert_true (is_dropped);
    }
}

void
service_fixture_close (ServiceFixture *self)
{
  kvsqld_service_free (self->service);
  if (self->is_shared)
    drop_tables (self->store_url);
  remove_tree (self->directory);
  g_free (self->directory);
  g_free (self->registry_url);
  g_free (self->store_url);
}

void
service_fixture_append_page (const KvsqlResultPage *page, GString *out)
{
  for (guint row = 0; page->rows != NULL && row < page->rows->n_rows; row++)
    {
      if (out->len > 0)
        g_string_append_c (out, '\n');
      for (guint c = 0; c < page->n_columns; c++)
        {
          KvsqlValue value = kvsql_vector_get (&page->rows->columns[c], row);
          if (c > 0)
            g_string_append_c (out, '|');
          kvsql_value_append_text (&value, out);
        }
    }
}

void
service_fixture_set_up (ServiceFixture *self, gconstpointer store_url)
{
  service_fixture_open (self, store_url);
}

void
service_fixture_tear_down (ServiceFixture *self, gconstpointer data)
{
  service_fixture_close (self);
}

void
service_fixture_add_tests (const gchar *prefix, const gchar *store, const ServiceFixtureTest *tests,
                           guint n_tests)
{
  if (g_strcmp0 (store, "hbase") == 0 && g_getenv ("KVSQL_TEST_HBASE_URL") == NULL)
    return;
  for (guint i = 0; i < n_tests; i++)
    {
      g_autofree gchar *path
          = g_strdup_printf ("%s/%s/%s", prefix, store == NULL ? "memory" : store, tests[i].name);

      g_test_add (path, ServiceFixture, store, service_fixture_set_up, tests[i].run,
                  service_fixture_tear_down);
    }
}

gchar *
service_fixture_run (ServiceFixture *self, const gchar *sql)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);
  GString *out = g_string_new (NULL);

  if (error != NULL)
    g_test_message ("%s\n%s\ndetail: %s", sql, error->message, kvsql_error_get_detail (error));
  g_assert_no_error (error);
  service_fixture_append_page (page, out);
  while (page->cursor != NULL)
    {
      g_autoptr (GBytes) cursor = g_bytes_ref (page->cursor);
      gsize size;
      const guint8 *data = g_bytes_get_data (cursor, &size);
      kvsql_result_page_free (page);
      page = kvsqld_service_fetch (self->service, NULL, kvsql_slice (data, size), &error);
      g_assert_no_error (error);
      service_fixture_append_page (page, out);
    }
  if (page->affected >= 0)
    g_string_append_printf (out, "%s%" G_GINT64_FORMAT " affected", out->len > 0 ? "\n" : "",
                            page->affected);
  return g_string_free (out, FALSE);
}

gchar *
service_fixture_run_pages (ServiceFixture *self, const gchar *sql, guint max_rows, gboolean is_cold,
                           guint *out_n_pages)
{
  KvsqldRequest request = { .max_rows = max_rows };
  g_autoptr (GError) error = NULL;
  GString *out = g_string_new (NULL);
  KvsqlResultPage *page = kvsqld_service_query (self->service, &request,
                                                kvsql_slice_from_text (sql), NULL, 0, &error);

  for (*out_n_pages = 1;; ++*out_n_pages)
    {
      g_autoptr (KvsqlResultPage) this = page;
      gsize size;
      gconstpointer data;

      g_assert_no_error (error);
      service_fixture_append_page (this, out);
      if (this->cursor == NULL)
        break;
      data = g_bytes_get_data (this->cursor, &size);
      if (is_cold)
        service_fixture_reopen (self);
      page = kvsqld_service_fetch (self->service, &request, kvsql_slice (data, size), &error);
    }
  return g_string_free (out, FALSE);
}

void
service_fixture_script (ServiceFixture *self, const gchar *sql)
{
  KvsqlSlice text = kvsql_slice_from_text (sql), statement;
  gsize offset = 0;
  gboolean complete;

  while (kvsql_sql_split (text, &offset, &statement, &complete))
    {
      g_autofree gchar *one = g_strndup ((const gchar *)statement.data, statement.size);
      G_GNUC_UNUSED g_autofree gchar *unused = service_fixture_run (self, one);
    }
}

void
service_fixture_fill (ServiceFixture *self, guint n_rows, const gchar *value)
{
  g_autofree gchar *first = g_strdup_printf ("INSERT INTO r VALUES (0, '%s')", value);

  service_fixture_script (
      self, "DEFINE RELATION r { k INT KEY, v STRING };"
            "DEFINE PRIMARY SCHEMA r_k FOR r { TABLE 'r', ROW k, FAMILY 'f', VALUE v }");
  service_fixture_script (self, first);
  for (guint n = 1; n < n_rows; n *= 2)
    {
      g_autofree gchar *sql
          = g_strdup_printf ("INSERT INTO r SELECT k + %u, v FROM r WHERE k < %u", n, n);
      service_fixture_script (self, sql);
    }
}

GError *
service_fixture_fail (ServiceFixture *self, const gchar *sql)
{
  GError *error = NULL;
  g_autoptr (KvsqlResultPage) page
      = kvsqld_service_query (self->service, NULL, kvsql_slice_from_text (sql), NULL, 0, &error);

  if (page != NULL)
    g_test_message ("succeeded: %s", sql);
  g_assert_null (page);
  g_assert_nonnull (error);
  return error;
}

void
service_fixture_assert_fails (ServiceFixture *self, const gchar *sql, gint code,
                              const gchar *message)
{
  g_autoptr (GError) error = service_fixture_fail (self, sql);

  g_assert_error (error, KVSQL_ERROR, code);
  g_assert_cmpstr (error->message, ==, message);
}
