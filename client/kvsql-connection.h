/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-connection.h: a connection to kvsqld.
 *
 * A connection connects at its first call, and again after its socket was lost. After a timeout or
 * a cancelled call the socket is closed, because a late answer could be taken for the next one. The
 * next call connects again. The last g_object_unref() closes the socket, as
 * kvsql_connection_close() does.
 *
 * URIs: `kvsql://[user[:password]@]host[:port][,host[:port]…][?option=value[&option=value]…]` or
 * `kvsql+unix:///path[?option=value]`. `kvsqls://` is the first one with TLS. `tcp://` and
 * `unix://`, as in kvsqld's `--listen`, are accepted too. Write an IPv6 address in brackets. Hosts
 * are tried in order until one answers, each for at most 10 seconds. After a lost socket the host
 * that answered last is tried first.
 *
 * Log-in: a URI with a user, or with the option `user=NAME`, logs in when it connects. The password
 * is in the URI, in the file that KVSQL_PASSFILE names or ~/.kvsqlpass (lines
 * `host:port:user:password`, mode 0600), or set by kvsql_connection_set_password(). A password in a
 * URI is written with %XX for `:`, `/`, `?`, `@` and `%`.
 *
 * TLS: the server's certificate has to be of a CA of the system, or of the file of `ca=FILE`, and
 * for the host of the URI. `verify=ca` accepts any host, `verify=none` any certificate: then a
 * server in between can read and change all. `cert=FILE` and `key=FILE` are the program's own
 * certificate, where kvsqld wants one. Files are PEM, and are read each time it connects.
 *
 * Options of a URI: `protocol=binary` (default) or `protocol=compact`. `framed=true` (default) or
 * `framed=false`. `spin_us=N`, 0 to 1000: if answers usually arrive soon, the calling thread polls
 * for up to N microseconds (default 50) before it blocks, which saves a wake-up. At most one thread
 * in two processors polls at the same time.
 *
 * Threads: several threads may use a connection. Their calls take turns on the one socket, and the
 * time in which a call waits for its turn counts as its own. If that time is over, the error is
 * %KVSQL_CLIENT_ERROR_DEADLINE, and nothing was sent. The functions that get and set a property
 * never wait for a call. A #KvsqlServerInfo never changes: any thread may read it.
 */
#pragma once

#include "kvsql-types.h"

G_BEGIN_DECLS

/**
 * KVSQL_TYPE_CONNECTION:
 *
 * The #GType of #KvsqlConnection. KVSQL_CONNECTION() and KVSQL_IS_CONNECTION() are the usual cast
 * and check.
 *
 * Since: 0.1
 */
#define KVSQL_TYPE_CONNECTION (kvsql_connection_get_type ())

/**
 * kvsql_connection_get_type:
 *
 * The function of the macro %KVSQL_TYPE_CONNECTION.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
G_DECLARE_FINAL_TYPE (KvsqlConnection, kvsql_connection, KVSQL, CONNECTION, GObject)

/**
 * kvsql_connection_new:
 * @uri: (nullable): where kvsqld is; %NULL for kvsql_get_default_uri()
 * @error: return location, or %NULL
 *
 * Makes a connection. It does not connect yet, so it is not known whether kvsqld can be reached.
 *
 * Errors: %KVSQL_CLIENT_ERROR_INVALID for a malformed URI.
 *
 * Returns: (transfer full): a connection, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlConnection *kvsql_connection_new (const gchar *uri, GError **error);

/**
 * kvsql_get_default_uri:
 *
 * Gives the URI of a connection without one: the value of the environment variable KVSQL_URI. If
 * that is not set or empty, it is the local UNIX socket: the one of the folder that this libkvsql
 * was configured with, if that exists, otherwise %KVSQL_DEFAULT_SOCKET.
 *
 * Returns: (transfer full): a URI
 *
 * Since: 0.1
 */
gchar *kvsql_get_default_uri (void);

/**
 * kvsql_connection_get_uri:
 * @self: a connection
 *
 * Gives the URI that the connection was made with.
 *
 * Returns: (transfer none): the URI
 *
 * Since: 0.1
 */
