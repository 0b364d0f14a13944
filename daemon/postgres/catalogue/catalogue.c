/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalogue.c: see catalogue.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue/catalogue.h"

#include <string.h>

#include "core/base/interrupt.h"
#include "core/catalog/rights.h"
#include "daemon/postgres/catalogue/array.h"
#include "daemon/postgres/catalogue/content.h"
#include "daemon/postgres/catalogue/facts.h"

/* Databases that no query uses now. */
#define MAX_IDLE 4
#define MAX_RESULT_BYTES (32 * 1024 * 1024)

typedef struct
{
  KvsqldPgDatabase *database;
  gint64 epoch;
  gchar *user; /* the contents depend on it, and on the next ones */
  gchar *name;
  gboolean is_limited;
  gchar *role;      /* nullable */
  GHashTable *made; /* the relations that the database has */
} Entry;

struct _KvsqldPgCatalogue
{
  GMutex mutex;
  GQueue idle; /* of Entry, the one that was used last at the head */
};

static void
entry_free (Entry *self)
{
  kvsqld_pg_database_free (self->database);
  g_hash_table_unref (self->made);
  g_free (self->user);
  g_free (self->name);
  g_free (self->role);
  g_free (self);
}

KvsqldPgCatalogue *
kvsqld_pg_catalogue_new (void)
{
  KvsqldPgCatalogue *self = g_new0 (KvsqldPgCatalogue, 1);

  g_mutex_init (&self->mutex);
  g_queue_init (&self->idle);
  return self;
}

