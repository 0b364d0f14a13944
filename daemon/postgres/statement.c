/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement.c: see statement.h.
 */
#include "config.h"

#include "daemon/postgres/statement.h"

#include "core/sql/parser.h"
#include "core/sql/printer.h"
#include "daemon/postgres/column-names.h"
#include "daemon/postgres/type.h"

/* The service has a limit of its own for those that it prepares. */
#define MAX_STATEMENTS 10000

KvsqldPgStatement *
kvsqld_pg_statement_ref (KvsqldPgStatement *self)
{
  self->ref_count++;
  return self;
}

void
kvsqld_pg_statement_unref (KvsqldPgStatement *self)
{
  if (self == NULL || --self->ref_count > 0)
    return;
  if (self->prepared != NULL)
    {
      const KvsqldRequest request = { .session = self->session->activity };
      g_autoptr (GError) unheard = NULL;

      if (!kvsqld_service_close_statement (self->session->service, &request, self->prepared->id,
                                           &unheard))
        g_info ("prepared statement: %s", unheard->message);
      kvsqld_prepared_free (self->prepared);
    }
  kvsqld_pg_statement_unref (self->inner);
  kvsql_arena_free (self->arena);
  g_free (self);
}

static KvsqldPgStatement *
statement_new (KvsqldPgSession *session)
{
  KvsqldPgStatement *self = g_new0 (KvsqldPgStatement, 1);

  self->ref_count = 1;
  self->session = session;
  self->arena = kvsql_arena_new ();
  return self;
}

/* ---- prepared statements */

/* The only statement of a text; it may be empty. */
static gboolean
take_single (KvsqlSlice text, KvsqlSlice *out, GError **error)
{
  KvsqlSlice second;
  gboolean is_complete;
  gsize offset = 0;

  *out = KVSQL_SLICE_EMPTY;
  if (!kvsql_sql_split (text, &offset, out, &is_complete)
      || !kvsql_sql_split (text, &offset, &second, &is_complete))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_SYNTAX,
                          (KvsqlSpan){ (gint32)(second.data - out->data), 1 },
                          "cannot insert multiple commands into a prepared statement");
}

static gboolean
refuse_type (guint i, guint32 oid, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                   "parameter $%u has the type %u, which is not supported", i + 1, oid);
  return kvsql_error_hint (error, "Leave the type open, and send the value as text.");
}

/* The types that the client gives, as the engine's. */
static const KvsqlType *
declared_types (KvsqldPgStatement *self, const guint32 *oids, guint n)
{
  KvsqlType *types = kvsql_arena_array (self->arena, KvsqlType, n);

  for (guint i = 0; i < n; i++)
    types[i] = kvsqld_pg_type_to_engine (oids[i]);
  return types;
}

KvsqldPgColumns
kvsqld_pg_statement_get_columns (const KvsqldPgStatement *self)
{
  const KvsqldPgStatement *executed
      = self->command.kind == KVSQLD_PG_EXECUTE
            ? g_hash_table_lookup (self->session->statements, self->command.name)
            : NULL;

  if (executed != NULL && executed->command.kind != KVSQLD_PG_EXECUTE)
    return kvsqld_pg_statement_get_columns (executed);
  if (self->catalogue != NULL)
    return (KvsqldPgColumns){ self->catalogue->columns, self->catalogue->translation.n_columns,
                              self->catalogue->sent };
  if (self->prepared == NULL)
    return (KvsqldPgColumns){ 0 };
  return (KvsqldPgColumns){ self->columns, self->prepared->n_columns, NULL };
}

/* A query of the catalogue knows all types of PostgreSQL. */
static gboolean
set_catalogue_parameters (KvsqldPgStatement *self, const KvsqldPgTranslation *query)
{
  self->n_parameters = query->n_parameters;
  self->parameter_oids = kvsql_arena_array (self->arena, guint32, query->n_parameters);
  for (guint i = 0; i < query->n_parameters; i++)
    self->parameter_oids[i] = query->parameters[i];
  return TRUE;
}

static guint32
oid_of_place (const KvsqldPrepared *prepared, guint i)
{
  const KvsqlLimitKind limit
      = prepared->parameter_limits != NULL ? prepared->parameter_limits[i] : KVSQL_LIMIT_NONE;

  return kvsqld_pg_type_of_limited (prepared->parameter_types[i], limit)->oid;
}

