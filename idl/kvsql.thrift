/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql.thrift: the service that kvsqld offers.
 *
 * Everything administrative is a statement (DEFINE, SHOW, DESCRIBE ...), so the
 * service stays this small. Results are columnar: a page holds one typed list
 * and one null bitmap per column.
 *
 * Connections: an address accepts framed and unframed transport, and the binary and the compact
 * protocol. kvsqld executes the calls of a connection one after the other, in their order. A
 * client that Thrift has generated belongs to one thread at a time: use a connection for each
 * thread. No call has to be the first. A message has at most max_message_bytes (16,384,000). After
 * an error of Thrift itself kvsqld closes the connection.
 *
 * Time: kvsqld ends each call after QueryOptions.timeoutMs. Give the socket a timeout that is some
 * seconds longer. If the socket breaks or times out during a call that writes, the write may or may
 * not have been executed.
 *
 * Values: texts are UTF-8 without U+0000. A call with another text fails, and the connection goes
 * on. DATE is days since 1970-01-01, TIMESTAMP is milliseconds since 1970-01-01T00:00:00Z; both may
 * be negative. TIME is milliseconds since midnight. A required field is never null. An optional field may be absent: null in Java, nil
 * in Go.
 *
 * Rules of this file, kept by a test: one namespace per language; field ids 1..63;
 * no maps, extends, oneway or recursion; scalars are required or optional. Each method, type and
 * field has a comment.
 */
namespace c_glib KvsqlRpc
namespace py kvsql
namespace java org.kvsql.rpc
namespace go kvsqlrpc

/** Types of columns and parameters. `ColumnInfo.type` carries the number as an i32, as a later
 *  version may have others. "List s" is the list of Column that has the values. */
enum SqlType {
  /** A column with only NULLs: no list. A parameter of any type. */
  NULL_TYPE = 0,
  /** List s. */
  STRING = 1,
  /** List x. */
  BYTES = 2,
  /** List b. */
  BOOLEAN = 3,
  /** List i: 32 bit. */
  INT = 4,
  /** List i. */
  BIGINT = 5,
  /** List d: a number of 24 bits of mantissa. */
  FLOAT = 6,
  /** List d. */
  DOUBLE = 7,
  /** List s: decimal text. */
  DECIMAL = 8,
  /** List i: days since 1970-01-01. */
  DATE = 9,
  /** List i: milliseconds since 1970-01-01T00:00:00Z. */
  TIMESTAMP = 10,
  /** List s: JSON. */
  MAP = 11,
  /** List s: JSON. */
  LIST = 12,
  /** List i: milliseconds since midnight, 0 to 86400000. */
  TIME = 31,
  /** List s: text such as 1 year 2 mons 3 days 04:05:06.7. Never of an attribute. */
  INTERVAL = 32,
  /** List s: 36 characters. */
  UUID = 33,
  /** List s: JSON, as it was written. */
  JSON = 34,
  /** List s: JSON, as PostgreSQL prints JSONB. */
  JSONB = 35
}

/** What a caller may have to act on. `SqlError.code` carries the number as an i32, as a later
 *  version may have others. */
enum ErrorCode {
  /** A bug of kvsqld; SQLSTATE XX000. */
  INTERNAL = 1,
  /** The text is not a statement; 42601. */
  SYNTAX = 2,
  /** A statement without a valid meaning, or an invalid argument, such as a wrong number of
   *  parameters; 42000. */
  INVALID = 3,
  /** No such relation, schema, attribute or function; 42704. */
  UNKNOWN_NAME = 4,
  /** The name is in use; 42710. */
  ALREADY_EXISTS = 5,
  /** A value or an operand of the wrong type; 42804. */
  TYPE = 6,
  /** A value out of range, a NULL that is not allowed, or a value that a layout cannot hold;
   *  22000. */
  VALUE = 7,
  /** The definition check rejected a relation or schema; 42P17. */
  DEFINITION = 8,
  /** Another client changed the same thing first; nothing was done, retry; 40001. */
  CONFLICT = 9,
  /** The store returned an error or an invalid answer; 58000. */
  STORE = 10,
  /** Store or registry cannot be reached now; nothing was done, retry later; 08006. */
  UNAVAILABLE = 11,
  /** The time was over, or KILL; a write was not begun (detail: how many tuples were done before);
   *  57014. */
  DEADLINE = 12,
  /** A write may or may not have been executed: read the tuples; 40003. */
  UNKNOWN_OUTCOME = 13,
  /** A configured limit was reached; the message names it; 54000. */
  LIMIT = 14,
  /** Bytes that are not a cursor of this registry, or a changed definition: run the statement
   *  again; 34000. */
  BAD_CURSOR = 15,
  /** Not prepared on this connection, or closed: prepare it again; 26000. */
  BAD_STATEMENT_ID = 16,
  /** kvsqld does not have this feature; 0A000. */
  UNSUPPORTED = 17,
  /** A write with options.readOnly, or to a daemon that only reads; 25006. */
  READ_ONLY = 18,
  /** The request is well-formed Thrift but breaks a rule of this service; 08P01. */
  PROTOCOL = 19,
  /** A tuple has the KEY already: of an UPDATE, or of an INSERT into a relation WITH (insert =
   *  unique); 23505. */
  DUPLICATE_KEY = 20,
  /** The role of the connection may not do that; 42501. */
  NOT_ALLOWED = 21,
  /** The connection has not logged in, or cannot: wrong password, or a role that does not exist any
   *  more; 28000, 28P01. After a failed log-in the connection is closed. */
  AUTHENTICATION = 22
}

