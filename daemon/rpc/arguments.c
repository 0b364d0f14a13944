/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arguments.c: see arguments.h.
 *
 * The protocol's failures are deferred, as for generated code: after a failure all values read as
 * empty, and the end of the message reports it. So only the bulk reads are checked here.
 */
#include "config.h"

#include "daemon/rpc/arguments.h"

#include "daemon/rpc/columns.h"
#include "daemon/rpc/request.h"

typedef struct
{
  KvsqlProtocol *protocol;
  ThriftProtocol *thrift; /* the same object */
  KvsqlArena *arena;
  KvsqldRpcArguments *out;
  KvsqldRpcOptions options;
  KvsqlSlice relation;
  KvsqlSlice *names;
  guint32 n_names;
  gint32 n_rows;
  KvsqldRpcColumns columns;
  GError *refusal; /* the first one */
} Reader;

/* FALSE at the end of the struct. */
static gboolean
next_field (Reader *self, ThriftType *type, gint16 *id)
{
  gchar *name = NULL;

  thrift_protocol_read_field_begin (self->thrift, &name, type, id, NULL);
  return *type != T_STOP;
}

static void
enter (Reader *self)
{
  gchar *name = NULL;

  thrift_protocol_read_struct_begin (self->thrift, &name, NULL);
}

static void
leave (Reader *self)
{
  thrift_protocol_read_struct_end (self->thrift, NULL);
}

static void
skip (Reader *self, ThriftType type)
{
  thrift_protocol_skip (self->thrift, type, NULL);
}

static GError **
refusal_of (Reader *self)
{
  return self->refusal == NULL ? &self->refusal : NULL;
}

/* Copies bytes that the next read may move, and adds a NUL byte, which the size does not count. */
static KvsqlSlice
keep (Reader *self, KvsqlSlice bytes)
{
  guint8 *copy = kvsql_arena_alloc (self->arena, bytes.size + 1);

  if (bytes.size > 0)
    memcpy (copy, bytes.data, bytes.size);
  copy[bytes.size] = '\0';
  return kvsql_slice (copy, bytes.size);
}

/* Also reads text: U+0000 or bad UTF-8 in it is an error of the request, so the message is read to
 * its end. */
static KvsqlSlice
read_bytes (Reader *self)
{
  KvsqlSlice bytes;

  return kvsql_protocol_read_bytes (self->protocol, &bytes, NULL) ? keep (self, bytes)
                                                                  : KVSQL_SLICE_EMPTY;
}

static gboolean
is_utf8 (KvsqlSlice text)
{
  return text.size == 0 || g_utf8_validate ((const gchar *)text.data, (gssize)text.size, NULL);
}

/* ---- parameters */

typedef enum
{
  MEMBER_BOOL = 1,
  MEMBER_INTEGER,
  MEMBER_REAL,
  MEMBER_TEXT,
  MEMBER_BYTES,
  MEMBER_NULL,
} Member;

/* FALSE: not a member of the union. */
static gboolean
read_member (Reader *self, gint16 id, ThriftType type, guint number, KvsqlValue *out)
{
  if (id == MEMBER_BOOL && type == T_BOOL)
    {
      gboolean value = FALSE;

      thrift_protocol_read_bool (self->thrift, &value, NULL);
      *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = value != 0 };
    }
  else if (id == MEMBER_INTEGER && type == T_I64)
    {
      out->type = KVSQL_TYPE_BIGINT;
      thrift_protocol_read_i64 (self->thrift, &out->integer, NULL);
    }
  else if (id == MEMBER_REAL && type == T_DOUBLE)
    {
      out->type = KVSQL_TYPE_DOUBLE;
      thrift_protocol_read_double (self->thrift, &out->real, NULL);
    }
  else if (id == MEMBER_TEXT && type == T_STRING)
    {
      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = read_bytes (self) };
      if (out->bytes.size > 0 && memchr (out->bytes.data, 0, out->bytes.size) != NULL)
        kvsqld_rpc_reject (refusal_of (self), "parameter %u holds U+0000, which is in no text",
                           number);
      else if (!is_utf8 (out->bytes))
        kvsqld_rpc_reject (refusal_of (self), "parameter %u is not UTF-8", number);
    }
  else if (id == MEMBER_BYTES && type == T_STRING)
    *out = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = read_bytes (self) };
  else if (id == MEMBER_NULL && type == T_BOOL)
    {
      gboolean ignored;

      thrift_protocol_read_bool (self->thrift, &ignored, NULL);
      *out = KVSQL_VALUE_NULL;
    }
  else
    return FALSE;
  return TRUE;
}

