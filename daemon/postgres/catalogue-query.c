/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * catalogue-query.c: see catalogue-query.h.
 */
#include "config.h"

#include "daemon/postgres/catalogue-query.h"

#include "daemon/postgres/catalogue/array.h"
#include "daemon/postgres/catalogue/facts.h"
#include "daemon/postgres/catalogue/objects.h"
#include "daemon/postgres/write-value.h"

/* ---- how values are sent */

static void
write_int2 (KvsqlBuffer *out, const KvsqlVector *column, guint row)
{
  kvsqld_pg_put_int16 (out, (guint16)column->integers[row]);
}

/* What is no array has no elements. */
static void
write_array (KvsqlBuffer *out, const KvsqlVector *column, guint row, guint32 element)
{
  gsize size = out->size;

  if (!kvsqld_pg_array_to_binary (column->slices[row], element, out))
    {
      out->size = size;
      if (!kvsqld_pg_array_to_binary (kvsql_slice ("{}", 2), element, out))
        out->size = size;
    }
}

#define ARRAY_WRITER(name, element)                                                                \
  static void write_##name (KvsqlBuffer *out, const KvsqlVector *column, guint row)                \
  {                                                                                                \
    write_array (out, column, row, element);                                                       \
  }

ARRAY_WRITER (int2s, KVSQLD_PGT_INT2)
ARRAY_WRITER (int4s, KVSQLD_PGT_INT4)
ARRAY_WRITER (int8s, KVSQLD_PGT_INT8)
ARRAY_WRITER (oids, KVSQLD_PGT_OID)
ARRAY_WRITER (texts, KVSQLD_PGT_TEXT)
ARRAY_WRITER (names, KVSQLD_PGT_NAME)
ARRAY_WRITER (characters, KVSQLD_PGT_CHAR)
ARRAY_WRITER (varchars, KVSQLD_PGT_VARCHAR)

typedef void (*Writer) (KvsqlBuffer *out, const KvsqlVector *column, guint row);

/* NULL: that type has no binary format here. */
static Writer
find_array_writer (guint32 element)
{
  switch (element)
    {
    case KVSQLD_PGT_INT2:
      return write_int2s;
    case KVSQLD_PGT_INT4:
      return write_int4s;
    case KVSQLD_PGT_INT8:
      return write_int8s;
    case KVSQLD_PGT_OID:
      return write_oids;
    case KVSQLD_PGT_TEXT:
      return write_texts;
    case KVSQLD_PGT_NAME:
      return write_names;
    case KVSQLD_PGT_CHAR:
      return write_characters;
    case KVSQLD_PGT_VARCHAR:
      return write_varchars;
    default:
      return NULL;
    }
}

static Writer
find_binary_writer (guint32 oid, const KvsqldPgTypeFacts *facts)
{
  switch (oid)
    {
    case KVSQLD_PGT_BOOL:
      return kvsqld_pg_write_boolean_binary;
    case KVSQLD_PGT_INT2:
      return write_int2;
    case KVSQLD_PGT_INT8:
      return kvsqld_pg_write_int8_binary;
    case KVSQLD_PGT_INT4:
    case KVSQLD_PGT_OID:
    case KVSQLD_PGT_XID:
    case KVSQLD_PGT_CID:
      return kvsqld_pg_write_int4_binary;
    case KVSQLD_PGT_FLOAT4:
      return kvsqld_pg_write_float4_binary;
    case KVSQLD_PGT_FLOAT8:
      return kvsqld_pg_write_float8_binary;
    case KVSQLD_PGT_INT2VECTOR:
      return write_int2s;
    case KVSQLD_PGT_OIDVECTOR:
      return write_oids;
    case KVSQLD_PGT_JSON:
      return kvsqld_pg_write_bytes;
    default:
      break;
    }
  if (kvsqld_pg_is_text (oid))
    return kvsqld_pg_write_bytes;
  return facts != NULL && facts->category == 'A' ? find_array_writer (facts->element) : NULL;
}

static Writer
find_text_writer (guint32 oid)
{
  switch (kvsqld_pg_catalogue_vector_type (oid))
    {
    case KVSQL_TYPE_BOOLEAN:
      return kvsqld_pg_write_boolean_text;
    case KVSQL_TYPE_BIGINT:
      return kvsqld_pg_write_integer_text;
    case KVSQL_TYPE_DOUBLE:
      return oid == KVSQLD_PGT_FLOAT4 ? kvsqld_pg_write_float4_text : kvsqld_pg_write_float8_text;
    default:
      return kvsqld_pg_write_bytes;
    }
}

static const KvsqldPgType *
type_new (guint32 oid, KvsqlArena *arena)
{
  const KvsqldPgTypeFacts *facts = kvsqld_pg_facts_find_type (oid);
  KvsqldPgType *type = kvsql_arena_new0 (arena, KvsqldPgType);

  *type = (KvsqldPgType){ .oid = (KvsqldPgOid)oid,
                          .size = facts != NULL ? facts->size : -1,
                          .write_text = find_text_writer (oid),
                          .write_binary = find_binary_writer (oid, facts) };
  return type;
}

/* ---- a query */

