/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-connection.h: a connection to kvsqld.
 *
 * A connection connects at its first call, and again after its socket was lost. After a timeout or
 * a cancelled call the socket is closed, because a late answer could be taken for the next one. The
 * next call connects again.
 *
 * URIs: `kvsql://host[:port][,host[:port]…][?protocol=binary|compact][&framed=true|false]`; the
 * hosts are tried in order until one answers. Or `kvsql+unix:///path`. `tcp://` and `unix://`, as
 * in kvsqld's `--listen`, are accepted too. Write an IPv6 address in brackets. `spin_us=N`: if
 * answers usually arrive soon, the calling thread polls for up to N microseconds (default 50)
 * before it blocks, which saves a wake-up. At most one thread in two processors polls at the same
 * time.
 *
 * Threads: several threads may use a connection; their calls take turns on the one socket.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

#define KVSQL_TYPE_CONNECTION (kvsql_connection_get_type ())
G_DECLARE_FINAL_TYPE (KvsqlConnection, kvsql_connection, KVSQL, CONNECTION, GObject)

/**
 * kvsql_connection_new:
 * @uri: (nullable): where kvsqld is; %NULL for kvsql_get_default_uri()
 * @error: return location, or %NULL; only for a malformed URI
 *
 * Does not connect yet.
 *
 * Returns: (transfer full): a connection, or %NULL with @error set
 */
KvsqlConnection *kvsql_connection_new (const gchar *uri, GError **error);

/**
 * kvsql_get_default_uri:
 *
 * Returns: (transfer full): the environment's KVSQL_URI; if not set, the local UNIX socket
 */
gchar *kvsql_get_default_uri (void);

/**
 * kvsql_connection_get_uri:
 * @self: a connection
 *
 * Returns: (transfer none): the URI that the connection was created with
 */
const gchar *kvsql_connection_get_uri (KvsqlConnection *self);

/**
 * kvsql_connection_open:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Connects now instead of at the first call. Does nothing if it is connected.
 *
 * Returns: %FALSE with @error set if no host answers
 */
gboolean kvsql_connection_open (KvsqlConnection *self, GCancellable *cancellable, GError **error);

/**
 * kvsql_connection_open_async:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_connection_open(). The call runs in a thread of its own.
 */
void kvsql_connection_open_async (KvsqlConnection *self, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);

/**
 * kvsql_connection_open_finish:
 * @self: a connection
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Returns: as kvsql_connection_open()
 */
gboolean kvsql_connection_open_finish (KvsqlConnection *self, GAsyncResult *result, GError **error);

/**
 * kvsql_connection_close:
 * @self: a connection
 *
 * Closes the socket after the running call, if any, has ended. The next call connects again.
 * Results and statements that were freed are closed in kvsqld first; this function waits up to half
 * a second for the answers.
 */
void kvsql_connection_close (KvsqlConnection *self);

/**
 * kvsql_connection_is_open:
 * @self: a connection
 *
 * Does not block, and does not check whether the peer is still there.
 *
 * Returns: whether a socket is open
 */
gboolean kvsql_connection_is_open (KvsqlConnection *self);

/**
 * kvsql_connection_get_peer:
 * @self: a connection
 *
 * Returns: (transfer full) (nullable): the address of the connected kvsqld, %NULL if not connected
 */
gchar *kvsql_connection_get_peer (KvsqlConnection *self);

/**
 * kvsql_connection_set_timeout:
 * @self: a connection
 * @timeout_ms: the longest time of one call in milliseconds, at least 1; the default is
 * %KVSQL_DEFAULT_TIMEOUT_MS
 *
 * kvsqld stops executing a request after this time. If kvsqld does not answer at all, the call ends
 * one second later.
 */
void kvsql_connection_set_timeout (KvsqlConnection *self, guint timeout_ms);

/**
 * kvsql_connection_get_timeout:
 * @self: a connection
 *
 * Returns: the longest time of one call in milliseconds
 */
guint kvsql_connection_get_timeout (KvsqlConnection *self);

/**
 * kvsql_connection_set_page_size:
 * @self: a connection
 * @max_rows: the largest number of rows of a page, 0: kvsqld decides
 * @max_bytes: the approximate size of a page in bytes, 0: kvsqld decides
 */
void kvsql_connection_set_page_size (KvsqlConnection *self, guint max_rows, guint max_bytes);

/**
 * kvsql_connection_set_progress:
 * @self: a connection
 * @progress: whether kvsqld sends with each page which part of the result is done
 *
 * Costs kvsqld two short requests to its store for a result of several pages. Read the progress by
 * kvsql_result_get_progress().
 */
void kvsql_connection_set_progress (KvsqlConnection *self, gboolean progress);

/**
 * kvsql_connection_set_read_only:
 * @self: a connection
 * @read_only: whether kvsqld rejects every statement that writes
 */
void kvsql_connection_set_read_only (KvsqlConnection *self, gboolean read_only);

