/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tables.c: the directory of tables, stored under table id 0.
 *
 *   00000000 'F'       format of the database (4 bytes, big-endian)
 *   00000000 'N'       the next table id (4 bytes)
 *   00000000 'T' name  the id of the table (4 bytes)
 *
 * A table is dropped by one batch that deletes the range of its cells and its entry.
 */
#include "config.h"

#include "core/base/hash.h"
#include "daemon/stores/rocksdb/store.h"

#define FORMAT 1
#define FIRST_ID 1

static const char format_key[] = { 0, 0, 0, 0, 'F' };
static const char next_key[] = { 0, 0, 0, 0, 'N' };
static const char table_prefix[] = { 0, 0, 0, 0, 'T' };

typedef struct
{
  KvsqlSlice name;
  guint32 id;
  guint8 bytes[];
} Table;

void
kvsqld_rocksdb_tables_init (KvsqldRocksdbStore *self)
{
  kvsqld_fair_lock_init (&self->tables.lock);
  self->tables.ids
      = g_hash_table_new_full (kvsql_slice_hash_func, kvsql_slice_equal_func, NULL, g_free);
  self->tables.next_id = FIRST_ID;
}

void
kvsqld_rocksdb_tables_clear (KvsqldRocksdbStore *self)
{
  g_hash_table_unref (self->tables.ids);
  kvsqld_fair_lock_clear (&self->tables.lock);
}

static void
remember (KvsqldRocksdbStore *self, KvsqlSlice name, guint32 id)
{
  Table *table = g_malloc (sizeof (Table) + name.size);

  memcpy (table->bytes, name.data, name.size);
  table->name = kvsql_slice (table->bytes, name.size);
  table->id = id;
  g_hash_table_insert (self->tables.ids, &table->name, table);
}

static gboolean
damaged (GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                          "the table directory of store \"rocksdb\" is damaged");
}

/* A new database gets the current format. A database of another format, or one with content but
 * without a format, is rejected. */
static gboolean
check_format (KvsqldRocksdbStore *self, rocksdb_iterator_t *iterator, GError **error)
{
  guint8 format[4];
  char *cause = NULL;

  kvsql_put_be32 (format, FORMAT);
  rocksdb_iter_seek_to_first (iterator);
  if (rocksdb_iter_valid (iterator))
    {
      rocksdb_iter_seek (iterator, format_key, sizeof format_key);
      if (rocksdb_iter_valid (iterator)
          && kvsql_slice_equal (kvsqld_rocksdb_iterator_key (iterator),
                                kvsql_slice (format_key, sizeof format_key))
          && kvsql_slice_equal (kvsqld_rocksdb_iterator_value (iterator),
                                kvsql_slice (format, sizeof format)))
        return TRUE;
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "directory \"%s\" holds a database of another program or version",
                       self->path);
      return kvsql_error_hint (error, "Choose another directory for the store.");
    }
  rocksdb_iter_get_error (iterator, &cause);
  if (!kvsqld_rocksdb_check (cause, "read store \"rocksdb\"", error))
    return FALSE;
  rocksdb_put (self->db, self->write_options, format_key, sizeof format_key, (const char *)format,
               sizeof format, &cause);
  return kvsqld_rocksdb_check (cause, "write to store \"rocksdb\"", error);
}

