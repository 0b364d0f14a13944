/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql.h: the C client library of kvsql. Include this header.
 *
 * A program opens a #KvsqlConnection to kvsqld, sends statements and reads the rows of a
 * #KvsqlResult. A function that waits for kvsqld ends within the connection's timeout. Nearly all
 * of them take a #GCancellable, and the most used ones have an asynchronous form. Errors are of the
 * domain %KVSQL_CLIENT_ERROR (or %G_IO_ERROR_CANCELLED).
 */
#pragma once

#include "kvsql-types.h"
#include "kvsql-error.h"
#include "kvsql-params.h"
#include "kvsql-connection.h"
#include "kvsql-statement.h"
#include "kvsql-result.h"
#include "kvsql-bulk.h"
