/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * configuration.h: all settings of kvsqld, in one struct.
 *
 * There are three sources, and the later ones win: the defaults in the table of keys, the
 * configuration file, the command line. The table of keys drives parsing, the errors for unknown
 * keys and values out of range, --check-config, and the test that compares the man page with it. An
 * unknown key is an error, so that a misspelt limit does not silently become the default.
 *
 * Threads: a KvsqldConfig is immutable after loading.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

/* The file that is read without --config; it need not exist. */
#define KVSQLD_CONFIG_DEFAULT_PATH SYSCONFDIR "/kvsql/kvsqld.conf"

typedef struct
{
  gchar *path;             /* nullable: the file that was read */
  gchar *store;            /* URL, may hold secrets: see kvsqld_redact_urls() */
  gchar *registry;         /* URL, may hold secrets, too */
  gchar *backup_directory; /* absolute, or empty */
  gchar **listen;          /* checked addresses; at least one */
  gchar **postgres_listen; /* checked for kvsqld_pg_address_complete(); may be empty */
  gchar *inherited_auth, *inherited_tls;
  gchar *tls_certificate, *tls_key, *tls_client_ca; /* files; may be empty */
  gchar *tls_min_version;                           /* 1.2 or 1.3 */
  gchar **tls_roles;
  gint64 socket_mode; /* permissions of UNIX sockets */
  gint64 timestamp_lease_s;
  gint64 late_request_s;
  gint64 delete_grace_s;
  gint64 anchor_cleanup_interval_s;

  gchar *audit;      /* "on" or "off" */
  gchar *log_level;  /* one of kvsqld_log_parse_level() */
  gchar *log_target; /* one of kvsqld_log_parse_target() */
  gint64 slow_statement_ms;
  gchar *metrics_listen; /* HOST:PORT; empty: none */

  gint64 max_connections;
  gint64 max_connections_per_peer;
  gint64 reserved_connections;
  gint64 full_idle_timeout_s;
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
  gint64 max_session_statements;
  gint64 max_statement_shapes;
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
  const gchar *default_value; /* as in a file */
  gint64 minimum;             /* integers */
  gint64 maximum;
  gboolean is_reloadable; /* SIGHUP applies a change */
  const gchar *help;
} KvsqldConfigKey;

/* The options of the command line. Zero it, load it, clear it. */
typedef struct
{
  gchar *config; /* nullable: the file to read */
  gchar *store;
  gchar *registry;
  gchar **listen;
  gchar **postgres_listen;
  gchar *log_level;
  gboolean check_config;
  gboolean show_version;
} KvsqldFlags;

void kvsqld_flags_clear (KvsqldFlags *self);

/**
 * kvsqld_flags_parse:
 * @argv: (inout): as given to main(); known options are removed
 *
 * Returns: %FALSE with an error on an unknown option or a stray argument. `--help` ends the
 * process.
 */
gboolean kvsqld_flags_parse (KvsqldFlags *self, gint *argc, gchar ***argv,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsqld_config_load:
 * @flags: of the command line. The file that they name is read, or else the default file, if it
 *   exists.
 *
 * Errors name the file, the group and the key (%KVSQL_ERROR_INVALID). A file named by @flags that
 * cannot be read gives %KVSQL_ERROR_INVALID too.
 *
 * Returns: (transfer full): the checked configuration
 */
KvsqldConfig *kvsqld_config_load (const KvsqldFlags *flags,
                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_config_free (KvsqldConfig *self);

/* Of inherited sockets: required, or off. */
gboolean kvsqld_config_inherits_tls (const KvsqldConfig *self);
/* Whether clients of an address, or of inherited sockets, log in or show a certificate. */
gboolean kvsqld_config_has_log_in (const KvsqldConfig *self);

/* The table of keys, for the man page's test and --check-config. */
const KvsqldConfigKey *kvsqld_config_keys (guint *out_n_keys);

/**
 * kvsqld_config_changes:
 * @before: the running configuration
 * @after: the reloaded one
 *
 * Returns: (transfer full): "group.key" of every key that differs and needs a restart;
 * NULL-terminated
 */
gchar **kvsqld_config_changes (const KvsqldConfig *before, const KvsqldConfig *after);

/* The configuration as the text of a file, with secrets masked. (transfer full) */
gchar *kvsqld_config_to_text (const KvsqldConfig *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldConfig, kvsqld_config_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqldFlags, kvsqld_flags_clear)

G_END_DECLS
