/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * configuration.c: the table of keys, and the readers of the file and the command line that use it.
 */
#include "config.h"

#include "daemon/configuration.h"

#include <string.h>

#include "daemon/connections/encryption.h"
#include "daemon/net/listen.h"
#include "daemon/log/log.h"
#include "daemon/monitor/metrics-http.h"
#include "daemon/log/redact.h"
#include "daemon/postgres/address.h"
#include "idl/wire/spin.h"

#define FIELD(name) G_STRUCT_OFFSET (KvsqldConfig, name)
#define TEXT(group, key, field, value, reload, help)                                               \
  {                                                                                                \
    group, key, KVSQLD_CONFIG_STRING, FIELD (field), value, 0, 0, reload, help                     \
  }
#define LIST(group, key, field, value, reload, help)                                               \
  {                                                                                                \
    group, key, KVSQLD_CONFIG_LIST, FIELD (field), value, 0, 0, reload, help                       \
  }
#define LIMIT(key, value, minimum, maximum, reload, help)                                          \
  {                                                                                                \
    "limits", #key, KVSQLD_CONFIG_INTEGER, FIELD (key), value, minimum, maximum, reload, help      \
  }

static const KvsqldConfigKey config_keys[] = {
  TEXT ("kvsqld", "store", store, "rocksdb://" LOCALSTATEDIR "/lib/kvsql/data", FALSE,
        "URL of the store"),
  TEXT ("kvsqld", "registry", registry, "local://" LOCALSTATEDIR "/lib/kvsql/registry", FALSE,
        "URL of the registry of definitions"),
  TEXT ("kvsqld", "backup_directory", backup_directory, "", TRUE,
        "the folder that BACKUP makes its folders in; empty: there are no backups"),
  LIST ("kvsqld", "listen", listen, "unix://" RUNSTATEDIR "/kvsql/kvsqld.sock", FALSE,
        "addresses to listen on"),
  LIST ("kvsqld", "postgres_listen", postgres_listen, "", FALSE,
        "addresses to listen on for clients of PostgreSQL; empty: none"),
  TEXT ("kvsqld", "inherited_auth", inherited_auth, "", FALSE,
        "how clients of sockets from systemd prove who they are: scram, cert or none; empty: peer"),
  TEXT ("kvsqld", "inherited_tls", inherited_tls, "off", FALSE,
        "required or off: whether TCP sockets from systemd have TLS"),
  TEXT ("kvsqld", "tls_certificate", tls_certificate, "", TRUE,
        "PEM file of the certificate of addresses with tls, with those of its CAs"),
  TEXT ("kvsqld", "tls_key", tls_key, "", TRUE,
        "PEM file of its private key; empty: it is in tls_certificate"),
  TEXT ("kvsqld", "tls_client_ca", tls_client_ca, "", TRUE,
        "PEM file of the CAs of clients' certificates"),
  TEXT ("kvsqld", "tls_min_version", tls_min_version, "1.2", TRUE, "1.2 or 1.3"),
  LIST ("kvsqld", "tls_roles", tls_roles, "", TRUE,
        "NAME=ROLE: roles of certificates with these common names; all others name their role"),
  { "kvsqld", "socket_mode", KVSQLD_CONFIG_MODE, FIELD (socket_mode), "0660", 0, 0777, FALSE,
    "permissions of UNIX sockets" },
  { "kvsqld", "timestamp_lease_s", KVSQLD_CONFIG_INTEGER, FIELD (timestamp_lease_s), "3600", 10,
    604800, FALSE,
    "where daemons share a store, one gives out timestamps so long without reaching the registry" },
  { "kvsqld", "late_request_s", KVSQLD_CONFIG_INTEGER, FIELD (late_request_s), "3600", 1, 604800,
    FALSE, "the longest time that a request to HBase may take effect after it was given up" },
  { "kvsqld", "delete_grace_s", KVSQLD_CONFIG_INTEGER, FIELD (delete_grace_s), "86400", 2, 31536000,
    FALSE, "how long new tables in HBase remember deletes; longer than late_request_s" },
  { "kvsqld", "anchor_cleanup_interval_s", KVSQLD_CONFIG_INTEGER, FIELD (anchor_cleanup_interval_s),
    "86400", 0, 31536000, FALSE,
    "on HBase, how often one of the daemons removes anchors that no writer needs; 0: never" },
  TEXT ("log", "level", log_level, "info", TRUE, "error, warning, notice, info or debug"),
  TEXT ("log", "target", log_target, "auto", FALSE, "auto, journal or stderr"),
  TEXT ("log", "audit", audit, "off", TRUE,
        "on: log-ins, refused statements, and changes of definitions, roles and rights are logged"),
  { "log", "slow_statement_ms", KVSQLD_CONFIG_INTEGER, FIELD (slow_statement_ms), "10000", 0,
    86400000, TRUE, "statements that take longer are logged, without their values; 0: none" },
  TEXT ("metrics", "listen", metrics_listen, "", FALSE,
        "HOST:PORT for Prometheus over HTTP, HOST:PORT?tls=required over HTTPS; empty: none"),
  LIMIT (max_connections, "1000", 1, 100000, TRUE, "connections at once"),
  LIMIT (max_connections_per_peer, "500", 1, 100000, TRUE,
         "connections at once from one address; UNIX sockets count per user"),
  LIMIT (reserved_connections, "16", 1, 10000, TRUE,
         "connections beyond these bounds over UNIX sockets, half of them of the operator alone"),
  LIMIT (full_idle_timeout_s, "10", 1, 86400 * 30, TRUE,
         "where all places are taken, a connection that was idle for so long gives its own away"),
  LIMIT (max_message_bytes, "16384000", 65536, 16 << 20, TRUE, "longest request"),
  LIMIT (max_bytes_in_flight, "536870912", 16 << 20, G_MAXINT64, TRUE,
         "bytes of requests and replies that are held at once, over all connections"),
  LIMIT (handshake_timeout_ms, "10000", 1, 3600000, TRUE,
         "from connecting to the end of the log-in, or to the first byte of a request"),
  LIMIT (read_timeout_ms, "30000", 1, 3600000, TRUE, "from a request's first byte to its last"),
  LIMIT (write_timeout_ms, "60000", 1, 3600000, TRUE, "to hand a reply to the client"),
  LIMIT (idle_timeout_s, "1800", 1, 86400 * 30, TRUE, "a connection may wait between requests"),
  LIMIT (spin_us, "50", 0, KVSQL_SPIN_MAX_US, TRUE,
         "a thread waits awake for a request, where they come soon; 0: it sleeps at once"),
  LIMIT (request_timeout_ms, "60000", 1, 86400000, TRUE,
         "to serve a request; a client may ask for less"),
  LIMIT (max_statement_bytes, "4194304", 1024, 4 << 20, TRUE, "longest statement"),
  LIMIT (max_running_statements, "1000", 1, 100000, TRUE, "statements that run at once"),
  LIMIT (max_statement_memory, "268435456", 1 << 20, G_MAXINT64, TRUE, "memory of one statement"),
  LIMIT (max_memory, "2147483648", 16 << 20, G_MAXINT64, TRUE,
         "memory of all statements; beyond it those fail that hold more than an equal share"),
  LIMIT (max_result_rows, "0", 0, G_MAXINT64, TRUE,
         "rows of one result, over all its pages; 0: any number"),
  LIMIT (max_result_bytes, "0", 0, G_MAXINT64, TRUE,
         "bytes of one result, over all its pages; 0: any number"),
  LIMIT (page_rows, "5000", 1, 1000000, TRUE, "rows in a page unless the client asks otherwise"),
  LIMIT (page_bytes, "1048576", 1024, 8 << 20, TRUE,
         "bytes in a page unless the client asks otherwise"),
  LIMIT (sort_bytes, "67108864", 1 << 16, G_MAXINT64, TRUE,
         "memory that one statement may sort in, and that its groups may take"),
  TEXT ("limits", "sort_directory", sort_directory, "/var/tmp", TRUE,
        "where temporary files of sorting go; empty: the system's place for them"),
  LIMIT (sort_disk_bytes, "8589934592", 0, G_MAXINT64, TRUE,
         "temporary files that one statement may sort in; 0: none"),
  LIMIT (max_scan_rows, "0", 0, G_MAXINT64, TRUE,
         "rows that one statement may read from the store; 0: any number"),
  LIMIT (scan_workers, "0", 0, 256, TRUE,
         "threads that one long scan is read by, its connection's among them; 0: a processor each"),
  LIMIT (scan_serial_rows, "16384", 1, G_MAXINT64, TRUE,
         "tuples that a scan reads before what is left is cut in parts"),
  LIMIT (max_prepared_statements, "10000", 1, 10000000, TRUE,
         "prepared statements at once, of all connections"),
  LIMIT (max_session_statements, "1000", 1, 10000000, TRUE,
         "prepared statements at once, of one connection"),
  LIMIT (max_statement_shapes, "1000", 0, 100000, TRUE,
         "shapes of statements whose costs are counted; 0: none"),
  LIMIT (max_cursors, "200", 1, 100000, TRUE, "scans kept open between the pages of a result"),
  LIMIT (cursor_idle_s, "60", 1, 86400, TRUE, "how long such a scan is kept"),
  LIMIT (drain_timeout_s, "30", 0, 3600, TRUE,
         "how long running requests may take to end when the daemon stops"),
};