void
kvsqld_pg_catalogue_free (KvsqldPgCatalogue *self)
{
  if (self == NULL)
    return;
  g_queue_clear_full (&self->idle, (GDestroyNotify)entry_free);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* ---- databases */

/* NULL: without limits, or PUBLIC. */
static const gchar *
get_role (const KvsqlAuthority *authority)
{
  return authority->is_limited && authority->role != NULL ? authority->role->name : NULL;
}

static gboolean
is_for (const Entry *self, gint64 epoch, const KvsqldPgCatalogueSession *session)
{
  const KvsqlAuthority *authority = session->authority;

  return self->epoch == epoch && g_str_equal (self->user, session->user)
         && g_str_equal (self->name, session->database) && self->is_limited == authority->is_limited
         && g_strcmp0 (self->role, get_role (authority)) == 0;
}

/* Removes it from the idle ones; NULL: there is none. */
static Entry *
take (KvsqldPgCatalogue *self, gint64 epoch, const KvsqldPgCatalogueSession *session)
{
  Entry *found = NULL;

  g_mutex_lock (&self->mutex);
  for (GList *link = self->idle.head; link != NULL; link = link->next)
    if (is_for (link->data, epoch, session))
      {
        found = link->data;
        g_queue_delete_link (&self->idle, link);
        break;
      }
  g_mutex_unlock (&self->mutex);
  return found;
}

static void
put_back (KvsqldPgCatalogue *self, Entry *entry)
{
  Entry *oldest = NULL;

  g_mutex_lock (&self->mutex);
  g_queue_push_head (&self->idle, entry);
  if (self->idle.length > MAX_IDLE)
    oldest = g_queue_pop_tail (&self->idle);
  g_mutex_unlock (&self->mutex);
  if (oldest != NULL)
    entry_free (oldest);
}

static Entry *
entry_new (gint64 epoch, const KvsqldPgCatalogueSession *session, GError **error)
{
  g_autoptr (KvsqldPgDatabase) database = kvsqld_pg_database_new (error);
  Entry *self;

  if (database == NULL || !kvsqld_pg_functions_add (database, error))
    return NULL;
  self = g_new0 (Entry, 1);
  self->database = g_steal_pointer (&database);
  self->epoch = epoch;
  self->user = g_strdup (session->user);
  self->name = g_strdup (session->database);
  self->is_limited = session->authority->is_limited;
  self->role = g_strdup (get_role (session->authority));
  self->made = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/* pg_settings is of the session: it is made again for each query. */
static gboolean
add_tables (Entry *self, const KvsqldPgTranslation *query, const KvsqlCatalog *definitions,
            const KvsqldPgCatalogueSession *session, GError **error)
{
  for (guint i = 0; query->tables[i] != NULL; i++)
    {
      if (g_str_equal (query->tables[i], "pg_settings")
          && g_hash_table_remove (self->made, "pg_settings")
          && !kvsqld_pg_database_write (self->database, "DROP TABLE pg_settings", NULL, 0, error))
        return FALSE;
      if (!kvsqld_pg_content_add (self->database, self->made, query->tables[i], definitions,
                                  session, error))
        return FALSE;
    }
  return TRUE;
}

/* ---- results */

KvsqlType
kvsqld_pg_catalogue_vector_type (guint32 oid)
{
  if (oid == KVSQLD_PGT_BOOL)
    return KVSQL_TYPE_BOOLEAN;
  /* those that are sent as names are texts by now */
  if (kvsqld_pg_is_reference (oid))
    return KVSQL_TYPE_STRING;
  if (kvsqld_pg_is_integer (oid))
    return KVSQL_TYPE_BIGINT;
  return oid == KVSQLD_PGT_FLOAT4 || oid == KVSQLD_PGT_FLOAT8 ? KVSQL_TYPE_DOUBLE
                                                              : KVSQL_TYPE_STRING;
}

static KvsqlSlice
to_text (const KvsqlValue *value, KvsqlArena *arena)
{
  gchar number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (value->type)
    {
    case KVSQL_TYPE_STRING:
      return kvsql_slice_dup (arena, value->bytes);
    case KVSQL_TYPE_DOUBLE:
      return kvsql_slice_from_text (
          kvsql_arena_strdup (arena, g_ascii_dtostr (number, sizeof number, value->real)));
    default:
      return kvsql_slice_from_text (
          kvsql_arena_printf (arena, "%" G_GINT64_FORMAT, value->integer));
    }
}

/* SQLite's values have types of their own. */
static void
set_value (KvsqlVector *vector, guint row, const KvsqlValue *value, KvsqlArena *arena)
{
  gint64 integer = value->type == KVSQL_TYPE_BIGINT   ? value->integer
                   : value->type == KVSQL_TYPE_DOUBLE ? (gint64)value->real
                                                      : 0;

  if (value->type == KVSQL_TYPE_NULL)
    {
      kvsql_vector_set_null (vector, row);
      return;
    }
  if (vector->type != KVSQL_TYPE_STRING && value->type == KVSQL_TYPE_STRING)
    {
      g_autofree gchar *text = g_strndup ((const gchar *)value->bytes.data, value->bytes.size);

      integer = g_ascii_strtoll (text, NULL, 10);
    }
  switch (vector->type)
    {
    case KVSQL_TYPE_BOOLEAN:
      vector->booleans[row] = integer != 0;
      break;
    case KVSQL_TYPE_BIGINT:
      vector->integers[row] = integer;
      break;
    case KVSQL_TYPE_DOUBLE:
      vector->reals[row] = value->type == KVSQL_TYPE_DOUBLE ? value->real : (gdouble)integer;
      break;
    default:
      vector->slices[row] = to_text (value, arena);
      break;
    }
}

static KvsqlBatch *
read_rows (KvsqldPgRead *read, const KvsqldPgTranslation *query, KvsqlArena *arena, GError **error)
{
  g_autofree KvsqlType *types = g_new0 (KvsqlType, query->n_columns + 1);
  g_autoptr (KvsqlBatch) rows = NULL;
  g_autoptr (GError) failure = NULL;

  for (guint i = 0; i < query->n_columns; i++)
    types[i] = kvsqld_pg_catalogue_vector_type (query->columns[i].type);
  rows = kvsql_batch_new (types, query->n_columns, 64);
  while (kvsqld_pg_read_next (read, &failure))
    {
      if (rows->n_rows == rows->capacity)
        kvsql_batch_reserve (rows, rows->capacity * 2);
      for (guint i = 0; i < query->n_columns; i++)
        {
          KvsqlValue value = kvsqld_pg_read_get (read, i);

          set_value (&rows->columns[i], rows->n_rows, &value, arena);
        }
      rows->n_rows++;
      if (kvsql_arena_get_size (arena) + rows->block_size > MAX_RESULT_BYTES)
        kvsql_error_set (&failure, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                         "the result of a query of the catalogue has at most %d MiB",
                         MAX_RESULT_BYTES / 1024 / 1024);
      if (failure != NULL || !kvsql_interrupt_poll (&failure))
        break;
    }
  if (failure == NULL)
    return g_steal_pointer (&rows);
  g_propagate_error (error, g_steal_pointer (&failure));
  return NULL;
}

static KvsqlBatch *
run (Entry *entry, const KvsqldPgTranslation *query, const KvsqlValue *parameters,
     KvsqlArena *arena, GError **error)
{
  g_autoptr (KvsqldPgRead) read
      = kvsqld_pg_read_new (entry->database, query->sql, parameters, query->n_parameters, error);

  return read != NULL ? read_rows (read, query, arena, error) : NULL;
}

KvsqlBatch *
kvsqld_pg_catalogue_run (KvsqldPgCatalogue *self, const KvsqldPgTranslation *query,
                         const KvsqlCatalog *definitions, const KvsqldPgCatalogueSession *session,
                         const KvsqlValue *parameters, KvsqlArena *arena, GError **error)
{
  Entry *entry = take (self, definitions->epoch, session);
  KvsqlBatch *rows;

  if (entry == NULL && (entry = entry_new (definitions->epoch, session, error)) == NULL)
    return NULL;
  kvsqld_pg_database_set_data (entry->database, (gpointer)session);
  if (!add_tables (entry, query, definitions, session, error))
    {
      entry_free (entry); /* a table may be there in part */
      return NULL;
    }
  rows = run (entry, query, parameters, arena, error);
  kvsqld_pg_database_set_data (entry->database, NULL);
  put_back (self, entry);
  return rows;
}

/* ---- parameters */

static gboolean
fail_parameter (guint32 oid, GError **error)
{
  const KvsqldPgTypeFacts *type = kvsqld_pg_facts_find_type (oid);

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid value of a parameter of type %s",
                   type != NULL ? type->name : "unknown");
  return kvsql_error_sqlstate (error, "22P03");
}

static gboolean
read_binary (guint32 oid, KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  guint64 value
      = bytes.size > 0 && bytes.data[0] >= 0x80 && oid != KVSQLD_PGT_OID ? G_MAXUINT64 : 0;

  if (kvsqld_pg_is_array (oid))
    {
      KvsqlSlice text = kvsqld_pg_array_from_binary (bytes, arena);

      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = text };
      return text.data != NULL || fail_parameter (oid, error);
    }
  if (!kvsqld_pg_is_integer (oid) && oid != KVSQLD_PGT_BOOL)
    {
      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_dup (arena, bytes) };
      return !kvsqld_pg_is_real (oid) || fail_parameter (oid, error);
    }
  if (bytes.size == 0 || bytes.size > 8)
    return fail_parameter (oid, error);
  for (gsize i = 0; i < bytes.size; i++)
    value = value << 8 | bytes.data[i];
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = (gint64)value };
  return TRUE;
}

gboolean
kvsqld_pg_catalogue_read_parameter (guint32 oid, gboolean is_binary, KvsqlSlice bytes,
                                    KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  g_autofree gchar *text = NULL;
  gchar *end;

  if (is_binary)
    return read_binary (oid, bytes, arena, out, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_dup (arena, bytes) };
  text = g_strndup ((const gchar *)bytes.data, bytes.size);
  if (oid == KVSQLD_PGT_BOOL)
    {
      *out
          = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = strchr ("tTyY1", text[0]) != NULL };
      return text[0] != '\0' || fail_parameter (oid, error);
    }
  if (!kvsqld_pg_is_integer (oid) || kvsqld_pg_is_reference (oid))
    return TRUE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BIGINT, .integer = g_ascii_strtoll (text, &end, 10) };
  return (text[0] != '\0' && *end == '\0') || fail_parameter (oid, error);
}