const gchar *kvsql_connection_get_uri (KvsqlConnection *self);

/**
 * kvsql_connection_new_like:
 * @model: a connection
 *
 * Makes another connection with the URI and the password of @model. Its other properties have their
 * defaults.
 *
 * Returns: (transfer full): a connection that has not connected yet
 *
 * Since: 0.2
 */
KvsqlConnection *kvsql_connection_new_like (KvsqlConnection *model);

/**
 * kvsql_connection_needs_password:
 * @self: a connection
 *
 * Tells whether the URI names a user, but no password is known: it is neither in the URI nor in the
 * password file, and was not set. Connecting would fail with %KVSQL_CLIENT_ERROR_AUTHENTICATION.
 *
 * Returns: %TRUE if the program should ask for a password
 *
 * Since: 0.2
 */
gboolean kvsql_connection_needs_password (KvsqlConnection *self);

/**
 * kvsql_connection_set_password:
 * @self: a connection that was not used yet
 * @password: UTF-8; copied
 *
 * Sets the password with which the user of the URI logs in. It is never sent: kvsqld gets a proof
 * that the program knows it, and proves that it knows the password's verifier.
 *
 * Since: 0.2
 */
void kvsql_connection_set_password (KvsqlConnection *self, const gchar *password);

/**
 * kvsql_password_make_verifier:
 * @password: UTF-8
 * @error: return location, or %NULL
 *
 * Computes what kvsqld stores of a password, for `CREATE ROLE … PASSWORD '…'`, so that the password
 * itself is not sent. The salt is random, so each call gives another text.
 *
 * Errors: %KVSQL_CLIENT_ERROR_INVALID for a password that is empty, longer than 1,024 bytes, or has
 * characters that are not supported.
 *
 * Returns: (transfer full): the verifier, or %NULL with @error set
 *
 * Since: 0.2
 */
gchar *kvsql_password_make_verifier (const gchar *password, GError **error);

/**
 * kvsql_connection_open:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL
 *
 * Connects now instead of at the first call. If there is a socket that its peer has not closed, the
 * function does nothing. Blocks.
 *
 * Errors: %KVSQL_CLIENT_ERROR_UNAVAILABLE if no host answers, %KVSQL_CLIENT_ERROR_LIMIT if kvsqld
 * has too many connections, %KVSQL_CLIENT_ERROR_DEADLINE if another call had the connection for too
 * long.
 *
 * Returns: %TRUE if the connection is open; %FALSE with @error set
 *
 * Since: 0.1
 */
gboolean kvsql_connection_open (KvsqlConnection *self, GCancellable *cancellable, GError **error);

/**
 * kvsql_connection_open_async:
 * @self: a connection
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_connection_open().
 *
 * Since: 0.1
 */
void kvsql_connection_open_async (KvsqlConnection *self, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data);

/**
 * kvsql_connection_open_finish:
 * @self: a connection
 * @result: the argument of the callback
 * @error: return location, or %NULL
 *
 * Ends kvsql_connection_open_async(). Errors: those of kvsql_connection_open().
 *
 * Returns: %TRUE if the connection is open; %FALSE with @error set
 *
 * Since: 0.1
 */
gboolean kvsql_connection_open_finish (KvsqlConnection *self, GAsyncResult *result, GError **error);

/**
 * kvsql_connection_close:
 * @self: a connection
 *
 * Closes the socket. The next call connects again. If another thread is in a call, the function
 * returns at once, and the socket is closed when that call has ended.
 *
 * Blocks for up to half a second: results and statements that were freed are closed in kvsqld
 * first. Rows of kvsql_bulk_send() without an answer get %KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME.
 *
 * Since: 0.1
 */
void kvsql_connection_close (KvsqlConnection *self);

/**
 * kvsql_connection_is_open:
 * @self: a connection
 *
 * Says whether there is a socket. It does not check whether the peer has closed it.
 *
 * Returns: %TRUE if a socket is open
 *
 * Since: 0.1
 */
