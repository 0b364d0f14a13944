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
 */
#define KVSQL_DEFAULT_PORT 5797

/**
 * KVSQL_DEFAULT_SOCKET:
 *
 * The UNIX socket of a `kvsql+unix:` URI without a path, and of a kvsqld without other
 * configuration.
 */
#define KVSQL_DEFAULT_SOCKET "/run/kvsql/kvsqld.sock"

/**
 * KVSQL_DEFAULT_TIMEOUT_MS:
 *
 * The default timeout of a call, in milliseconds.
 */
#define KVSQL_DEFAULT_TIMEOUT_MS 60000

typedef struct _KvsqlConnection KvsqlConnection;
typedef struct _KvsqlStatement KvsqlStatement;
typedef struct _KvsqlResult KvsqlResult;
typedef struct _KvsqlParams KvsqlParams;
typedef struct _KvsqlBulk KvsqlBulk;
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
 *
 * The type of a column or of a parameter. A newer kvsqld may send other numbers; such a column can
 * be read by the functions that fit its vector.
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
  KVSQL_COLUMN_TYPE_LIST = 12
} KvsqlColumnType;

/**
 * kvsql_column_type_get_name:
 * @type: a type
 *
 * Returns: (transfer none): its name in SQL, such as "BIGINT"; "UNKNOWN" for other numbers
 */
const gchar *kvsql_column_type_get_name (KvsqlColumnType type);

G_END_DECLS
