/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-types.h: the types and constants that all headers of libkvsql use.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * KVSQL_DEFAULT_PORT:
 *
 * The TCP port of a URI without a port. kvsqld listens on TCP only if it is configured to.
 *
 * Since: 0.1
 */
#define KVSQL_DEFAULT_PORT 5797

/**
 * KVSQL_DEFAULT_SOCKET:
 *
 * The UNIX socket of a `kvsql+unix:` URI without a path, and of a kvsqld without other
 * configuration.
 *
 * Since: 0.1
 */
#define KVSQL_DEFAULT_SOCKET "/run/kvsql/kvsqld.sock"

/**
 * KVSQL_DEFAULT_TIMEOUT_MS:
 *
 * The timeout of a new connection, in milliseconds.
 *
 * Since: 0.1
 */
#define KVSQL_DEFAULT_TIMEOUT_MS 60000

/**
 * KvsqlConnection:
 *
 * A connection to kvsqld: a #GObject, see kvsql_connection_new().
 *
 * Since: 0.1
 */
typedef struct _KvsqlConnection KvsqlConnection;

/**
 * KvsqlStatement:
 *
 * A prepared statement: a #GObject, see kvsql_connection_prepare().
 *
 * Since: 0.1
 */
typedef struct _KvsqlStatement KvsqlStatement;

/**
 * KvsqlResult:
 *
 * The result of a statement: a #GObject, see kvsql_connection_query() and
 * kvsql_statement_execute().
 *
 * Since: 0.1
 */
typedef struct _KvsqlResult KvsqlResult;

/**
 * KvsqlParams:
 *
 * Values for the parameters of a statement: a boxed type, see kvsql_params_new(). Free it with
 * kvsql_params_unref().
 *
 * Since: 0.1
 */
typedef struct _KvsqlParams KvsqlParams;

/**
 * KvsqlBulk:
 *
 * Tuples that are inserted together: a #GObject, see kvsql_bulk_new().
 *
 * Since: 0.1
 */
typedef struct _KvsqlBulk KvsqlBulk;

/**
 * KvsqlServerInfo:
 *
 * The version and the state of a kvsqld: a boxed type that never changes, see
 * kvsql_connection_get_server_info(). Free it with kvsql_server_info_unref().
 *
 * Since: 0.1
 */
typedef struct _KvsqlServerInfo KvsqlServerInfo;

/**
 * KvsqlColumnType:
 * @KVSQL_COLUMN_TYPE_NULL: a column with only NULLs, or a parameter of any type
 * @KVSQL_COLUMN_TYPE_STRING: UTF-8 text
 * @KVSQL_COLUMN_TYPE_BYTES: bytes
 * @KVSQL_COLUMN_TYPE_BOOLEAN: true or false
 * @KVSQL_COLUMN_TYPE_INT: a 32-bit integer
 * @KVSQL_COLUMN_TYPE_BIGINT: a 64-bit integer
 * @KVSQL_COLUMN_TYPE_FLOAT: a number with 24 bits of mantissa
 * @KVSQL_COLUMN_TYPE_DOUBLE: a number with 53 bits of mantissa
 * @KVSQL_COLUMN_TYPE_DECIMAL: an exact decimal number, as text
 * @KVSQL_COLUMN_TYPE_DATE: days since 1970-01-01, an integer
 * @KVSQL_COLUMN_TYPE_TIMESTAMP: milliseconds since 1970-01-01T00:00:00Z, an integer
 * @KVSQL_COLUMN_TYPE_MAP: JSON text
 * @KVSQL_COLUMN_TYPE_LIST: JSON text
 * @KVSQL_COLUMN_TYPE_TIME: milliseconds since midnight, an integer
 * @KVSQL_COLUMN_TYPE_INTERVAL: months, days and a time, as text
 * @KVSQL_COLUMN_TYPE_UUID: a UUID, as text of 36 characters
 * @KVSQL_COLUMN_TYPE_JSON: JSON text as it was written
 * @KVSQL_COLUMN_TYPE_JSONB: JSON text as PostgreSQL prints JSONB
 *
 * The type of a column or of a parameter. A newer kvsqld may send other numbers. Such a column can
 * be read by the functions that fit its values: kvsql_result_get_text() fits all.
 *
 * Since: 0.1
 */
typedef enum
{
  KVSQL_COLUMN_TYPE_NULL = 0,
  KVSQL_COLUMN_TYPE_STRING = 1,
  KVSQL_COLUMN_TYPE_BYTES = 2,
  KVSQL_COLUMN_TYPE_BOOLEAN = 3,
  KVSQL_COLUMN_TYPE_INT = 4,
  KVSQL_COLUMN_TYPE_BIGINT = 5,
  KVSQL_COLUMN_TYPE_FLOAT = 6,
  KVSQL_COLUMN_TYPE_DOUBLE = 7,
  KVSQL_COLUMN_TYPE_DECIMAL = 8,
  KVSQL_COLUMN_TYPE_DATE = 9,
  KVSQL_COLUMN_TYPE_TIMESTAMP = 10,
  KVSQL_COLUMN_TYPE_MAP = 11,
  KVSQL_COLUMN_TYPE_LIST = 12,
  KVSQL_COLUMN_TYPE_TIME = 31,
  KVSQL_COLUMN_TYPE_INTERVAL = 32,
  KVSQL_COLUMN_TYPE_UUID = 33,
  KVSQL_COLUMN_TYPE_JSON = 34,
  KVSQL_COLUMN_TYPE_JSONB = 35
} KvsqlColumnType;

/**
 * kvsql_column_type_get_name:
 * @type: a type
 *
 * Gives the name of a type in SQL, such as "BIGINT". Any thread may call it.
 *
 * Returns: (transfer none): a constant text; "UNKNOWN" for a number that is not in #KvsqlColumnType
 *
 * Since: 0.1
 */
const gchar *kvsql_column_type_get_name (KvsqlColumnType type);

G_END_DECLS