/* ---- fields through their offset */

static gpointer
field (const KvsqldConfig *self, const KvsqldConfigKey *key)
{
  return (guint8 *)self + key->offset;
}

static gchar *
field_to_text (const KvsqldConfig *self, const KvsqldConfigKey *key)
{
  switch (key->type)
    {
    case KVSQLD_CONFIG_STRING:
      return g_strdup (*(gchar **)field (self, key));
    case KVSQLD_CONFIG_LIST:
      return g_strjoinv (";", *(gchar ***)field (self, key));
    case KVSQLD_CONFIG_INTEGER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, *(gint64 *)field (self, key));
    case KVSQLD_CONFIG_MODE:
      return g_strdup_printf ("%04o", (guint) * (gint64 *)field (self, key));
    }
  g_return_val_if_reached (NULL);
}

static gchar **
split_list (const gchar *text)
{
  g_auto (GStrv) words = g_strsplit (text, ";", -1);
  GPtrArray *list = g_ptr_array_new ();

  for (guint i = 0; words[i] != NULL; i++)
    if (*g_strstrip (words[i]) != '\0')
      g_ptr_array_add (list, g_strdup (words[i]));
  g_ptr_array_add (list, NULL);
  return (gchar **)g_ptr_array_free (list, FALSE);
}

