/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * database.c: see database.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/database.h"

#include <sqlite3.h>
#include <string.h>

#include "core/base/interrupt.h"

/* Of a query, but for MAX_HEAP, which all databases share. */
#define MAX_VALUE_BYTES (1024 * 1024)
#define MAX_SQL_BYTES (1024 * 1024)
#define MAX_DEPTH 400
#define MAX_ARGUMENTS 120
#define MAX_STEPS G_GINT64_CONSTANT (200000000)
#define MAX_MEMORY (64 * 1024 * 1024)
#define MAX_HEAP (256 * 1024 * 1024)
#define STEPS_PER_CHECK 2000
#define MAX_GROUP 100000 /* values of an aggregate */

struct _KvsqldPgDatabase
{
  sqlite3 *handle;
  KvsqlArena *arena; /* of a call of a function */
  gpointer data;
  gboolean is_reading;
  gint64 n_steps;
  gint64 memory_before; /* of all databases */
  GError *error;        /* nullable: why the query ends */
  gchar *written_sql;   /* nullable: the last statement with values that wrote */
  sqlite3_stmt *writer; /* and its preparation */
};

struct _KvsqldPgRead
{
  KvsqldPgDatabase *database;
  sqlite3_stmt *statement;
};

/* ---- errors */

static gboolean
fail (KvsqldPgDatabase *self, GError **error)
{
  gint code = sqlite3_extended_errcode (self->handle);

  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return FALSE;
    }
  if ((code & 0xff) == SQLITE_NOMEM || (code & 0xff) == SQLITE_TOOBIG)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the query of the catalogue needs too much memory");
  return kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                          "the query of the catalogue is not supported: %s",
                          sqlite3_errmsg (self->handle));
}

/* ---- bounds */

/* SQLite calls it every STEPS_PER_CHECK steps of its machine. Not 0: the query ends. */
static gint
check_progress (gpointer data)
{
  KvsqldPgDatabase *self = data;

  if (self->error != NULL || !kvsql_interrupt_check (&self->error))
    return 1;
  self->n_steps += STEPS_PER_CHECK;
  if (!self->is_reading)
    return 0;
  if (self->n_steps > MAX_STEPS)
    kvsql_error_set (&self->error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                     "the query of the catalogue takes too many steps");
  else if (sqlite3_memory_used () - self->memory_before > MAX_MEMORY)
    kvsql_error_set (&self->error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                     "the query of the catalogue needs too much memory");
  return self->error != NULL;
}

/* A query may read, and nothing else. */
static gint
authorize (gpointer data, gint action, const gchar *first, const gchar *second,
           G_GNUC_UNUSED const gchar *third, G_GNUC_UNUSED const gchar *fourth)
{
  const KvsqldPgDatabase *self = data;

  if (!self->is_reading)
    return SQLITE_OK;
  switch (action)
    {
    case SQLITE_SELECT:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    case SQLITE_READ:
      return first != NULL && g_str_has_prefix (first, "sqlite_") ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_FUNCTION:
      return second != NULL && g_str_equal (second, "load_extension") ? SQLITE_DENY : SQLITE_OK;
    default:
      return SQLITE_DENY;
    }
}