gboolean kvsql_connection_is_open (KvsqlConnection *self);

/**
 * kvsql_connection_get_peer:
 * @self: a connection
 *
 * Gives the address of the connected kvsqld: the host and port as the URI names them, or the path
 * of the UNIX socket.
 *
 * Returns: (transfer full) (nullable): the address; %NULL if not connected
 *
 * Since: 0.1
 */
gchar *kvsql_connection_get_peer (KvsqlConnection *self);

/**
 * kvsql_connection_set_timeout:
 * @self: a connection
 * @timeout_ms: the longest time of one call in milliseconds, at least 1; the default is
 * %KVSQL_DEFAULT_TIMEOUT_MS
 *
 * Sets the timeout of the calls that begin later. kvsqld ends a statement after this time, or
 * earlier, if its own configuration (request_timeout_ms) allows less. The error is
 * %KVSQL_CLIENT_ERROR_DEADLINE. If kvsqld does not answer at all, the call ends one second later.
 * kvsql_connection_prepare() sends no timeout: kvsqld uses its own.
 *
 * Since: 0.1
 */
void kvsql_connection_set_timeout (KvsqlConnection *self, guint timeout_ms);

/**
 * kvsql_connection_get_timeout:
 * @self: a connection
 *
 * Gives the timeout of a call, see kvsql_connection_set_timeout().
 *
 * Returns: milliseconds
 *
 * Since: 0.1
 */
guint kvsql_connection_get_timeout (KvsqlConnection *self);

/**
 * kvsql_connection_set_page_size:
 * @self: a connection
 * @max_rows: the largest number of rows of a page, at most 1,000,000; 0: kvsqld decides
 * @max_bytes: the approximate size of a page in bytes, at most 8 MiB; 0: kvsqld decides
 *
 * Sets the size of the pages that are fetched later, also of results that are already open. A page
 * ends at the first of the two limits. kvsqld reduces a larger value. Its own values are 5,000 rows
 * and 1 MiB, if its configuration has no others.
 *
 * Since: 0.1
 */
void kvsql_connection_set_page_size (KvsqlConnection *self, guint max_rows, guint max_bytes);

/**
 * kvsql_connection_set_progress:
 * @self: a connection
 * @progress: whether kvsqld sends with each page which part of the result is done
 *
 * Sets whether the pages that are fetched later have a progress, see kvsql_result_get_progress().
 * It costs kvsqld two short requests to its store for a result of several pages. The default is
 * %FALSE.
 *
 * Since: 0.1
 */
void kvsql_connection_set_progress (KvsqlConnection *self, gboolean progress);

/**
 * kvsql_connection_set_read_only:
 * @self: a connection
 * @read_only: whether kvsqld rejects every statement that writes
 *
 * Sets whether calls may write, bulk inserts included. A statement that writes then fails with
 * %KVSQL_CLIENT_ERROR_READ_ONLY. The default is %FALSE.
 *
 * Since: 0.1
 */
void kvsql_connection_set_read_only (KvsqlConnection *self, gboolean read_only);

/**
 * kvsql_connection_set_verified_reads:
 * @self: a connection
 * @verified: whether each SELECT is executed as if it had the clause WITH VERIFIED
 *
 * Sets whether what is read was current during its statement, also while others write. Subqueries
 * of other statements are verified, too. A statement that reads a relation whose writes are plain
 * then fails with %KVSQL_CLIENT_ERROR_INVALID, if the store has no atomic batches. A result of
 * several pages may end with %KVSQL_CLIENT_ERROR_BAD_CURSOR if kvsqld had to give up its memory.
 * The default is %FALSE.
 *
 * Since: 0.1
 */
void kvsql_connection_set_verified_reads (KvsqlConnection *self, gboolean verified);