static void
read_parameter (Reader *self, guint number, KvsqlValue *out)
{
  guint n_members = 0;
  ThriftType type;
  gint16 id;

  *out = KVSQL_VALUE_NULL;
  for (enter (self); next_field (self, &type, &id);)
    if (read_member (self, id, type, number, out))
      n_members++;
    else
      skip (self, type);
  leave (self);
  if (n_members > 1)
    kvsqld_rpc_reject (refusal_of (self), "parameter %u has %u members set", number, n_members);
}

static void
read_parameters (Reader *self)
{
  ThriftType element;
  guint32 n = 0;

  thrift_protocol_read_list_begin (self->thrift, &element, &n, NULL);
  self->out->parameters = kvsql_arena_array (self->arena, KvsqlValue, n);
  self->out->n_parameters = n;
  for (guint32 i = 0; i < n; i++)
    read_parameter (self, i + 1, &self->out->parameters[i]);
  thrift_protocol_read_list_end (self->thrift, NULL);
}

/* ---- options */

static gboolean
read_option (Reader *self, gint16 id, ThriftType type)
{
  KvsqldRpcOptions *options = &self->options;

  if (id <= 3 && id >= 1 && type == T_I32)
    thrift_protocol_read_i32 (self->thrift,
                              id == 1   ? &options->max_rows
                              : id == 2 ? &options->max_bytes
                                        : &options->timeout_ms,
                              NULL);
  else if (id == 4 && type == T_BOOL)
    thrift_protocol_read_bool (self->thrift, &options->is_read_only, NULL);
  else if (id == 5 && type == T_STRING)
    options->request_id = read_bytes (self);
  else if (id == 6 && type == T_I64)
    thrift_protocol_read_i64 (self->thrift, &options->max_scan_rows, NULL);
  else if (id == 7 && type == T_BOOL)
    thrift_protocol_read_bool (self->thrift, &options->wants_progress, NULL);
  else if (id == 8 && type == T_BOOL)
    thrift_protocol_read_bool (self->thrift, &options->knows_columns, NULL);
  else if (id == 9 && type == T_BOOL)
    thrift_protocol_read_bool (self->thrift, &options->follows, NULL);
  else if (id == 10 && type == T_BOOL)
    thrift_protocol_read_bool (self->thrift, &options->is_verified, NULL);
  else
    return FALSE;
  return TRUE;
}

static void
read_options (Reader *self)
{
  ThriftType type;
  gint16 id;

  for (enter (self); next_field (self, &type, &id);)
    if (!read_option (self, id, type))
      skip (self, type);
  leave (self);
}

/* ---- rows to insert */

static void
read_names (Reader *self)
{
  guint32 n;

  if (!kvsql_protocol_read_list_size (self->protocol, T_STRING, &n, NULL))
    return;
  self->names = kvsql_arena_array (self->arena, KvsqlSlice, n);
  self->n_names = n;
  for (guint32 i = 0; i < n; i++)
    self->names[i] = read_bytes (self);
  thrift_protocol_read_list_end (self->thrift, NULL);
}

static void
check_rows (Reader *self)
{
  KvsqlBatch *rows = &self->out->rows;
  const gchar **names = kvsql_arena_array (self->arena, const gchar *, (gsize)self->n_names + 1);

  for (guint32 i = 0; i < self->n_names; i++)
    {
      if (!kvsqld_rpc_check_text ("columns", self->names[i], &self->refusal))
        return;
      names[i] = (const gchar *)self->names[i].data;
    }
  if (!kvsqld_rpc_columns_check (&self->columns, self->n_rows, self->arena, rows, &self->refusal))
    return;
  if (self->n_names != rows->n_columns)
    kvsqld_rpc_reject (&self->refusal, "there are %u names for %u columns", self->n_names,
                       rows->n_columns);
  self->out->attributes = names;
}