/* The types are those of the client, or what their places in the statement say. */
static gboolean
set_parameters (KvsqldPgStatement *self, const guint32 *oids, guint n_oids, GError **error)
{
  const KvsqldPgStatement *query = self->inner != NULL ? self->inner : self;
  const KvsqldPrepared *prepared = query->prepared;
  guint n_needed = prepared != NULL ? prepared->n_parameters : 0;

  if (query->catalogue != NULL)
    return set_catalogue_parameters (self, &query->catalogue->translation);
  self->n_parameters = MAX (n_needed, n_oids);
  self->parameter_oids = kvsql_arena_array (self->arena, guint32, self->n_parameters);
  for (guint i = 0; i < self->n_parameters; i++)
    {
      guint32 oid = i < n_oids ? oids[i] : 0;

      if (!kvsqld_pg_type_is_known (oid))
        return refuse_type (i, oid, error);
      if ((oid == 0 || oid == KVSQLD_PG_UNKNOWN) && i < n_needed)
        oid = oid_of_place (prepared, i);
      self->parameter_oids[i] = oid != 0 ? oid : KVSQLD_PG_TEXT;
    }
  return TRUE;
}

static gboolean
prepare_catalogue (KvsqldPgStatement *self, const guint32 *oids, guint n_oids, GError **error)
{
  if (self->command.kind != KVSQLD_PG_CATALOGUE)
    return TRUE;
  self->catalogue = kvsqld_pg_catalogue_query_new (self->sql, oids, n_oids, self->arena, error);
  return self->catalogue != NULL;
}

/* ---- COPY */

/* The query of COPY r (a, b) TO, in the arena. */
static KvsqlSlice
make_copy_query (const KvsqldPgStatement *self)
{
  const KvsqlCopy *copy = self->copy;
  g_autoptr (GString) text = g_string_new ("SELECT ");

  if (copy->n_attributes == 0)
    g_string_append_c (text, '*');
  for (guint i = 0; i < copy->n_attributes; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      kvsql_print_name (&copy->attributes[i], text);
    }
  g_string_append (text, " FROM ");
  kvsql_print_name (copy->relation, text);
  return kvsql_slice_from_text (kvsql_arena_strndup (self->arena, text->str, text->len));
}

/* Parses COPY. command.inner becomes the query of COPY TO. */
static gboolean
read_copy (KvsqldPgStatement *self, GError **error)
{
  const KvsqlAstStatement *statement;

  if (self->command.kind != KVSQLD_PG_COPY)
    return TRUE;
  statement = kvsql_parser_parse (self->sql, self->arena, error);
  if (statement == NULL)
    return FALSE;
  if (statement->n_parameters > 0)
    {
      kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, statement->span, "COPY has no parameters");
      kvsql_error_sqlstate (error, "42P02");
      return kvsql_error_hint (error, "Write the values into the query.");
    }
  self->copy = &statement->copy;
  if (self->copy->query != NULL)
    self->command.inner = kvsql_slice (self->sql.data + self->copy->query_span.offset,
                                       (gsize)self->copy->query_span.length);
  else if (!self->copy->is_from)
    self->command.inner = make_copy_query (self);
  return TRUE;
}

/* Reads the command of self->sql, and prepares it unless it is one of the session. */
static gboolean
prepare_text (KvsqldPgStatement *self, const guint32 *oids, guint n_oids, GError **error)
{
  KvsqldPgSession *session = self->session;
  KvsqldRequest request = kvsqld_pg_session_get_request (session);

  if (!kvsqld_pg_command_read (self->sql, self->arena, &self->command, error)
      || (self->sql.size > 0 && !kvsqld_pg_session_check (session, &self->command, error))
      || !read_copy (self, error))
    return FALSE;
  if (self->command.kind != KVSQLD_PG_ENGINE || self->sql.size == 0)
    return prepare_catalogue (self, oids, n_oids, error);
  request.wants_types = TRUE;
  request.parameter_types = declared_types (self, oids, n_oids);
  request.n_parameter_types = n_oids;
  self->prepared = kvsqld_service_prepare (session->service, &request, self->sql, error);
  if (self->prepared == NULL)
    return FALSE;
  self->columns = kvsqld_pg_name_columns (self->sql, self->prepared->columns,
                                          self->prepared->n_columns, self->arena);
  return TRUE;
}

/* Whether the inner query is a part of the text, whose positions are positions of the text, too. */
static gboolean
is_inner_written (const KvsqldPgStatement *self)
{
  return self->copy == NULL || self->copy->query != NULL;
}

