/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql.h: the C client library of kvsql. Include this header.
 *
 * A program makes a #KvsqlConnection to kvsqld, sends statements and reads the rows of a
 * #KvsqlResult. It follows the rules of GLib: objects are reference-counted, and a failed function
 * sets a #GError.
 *
 * Blocking: a function that waits for kvsqld says "Blocks". All other functions return at once. A
 * call ends at most one second after the timeout of its connection, see
 * kvsql_connection_set_timeout(), also while a host name is resolved. A #GCancellable ends a call
 * earlier, with %G_IO_ERROR_CANCELLED. The socket is then closed, and kvsqld stops the statement.
 * It is unknown whether a write was executed.
 *
 * Asynchronous forms: a function whose name ends with _async returns at once and runs the blocking
 * function in another thread. The callback is called in the thread-default main context of the
 * caller. The callback calls the function whose name ends with _finish, once. The object, the text
 * and the parameters are kept until then. If the cancellable is cancelled before _finish is called,
 * the error is %G_IO_ERROR_CANCELLED, even if kvsqld has executed the statement.
 *
 * Threads: each header has a paragraph about threads.
 *
 * Ownership: a pointer that a function returns belongs to the object that it was called with,
 * unless it is marked (transfer full), in the manual page "Free it with": then the caller frees it.
 * Arguments are copied or referenced.
 *
 * Errors: they are of the domain %KVSQL_CLIENT_ERROR, or %G_IO_ERROR_CANCELLED. "The errors of a
 * call" are those that each request to kvsqld may have, see kvsql-error.h. The text of a function
 * names the others.
 *
 * Arguments: an argument that is not valid, such as a column number that is too large, is an error
 * of the program. The function logs a critical message and does nothing.
 */
#pragma once

#include "kvsql-types.h"
#include "kvsql-error.h"
#include "kvsql-params.h"
#include "kvsql-connection.h"
#include "kvsql-statement.h"
#include "kvsql-result.h"
#include "kvsql-bulk.h"
