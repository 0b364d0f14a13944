/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql.thrift: the service that kvsqld offers.
 *
 * Everything administrative is a statement (DEFINE, SHOW, DESCRIBE ...), so the
 * service stays this small. Results are columnar: a page holds one typed list
 * and one null bitmap per column.
 *
 * Rules of this file, kept by a test: one namespace per language; field ids 1..63;
 * no maps, extends, oneway or recursion; scalars are required or optional.
 */
namespace c_glib KvsqlRpc
namespace py kvsql
namespace java org.kvsql.rpc
namespace go kvsqlrpc

/** Column types. `ColumnInfo.type` carries the number as an i32. */
enum SqlType {
  NULL_TYPE = 0,  // a column of NULLs only
  STRING = 1,     // s
  BYTES = 2,      // x
  BOOLEAN = 3,    // b
  INT = 4,        // i, 32 bit
  BIGINT = 5,     // i
  FLOAT = 6,      // d
  DOUBLE = 7,     // d
  DECIMAL = 8,    // s, decimal text
  DATE = 9,       // i, days since 1970-01-01
  TIMESTAMP = 10, // i, milliseconds since 1970-01-01T00:00:00Z
  MAP = 11,       // s, JSON
  LIST = 12       // s, JSON
}

/** What a caller would branch on. `SqlError.code` carries the number as an i32. */
enum ErrorCode {
  INTERNAL = 1,
  SYNTAX = 2,            // the text is not a statement
  INVALID = 3,           // a well-formed statement that cannot mean anything, or a bad argument
  UNKNOWN_NAME = 4,      // no such relation, schema, attribute or function
  ALREADY_EXISTS = 5,
  TYPE = 6,              // a value or an operand of the wrong type
  VALUE = 7,             // a value out of range, a NULL where none may be, a value a layout cannot hold
  DEFINITION = 8,        // the definition check refused a relation or schema
  CONFLICT = 9,          // another client changed the same thing first
  STORE = 10,            // the store refused or answered nonsense
  UNAVAILABLE = 11,      // store or registry cannot be reached now; nothing was done
  DEADLINE = 12,         // time ran out; a write was not begun (detail: how many tuples were done before)
  UNKNOWN_OUTCOME = 13,  // a write may or may not have happened
  LIMIT = 14,            // a configured limit was reached
  BAD_CURSOR = 15,       // a cursor that is not ours, or is no longer valid
  BAD_STATEMENT_ID = 16, // not prepared on this connection, or closed
  UNSUPPORTED = 17,
  READ_ONLY = 18,
  PROTOCOL = 19          // the request is well-formed Thrift but breaks a rule of this service
}

exception SqlError {
  1: required i32 code,          // ErrorCode
  2: required string message,    // lower case, no full stop, as PostgreSQL's
  3: optional string sqlstate,
  4: optional i32 position,      // byte offset in the statement, from 0
  5: optional i32 length,        // bytes that the position covers
  6: optional string detail,
  7: optional string hint,
  8: optional bool retryable     // the same request may succeed later, and repeating it does no harm
}

/**
 * A parameter. No member set means NULL; where a union must have one, as in Java and Go, isNull does, whatever it holds. Numbers for
 * DECIMAL, text for DATE and TIMESTAMP may come as s. A text with U+0000 is refused, and so is a number of parameters that is not
 * that of the statement.
 */
union Value {
  1: bool b,
  2: i64 i,
  3: double d,
  4: string s,
  5: binary x,
  6: bool isNull
}

struct ColumnInfo {
  1: required string name,
  2: required i32 type,          // SqlType
  3: optional bool nullable,
  4: optional string relation
}

/** One list is set. `nulls`: bit r (least significant first) set means row r is NULL; absent means none is. */
struct Column {
  1: optional binary nulls,
  2: optional list<bool> b,
  3: optional list<i64> i,
  4: optional list<double> d,
  5: optional list<string> s,
  6: optional list<binary> x
}

struct Page {
  1: required i32 nrows,
  2: required list<Column> columns,
  3: optional binary cursor,         // absent at the end
  4: optional list<ColumnInfo> info, // on the first page, also of each cursor of partition ()
  5: optional i64 affected,          // tuples written or deleted
  6: optional list<string> warnings  // "note: …" where nothing is wrong
  7: optional double done            // if options.progress: how much of the answer was given, 0 to 1; a guess
}

struct QueryOptions {
  1: optional i32 maxRows,       // rows in a page; the daemon has its own bounds
  2: optional i32 maxBytes,
  3: optional i32 timeoutMs,     // for the whole request
  4: optional bool readOnly,     // refuse anything that writes
  5: optional string requestId,  // appears in the daemon's log
  6: optional i64 maxScanRows    // refuse to read more rows from the store; the daemon may have a lower bound
  7: optional bool progress      // pages say how far they are, which costs two requests to the store
  8: optional bool knowsColumns  // of execute: the page has no info where its columns are as prepare said
  9: optional bool follows       // nothing is done if the query, execute, fetch or insertRows before it on this connection failed: for
                                 // who sends a request before the answer to the last has come
}

struct ServerInfo {
  1: required i32 apiVersion,
  2: required string version,
  3: required string store,      // URL without secrets
  4: required string registry,
  5: required i64 epoch,         // of the definitions
  6: required bool definitionsWritable,
  7: optional string message     // what is wrong now, if anything is
}

struct Parameter {
  1: optional string name,       // of `:name`
  2: required i32 type           // SqlType, NULL_TYPE if any will do
}

/** A prepared statement. It belongs to the connection that prepared it: it ends with that connection, and on another one its id is
 *  unknown (BAD_STATEMENT_ID). Its memory counts until it is closed. */
struct Statement {
  1: required i64 id,
  2: required list<Parameter> parameters,
  3: required list<ColumnInfo> columns   // empty if it returns no rows
}

struct Plan {
  1: required string text,
  2: required string json
}

service Sql {
  ServerInfo hello (1: i32 apiVersion, 2: string clientName) throws (1: SqlError err)
  Page query (1: string sql, 2: list<Value> params, 3: QueryOptions options) throws (1: SqlError err)
  Statement prepare (1: string sql) throws (1: SqlError err)
  Page execute (1: i64 statementId, 2: list<Value> params, 3: QueryOptions options) throws (1: SqlError err)
  void closeStatement (1: i64 statementId) throws (1: SqlError err)
  Page fetch (1: binary cursor, 2: QueryOptions options) throws (1: SqlError err)
  void closeCursor (1: binary cursor) throws (1: SqlError err)
  i64 insertRows (1: string relation, 2: list<string> columns, 3: i32 nrows, 4: list<Column> data, 5: QueryOptions options) throws (1: SqlError err)
  /** Cursors of the parts of what query returns. In their order, the parts are the whole; they may be fetched in parallel.
   *  About `parts` of them; none if the result cannot be divided. */
  list<binary> partition (1: string sql, 2: list<Value> params, 3: i32 parts, 4: QueryOptions options) throws (1: SqlError err)
  Plan explain (1: string sql, 2: list<Value> params, 3: bool analyze) throws (1: SqlError err)
}
