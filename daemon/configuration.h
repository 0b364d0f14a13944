/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * configuration.h: everything that can be set about kvsqld, in one struct.
 *
 * Three sources, the later ones win: the defaults of the key table, the configuration
 * file, the command line. The table of keys drives parsing, the errors for unknown
 * keys and values out of range, --check-config, and the test that holds the man page
 * to it. An unknown key is an error: a misspelt limit must not silently be the default.
 *
 * Threads: a KvsqldConfig is immutable once loaded.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

/* Where a file is looked for when --config is not given; there may be none. */
#define KVSQLD_CONFIG_DEFAULT_PATH SYSCONFDIR "/kvsql/kvsqld.conf"

typedef struct
{
  gchar *path;             /* nullable: the file that was read */
  gchar *store;            /* URL, may hold secrets: see kvsqld_redact_urls() */
  gchar *registry;         /* URL, likewise */
  gchar *backup_directory; /* absolute, or empty */
  gchar **listen;          /* checked addresses; at least one */
  gint64 socket_mode;      /* permissions of UNIX sockets */

  gchar *log_level;  /* one of kvsqld_log_parse_level() */
  gchar *log_target; /* one of kvsqld_log_parse_target() */
  gint64 slow_statement_ms;
  gchar *metrics_listen; /* HOST:PORT; empty: none */

  gint64 max_connections;
  gint64 max_connections_per_peer;
  gint64 max_message_bytes;
  gint64 max_bytes_in_flight;
  gint64 handshake_timeout_ms;
  gint64 read_timeout_ms;
  gint64 write_timeout_ms;
  gint64 idle_timeout_s;
  gint64 spin_us;
  gint64 request_timeout_ms;
  gint64 max_statement_bytes;
  gint64 max_running_statements;
  gint64 max_statement_memory;
  gint64 max_memory;
  gint64 max_result_rows;
  gint64 max_result_bytes;
  gint64 page_rows;
  gint64 page_bytes;
  gint64 sort_bytes;
  gchar *sort_directory;
  gint64 sort_disk_bytes;
  gint64 max_scan_rows;
  gint64 scan_workers;
  gint64 scan_serial_rows;
  gint64 max_prepared_statements;
  gint64 max_cursors;
  gint64 cursor_idle_s;
  gint64 drain_timeout_s;
} KvsqldConfig;

typedef enum
{
  KVSQLD_CONFIG_STRING,
  KVSQLD_CONFIG_LIST, /* separated by ';' */
  KVSQLD_CONFIG_INTEGER,
  KVSQLD_CONFIG_MODE, /* octal; a gint64 too */
} KvsqldConfigType;

typedef struct
{
  const gchar *group;
  const gchar *key;
  KvsqldConfigType type;
  gsize offset;               /* of the field in KvsqldConfig */
  const gchar *default_value; /* as it would stand in a file */
  gint64 minimum;             /* integers */
  gint64 maximum;
  gboolean is_reloadable; /* a SIGHUP is enough */
  const gchar *help;
} KvsqldConfigKey;

/* What the command line said. Zero it, load it, clear it. */
typedef struct
{
  gchar *config; /* nullable: the file to read */
  gchar *store;
  gchar *registry;
  gchar **listen;
  gchar *log_level;
  gboolean check_config;
  gboolean show_version;
} KvsqldFlags;

void kvsqld_flags_clear (KvsqldFlags *self);

/**
 * kvsqld_flags_parse:
 * @argv: (inout): as given to main(); what was understood is removed
 *
 * Returns: %FALSE with an error on an unknown option or a stray argument. `--help` ends the
 * process.
 */
gboolean kvsqld_flags_parse (KvsqldFlags *self, gint *argc, gchar ***argv, GError **error);

/**
 * kvsqld_config_load:
 * @flags: what the command line said; its file is read, or the default one if there is one
 *
 * Errors name the file, the group and the key (%KVSQL_ERROR_INVALID); a file named by @flags
 * that cannot be read gives %KVSQL_ERROR_INVALID too.
 *
 * Returns: (transfer full): the configuration, checked
 */
KvsqldConfig *kvsqld_config_load (const KvsqldFlags *flags,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_config_free (KvsqldConfig *self);

/* The table, for the man page's test and --check-config. */
const KvsqldConfigKey *kvsqld_config_keys (guint *out_n_keys);

/**
 * kvsqld_config_changes:
 * @before: what the daemon runs with
 * @after: what a reload read
 *
 * Returns: (transfer full): "group.key" of every key that differs and needs a restart;
 * NULL-terminated
 */
gchar **kvsqld_config_changes (const KvsqldConfig *before, const KvsqldConfig *after);

/* The configuration as a file would hold it, secrets masked. (transfer full) */
gchar *kvsqld_config_to_text (const KvsqldConfig *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldConfig, kvsqld_config_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldFlags, kvsqld_flags_clear)

G_END_DECLS