/* The query of a cursor is a statement of its own, with the parameters of DECLARE; that of COPY TO,
 * too. */
static gboolean
prepare_inner (KvsqldPgStatement *self, KvsqldPgSource *source, const guint32 *oids, guint n_oids,
               GError **error)
{
  KvsqlSlice sql = self->command.inner;
  g_autoptr (KvsqldPgStatement) inner = NULL;

  if (sql.size == 0 || self->command.kind == KVSQLD_PG_PREPARE
      || self->command.kind == KVSQLD_PG_EXECUTE)
    return TRUE;
  inner = statement_new (self->session);
  if (is_inner_written (self))
    source->offset += (gsize)(sql.data - self->sql.data);
  inner->sql = kvsql_slice_dup (inner->arena, sql);
  inner->source.text = inner->sql;
  if (!prepare_text (inner, oids, n_oids, error))
    return is_inner_written (self) ? FALSE : kvsql_error_move (error, KVSQL_SPAN_NONE);
  if (kvsqld_pg_statement_get_columns (inner).n_columns == 0
      || inner->command.count != KVSQLD_PG_COUNT_ROWS)
    return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, KVSQL_SPAN_NONE,
                            self->copy != NULL ? "COPY TO copies a SELECT only"
                                               : "a cursor is declared for a SELECT only");
  self->inner = g_steal_pointer (&inner);
  return set_parameters (self->inner, oids, n_oids, error);
}

KvsqldPgStatement *
kvsqld_pg_statement_new (KvsqldPgSession *session, KvsqlSlice sql, KvsqldPgSource *source,
                         GError **error)
{
  g_autoptr (KvsqldPgStatement) self = statement_new (session);

  self->sql = sql;
  if (!kvsqld_pg_command_read (sql, self->arena, &self->command, error)
      || !kvsqld_pg_session_check (session, &self->command, error) || !read_copy (self, error)
      || !prepare_catalogue (self, NULL, 0, error) || !prepare_inner (self, source, NULL, 0, error))
    return NULL;
  return g_steal_pointer (&self);
}

static KvsqldPgStatement *
prepare (KvsqldPgSession *session, KvsqldPgSource *source, const guint32 *oids, guint n_oids,
         GError **error)
{
  g_autoptr (KvsqldPgStatement) self = statement_new (session);
  KvsqlSlice sql;

  if (!take_single (source->text, &sql, error))
    return NULL;
  source->offset = sql.size > 0 ? (gsize)(sql.data - source->text.data) : 0;
  self->source = (KvsqldPgSource){ kvsql_slice_dup (self->arena, source->text), source->offset };
  self->sql = kvsql_slice (self->source.text.data + source->offset, sql.size);
  if (!prepare_text (self, oids, n_oids, error)
      || !prepare_inner (self, source, oids, n_oids, error)
      || !set_parameters (self, oids, n_oids, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
kvsqld_pg_statement_prepare (KvsqldPgSession *session, const gchar *name, KvsqldPgSource *source,
                             const guint32 *oids, guint n_oids, GError **error)
{
  KvsqldPgStatement *self;

  if (name[0] == '\0')
    g_hash_table_remove (session->statements, name);
  else if (g_hash_table_contains (session->statements, name))
    {
      kvsql_error_set (error, KVSQL_ERROR_ALREADY_EXISTS, KVSQL_SPAN_NONE,
                       "prepared statement \"%s\" already exists", name);
      return kvsql_error_sqlstate (error, "42P05");
    }
  if (g_hash_table_size (session->statements) >= MAX_STATEMENTS)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "the session has %d prepared statements already", MAX_STATEMENTS);
  if (name[0] != '\0' && !kvsqld_pg_session_check_memory (session, error))
    return FALSE;
  self = prepare (session, source, oids, n_oids, error);
  if (self == NULL)
    return FALSE;
  g_hash_table_insert (session->statements, kvsql_arena_strdup (self->arena, name), self);
  return TRUE;
}

KvsqldPgStatement *
kvsqld_pg_statement_find (KvsqldPgSession *session, const gchar *name, GError **error)
{
  KvsqldPgStatement *found = g_hash_table_lookup (session->statements, name);

  if (found != NULL)
    return found;
  if (name[0] == '\0')
    kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE,
                     "unnamed prepared statement does not exist");
  else
    kvsql_error_set (error, KVSQL_ERROR_BAD_STATEMENT_ID, KVSQL_SPAN_NONE,
                     "prepared statement \"%s\" does not exist", name);
  return NULL;
}