static gboolean
refuse_value (const KvsqldConfigKey *key, const gchar *text, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "bad value \"%s\" for \"%s\"", text,
                   key->key);
  if (key->type == KVSQLD_CONFIG_MODE)
    return kvsql_error_hint (error, "Permissions in octal digits; the default is %s.",
                             key->default_value);
  return kvsql_error_hint (
      error, "A whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT "; the default is %s.",
      key->minimum, key->maximum, key->default_value);
}

static gboolean
set_integer (KvsqldConfig *self, const KvsqldConfigKey *key, const gchar *text, GError **error)
{
  const guint base = key->type == KVSQLD_CONFIG_MODE ? 8 : 10;
  gint64 value = 0;

  if (!g_ascii_string_to_signed (text, base, key->minimum, key->maximum, &value, NULL))
    return refuse_value (key, text, error);
  *(gint64 *)field (self, key) = value;
  return TRUE;
}

static gboolean
set_field (KvsqldConfig *self, const KvsqldConfigKey *key, const gchar *text, GError **error)
{
  gchar **string = field (self, key);
  gchar ***list = field (self, key);

  switch (key->type)
    {
    case KVSQLD_CONFIG_STRING:
      g_free (*string);
      *string = g_strdup (text);
      return TRUE;
    case KVSQLD_CONFIG_LIST:
      g_strfreev (*list);
      *list = split_list (text);
      return TRUE;
    case KVSQLD_CONFIG_INTEGER:
    case KVSQLD_CONFIG_MODE:
      return set_integer (self, key, text, error);
    }
  g_return_val_if_reached (FALSE);
}