/**
 * kvsql_connection_query:
 * @self: a connection
 * @sql: one statement, UTF-8
 * @params: (nullable): values of its `?` or `:name`
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; has the position in @sql
 *
 * Runs a statement and reads the first page of its result. Blocks. Named parameters cost one more
 * call, which asks for their order.
 *
 * Errors: those of a call, and all that a statement can have: %KVSQL_CLIENT_ERROR_SYNTAX and
 * %KVSQL_CLIENT_ERROR_UNKNOWN_NAME for the text, %KVSQL_CLIENT_ERROR_INVALID also for a wrong
 * number of parameters, %KVSQL_CLIENT_ERROR_TYPE and %KVSQL_CLIENT_ERROR_VALUE for values,
 * %KVSQL_CLIENT_ERROR_STORE of the store. After %KVSQL_CLIENT_ERROR_UNKNOWN_OUTCOME, check whether
 * a write was executed.
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlResult *kvsql_connection_query (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                     GCancellable *cancellable, GError **error);

/**
 * kvsql_connection_query_async:
 * @self: a connection
 * @sql: one statement, UTF-8
 * @params: (nullable): values of its `?` or `:name`; must not change until the call has finished
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_connection_query().
 *
 * Since: 0.1
 */
void kvsql_connection_query_async (KvsqlConnection *self, const gchar *sql, KvsqlParams *params,
                                   GCancellable *cancellable, GAsyncReadyCallback callback,
                                   gpointer user_data);

/**
 * kvsql_connection_query_finish:
 * @self: a connection
 * @result: the argument of the callback
 * @error: return location, or %NULL; has the position in the statement
 *
 * Ends kvsql_connection_query_async(). Errors: those of kvsql_connection_query().
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlResult *kvsql_connection_query_finish (KvsqlConnection *self, GAsyncResult *result,
                                            GError **error);

/**
 * kvsql_connection_prepare:
 * @self: a connection
 * @sql: one statement, UTF-8
 * @cancellable: (nullable): a #GCancellable
 * @error: return location, or %NULL; has the position in @sql
 *
 * Prepares a statement, to be executed many times. kvsqld parses it once, and says which parameters
 * and columns it has. Blocks.
 *
 * Errors: those of a call, and %KVSQL_CLIENT_ERROR_SYNTAX, %KVSQL_CLIENT_ERROR_INVALID,
 * %KVSQL_CLIENT_ERROR_UNKNOWN_NAME and %KVSQL_CLIENT_ERROR_TYPE for the text.
 * %KVSQL_CLIENT_ERROR_LIMIT if kvsqld has too many prepared statements.
 *
 * Returns: (transfer full): a prepared statement, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlStatement *kvsql_connection_prepare (KvsqlConnection *self, const gchar *sql,
                                          GCancellable *cancellable, GError **error);

/**
 * kvsql_connection_prepare_async:
 * @self: a connection
 * @sql: one statement, UTF-8
 * @cancellable: (nullable): a #GCancellable
 * @callback: (scope async): called in the caller's main context when the call has finished
 * @user_data: for @callback
 *
 * The asynchronous form of kvsql_connection_prepare().
 *
 * Since: 0.1
 */
void kvsql_connection_prepare_async (KvsqlConnection *self, const gchar *sql,
                                     GCancellable *cancellable, GAsyncReadyCallback callback,
                                     gpointer user_data);

/**
 * kvsql_connection_prepare_finish:
 * @self: a connection
 * @result: the argument of the callback
 * @error: return location, or %NULL; has the position in the statement
 *
 * Ends kvsql_connection_prepare_async(). Errors: those of kvsql_connection_prepare().
 *
 * Returns: (transfer full): a prepared statement, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlStatement *kvsql_connection_prepare_finish (KvsqlConnection *self, GAsyncResult *result,
                                                 GError **error);

/**
 * KvsqlExplainFlags:
 * @KVSQL_EXPLAIN_TEXT: as text
 * @KVSQL_EXPLAIN_JSON: as JSON
 * @KVSQL_EXPLAIN_ANALYZE: also run the statement, and report what it cost; a statement that writes
 * then writes
 *
 * Flags of kvsql_connection_explain().
 *
 * Since: 0.1
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
 * @error: return location, or %NULL; has the position in @sql
 *
 * Asks kvsqld how it would run a statement. With %KVSQL_EXPLAIN_ANALYZE kvsqld runs it, a write
 * too. Blocks. Named parameters cost one more call. Text and JSON
 * are for people: they may change between versions. The statement EXPLAIN (CALLS, FORMAT JSON) has
 * a stable form.
 *
 * Errors: those of kvsql_connection_query().
 *
 * Returns: (transfer full): the plan, or %NULL with @error set
 *
 * Since: 0.1
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
 * Asks kvsqld for its version and state. kvsqld makes no request to its store or to ZooKeeper for
 * that, so it answers at once. Blocks.
 *
 * Errors: those of a call.
 *
 * Returns: (transfer full): the answer, or %NULL with @error set
 *
 * Since: 0.1
 */
