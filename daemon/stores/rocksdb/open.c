/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * open.c: parses the URL of a RocksDB store and opens the database.
 *
 *   rocksdb:///var/lib/kvsql/data?sync=true&cache_mb=128&min_free_mb=128
 *
 * sync=true: a write is acknowledged when it is on disk, not only in the kernel. sync=interval:MS:
 * the log is synced to disk every MS milliseconds. sync=false: the kernel decides when.
 */
#include "config.h"

#include "daemon/stores/rocksdb/store.h"

#include <errno.h>
#include <glib/gstdio.h>

#define DEFAULT_CACHE_MB 128
#define LARGEST_CACHE_MB (1024 * 1024)
#define DEFAULT_MIN_FREE_MB 128 /* RocksDB needs 64 to recover after the disk was full */
#define LARGEST_MIN_FREE_MB (1024 * 1024)
#define MAX_SYNC_INTERVAL_MS 60000
#define INTERVAL_PREFIX "interval:"
#define MEGABYTE (1024 * 1024)
#define BLOOM_BITS 10
#define OPEN_FILES 512
#define BACKGROUND_JOBS 2
#define LOG_LEVEL_FATAL 4
#define NEEDED_TO_OPEN (4 * MEGABYTE)
#define LOG_FILES 2

static gboolean
refuse_url (const gchar *url, const gchar *hint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "store URL \"%s\" is not valid",
                   url);
  return kvsql_error_hint (error, "%s", hint);
}

static gboolean
set_sync (KvsqldRocksdbOptions *self, const gchar *value)
{
  guint64 interval_ms = 0;

  self->sync = strcmp (value, "true") == 0;
  if (!self->sync && strcmp (value, "false") != 0
      && !(g_str_has_prefix (value, INTERVAL_PREFIX)
           && g_ascii_string_to_unsigned (value + strlen (INTERVAL_PREFIX), 10, 1,
                                          MAX_SYNC_INTERVAL_MS, &interval_ms, NULL)))
    return FALSE;
  self->sync_interval_ms = (guint)interval_ms;
  return TRUE;
}

static gboolean
set_megabytes (guint64 *out_bytes, const gchar *value, guint64 least, guint64 most)
{
  guint64 megabytes;

  if (!g_ascii_string_to_unsigned (value, 10, least, most, &megabytes, NULL))
    return FALSE;
  *out_bytes = megabytes * MEGABYTE;
  return TRUE;
}

static gboolean
set_option (KvsqldRocksdbOptions *self, const gchar *name, const gchar *value)
{
  if (strcmp (name, "sync") == 0)
    return set_sync (self, value);
  if (strcmp (name, "cache_mb") == 0)
    return set_megabytes (&self->cache_bytes, value, 1, LARGEST_CACHE_MB);
  if (strcmp (name, "min_free_mb") == 0)
    return set_megabytes (&self->min_free_bytes, value, 0, LARGEST_MIN_FREE_MB);
  return FALSE;
}

static gboolean
parse_query (const gchar *url, const gchar *query, KvsqldRocksdbOptions *out, GError **error)
{
  GUriParamsIter params;
  gchar *name, *value;

  if (query == NULL)
    return TRUE;
  g_uri_params_iter_init (&params, query, -1, "&", G_URI_PARAMS_NONE);
  while (g_uri_params_iter_next (&params, &name, &value, NULL))
    {
      G_GNUC_UNUSED g_autofree gchar *owned_name = name;
      G_GNUC_UNUSED g_autofree gchar *owned_value = value;

      if (set_option (out, name, value))
        continue;
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "option \"%s=%s\" of store URL \"%s\" is not known", name, value, url);
      return kvsql_error_hint (error,
                               "Options are sync=true, sync=false, sync=interval:1 to %d "
                               "(milliseconds), cache_mb=1 to %d and min_free_mb=0 to %d.",
                               MAX_SYNC_INTERVAL_MS, LARGEST_CACHE_MB, LARGEST_MIN_FREE_MB);
    }
  return TRUE;
}

gboolean
kvsqld_rocksdb_options_parse (const gchar *url, KvsqldRocksdbOptions *out, GError **error)
{
  const gchar *hint = "Write rocksdb:///directory, if need be with ?sync=false&cache_mb=128.";
  g_autofree gchar *scheme = NULL, *host = NULL, *path = NULL, *query = NULL, *fragment = NULL;
  g_auto (KvsqldRocksdbOptions) options
      = { .sync = TRUE,
          .cache_bytes = (guint64)DEFAULT_CACHE_MB * MEGABYTE,
          .min_free_bytes = (guint64)DEFAULT_MIN_FREE_MB * MEGABYTE };

  if (!g_uri_split (url, G_URI_FLAGS_ENCODED_QUERY, &scheme, NULL, &host, NULL, &path, &query,
                    &fragment, NULL)
      || g_strcmp0 (scheme, "rocksdb") != 0 || (host != NULL && *host != '\0') || fragment != NULL
      || path == NULL || path[0] != '/' || path[1] == '\0')
    return refuse_url (url, hint, error);
  if (!parse_query (url, query, &options, error))
    return FALSE;
  options.path = g_steal_pointer (&path);
  *out = options;
  options.path = NULL;
  return TRUE;
}