static KvsqldConfig *
config_new (void)
{
  KvsqldConfig *self = g_new0 (KvsqldConfig, 1);

  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    if (!set_field (self, &config_keys[i], config_keys[i].default_value, NULL))
      g_assert_not_reached ();
  return self;
}

/* ---- the file */

static const KvsqldConfigKey *
find_key (const gchar *group, const gchar *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    if (strcmp (config_keys[i].group, group) == 0 && strcmp (config_keys[i].key, name) == 0)
      return &config_keys[i];
  return NULL;
}

static gboolean
is_group (const gchar *group)
{
  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    if (strcmp (config_keys[i].group, group) == 0)
      return TRUE;
  return FALSE;
}

/* Suggests the nearest name of any group, because a key in the wrong group is as likely as a
 * typo. */
static gboolean
refuse_unknown (const gchar *group, const gchar *name, GError **error)
{
  const gchar *names[G_N_ELEMENTS (config_keys)];
  const gchar *suggestion;

  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    names[i] = name != NULL ? config_keys[i].key : config_keys[i].group;
  suggestion = kvsql_suggest (name != NULL ? name : group, names, G_N_ELEMENTS (names));

  if (name == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "unknown group [%s]", group);
      return suggestion != NULL ? kvsql_error_hint (error, "Did you mean [%s]?", suggestion)
                                : FALSE;
    }
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "unknown key \"%s\" in group [%s]",
                   name, group);
  for (guint i = 0; suggestion != NULL && i < G_N_ELEMENTS (config_keys); i++)
    if (config_keys[i].key == suggestion)
      return kvsql_error_hint (error, "Did you mean \"%s\" in group [%s]?", suggestion,
                               config_keys[i].group);
  return FALSE;
}

static gboolean
read_key (KvsqldConfig *self, GKeyFile *file, const gchar *group, const gchar *name, GError **error)
{
  const KvsqldConfigKey *key = find_key (group, name);
  g_autofree gchar *text = NULL;

  if (key == NULL)
    return refuse_unknown (group, name, error);
  text = g_key_file_get_value (file, group, name, error);
  if (text == NULL)
    return FALSE;
  if (set_field (self, key, g_strstrip (text), error))
    return TRUE;
  g_prefix_error (error, "group [%s]: ", group);
  return FALSE;
}

static gboolean
read_groups (KvsqldConfig *self, GKeyFile *file, GError **error)
{
  g_auto (GStrv) groups = g_key_file_get_groups (file, NULL);

  for (guint i = 0; groups[i] != NULL; i++)
    {
      g_auto (GStrv) names = g_key_file_get_keys (file, groups[i], NULL, NULL);

      if (!is_group (groups[i]))
        return refuse_unknown (groups[i], NULL, error);
      for (guint k = 0; names != NULL && names[k] != NULL; k++)
        if (!read_key (self, file, groups[i], names[k], error))
          return FALSE;
    }
  return TRUE;
}

static gboolean
read_file (KvsqldConfig *self, const gchar *path, gboolean may_be_absent, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GError) reason = NULL;

  if (!g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, &reason))
    {
      if (may_be_absent && g_error_matches (reason, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return TRUE;
      return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                              "could not read configuration \"%s\": %s", path, reason->message);
    }
  self->path = g_strdup (path);
  if (read_groups (self, file, error))
    return TRUE;
  g_prefix_error (error, "configuration \"%s\": ", path);
  return FALSE;
}

/* ---- the command line */

void
kvsqld_flags_clear (KvsqldFlags *self)
{
  g_free (self->config);
  g_free (self->store);
  g_free (self->registry);
  g_strfreev (self->listen);
  g_strfreev (self->postgres_listen);
  g_free (self->log_level);
  memset (self, 0, sizeof *self);
}

