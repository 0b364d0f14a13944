/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * report.c: the state of the database, as facts for SHOW STATUS and metrics.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

static const struct
{
  const gchar *name;
  const gchar *property;
} gauges[] = {
  { "bytes of files", "rocksdb.total-sst-files-size" },
  { "bytes in memory", "rocksdb.cur-size-all-mem-tables" },
  { "bytes cached", "rocksdb.block-cache-usage" },
  { "bytes that wait for compaction", "rocksdb.estimate-pending-compaction-bytes" },
  { "compactions under way", "rocksdb.num-running-compactions" },
};

static void
report_number (KvsqlFactFunc func, gpointer data, const gchar *name, KvsqlFactKind kind,
               guint64 number)
{
  const KvsqlFact fact
      = { .name = name, .kind = kind, .number = (gint64)MIN (number, (guint64)G_MAXINT64) };

  func (&fact, data);
}

/* Whether writes are accepted; if not, why. */
static gchar *
describe_writes (KvsqldRocksdbStore *self)
{
  g_autofree gchar *lack = kvsqld_rocksdb_space_describe_lack (self);
  g_autofree gchar *last_error = NULL;
  uint64_t is_stopped = 0;

  if (lack != NULL)
    return g_strdup_printf ("no: %s", lack);
  if (rocksdb_property_int (self->db, "rocksdb.is-write-stopped", &is_stopped) == 0
      && is_stopped != 0)
    return g_strdup ("no: RocksDB waits for compactions");
  g_mutex_lock (&self->last_error.lock);
  last_error = g_strdup (self->last_error.text);
  g_mutex_unlock (&self->last_error.lock);
  if (last_error != NULL)
    return g_strdup_printf ("the last one failed: %s", last_error);
  return g_strdup ("yes");
}

void
kvsqld_rocksdb_report (KvsqlStore *store, KvsqlFactFunc func, gpointer data)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  g_autofree gchar *writes = describe_writes (self);
  const KvsqlFact fact = { .name = "takes writes", .kind = KVSQL_FACT_TEXT, .text = writes };
  uint64_t number;

  func (&fact, data);
  report_number (func, data, "bytes free", KVSQL_FACT_GAUGE, kvsqld_rocksdb_space_get_free (self));
  g_mutex_lock (&self->space.lock);
  number = self->space.n_refused;
  g_mutex_unlock (&self->space.lock);
  report_number (func, data, "writes refused for lack of space", KVSQL_FACT_COUNTER, number);
  for (guint i = 0; i < G_N_ELEMENTS (gauges); i++)
    if (rocksdb_property_int (self->db, gauges[i].property, &number) == 0)
      report_number (func, data, gauges[i].name, KVSQL_FACT_GAUGE, number);
  report_number (func, data, "stretches of deleted cells covered", KVSQL_FACT_COUNTER,
                 (guint64)g_atomic_int_get (&self->tombstones.n_covered));
  if (rocksdb_property_int (self->db, "rocksdb.background-errors", &number) == 0)
    report_number (func, data, "background errors", KVSQL_FACT_COUNTER, number);
}
