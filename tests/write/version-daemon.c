/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * version-daemon.c: see the header.
 */
#include "config.h"

#include "tests/write/version-daemon.h"

#include "core/write/apply.h"
#include "tests/harness/assert.h"
#include "tests/size.h"

#include <stdlib.h>

/* Of the tuples that are there first. */
#define FIRST_TIMESTAMP 10
#define FIRST_US (1000 * 1000)
#define TURN_US 500

VersionRuns
version_runs_read (int argc, char **argv, guint n_whole, guint n_small)
{
  VersionRuns runs = { .first = 1, .n = test_size (n_whole, n_small) };

  if (argc > 1)
    runs.first = (guint)strtoul (argv[1], NULL, 10);
  if (argc > 2)
    runs.n = (guint)strtoul (argv[2], NULL, 10);
  return runs;
}

/* ---- what all daemons of a run share */

void
version_world_open (VersionWorld *self, guint seed)
{
  self->random = g_rand_new_with_seed (seed);
  self->turns = turns_new (self->random);
  self->cells = version_cells_new (self->random, self->turns);
}

void
version_world_close (VersionWorld *self)
{
  version_cells_free (self->cells);
  turns_free (self->turns);
  g_rand_free (self->random);
}

gint64
version_world_get_time (const VersionWorld *self)
{
  return FIRST_US + (gint64)turns_get_time (self->turns) * TURN_US;
}

void
version_world_pause (const VersionWorld *self, gint n)
{
  for (gint i = g_rand_int_range (self->random, 0, n); i > 0; i--)
    turns_wait (self->turns);
}

KvsqlCatalog *
version_catalog_new (gint64 epoch, const gchar *const *definitions, guint n, KvsqlWriteMode mode)
{
  KvsqlCatalog *catalog = kvsql_catalog_new (epoch);
  KvsqlRelation *relation;

  for (guint i = 0; i < n; i++)
    kvsql_catalog_add_definition (catalog, NULL, definitions[i]);
  for (guint i = 0; i < catalog->load_errors->len; i++)
    g_test_message ("%s", (const gchar *)catalog->load_errors->pdata[i]);
  g_assert_cmpuint (catalog->load_errors->len, ==, 0);
  relation = version_catalog_get_entry (catalog)->relation;
  relation->writes = relation->mode = mode;
  relation->id = VERSION_RELATION_ID;
  return catalog;
}

const KvsqlCatalogEntry *
version_catalog_get_entry (const KvsqlCatalog *catalog)
{
  return catalog->entries->pdata[0];
}

/* ---- daemons */

void
version_daemon_open (VersionDaemon *self, const VersionWorld *world, guint slot,
                     VersionFaults faults, KvsqlTimeFunc time, KvsqlStampFunc stamp, gpointer data)
{
  self->store = version_store_new (world->cells, faults);
  self->storage = kvsql_storage_new (self->store);
  kvsql_storage_set_time (self->storage, time, stamp, data);
  self->log = kvsql_write_log_new (self->store, slot + 1);
  kvsql_storage_set_log (self->storage, self->log);
}

static void
read_clock_alone (gint64 *out_earliest_us, gint64 *out_latest_us, gpointer data)
{
  *out_latest_us = version_world_get_time (data);
  *out_earliest_us = G_MAXINT64;
}

static gint64
stamp_alone (gint64 at_least, gpointer data, GError **error)
{
  return version_stamp (at_least, 0, 2);
}

void
version_daemon_open_alone (VersionDaemon *self, const VersionWorld *world)
{
  version_daemon_open (self, world, 0, (VersionFaults){ 0 }, read_clock_alone, stamp_alone,
                       (gpointer)world);
}

void
version_daemon_close (VersionDaemon *self)
{
  kvsql_write_log_free (self->log);
  kvsql_storage_free (self->storage);
  kvsql_store_close (self->store);
}

gint64
version_stamp (gint64 at_least, guint slot, guint n_slots)
{
  const gint64 n = n_slots;

  return at_least + (((gint64)slot - at_least) % n + n) % n;
}

/* ---- cells */

void
version_add_cells (const KvsqlCatalogEntry *entry, const KvsqlBlindWrite *write,
                   KvsqlMutationList *list)
{
  g_autoptr (GError) error = NULL;

  for (guint s = 0; s < entry->n_schemas; s++)
    assert_done (write->is_delete
                     ? kvsql_mutation_list_add_deletes (list, entry->schemas[s], write->tuples[0],
                                                        write->timestamp - 1, &error)
                     : kvsql_mutation_list_add_puts (list, entry->schemas[s], write->tuples[0],
                                                     write->timestamp, &error),
                 error);
}

void
version_world_put (const VersionWorld *self, const KvsqlCatalogEntry *entry,
                   const KvsqlValue *tuple)
{
  g_autoptr (KvsqlStore) store = version_store_new (self->cells, (VersionFaults){ 0 });
  g_autoptr (KvsqlStorage) storage = kvsql_storage_new (store);
  g_autoptr (KvsqlMutationList) list = kvsql_mutation_list_new ();
  const KvsqlBlindWrite write = { .tuples = &tuple, .n = 1, .timestamp = FIRST_TIMESTAMP };
  g_autoptr (GError) error = NULL;

  version_add_cells (entry, &write, list);
  assert_done (kvsql_mutation_list_apply (list, storage, NULL, &error), error);
}

gchar *
version_world_print (const VersionWorld *self, const gchar *const *tables, guint n)
{
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    version_cells_print (self->cells, tables[i], out);
  return g_string_free (out, FALSE);
}

gchar *
version_world_print_expected (const VersionWorld *self, const KvsqlCatalogEntry *entry,
                              const KvsqlValue *const *tuples, guint n_tuples,
                              const gchar *const *tables, guint n)
{
  VersionWorld other = *self;
  gchar *text;

  other.cells = version_cells_new (self->random, self->turns);
  for (guint i = 0; i < n_tuples; i++)
    version_world_put (&other, entry, tuples[i]);
  text = version_world_print (&other, tables, n);
  version_cells_free (other.cells);
  return text;
}