gboolean
kvsqld_flags_parse (KvsqldFlags *self, gint *argc, gchar ***argv, GError **error)
{
  const GOptionEntry entries[] = {
    { "config", 'c', 0, G_OPTION_ARG_FILENAME, &self->config, "Configuration file", "FILE" },
    { "store", 's', 0, G_OPTION_ARG_STRING, &self->store,
      "memory:, rocksdb:///DIR or hbase://HOST:PORT", "URL" },
    { "registry", 'r', 0, G_OPTION_ARG_STRING, &self->registry,
      "local:///DIR or zookeeper://HOST:PORT/CHROOT", "URL" },
    { "listen", 'l', 0, G_OPTION_ARG_STRING_ARRAY, &self->listen,
      "tcp://HOST:PORT?auth=scram|cert|none[&tls=required] or unix:///PATH; may be repeated",
      "ADDRESS" },
    { "postgres-listen", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->postgres_listen,
      "For clients of PostgreSQL: tcp://HOST:PORT?auth=scram|cert|none[&tls=required|optional] or "
      "unix:///DIRECTORY; may be repeated",
      "ADDRESS" },
    { "log-level", 0, 0, G_OPTION_ARG_STRING, &self->log_level,
      "error, warning, notice, info or debug", "LEVEL" },
    { "check-config", 0, 0, G_OPTION_ARG_NONE, &self->check_config,
      "Check the configuration, print it and exit", NULL },
    { "version", 'V', 0, G_OPTION_ARG_NONE, &self->show_version, "Print the version and exit",
      NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) reason = NULL;

  g_option_context_set_summary (context, "SQL over key-value stores with declared layouts.");
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, &reason))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "%s", reason->message);
  if (*argc > 1)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "unexpected argument \"%s\"", (*argv)[1]);
  return TRUE;
}

static void
replace_text (gchar **target, const gchar *value)
{
  if (value == NULL)
    return;
  g_free (*target);
  *target = g_strdup (value);
}

static void
apply_flags (KvsqldConfig *self, const KvsqldFlags *flags)
{
  replace_text (&self->store, flags->store);
  replace_text (&self->registry, flags->registry);
  replace_text (&self->log_level, flags->log_level);
  if (flags->listen != NULL)
    {
      g_strfreev (self->listen);
      self->listen = g_strdupv (flags->listen);
    }
  if (flags->postgres_listen != NULL)
    {
      g_strfreev (self->postgres_listen);
      self->postgres_listen = g_strdupv (flags->postgres_listen);
    }
}

/* ---- all sources */

gboolean
kvsqld_config_inherits_tls (const KvsqldConfig *self)
{
  return g_str_equal (self->inherited_tls, "required");
}

/* The same rules as for addresses. */
static gboolean
check_inherited (const KvsqldConfig *self, GError **error)
{
  const gboolean has_tls = kvsqld_config_inherits_tls (self);
  KvsqldAuth auth = KVSQLD_AUTH_PEER;

  if (self->inherited_auth[0] != '\0' && !kvsqld_auth_parse (self->inherited_auth, &auth))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"inherited_auth\" in group [kvsqld] is scram, cert, none, peer or "
                            "empty");
  if (!has_tls && !g_str_equal (self->inherited_tls, "off"))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"inherited_tls\" in group [kvsqld] is required or off");
  if (has_tls && self->tls_certificate[0] == '\0')
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"inherited_tls\" needs \"tls_certificate\" in group [kvsqld]");
  if (auth == KVSQLD_AUTH_CERT && (!has_tls || self->tls_client_ca[0] == '\0'))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"inherited_auth = cert\" needs \"inherited_tls = required\" and "
                            "\"tls_client_ca\" in group [kvsqld]");
  return TRUE;
}

static gboolean
has_log_in (const gchar *listen)
{
  g_autoptr (KvsqldListenAddress) address = kvsqld_listen_address_parse (listen, NULL);

  return address != NULL
         && (address->auth == KVSQLD_AUTH_SCRAM || address->auth == KVSQLD_AUTH_CERT);
}