const KvsqldPgCatalogueQuery *
kvsqld_pg_catalogue_query_new (KvsqlSlice sql, const guint32 *oids, guint n_oids, KvsqlArena *arena,
                               GError **error)
{
  KvsqldPgCatalogueQuery *self = kvsql_arena_new0 (arena, KvsqldPgCatalogueQuery);
  KvsqlResultColumn *columns;
  const KvsqldPgType **sent;
  guint n;

  if (!kvsqld_pg_translate (sql, oids, n_oids, arena, &self->translation, error))
    return NULL;
  n = self->translation.n_columns;
  columns = kvsql_arena_array (arena, KvsqlResultColumn, n + 1);
  sent = kvsql_arena_array (arena, const KvsqldPgType *, n + 1);
  for (guint i = 0; i < n; i++)
    {
      const KvsqldPgCatalogueColumn *column = &self->translation.columns[i];

      columns[i] = (KvsqlResultColumn){ .name = column->name,
                                        .type = kvsqld_pg_catalogue_vector_type (column->type) };
      sent[i] = type_new (column->type, arena);
    }
  self->columns = columns;
  self->sent = sent;
  return self;
}

/* ---- execution */

static const gchar *
get_setting (gpointer session, const gchar *name)
{
  const KvsqldPgSession *self = session;

  return kvsqld_pg_settings_get (self->settings, name);
}

static gboolean
set_setting (gpointer session, const gchar *name, const gchar *value, gboolean is_local,
             GError **error)
{
  KvsqldPgSession *self = session;

  return (is_local && self->block.state == KVSQLD_PG_IDLE)
         || kvsqld_pg_settings_set (self->settings, name, value, is_local, error);
}

static const gchar *const *
list_settings (G_GNUC_UNUSED gpointer session)
{
  return kvsqld_pg_settings_list ();
}

static gboolean
has_view (gconstpointer definitions, const KvsqlView *view)
{
  return kvsqld_known_definitions_have_view (definitions, view);
}

static gint64
count_tuples (gconstpointer definitions, const KvsqlRelation *relation)
{
  return kvsqld_known_definitions_count_tuples (definitions, relation);
}

static const KvsqldPgViewColumn *
list_view_columns (gconstpointer definitions, const KvsqlView *view, KvsqlArena *arena,
                   guint *out_n)
{
  const KvsqlResultColumn *columns
      = kvsqld_known_definitions_list_view_columns (definitions, view, out_n);
  KvsqldPgViewColumn *out;

  if (columns == NULL)
    *out_n = 0;
  out = kvsql_arena_array (arena, KvsqldPgViewColumn, *out_n + 1);
  for (guint i = 0; i < *out_n; i++)
    out[i] = (KvsqldPgViewColumn){
      .name = kvsql_arena_strdup (arena, columns[i].name),
      .type = kvsqld_pg_column_type_of (columns[i].type, &columns[i].limit),
    };
  return out;
}

typedef struct
{
  const KvsqldPgCatalogueQuery *query;
  KvsqldPgSession *session;
  const KvsqlValue *parameters;
  KvsqlResultPage *page;
} Run;

static gboolean
run (const KvsqldKnownDefinitions *definitions, gpointer data, GError **error)
{
  Run *self = data;
  KvsqldPgSession *session = self->session;
  g_autofree gchar *version = kvsqld_pg_session_get_version (session);
  const KvsqldPgCatalogueSession asker
      = { .user = session->user,
          .role = session->identity->set_role != NULL ? session->identity->set_role : session->user,
          .authority = definitions->authority,
          .database = session->database,
          .version = version,
          .process_id = session->cancel.process_id,
          .settings = session,
          .get_setting = get_setting,
          .set_setting = set_setting,
          .list_settings = list_settings,
          .definitions = definitions,
          .count_tuples = count_tuples,
          .has_view = has_view,
          .list_view_columns = list_view_columns };
  g_autoptr (KvsqlResultPage) page = kvsql_result_page_new_empty (-1);

  page->arena = kvsql_arena_new ();
  page->n_columns = self->query->translation.n_columns;
  page->rows = kvsqld_pg_catalogue_run (session->catalogue, &self->query->translation,
                                        definitions->catalog, &asker, self->parameters, page->arena,
                                        error);
  if (page->rows == NULL)
    return FALSE;
  self->page = g_steal_pointer (&page);
  return TRUE;
}

KvsqlResultPage *
kvsqld_pg_catalogue_query_run (const KvsqldPgCatalogueQuery *self, KvsqldPgSession *session,
                               KvsqlSlice sql, const KvsqlValue *parameters, GError **error)
{
  const KvsqldRequest request = kvsqld_pg_session_get_request (session);
  g_autofree KvsqlValue *none = NULL;
  Run state = { .query = self, .session = session, .parameters = parameters };

  if (parameters == NULL) /* of a simple query */
    {
      none = g_new0 (KvsqlValue, self->translation.n_parameters + 1);
      for (guint i = 0; i < self->translation.n_parameters; i++)
        none[i] = KVSQL_VALUE_NULL;
      state.parameters = none;
    }
  return kvsqld_service_read_definitions (session->service, &request, sql, run, &state, error)
             ? state.page
             : NULL;
}