static void
set_limits (sqlite3 *handle)
{
  sqlite3_limit (handle, SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES);
  sqlite3_limit (handle, SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES);
  sqlite3_limit (handle, SQLITE_LIMIT_EXPR_DEPTH, MAX_DEPTH);
  sqlite3_limit (handle, SQLITE_LIMIT_FUNCTION_ARG, MAX_ARGUMENTS);
  sqlite3_limit (handle, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit (handle, SQLITE_LIMIT_WORKER_THREADS, 0);
  sqlite3_limit (handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  sqlite3_db_config (handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

KvsqldPgDatabase *
kvsqld_pg_database_new (GError **error)
{
  g_autoptr (KvsqldPgDatabase) self = g_new0 (KvsqldPgDatabase, 1);

  self->arena = kvsql_arena_new ();
  sqlite3_hard_heap_limit64 (MAX_HEAP);
  if (sqlite3_open_v2 (":memory:", &self->handle,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
                           | SQLITE_OPEN_NOMUTEX,
                       NULL)
      != SQLITE_OK)
    {
      kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                       "there is no memory for the catalogue");
      return NULL;
    }
  set_limits (self->handle);
  sqlite3_set_authorizer (self->handle, authorize, self);
  sqlite3_progress_handler (self->handle, STEPS_PER_CHECK, check_progress, self);
  if (!kvsqld_pg_database_write (self, "PRAGMA temp_store = memory", NULL, 0, error)
      || !kvsqld_pg_database_write (self, "PRAGMA journal_mode = off", NULL, 0, error)
      || !kvsqld_pg_database_write (self, "PRAGMA cache_size = -4096", NULL, 0, error)
      /* it is made at its first use, and that is more than to read */
      || !kvsqld_pg_database_write (self, "SELECT * FROM json_each ('[]')", NULL, 0, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
kvsqld_pg_database_free (KvsqldPgDatabase *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->writer);
  sqlite3_close_v2 (self->handle);
  g_free (self->written_sql);
  kvsql_arena_free (self->arena);
  g_clear_error (&self->error);
  g_free (self);
}

void
kvsqld_pg_database_set_data (KvsqldPgDatabase *self, gpointer data)
{
  self->data = data;
}

/* ---- values */

static KvsqlValue
value_of (sqlite3_value *value)
{
  switch (sqlite3_value_type (value))
    {
    case SQLITE_NULL:
      return KVSQL_VALUE_NULL;
    case SQLITE_INTEGER:
      return (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = sqlite3_value_int64 (value) };
    case SQLITE_FLOAT:
      return (KvsqlValue){ .type = KVSQL_TYPE_DOUBLE, .real = sqlite3_value_double (value) };
    default:
      {
        const guchar *text = sqlite3_value_text (value);
        gsize size = (gsize)sqlite3_value_bytes (value);

        return text == NULL
                   ? KVSQL_VALUE_NULL
                   : (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice (text, size) };
      }
    }
}

static void
give (sqlite3_context *context, const KvsqlValue *value)
{
  switch (value->type)
    {
    case KVSQL_TYPE_NULL:
      sqlite3_result_null (context);
      break;
    case KVSQL_TYPE_DOUBLE:
      sqlite3_result_double (context, value->real);
      break;
    case KVSQL_TYPE_STRING:
      sqlite3_result_text64 (context, (const gchar *)value->bytes.data ?: "", value->bytes.size,
                             SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    default:
      sqlite3_result_int64 (context, value->integer);
      break;
    }
}

/* Returns: a code of SQLite. A value that is too long stays NULL. */
static gint
bind (sqlite3_stmt *statement, gint at, const KvsqlValue *value)
{
  switch (value->type)
    {
    case KVSQL_TYPE_NULL:
      return sqlite3_bind_null (statement, at);
    case KVSQL_TYPE_BOOLEAN:
      return sqlite3_bind_int (statement, at, value->boolean);
    case KVSQL_TYPE_DOUBLE:
    case KVSQL_TYPE_FLOAT:
      return sqlite3_bind_double (statement, at, value->real);
    case KVSQL_TYPE_STRING:
    case KVSQL_TYPE_BYTES:
    case KVSQL_TYPE_DECIMAL:
    case KVSQL_TYPE_UUID:
    case KVSQL_TYPE_JSON:
    case KVSQL_TYPE_JSONB:
      return sqlite3_bind_text64 (statement, at, (const gchar *)value->bytes.data ?: "",
                                  value->bytes.size, SQLITE_TRANSIENT, SQLITE_UTF8);
    default:
      return sqlite3_bind_int64 (statement, at, value->integer);
    }
}

/* ---- functions */

typedef struct
{
  KvsqldPgDatabase *database;
  KvsqldPgFunction call;
  KvsqldPgAggregate finish;
  gboolean is_strict;
} Registered;

static void
fail_call (sqlite3_context *context, KvsqldPgDatabase *self)
{
  sqlite3_result_error (context,
                        self->error != NULL ? self->error->message : "the function has failed", -1);
}

static void
call (sqlite3_context *context, gint n, sqlite3_value **arguments)
{
  const Registered *registered = sqlite3_user_data (context);
  KvsqldPgDatabase *self = registered->database;
  KvsqlValue values[MAX_ARGUMENTS], result = KVSQL_VALUE_NULL;

  for (gint i = 0; i < n; i++)
    {
      values[i] = value_of (arguments[i]);
      if (registered->is_strict && kvsql_value_is_null (&values[i]))
        {
          sqlite3_result_null (context);
          return;
        }
    }
  if (self->error != NULL
      || !registered->call (values, (guint)n, self->data, self->arena, &result, &self->error))
    fail_call (context, self);
  else
    give (context, &result);
  kvsql_arena_reset (self->arena);
}

static gboolean
add (KvsqldPgDatabase *self, const gchar *name, gint n_arguments, const Registered *registered,
     void (*function) (sqlite3_context *, gint, sqlite3_value **),
     void (*step) (sqlite3_context *, gint, sqlite3_value **), void (*final) (sqlite3_context *),
     GError **error)
{
  Registered *copy = g_memdup2 (registered, sizeof *registered);
  gint flags = SQLITE_UTF8 | SQLITE_INNOCUOUS;

  return sqlite3_create_function_v2 (self->handle, name, n_arguments, flags, copy, function, step,
                                     final, g_free)
             == SQLITE_OK
         || fail (self, error);
}

gboolean
kvsqld_pg_database_add_function (KvsqldPgDatabase *self, const gchar *name, gint n_arguments,
                                 gboolean is_strict, KvsqldPgFunction function, GError **error)
{
  const Registered registered = { self, function, NULL, is_strict };

  return add (self, name, n_arguments, &registered, call, NULL, NULL, error);
}

/* What an aggregate has of a group; SQLite allocates it, zeroed. */
typedef struct
{
  KvsqlArena *arena;
  GArray *values;
  gint n_arguments;
} Group;

static void
step_group (sqlite3_context *context, gint n, sqlite3_value **arguments)
{
  const Registered *registered = sqlite3_user_data (context);
  Group *group = sqlite3_aggregate_context (context, sizeof *group);

  if (group == NULL)
    return;
  if (group->values == NULL)
    {
      group->arena = kvsql_arena_new ();
      group->values = g_array_new (FALSE, FALSE, sizeof (KvsqlValue));
      group->n_arguments = n;
    }
  if (group->values->len > MAX_GROUP || kvsql_arena_get_size (group->arena) > 8 * MAX_VALUE_BYTES)
    {
      if (registered->database->error == NULL)
        kvsql_error_set (&registered->database->error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                         "an aggregate of the catalogue has too many values");
      fail_call (context, registered->database);
      return;
    }
  for (gint i = 0; i < n; i++)
    {
      KvsqlValue value = value_of (arguments[i]);

      value = kvsql_value_dup (&value, group->arena);
      g_array_append_val (group->values, value);
    }
}

static void
finish_group (sqlite3_context *context)
{
  const Registered *registered = sqlite3_user_data (context);
  KvsqldPgDatabase *self = registered->database;
  Group *group = sqlite3_aggregate_context (context, 0);
  KvsqlValue result = KVSQL_VALUE_NULL;

  if (group == NULL || group->values == NULL)
    {
      sqlite3_result_null (context);
      return;
    }
  if (self->error != NULL
      || !registered->finish ((const KvsqlValue *)group->values->data,
                              group->values->len / (guint)group->n_arguments,
                              (guint)group->n_arguments, group->arena, &result, &self->error))
    fail_call (context, self);
  else
    give (context, &result);
  g_array_unref (group->values);
  kvsql_arena_free (group->arena);
  *group = (Group){ 0 };
}

gboolean
kvsqld_pg_database_add_aggregate (KvsqldPgDatabase *self, const gchar *name,
                                  KvsqldPgAggregate aggregate, GError **error)
{
  const Registered registered = { self, NULL, aggregate, FALSE };

  return add (self, name, -1, &registered, NULL, step_group, finish_group, error);
}

/* ---- statements */

static sqlite3_stmt *
prepare (KvsqldPgDatabase *self, const gchar *sql, const KvsqlValue *values, guint n_values,
         GError **error)
{
  sqlite3_stmt *statement = NULL;

  g_clear_error (&self->error);
  if (sqlite3_prepare_v2 (self->handle, sql, -1, &statement, NULL) != SQLITE_OK
      || statement == NULL)
    {
      sqlite3_finalize (statement);
      fail (self, error);
      return NULL;
    }
  for (guint i = 0; i < n_values; i++)
    if (bind (statement, (gint)i + 1, &values[i]) != SQLITE_OK)
      {
        sqlite3_finalize (statement);
        kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                         "a parameter of a query of the catalogue has at most %d bytes",
                         MAX_VALUE_BYTES);
        return NULL;
      }
  return statement;
}

static gboolean
run (KvsqldPgDatabase *self, sqlite3_stmt *statement, GError **error)
{
  gint code;

  while ((code = sqlite3_step (statement)) == SQLITE_ROW)
    ;
  return code == SQLITE_DONE || fail (self, error);
}

/* Many rows are written by one statement. */
static sqlite3_stmt *
find_writer (KvsqldPgDatabase *self, const gchar *sql, GError **error)
{
  if (self->writer != NULL && g_str_equal (sql, self->written_sql))
    {
      sqlite3_reset (self->writer);
      return self->writer;
    }
  sqlite3_finalize (self->writer);
  self->writer = prepare (self, sql, NULL, 0, error);
  g_free (self->written_sql);
  self->written_sql = g_strdup (sql);
  return self->writer;
}

gboolean
kvsqld_pg_database_write (KvsqldPgDatabase *self, const gchar *sql, const KvsqlValue *values,
                          guint n_values, GError **error)
{
  sqlite3_stmt *statement
      = n_values > 0 ? find_writer (self, sql, error) : prepare (self, sql, NULL, 0, error);
  gboolean ok;

  if (statement == NULL)
    return FALSE;
  /* only the text of a view can be too long: it is not told */
  for (guint i = 0; i < n_values; i++)
    (void)bind (statement, (gint)i + 1, &values[i]);
  ok = run (self, statement, error);
  if (n_values == 0)
    sqlite3_finalize (statement);
  return ok;
}

KvsqldPgRead *
kvsqld_pg_read_new (KvsqldPgDatabase *self, const gchar *sql, const KvsqlValue *values,
                    guint n_values, GError **error)
{
  sqlite3_stmt *statement;
  KvsqldPgRead *read;

  sqlite3_finalize (g_steal_pointer (&self->writer));
  self->is_reading = TRUE;
  self->n_steps = 0;
  self->memory_before = sqlite3_memory_used ();
  statement = prepare (self, sql, values, n_values, error);
  if (statement == NULL)
    {
      self->is_reading = FALSE;
      return NULL;
    }
  read = g_new0 (KvsqldPgRead, 1);
  read->database = self;
  read->statement = statement;
  return read;
}

gboolean
kvsqld_pg_read_next (KvsqldPgRead *self, GError **error)
{
  gint code = sqlite3_step (self->statement);

  return code == SQLITE_ROW || (code != SQLITE_DONE && fail (self->database, error));
}

KvsqlValue
kvsqld_pg_read_get (KvsqldPgRead *self, guint column)
{
  return value_of (sqlite3_column_value (self->statement, (gint)column));
}

void
kvsqld_pg_read_free (KvsqldPgRead *self)
{
  if (self == NULL)
    return;
  sqlite3_finalize (self->statement);
  self->database->is_reading = FALSE;
  g_clear_error (&self->database->error);
  g_free (self);
}