/** The error of each method. The connection stays open, except after the LIMIT "too many
 *  connections". */
exception SqlError {
  /** ErrorCode; treat an unknown number as INTERNAL. */
  1: required i32 code,
  /** For people: lower case, no full stop, as PostgreSQL's. */
  2: required string message,
  /** Five characters, see ErrorCode. */
  3: optional string sqlstate,
  /** Byte offset in the UTF-8 of the statement, from 0; absent: no position. */
  4: optional i32 position,
  /** Bytes of the statement from the position on. */
  5: optional i32 length,
  /** More details, in sentences. */
  6: optional string detail,
  /** What the user can do, in sentences. */
  7: optional string hint,
  /** The same request may succeed later, and repeating it does no harm; absent: false. */
  8: optional bool retryable
}

/** A parameter. No member set means NULL; where a union must have one, as in Java and Go, isNull
 *  does, whatever it holds. More than one member is error PROTOCOL. The value is converted to the
 *  type of its place: text (s) is valid for each type. A text with U+0000 is refused, and so is a
 *  number of parameters that is not that of the statement. */
union Value {
  /** BOOLEAN. */
  1: bool b,
  /** INT, BIGINT, DATE (days), TIMESTAMP and TIME (milliseconds); also for FLOAT, DOUBLE and
   *  DECIMAL. */
  2: i64 i,
  /** FLOAT, DOUBLE. */
  3: double d,
  /** STRING, DECIMAL, INTERVAL, UUID, MAP, LIST, JSON and JSONB (JSON); DATE as 2024-02-29,
   *  TIMESTAMP as 2024-02-29T12:00:00.000Z, TIME as 12:00:00. */
  4: string s,
  /** BYTES. */
  5: binary x,
  /** NULL. */
  6: bool isNull
}

/** Describes a column of a result. */
struct ColumnInfo {
  /** The name or alias; several columns may have the same. */
  1: required string name,
  /** SqlType. */
  2: required i32 type,
  /** Whether there may be NULLs. */
  3: optional bool nullable,
  /** Whose attribute it is; absent: an expression. */
  4: optional string relation
}

/** The values of a column, one for each row. One list is set; a column of type NULL_TYPE has none.
 *  In insertRows a column that has only NULLs may have none. The place of a NULL in its list has
 *  any value: kvsqld sends zero or the empty value. */
struct Column {
  /** (rows + 7) / 8 bytes; bit r % 8 (0: least significant) of byte r / 8 is set: row r is NULL;
   *  absent: none. */
  1: optional binary nulls,
  /** BOOLEAN. */
  2: optional list<bool> b,
  /** INT, BIGINT, DATE (days), TIMESTAMP and TIME (milliseconds). */
  3: optional list<i64> i,
  /** FLOAT, DOUBLE. */
  4: optional list<double> d,
  /** STRING, DECIMAL, INTERVAL, MAP, LIST, UUID, JSON, JSONB; in insertRows text for each type, as
   *  in Value. */
  5: optional list<string> s,
  /** BYTES. */
  6: optional list<binary> x
}

/** A part of a result, and what a statement without rows returns. Read the next page by fetch,
 *  until there is no cursor. */