KvsqlServerInfo *kvsql_connection_get_server_info (KvsqlConnection *self, GCancellable *cancellable,
                                                   GError **error);

/* ---- server info; texts belong to the info */

/**
 * KVSQL_TYPE_SERVER_INFO:
 *
 * The #GType of #KvsqlServerInfo, a boxed type.
 *
 * Since: 0.1
 */
#define KVSQL_TYPE_SERVER_INFO (kvsql_server_info_get_type ())

/**
 * kvsql_server_info_get_type:
 *
 * The function of the macro %KVSQL_TYPE_SERVER_INFO.
 *
 * Returns: the type
 *
 * Since: 0.1
 */
GType kvsql_server_info_get_type (void);

/**
 * kvsql_server_info_ref:
 * @self: an info
 *
 * Adds a reference. Any thread may call it.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
KvsqlServerInfo *kvsql_server_info_ref (KvsqlServerInfo *self);

/**
 * kvsql_server_info_unref:
 * @self: (nullable): an info
 *
 * Releases a reference. The last one frees the info with its texts. Any thread may call it.
 *
 * Since: 0.1
 */
void kvsql_server_info_unref (KvsqlServerInfo *self); /* accepts NULL */

/**
 * kvsql_server_info_get_version:
 * @self: an info
 *
 * Gives the version of kvsqld, such as "0.1.0".
 *
 * Returns: (transfer none): the version
 *
 * Since: 0.1
 */
const gchar *kvsql_server_info_get_version (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_api_version:
 * @self: an info
 *
 * Gives the version of the service that kvsqld implements. This libkvsql implements version 1.
 *
 * Returns: a version
 *
 * Since: 0.1
 */
gint kvsql_server_info_get_api_version (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_store:
 * @self: an info
 *
 * Gives the URL of the store of kvsqld, without passwords.
 *
 * Returns: (transfer none): a URL
 *
 * Since: 0.1
 */
const gchar *kvsql_server_info_get_store (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_registry:
 * @self: an info
 *
 * Gives the URL of the registry of kvsqld, without passwords.
 *
 * Returns: (transfer none): a URL
 *
 * Since: 0.1
 */
const gchar *kvsql_server_info_get_registry (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_epoch:
 * @self: an info
 *
 * Gives a number that grows with each change of the definitions. Two infos with the same number
 * have the same definitions, if they are of the same registry.
 *
 * Returns: the number; 0 before the first definition, and as long as kvsqld has not read any
 *
 * Since: 0.1
 */
gint64 kvsql_server_info_get_epoch (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_definitions_writable:
 * @self: an info
 *
 * Says whether definitions could be changed when kvsqld answered: whether it had its registry.
 *
 * Returns: %TRUE if definitions can be changed
 *
 * Since: 0.1
 */
gboolean kvsql_server_info_get_definitions_writable (const KvsqlServerInfo *self);

/**
 * kvsql_server_info_get_message:
 * @self: an info
 *
 * Gives the problem that kvsqld had with its registry or its definitions when it answered.
 *
 * Returns: (transfer none) (nullable): a text for people; %NULL if there is no problem
 *
 * Since: 0.1
 */
const gchar *kvsql_server_info_get_message (const KvsqlServerInfo *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlServerInfo, kvsql_server_info_unref)

G_END_DECLS