gboolean
kvsqld_config_has_log_in (const KvsqldConfig *self)
{
  gboolean has_one
      = g_str_equal (self->inherited_auth, "scram") || g_str_equal (self->inherited_auth, "cert");

  for (guint i = 0; !has_one && self->listen[i] != NULL; i++)
    has_one = has_log_in (self->listen[i]);
  for (guint i = 0; !has_one && self->postgres_listen[i] != NULL; i++)
    has_one = has_log_in (self->postgres_listen[i]);
  return has_one;
}

/* What an address with TLS needs. */
static gboolean
check_tls (const KvsqldConfig *self, const KvsqldListenAddress *address, const gchar *listen,
           GError **error)
{
  if (address->tls != KVSQLD_TLS_OFF && self->tls_certificate[0] == '\0')
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "\"%s\" has TLS, but there is no \"tls_certificate\" in group [kvsqld]",
                       listen);
      return kvsql_error_hint (error, "It is a PEM file, and tls_key is that of its private key.");
    }
  if (address->asks_certificate && self->tls_client_ca[0] == '\0')
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "\"%s\" wants certificates of clients, but there is no \"tls_client_ca\" in "
                       "group [kvsqld]",
                       listen);
      return kvsql_error_hint (error,
                               "It is a PEM file of the CAs that sign certificates of clients.");
    }
  return TRUE;
}

/* A Thrift client cannot ask whether there is TLS. */
static gboolean
check_thrift (const gchar *listen, GError **error)
{
  g_autoptr (KvsqldListenAddress) address = kvsqld_listen_address_parse (listen, error);

  if (address == NULL || address->tls != KVSQLD_TLS_OPTIONAL)
    return address != NULL;
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "\"%s\": tls=optional is for postgres_listen", listen);
  return kvsql_error_hint (error,
                           "Write tls=required, and another address for clients without it.");
}

/* Everyone that reaches a ZooKeeper without credentials can write a role there. */
static gboolean
check_address (const KvsqldConfig *self, const gchar *listen, GError **error)
{
  g_autoptr (KvsqldListenAddress) address = kvsqld_listen_address_parse (listen, error);

  if (address == NULL || !check_tls (self, address, listen, error))
    return FALSE;
  if (!has_log_in (listen) || address->allows_insecure
      || !g_str_has_prefix (self->registry, "zookeeper:")
      || strstr (self->registry, "auth_file=") != NULL || strchr (self->registry, '@') != NULL)
    return TRUE;
  kvsql_error_set (
      error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
      "\"%s\" asks clients who they are, but every client of ZooKeeper could change the roles "
      "of the registry",
      listen);
  return kvsql_error_hint (error, "Give the registry an auth_file. Where the network keeps all "
                                  "others away from ZooKeeper, add allow_insecure=true to the "
                                  "address.");
}

static gboolean
check_audit (const KvsqldConfig *self, GError **error)
{
  return g_str_equal (self->audit, "on") || g_str_equal (self->audit, "off")
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                             "\"audit\" in group [log] is on or off, not \"%s\"", self->audit);
}

