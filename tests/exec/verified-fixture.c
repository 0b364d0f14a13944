/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * verified-fixture.c: see the header.
 */
#include "config.h"

#include "tests/exec/verified-fixture.h"

#include "daemon/service/service-private.h"
#include "tests/harness/assert.h"

KvsqlStore *
verified_store (VerifiedFixture *self)
{
  return self->service.service->store;
}

void
verified_open (VerifiedFixture *self, const gchar *definitions)
{
  service_fixture_open (&self->service, "memory:");
  verified_store (self)->capabilities.flags &= ~(guint)KVSQL_STORE_ATOMIC_BATCH;
  self->log = kvsql_write_log_new (verified_store (self), 1);
  kvsql_storage_set_log (self->service.service->storage, self->log);
  service_fixture_script (&self->service, definitions);
}

void
verified_close (VerifiedFixture *self)
{
  service_fixture_close (&self->service);
  kvsql_write_log_free (self->log);
}

void
verified_run (VerifiedFixture *self, const gchar *sql)
{
  g_autofree gchar *unused = service_fixture_run (&self->service, sql);
}

void
verified_apply (VerifiedFixture *self, const KvsqlMutation *mutations, guint n)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_apply (verified_store (self), mutations, n, NULL, &error), error);
}

GArray *
verified_save (VerifiedFixture *self, const gchar *table, KvsqlArena *arena)
{
  const KvsqlRowRange all = { KVSQL_SLICE_EMPTY, KVSQL_SLICE_EMPTY };
  const KvsqlScanSpec spec
      = { .table = kvsql_slice_from_text (table), .ranges = &all, .n_ranges = 1 };
  g_autoptr (GError) error = NULL;
  g_autoptr (KvsqlScan) scan = kvsql_store_open_scan (verified_store (self), &spec, NULL, &error);
  GArray *puts = g_array_new (FALSE, FALSE, sizeof (KvsqlMutation));
  const KvsqlRows *rows;

  g_assert_no_error (error);
  do
    {
      assert_done (kvsql_scan_next (scan, NULL, &rows, &error), error);
      for (guint r = 0; r < rows->n_rows; r++)
        for (guint c = 0; c < rows->rows[r].n_cells; c++)
          {
            const KvsqlCell *cell = &rows->cells[rows->rows[r].first_cell + c];
            const KvsqlMutation put = { .kind = KVSQL_MUTATION_PUT,
                                        .table = spec.table,
                                        .row = kvsql_slice_dup (arena, rows->rows[r].key),
                                        .family = kvsql_slice_dup (arena, cell->family),
                                        .qualifier = kvsql_slice_dup (arena, cell->qualifier),
                                        .value = kvsql_slice_dup (arena, cell->value),
                                        .timestamp = g_get_real_time () / 1000 + 1000 };

            g_array_append_val (puts, put);
          }
    }
  while (rows->n_rows > 0);
  return puts;
}

void
verified_leave_old (VerifiedFixture *self, const gchar *table, const gchar *sql)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = verified_save (self, table, arena);

  verified_run (self, sql);
  verified_apply (self, (const KvsqlMutation *)puts->data, puts->len);
}

void
verified_leave_unwritten (VerifiedFixture *self, const gchar *table, const gchar *sql)
{
  g_autoptr (KvsqlArena) arena = kvsql_arena_new ();
  g_autoptr (GArray) puts = verified_save (self, table, arena);
  g_autoptr (GError) error = NULL;

  verified_run (self, sql);
  assert_done (
      kvsql_store_drop_table (verified_store (self), kvsql_slice_from_text (table), NULL, &error),
      error);
  verified_apply (self, (const KvsqlMutation *)puts->data, puts->len);
}

void
verified_drop_anchors (VerifiedFixture *self)
{
  g_autoptr (GError) error = NULL;

  assert_done (kvsql_store_drop_table (verified_store (self), KVSQL_ANCHOR_TABLE, NULL, &error),
               error);
}

void
verified_assert_says (VerifiedFixture *self, const gchar *explain, const gchar *what)
{
  g_autofree gchar *plan = service_fixture_run (&self->service, explain);

  if (strstr (plan, what) == NULL)
    g_error ("\"%s\" is not in:\n%s", what, plan);
}

void
verified_assert_does_not_say (VerifiedFixture *self, const gchar *explain, const gchar *what)
{
  g_autofree gchar *plan = service_fixture_run (&self->service, explain);

  if (strstr (plan, what) != NULL)
    g_error ("\"%s\" is in:\n%s", what, plan);
}

gint
verified_run_tests (int argc, char **argv, const VerifiedTest *tests, guint n)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < n; i++)
    {
      g_autofree gchar *path = g_strconcat ("/exec/verified/", tests[i].path, NULL);

      g_test_add_func (path, tests[i].test);
    }
  return g_test_run ();
}