void
kvsqld_rocksdb_options_clear (KvsqldRocksdbOptions *self)
{
  g_clear_pointer (&self->path, g_free);
}

static rocksdb_options_t *
database_options (const KvsqldRocksdbOptions *options)
{
  rocksdb_options_t *result = rocksdb_options_create ();
  rocksdb_block_based_table_options_t *blocks = rocksdb_block_based_options_create ();
  rocksdb_cache_t *cache = rocksdb_cache_create_lru (options->cache_bytes);

  rocksdb_block_based_options_set_block_cache (blocks, cache);
  rocksdb_block_based_options_set_filter_policy (
      blocks, rocksdb_filterpolicy_create_bloom_full (BLOOM_BITS));
  rocksdb_block_based_options_set_whole_key_filtering (blocks, 0);
  rocksdb_options_set_prefix_extractor (result, kvsqld_rocksdb_prefix_new ());
  rocksdb_options_set_block_based_table_factory (result, blocks);
  rocksdb_cache_destroy (cache);
  rocksdb_block_based_options_destroy (blocks);

  rocksdb_options_set_create_if_missing (result, 1);
  rocksdb_options_set_compression (result, rocksdb_lz4_compression);
  rocksdb_options_set_level_compaction_dynamic_level_bytes (result, 1);
  rocksdb_options_set_max_background_jobs (result, BACKGROUND_JOBS);
  rocksdb_options_set_max_open_files (result, OPEN_FILES);
  /* RocksDB's info log is on the same disk. If that is full, logging fails a second time, and
   * Debian's build, which has assertions, then aborts the process. */
  rocksdb_options_set_info_log_level (result, LOG_LEVEL_FATAL);
  rocksdb_options_set_max_log_file_size (result, MEGABYTE);
  rocksdb_options_set_keep_log_file_num (result, LOG_FILES);
  rocksdb_options_set_stats_dump_period_sec (result, 0);
  return result;
}

/* Opening writes, too; see database_options(). */
static gboolean
check_space_to_open (KvsqldRocksdbStore *self, GError **error)
{
  guint64 free_bytes = kvsqld_rocksdb_space_get_free (self);

  if (free_bytes >= NEEDED_TO_OPEN)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "could not open store \"rocksdb\" in \"%s\": %" G_GUINT64_FORMAT
                   " MiB are free on its disk",
                   self->path, free_bytes / MEGABYTE);
  return kvsql_error_hint (error, "Free at least %d MiB there.", NEEDED_TO_OPEN / MEGABYTE);
}

static gchar *
try_to_open (KvsqldRocksdbStore *self, const rocksdb_options_t *options)
{
  const char *name = "default";
  const rocksdb_options_t *family_options = options;
  char *cause = NULL;

  self->db = rocksdb_open_column_families (options, self->path, 1, &name, &family_options,
                                           &self->cells, &cause);
  return cause;
}

static gboolean
explain_failure (KvsqldRocksdbStore *self, gchar *cause, GError **error)
{
  gboolean is_locked = strstr (cause, "lock") != NULL && strstr (cause, "LOCK") != NULL;

  if (!is_locked)
    {
      g_autofree gchar *what = g_strdup_printf ("open store \"rocksdb\" in \"%s\"", self->path);

      return kvsqld_rocksdb_check (cause, what, error);
    }
  rocksdb_free (cause);
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "could not open store \"rocksdb\" in \"%s\": directory is in use", self->path);
  return kvsql_error_hint (error, "Only one daemon at a time can use a RocksDB directory.");
}

gboolean
kvsqld_rocksdb_open (KvsqldRocksdbStore *self, const KvsqldRocksdbOptions *options, GError **error)
{
  g_autoptr (rocksdb_options_t) database = NULL;
  gchar *cause;

  if (g_mkdir_with_parents (options->path, 0700) != 0)
    return kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                            "could not make directory \"%s\": %s", options->path,
                            g_strerror (errno));
  self->path = g_strdup (options->path);
  if (!check_space_to_open (self, error))
    return FALSE;
  database = database_options (options);
  cause = try_to_open (self, database);
  if (cause != NULL && strstr (cause, "not linked with the binary") != NULL)
    {
      /* This RocksDB was built without LZ4. */
      rocksdb_free (cause);
      rocksdb_options_set_compression (database, rocksdb_no_compression);
      cause = try_to_open (self, database);
    }
  if (cause != NULL)
    return explain_failure (self, cause, error);

  kvsqld_rocksdb_count_nothing ();
  self->read_options = rocksdb_readoptions_create ();
  self->write_options = rocksdb_writeoptions_create ();
  rocksdb_writeoptions_set_sync (self->write_options, options->sync);
  self->space.min_free_bytes = options->min_free_bytes;
  self->sync.interval_ms = options->sync_interval_ms;
  kvsqld_rocksdb_sync_start (self);
  return TRUE;
}