/* ---- all of them */

static void
read_sql (Reader *self)
{
  self->out->sql = read_bytes (self);
}

static void
read_client (Reader *self)
{
  self->out->client = read_bytes (self);
}

static void
read_statement_id (Reader *self)
{
  thrift_protocol_read_i64 (self->thrift, &self->out->statement_id, NULL);
}

static void
read_cursor (Reader *self)
{
  self->out->cursor = read_bytes (self);
}

static void
read_relation (Reader *self)
{
  self->relation = read_bytes (self);
}

static void
read_n_rows (Reader *self)
{
  thrift_protocol_read_i32 (self->thrift, &self->n_rows, NULL);
}

static void
read_n_parts (Reader *self)
{
  thrift_protocol_read_i32 (self->thrift, &self->out->n_parts, NULL);
}

static void
read_is_analyze (Reader *self)
{
  thrift_protocol_read_bool (self->thrift, &self->out->is_analyze, NULL);
}

static void
read_rows (Reader *self)
{
  kvsqld_rpc_columns_read (self->protocol, self->arena, &self->columns);
}

static void
read_argument (Reader *self, KvsqldRpcArgument kind, ThriftType type)
{
  static const struct
  {
    ThriftType type;
    void (*read) (Reader *self);
  } readers[KVSQLD_RPC_N_ARGUMENTS] = {
    [KVSQLD_RPC_CLIENT] = { T_STRING, read_client },
    [KVSQLD_RPC_SQL] = { T_STRING, read_sql },
    [KVSQLD_RPC_STATEMENT_ID] = { T_I64, read_statement_id },
    [KVSQLD_RPC_CURSOR] = { T_STRING, read_cursor },
    [KVSQLD_RPC_PARAMETERS] = { T_LIST, read_parameters },
    [KVSQLD_RPC_OPTIONS] = { T_STRUCT, read_options },
    [KVSQLD_RPC_RELATION] = { T_STRING, read_relation },
    [KVSQLD_RPC_NAMES] = { T_LIST, read_names },
    [KVSQLD_RPC_N_ROWS] = { T_I32, read_n_rows },
    [KVSQLD_RPC_ROWS] = { T_LIST, read_rows },
    [KVSQLD_RPC_N_PARTS] = { T_I32, read_n_parts },
    [KVSQLD_RPC_IS_ANALYZE] = { T_BOOL, read_is_analyze },
  };

  if (kind != KVSQLD_RPC_ABSENT && readers[kind].type == type)
    readers[kind].read (self);
  else
    skip (self, type);
}

static void
check (Reader *self, const KvsqldRpcArgument *kinds)
{
  if (kinds[0] == KVSQLD_RPC_SQL && !kvsqld_rpc_check_sql (self->out->sql, refusal_of (self)))
    return;
  if (kinds[0] == KVSQLD_RPC_RELATION
      && !kvsqld_rpc_check_text ("relation", self->relation, refusal_of (self)))
    return;
  self->out->relation = (const gchar *)self->relation.data;
  if (self->refusal == NULL
      && kvsqld_rpc_accept_options (&self->options, &self->out->request, &self->refusal)
      && kinds[0] == KVSQLD_RPC_RELATION)
    check_rows (self);
}

gboolean
kvsqld_rpc_arguments_read (KvsqlProtocol *protocol, const KvsqldRpcArgument *kinds,
                           KvsqlArena *arena, KvsqldRpcArguments *out, GError **out_refusal,
                           GError **error)
{
  Reader self
      = { .protocol = protocol, .thrift = THRIFT_PROTOCOL (protocol), .arena = arena, .out = out };
  ThriftType type;
  gint16 id;

  *out = (KvsqldRpcArguments){ 0 };
  for (enter (&self); next_field (&self, &type, &id);)
    read_argument (
        &self, id >= 1 && id <= KVSQLD_RPC_MAX_ARGUMENTS ? kinds[id - 1] : KVSQLD_RPC_ABSENT, type);
  leave (&self);
  if (thrift_protocol_read_message_end (self.thrift, error) < 0)
    {
      g_clear_error (&self.refusal);
      return FALSE;
    }
  check (&self, kinds);
  *out_refusal = self.refusal;
  return TRUE;
}