struct Page {
  /** Rows of this page; 0 is possible although there are more pages. */
  1: required i32 nrows,
  /** Empty if the statement returns no rows. */
  2: required list<Column> columns,
  /** For fetch; absent at the end. */
  3: optional binary cursor,
  /** On the first page, also of each cursor of partition; keep it for the other pages. */
  4: optional list<ColumnInfo> info,
  /** Tuples written or deleted; absent if the statement writes none. */
  5: optional i64 affected,
  /** "note: …" where nothing is wrong. */
  6: optional list<string> warnings
  /** If options.progress: how much of the result was given, 0 to 1, an estimate; absent if it is
   *  unknown. */
  7: optional double done
}

/** How a call is executed. The struct and each of its fields may be absent. A negative number is
 *  error PROTOCOL. */
struct QueryOptions {
  /** Rows in a page, at most 1,000,000; 0 or absent: page_rows of kvsqld (5,000). */
  1: optional i32 maxRows,
  /** Bytes of a page, about, at most 8 MiB; 0 or absent: page_bytes of kvsqld (1 MiB). */
  2: optional i32 maxBytes,
  /** Milliseconds for this call; 0, absent or more: request_timeout_ms of kvsqld (60,000). */
  3: optional i32 timeoutMs,
  /** Refuse what writes, with error READ_ONLY. */
  4: optional bool readOnly,
  /** Appears in the daemon's log of slow statements; at most 200 bytes. */
  5: optional string requestId,
  /** Refuse to read more rows from the store, with error LIMIT; the limit of kvsqld (max_scan_rows)
   *  holds too; 0 or absent: only that one. */
  6: optional i64 maxScanRows
  /** Pages have `done`, which costs two requests to the store for a result. */
  7: optional bool progress
  /** Of execute: the page has no info if its columns are those that prepare returned. */
  8: optional bool knowsColumns
  /** Of query, execute, fetch, insertRows, partition and explain, for a call that is sent before
   *  the answer to the last one has come: if the last call of one of these methods failed on this
   *  connection, nothing is done, and the error is CONFLICT. */
  9: optional bool follows
  /** Of query, execute, partition and explain: each SELECT is executed WITH VERIFIED, subqueries of
   *  other statements included. A fetch reads as its cursor's statement did. */
  10: optional bool verifiedReads
}

/** The state of a kvsqld. */
struct ServerInfo {
  /** Of this service: 1. */
  1: required i32 apiVersion,
  /** Of kvsqld, such as "0.1.0". */
  2: required string version,
  /** URL without secrets. */
  3: required string store,
  /** URL without secrets. */
  4: required string registry,
  /** Grows with each change of the definitions; 0: there are none, or none were read yet. */
  5: required i64 epoch,
  /** Whether definitions can be changed now. */
  6: required bool definitionsWritable,
  /** For people: the present problem of the registry or the definitions; absent: there is none. */
  7: optional string message
}

/** A parameter of a prepared statement. */
struct Parameter {
  /** Of `:name`, without the colon; absent: a `?`. */
  1: optional string name,
  /** SqlType; NULL_TYPE if any is accepted, which kvsqld 0.1 always sends. */
  2: required i32 type
}

/** A prepared statement. It belongs to the connection that prepared it: it ends with that
 *  connection, and on another one its id is unknown (BAD_STATEMENT_ID). Its memory counts until it
 *  is closed. */
struct Statement {
  /** For execute and closeStatement. */
  1: required i64 id,
  /** In the order of the values for execute; a name that is used twice is there once. */
  2: required list<Parameter> parameters,
  /** The columns of SELECT, INSERT, UPDATE and DELETE; empty if there are no rows, and for other
   *  statements. */
  3: required list<ColumnInfo> columns
}

/** How kvsqld would execute a statement. Both forms are for people and may change between
 *  versions. */
struct Plan {
  /** Several lines. */
  1: required string text,
  /** A JSON object. */
  2: required string json
}

/** The service. Each method can fail with INTERNAL, LIMIT, PROTOCOL and DEADLINE. The comments name
 *  other errors that a caller may want to handle. */