gboolean
kvsqld_rocksdb_tables_load (KvsqldRocksdbStore *self, GError **error)
{
  g_autoptr (rocksdb_readoptions_t) options = rocksdb_readoptions_create ();
  g_autoptr (rocksdb_iterator_t) iterator = NULL;
  const KvsqlSlice prefix = { (const guint8 *)table_prefix, sizeof table_prefix };
  char *cause = NULL;

  rocksdb_readoptions_set_total_order_seek (options, 1);
  iterator = rocksdb_create_iterator (self->db, options);
  if (!check_format (self, iterator, error))
    return FALSE;
  rocksdb_iter_seek (iterator, next_key, sizeof next_key);
  for (; rocksdb_iter_valid (iterator); rocksdb_iter_next (iterator))
    {
      KvsqlSlice key = kvsqld_rocksdb_iterator_key (iterator);
      KvsqlSlice value = kvsqld_rocksdb_iterator_value (iterator);

      if (key.size < prefix.size || memcmp (key.data, prefix.data, prefix.size) > 0)
        break;
      if (value.size != 4)
        return damaged (error);
      if (key.data[4] == 'N')
        self->tables.next_id = kvsql_get_be32 (value.data);
      else if (key.data[4] == 'T')
        remember (self, kvsql_slice (key.data + prefix.size, key.size - prefix.size),
                  kvsql_get_be32 (value.data));
    }
  rocksdb_iter_get_error (iterator, &cause);
  return kvsqld_rocksdb_check (cause, "read the tables of store \"rocksdb\"", error);
}

guint32
kvsqld_rocksdb_tables_find_locked (KvsqldRocksdbStore *self, KvsqlSlice name)
{
  const Table *table = g_hash_table_lookup (self->tables.ids, &name);

  return table != NULL ? table->id : 0;
}

guint32
kvsqld_rocksdb_tables_find (KvsqldRocksdbStore *self, KvsqlSlice name)
{
  guint32 id;

  kvsqld_fair_lock_acquire_shared (&self->tables.lock);
  id = kvsqld_rocksdb_tables_find_locked (self, name);
  kvsqld_fair_lock_release_shared (&self->tables.lock);
  return id;
}

static void
directory_key (KvsqlBuffer *out, KvsqlSlice name)
{
  kvsql_buffer_append (out, table_prefix, sizeof table_prefix);
  kvsql_buffer_append_slice (out, name);
}

static gboolean
write_entry (KvsqldRocksdbStore *self, KvsqlSlice name, guint32 id, GError **error)
{
  g_autoptr (rocksdb_writebatch_t) batch = rocksdb_writebatch_create ();
  KvsqlBuffer key = { 0 };
  guint8 id_bytes[4], next_bytes[4];
  char *cause = NULL;

  kvsql_put_be32 (id_bytes, id);
  kvsql_put_be32 (next_bytes, id + 1);
  directory_key (&key, name);
  rocksdb_writebatch_put (batch, (const char *)key.data, key.size, (const char *)id_bytes, 4);
  rocksdb_writebatch_put (batch, next_key, sizeof next_key, (const char *)next_bytes, 4);
  kvsql_buffer_clear (&key);
  rocksdb_write (self->db, self->write_options, batch, &cause);
  return kvsqld_rocksdb_check_write (self, cause, error);
}

/* Finds or creates a table. */
static gboolean
make_table (KvsqldRocksdbStore *self, KvsqlSlice name, gboolean *out_created, GError **error)
{
  gboolean ok = TRUE, is_new;

  kvsqld_fair_lock_acquire (&self->tables.lock);
  is_new = kvsqld_rocksdb_tables_find_locked (self, name) == 0;
  if (is_new && self->tables.next_id == G_MAXUINT32)
    ok = kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                          "store \"rocksdb\" has no table ids left");
  else if (is_new)
    ok = write_entry (self, name, self->tables.next_id, error);
  if (ok && is_new)
    remember (self, name, self->tables.next_id++);
  kvsqld_fair_lock_release (&self->tables.lock);
  if (ok && out_created != NULL)
    *out_created = is_new;
  return ok;
}

static gboolean
has_put (const KvsqlRowMutation *row)
{
  for (guint i = 0; i < row->n_cells; i++)
    if (row->cells[i].kind == KVSQL_MUTATION_PUT)
      return TRUE;
  return FALSE;
}

static const KvsqlRowMutation *
find_put_without_table (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows, guint n_rows)
{
  KvsqlSlice known = KVSQL_SLICE_EMPTY; /* most calls repeat the name of one table */

  for (guint i = 0; i < n_rows; i++)
    {
      if (kvsql_slice_equal (rows[i].table, known) || !has_put (&rows[i]))
        continue;
      if (kvsqld_rocksdb_tables_find_locked (self, rows[i].table) == 0)
        return &rows[i];
      known = rows[i].table;
    }
  return NULL;
}