/**
 * kvsql_connection_query:
 * @self: a connection
 * @sql: one statement
 * @params: (nullable): values of its `?` or `:name`
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; contains the position in @sql
 *
 * Runs a statement. Named parameters cost one more round trip, which asks for their order.
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 */
KvsqlResult *kvsql_connection_query (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                     GCancellable *cancellable, GError **error);

/**
 * kvsql_connection_query_async:
 * @self: a connection
 * @sql: one statement
 * @params: (nullable): values of its `?` or `:name`; must not change until the call has finished
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_connection_query().
 */
void kvsql_connection_query_async (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);

/**
 * kvsql_connection_query_finish:
 * @self: a connection
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Returns: (transfer full): as kvsql_connection_query()
 */
KvsqlResult *kvsql_connection_query_finish (KvsqlConnection *self, GAsyncResult *result,
                                            GError **error);

/**
 * kvsql_connection_prepare:
 * @self: a connection
 * @sql: one statement
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; contains the position in @sql
 *
 * Returns: (transfer full): a prepared statement, to be executed many times, or %NULL with @error
 * set
 */
KvsqlStatement *kvsql_connection_prepare (KvsqlConnection *self, const gchar *sql,
                                          GCancellable *cancellable, GError **error);

/**
 * kvsql_connection_prepare_async:
 * @self: a connection
 * @sql: one statement
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_connection_prepare().
 */
void kvsql_connection_prepare_async (KvsqlConnection *self, const gchar *sql,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/**
 * kvsql_connection_prepare_finish:
 * @self: a connection
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Returns: (transfer full): as kvsql_connection_prepare()
 */
KvsqlStatement *kvsql_connection_prepare_finish (KvsqlConnection *self, GAsyncResult *result,
                                                 GError **error);

/**
 * KvsqlExplainFlags:
 * @KVSQL_EXPLAIN_TEXT: as text for people
 * @KVSQL_EXPLAIN_JSON: as JSON for programs
 * @KVSQL_EXPLAIN_ANALYZE: also run the statement, and report what it cost
 *
 * Flags of kvsql_connection_explain().
 */
typedef enum
{
  KVSQL_EXPLAIN_TEXT = 0,
  KVSQL_EXPLAIN_JSON = 1 << 0,
  KVSQL_EXPLAIN_ANALYZE = 1 << 1
} KvsqlExplainFlags;

/**
 * kvsql_connection_explain:
 * @self: a connection
 * @sql: the statement to explain, without EXPLAIN
 * @params: (nullable): values of its `?` or `:name`
 * @flags: form of the answer, and whether to run the statement
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; contains the position in @sql
 *
 * Returns: (transfer full): how kvsqld would run @sql, or %NULL with @error set
 */
gchar *kvsql_connection_explain (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                 KvsqlExplainFlags flags, GCancellable *cancellable,
                                 GError **error);

/**
 * kvsql_connection_get_server_info:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Asks kvsqld for its version and state.
 *
 * Returns: (transfer full): its answer, or %NULL with @error set
 */
KvsqlServerInfo *kvsql_connection_get_server_info (KvsqlConnection *self, GCancellable *cancellable,
                                                   GError **error);

/* ---- server info; texts belong to the info */

#define KVSQL_TYPE_SERVER_INFO (kvsql_server_info_get_type ())
GType kvsql_server_info_get_type (void);

/**
 * kvsql_server_info_ref:
 * @self: an info
 *
 * Returns: (transfer full): @self with one more reference
 */
KvsqlServerInfo *kvsql_server_info_ref (KvsqlServerInfo *self);

/**
 * kvsql_server_info_unref:
 * @self: (nullable): an info
 *
 * Releases a reference. The last one frees the info with its texts.
 */
void kvsql_server_info_unref (KvsqlServerInfo *self); /* accepts NULL */

/**
 * kvsql_server_info_get_version:
 * @self: an info
 *
 * Returns: (transfer none): the version of kvsqld
 */
const gchar *kvsql_server_info_get_version (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_api_version:
 * @self: an info
 *
 * Returns: the version of the service that kvsqld implements
 */
gint kvsql_server_info_get_api_version (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_store:
 * @self: an info
 *
 * Returns: (transfer none): the URL of the store
 */
const gchar *kvsql_server_info_get_store (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_registry:
 * @self: an info
 *
 * Returns: (transfer none): the URL of the registry
 */
const gchar *kvsql_server_info_get_registry (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_epoch:
 * @self: an info
 *
 * Returns: a number that grows with each change of the definitions
 */
gint64 kvsql_server_info_get_epoch (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_definitions_writable:
 * @self: an info
 *
 * Returns: whether definitions can be changed now
 */
gboolean kvsql_server_info_get_definitions_writable (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_message:
 * @self: an info
 *
 * Returns: (transfer none) (nullable): the current problem of kvsqld, %NULL if there is none
 */
const gchar *kvsql_server_info_get_message (const KvsqlServerInfo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlServerInfo, kvsql_server_info_unref)

G_END_DECLS