static gboolean
check (const KvsqldConfig *self, GError **error)
{
  GLogLevelFlags level;
  KvsqldLogTarget target;

  if (self->listen[0] == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"listen\" in group [kvsqld] names no address");
  for (guint i = 0; self->listen[i] != NULL; i++)
    if (!check_thrift (self->listen[i], error) || !check_address (self, self->listen[i], error))
      return FALSE;
  for (guint i = 0; self->postgres_listen[i] != NULL; i++)
    {
      g_autofree gchar *address = kvsqld_pg_address_complete (self->postgres_listen[i], error);

      if (address == NULL || !check_address (self, address, error))
        return FALSE;
    }
  if (!g_str_equal (self->tls_min_version, "1.2") && !g_str_equal (self->tls_min_version, "1.3"))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"tls_min_version\" in group [kvsqld] is 1.2 or 1.3");
  if (!kvsqld_encryption_check_roles (self->tls_roles, error))
    return FALSE;
  if (!check_inherited (self, error))
    return FALSE;
  if (self->delete_grace_s <= self->late_request_s)
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"delete_grace_s\" in group [kvsqld] has to be more than "
                            "\"late_request_s\", which is %" G_GINT64_FORMAT,
                            self->late_request_s);
  if (self->metrics_listen[0] != '\0' && !kvsqld_metrics_http_check (self->metrics_listen, error))
    {
      g_prefix_error (error, "\"listen\" in group [metrics]: ");
      return FALSE;
    }
  if (kvsqld_metrics_http_has_tls (self->metrics_listen) && self->tls_certificate[0] == '\0')
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"listen\" in group [metrics] has TLS, but there is no "
                            "\"tls_certificate\" in group [kvsqld]");
  if (self->sort_directory[0] != '\0' && !g_file_test (self->sort_directory, G_FILE_TEST_IS_DIR))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"sort_directory\" in group [limits]: \"%s\" is not a directory",
                            self->sort_directory);
  if (self->backup_directory[0] != '\0'
      && (!g_path_is_absolute (self->backup_directory)
          || !g_file_test (self->backup_directory, G_FILE_TEST_IS_DIR)))
    return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                            "\"backup_directory\" in group [kvsqld]: \"%s\" is not the absolute "
                            "path of a directory",
                            self->backup_directory);
  return kvsqld_log_parse_level (self->log_level, &level, error)
         && kvsqld_log_parse_target (self->log_target, &target, error) && check_audit (self, error);
}

KvsqldConfig *
kvsqld_config_load (const KvsqldFlags *flags, GError **error)
{
  g_autoptr (KvsqldConfig) self = config_new ();
  const gchar *path = flags->config != NULL ? flags->config : KVSQLD_CONFIG_DEFAULT_PATH;

  if (!read_file (self, path, flags->config == NULL, error))
    return NULL;
  apply_flags (self, flags);
  return check (self, error) ? g_steal_pointer (&self) : NULL;
}

void
kvsqld_config_free (KvsqldConfig *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    {
      if (config_keys[i].type == KVSQLD_CONFIG_STRING)
        g_free (*(gchar **)field (self, &config_keys[i]));
      else if (config_keys[i].type == KVSQLD_CONFIG_LIST)
        g_strfreev (*(gchar ***)field (self, &config_keys[i]));
    }
  g_free (self->path);
  g_free (self);
}

const KvsqldConfigKey *
kvsqld_config_keys (guint *out_n_keys)
{
  *out_n_keys = G_N_ELEMENTS (config_keys);
  return config_keys;
}

gchar **
kvsqld_config_changes (const KvsqldConfig *before, const KvsqldConfig *after)
{
  GPtrArray *changes = g_ptr_array_new ();

  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    {
      const KvsqldConfigKey *key = &config_keys[i];
      g_autofree gchar *old_text = field_to_text (before, key);
      g_autofree gchar *new_text = field_to_text (after, key);

      if (!key->is_reloadable && strcmp (old_text, new_text) != 0)
        g_ptr_array_add (changes, g_strconcat (key->group, ".", key->key, NULL));
    }
  g_ptr_array_add (changes, NULL);
  return (gchar **)g_ptr_array_free (changes, FALSE);
}

gchar *
kvsqld_config_to_text (const KvsqldConfig *self)
{
  GString *text = g_string_new (NULL);
  const gchar *group = "";

  for (guint i = 0; i < G_N_ELEMENTS (config_keys); i++)
    {
      const KvsqldConfigKey *key = &config_keys[i];
      g_autofree gchar *value = field_to_text (self, key);
      g_autofree gchar *shown = kvsqld_redact_urls (value);

      if (strcmp (group, key->group) != 0)
        g_string_append_printf (text, "%s[%s]\n", text->len > 0 ? "\n" : "", key->group);
      group = key->group;
      g_string_append_printf (text, "%s = %s\n", key->key, shown);
    }
  return g_string_free (text, FALSE);
}