gboolean
kvsqld_rocksdb_tables_lock_for (KvsqldRocksdbStore *self, const KvsqlRowMutation *rows,
                                guint n_rows, GError **error)
{
  for (;;)
    {
      const KvsqlRowMutation *put;

      kvsqld_fair_lock_acquire_shared (&self->tables.lock);
      put = find_put_without_table (self, rows, n_rows);
      if (put == NULL)
        return TRUE;
      kvsqld_fair_lock_release_shared (&self->tables.lock);
      if (!make_table (self, put->table, NULL, error))
        return FALSE;
    }
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return g_bytes_compare (*(GBytes *const *)a, *(GBytes *const *)b);
}

GPtrArray *
kvsqld_rocksdb_list_tables (KvsqlStore *store, KvsqlSlice prefix, const KvsqlCall *call,
                            GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  GPtrArray *names = g_ptr_array_new_with_free_func ((GDestroyNotify)g_bytes_unref);
  GHashTableIter tables;
  gpointer key;

  kvsqld_fair_lock_acquire_shared (&self->tables.lock);
  g_hash_table_iter_init (&tables, self->tables.ids);
  while (g_hash_table_iter_next (&tables, &key, NULL))
    {
      const KvsqlSlice *name = key;

      if (kvsql_slice_has_prefix (*name, prefix))
        g_ptr_array_add (names, g_bytes_new (name->data, name->size));
    }
  kvsqld_fair_lock_release_shared (&self->tables.lock);
  g_ptr_array_sort (names, compare_names);
  return names;
}

gboolean
kvsqld_rocksdb_ensure_table (KvsqlStore *store, const KvsqlTableSpec *spec, const KvsqlCall *call,
                             gboolean *out_created, GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;

  return (kvsqld_rocksdb_tables_find (self, spec->name) != 0
          || kvsqld_rocksdb_space_check (self, error))
         && make_table (self, spec->name, out_created, error);
}

static gboolean
drop_locked (KvsqldRocksdbStore *self, KvsqlSlice name, GError **error)
{
  g_autoptr (rocksdb_writebatch_t) batch = rocksdb_writebatch_create ();
  guint32 id = kvsqld_rocksdb_tables_find_locked (self, name);
  guint8 first[4], limit[4];
  KvsqlBuffer entry = { 0 };
  char *cause = NULL;

  if (id == 0)
    {
      g_autofree gchar *readable = kvsql_readable (name);

      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "table \"%s\" does not exist",
                       readable);
      return kvsql_error_hint (error, "A table is made by its first write.");
    }
  kvsql_put_be32 (first, id);
  kvsql_put_be32 (limit, id + 1);
  directory_key (&entry, name);
  rocksdb_writebatch_delete (batch, (const char *)entry.data, entry.size);
  rocksdb_writebatch_delete_range (batch, (const char *)first, 4, (const char *)limit, 4);
  kvsql_buffer_clear (&entry);
  rocksdb_write (self->db, self->write_options, batch, &cause);
  if (!kvsqld_rocksdb_check_write (self, cause, error))
    return FALSE;
  g_hash_table_remove (self->tables.ids, &name);
  /* Deletes files that contain only this range, without a compaction. Its table id is never
   * reused. */
  rocksdb_delete_file_in_range (self->db, (const char *)first, 4, (const char *)limit, 4, &cause);
  rocksdb_free (cause);
  return TRUE;
}

gboolean
kvsqld_rocksdb_drop_table (KvsqlStore *store, KvsqlSlice name, const KvsqlCall *call,
                           GError **error)
{
  KvsqldRocksdbStore *self = (KvsqldRocksdbStore *)store;
  gboolean ok;

  kvsqld_fair_lock_acquire (&self->tables.lock);
  ok = drop_locked (self, name, error);
  kvsqld_fair_lock_release (&self->tables.lock);
  return ok;
}