service Sql {
  /** Returns the state of kvsqld. It asks neither the store nor ZooKeeper, so it is also a check
   *  whether kvsqld answers. No other method requires it. `apiVersion` is what the client was made
   *  for (1), `clientName` appears in SHOW SESSIONS, up to 64 characters. */
  ServerInfo hello (1: i32 apiVersion, 2: string clientName) throws (1: SqlError err)

  /** Logs in, by two calls before any other: an address of kvsqld that says auth=scram answers other
   *  methods with AUTHENTICATION until then. `mechanism`: "SCRAM-SHA-256". `message`: the client's
   *  first message of RFC 5802, with the name of the role. Returns the server's first message. An
   *  address without authentication needs no log-in, and accepts one. Errors: PROTOCOL, and
   *  UNSUPPORTED for another mechanism. */
  binary beginAuthentication (1: string mechanism, 2: binary message) throws (1: SqlError err)

  /** The second call of a log-in. `message`: the client's final message of RFC 5802. Returns the
   *  server's final message, which the client should check. After an error the connection is closed.
   *  Errors: AUTHENTICATION, for a wrong password as for a role that does not exist; PROTOCOL. */
  binary finishAuthentication (1: binary message) throws (1: SqlError err)

  /** Executes one statement and returns the first page of its result. `params`: a value for each
   *  `?`, or for each `:name` in the order in which the names first appear; null if there are none.
   *  Errors: SYNTAX, UNKNOWN_NAME, INVALID (number of parameters), TYPE, VALUE, STORE, UNAVAILABLE,
   *  and UNKNOWN_OUTCOME for a write. */
  Page query (1: string sql, 2: list<Value> params, 3: QueryOptions options) throws (1: SqlError err)

  /** Parses one statement, to execute it many times on this connection. Errors: SYNTAX,
   *  UNKNOWN_NAME, INVALID, TYPE, and LIMIT if there are too many prepared statements. */
  Statement prepare (1: string sql) throws (1: SqlError err)

  /** Executes a prepared statement of this connection and returns the first page of its result.
   *  `params` in the order of Statement.parameters. Errors: BAD_STATEMENT_ID if the statement was
   *  not prepared on this connection or was closed, and those of query. */
  Page execute (1: i64 statementId, 2: list<Value> params, 3: QueryOptions options) throws (1: SqlError err)

  /** Frees a prepared statement. Results of it continue. Errors: BAD_STATEMENT_ID. */
  void closeStatement (1: i64 statementId) throws (1: SqlError err)

  /** Returns the page after the one that had this cursor. A cursor has all that is needed: it is
   *  valid on any connection, to any kvsqld of the same registry, at any time, and may be used
   *  again. It cannot be used after a definition that it needs has changed. One of a statement of
   *  more than 64 KiB is valid only while kvsqld keeps it in memory. So are most cursors of verified
   *  reads, and each of their pages can be fetched once: kvsqld remembers which tuples it has
   *  returned. Errors: BAD_CURSOR, and those of query. */
  Page fetch (1: binary cursor, 2: QueryOptions options) throws (1: SqlError err)

  /** Frees what kvsqld keeps in memory for a result that is not read to its end. A cursor that has
   *  ended is no error, and the bytes of the cursor stay valid for fetch. Errors: BAD_CURSOR. */
  void closeCursor (1: binary cursor) throws (1: SqlError err)

  /** Inserts rows, given by column, as a plain INSERT does: each replaces the tuple of its key, so
   *  a call can be repeated. `columns`: attributes; the others get their DEFAULT or NULL. `data`: a
   *  Column for each of them, with `nrows` values. Returns the number of tuples that were written,
   *  `nrows`. After an error some of them may have been written (SqlError.detail). Some thousand
   *  rows, or some MiB, are a good size. Errors: PROTOCOL (lengths, texts), UNKNOWN_NAME, TYPE,
   *  VALUE, READ_ONLY, STORE, UNAVAILABLE, UNKNOWN_OUTCOME. */
  i64 insertRows (1: string relation, 2: list<string> columns, 3: i32 nrows, 4: list<Column> data, 5: QueryOptions options) throws (1: SqlError err)

  /** Cursors of the parts of what query returns. In their order, the parts are the whole; they may
   *  be fetched in parallel, by several connections and processes, each from its cursor to the end.
   *  About `parts` of them, at least 1 and about 1,000 at most; an empty list if the result cannot
   *  be divided: then use query. Errors: those of query. */
  list<binary> partition (1: string sql, 2: list<Value> params, 3: i32 parts, 4: QueryOptions options) throws (1: SqlError err)

  /** Returns how a statement, written without EXPLAIN, would be executed. With `analyze` it is
   *  executed, a write too, and the plan has what it cost. Errors: those of query. */
  Plan explain (1: string sql, 2: list<Value> params, 3: bool analyze, 4: QueryOptions options) throws (1: SqlError err)
}
