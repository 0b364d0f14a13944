/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * history.c: SHOW HISTORY and SHOW DAEMONS.
 */
#include "config.h"

#include <unistd.h>

#include "core/catalog/restore.h"
#include "daemon/net/peer-name.h"
#include "daemon/service/service-private.h"

/* ---- the author */

void
kvsqld_context_make_author (KvsqldContext *context, KvsqldAuthor *out)
{
  g_autofree gchar *statement = g_strndup ((const gchar *)context->sql.data, context->sql.size);
  g_autofree gchar *by = kvsqld_peer_name (context->request->peer ?: "");

  g_strstrip (statement);
  *out = (KvsqldAuthor){
    .by = kvsql_arena_strdup (context->arena, by),
    .daemon = kvsql_arena_printf (context->arena, "%s-%d", g_get_host_name (), (gint)getpid ()),
    .statement = kvsql_arena_strdup (context->arena, statement),
    .at_ms = context->now,
  };
}

/* ---- SHOW HISTORY */

enum
{
  COLUMN_VERSION,
  COLUMN_AT,
  COLUMN_NAME,
  COLUMN_KIND,
  COLUMN_CHANGE,
  COLUMN_BY,
  COLUMN_DAEMON,
  COLUMN_STATEMENT,
  COLUMN_DEFINITION, /* only if one name was asked for, because it is long */
  N_COLUMNS,
};

static gchar *
print_time (gint64 ms)
{
  g_autoptr (GDateTime) time = ms > 0 ? g_date_time_new_from_unix_utc (ms / 1000) : NULL;

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%SZ") : NULL;
}

static void
add_record (KvsqlResultPage *page, const KvsqlDefinitionRecord *record)
{
  g_autofree gchar *version = g_strdup_printf ("%" G_GINT64_FORMAT, record->epoch);
  g_autofree gchar *at = print_time (record->at_ms);
  g_autofree gchar *definition
      = record->text != NULL ? kvsql_definition_without_state (record->text) : NULL;
  const gchar *row[N_COLUMNS] = {
    [COLUMN_VERSION] = version,
    [COLUMN_AT] = at,
    [COLUMN_NAME] = record->name,
    [COLUMN_KIND] = record->kind == KVSQL_DEFINITION_RELATION ? "relation" : "schema",
    [COLUMN_CHANGE] = record->text == NULL ? "dropped"
                      : at == NULL         ? "known"
                                           : "defined",
    [COLUMN_BY] = record->by ?: "",
    [COLUMN_DAEMON] = record->daemon ?: "",
    [COLUMN_STATEMENT] = record->statement ?: "",
    [COLUMN_DEFINITION] = definition,
  };

  kvsql_result_page_add_row (page, row);
}

/* The start of a page: the records of a version, without the first n_emitted of them. Records are
 * only added at the end, and old ones are dropped, so this stays valid when definitions change. */
typedef struct
{
  gint64 version;
  gint64 n_emitted;
} Place;

static GBytes *
seal (KvsqldContext *context, const Place *place)
{
  KvsqlValue values[] = { { .type = KVSQL_TYPE_BIGINT, .integer = place->version },
                          { .type = KVSQL_TYPE_BIGINT, .integer = place->n_emitted } };

  return kvsqld_seal_statement (context, NULL, values, G_N_ELEMENTS (values));
}

static guint
find_place (const GPtrArray *records, const Place *place)
{
  guint i = 0;
  gint64 n = 0;

  while (i < records->len
         && ((const KvsqlDefinitionRecord *)records->pdata[i])->epoch < place->version)
    i++;
  while (i < records->len && n < place->n_emitted
         && ((const KvsqlDefinitionRecord *)records->pdata[i])->epoch == place->version)
    {
      i++;
      n++;
    }
  return i;
}

static void
pass (Place *place, gint64 version)
{
  if (place->version != version)
    *place = (Place){ .version = version };
  place->n_emitted++;
}

/* Adds at least one record, however long it is. */
static void
add_records (KvsqldContext *context, KvsqlResultPage *page, const GPtrArray *records, Place *place)
{
  const KvsqlPageBounds bounds = kvsqld_context_get_page_bounds (context);

  for (guint i = find_place (records, place); i < records->len; i++)
    {
      const KvsqlDefinitionRecord *record = records->pdata[i];

      if (page->rows->n_rows > 0
          && (page->rows->n_rows >= bounds.max_rows
              || kvsql_arena_get_size (page->arena) >= bounds.max_bytes))
        {
          page->cursor = seal (context, place);
          return;
        }
      add_record (page, record);
      pass (place, record->epoch);
    }
}

static KvsqlResultPage *
page_from (KvsqldContext *context, Place place, GError **error)
{
  static const gchar *const names[N_COLUMNS] = {
    [COLUMN_VERSION] = "version",
    [COLUMN_AT] = "at",
    [COLUMN_NAME] = "name",
    [COLUMN_KIND] = "kind",
    [COLUMN_CHANGE] = "change",
    [COLUMN_BY] = "by",
    [COLUMN_DAEMON] = "daemon",
    [COLUMN_STATEMENT] = "statement",
    [COLUMN_DEFINITION] = "definition",
  };
  const KvsqlName *name = &context->statement->show.name;
  g_autofree gchar *folded
      = name->text != NULL ? kvsql_catalog_fold_name (context->catalog, name) : NULL;
  g_autoptr (GPtrArray) records = kvsqld_definitions_list_history (context->service->definitions,
                                                                   folded, &context->call, error);
  KvsqlResultPage *page;

  if (records == NULL)
    return NULL;
  page = kvsql_result_page_new_table (names, folded != NULL ? N_COLUMNS : COLUMN_DEFINITION);
  add_records (context, page, records, &place);
  return page;
}

KvsqlResultPage *
kvsqld_show_history (KvsqldContext *context, GError **error)
{
  return page_from (context, (Place){ 0 }, error);
}

KvsqlResultPage *
kvsqld_fetch_history (KvsqldContext *context, const KvsqldCursorToken *token, GError **error)
{
  KvsqlResultPage *page;

  if (context->statement->show.what != KVSQL_SHOW_HISTORY || token->n_parameters != 2)
    {
      kvsql_error_set (error, KVSQL_ERROR_BAD_CURSOR, KVSQL_SPAN_NONE,
                       "this is not a cursor of that statement");
      return NULL;
    }
  page = page_from (
      context,
      (Place){ .version = token->parameters[0].integer, .n_emitted = token->parameters[1].integer },
      error);
  if (page != NULL)
    kvsql_result_page_forget_columns (page);
  return page;
}

/* ---- SHOW DAEMONS */

KvsqlResultPage *
kvsqld_show_daemons (KvsqldContext *context, GError **error)
{
  static const gchar *const names[] = { "daemon", "epoch", "state" };
  g_autoptr (GPtrArray) daemons
      = kvsqld_definitions_list_daemons (context->service->definitions, &context->call, error);
  KvsqlResultPage *page;

  if (daemons == NULL)
    return NULL;
  page = kvsql_result_page_new_table (names, G_N_ELEMENTS (names));
  for (guint i = 0; i < daemons->len; i++)
    {
      const KvsqldPeer *peer = daemons->pdata[i];
      gint64 lag = context->catalog->epoch - peer->epoch;
      g_autofree gchar *epoch = g_strdup_printf ("%" G_GINT64_FORMAT, peer->epoch);
      g_autofree gchar *state
          = lag > 0 ? g_strdup_printf ("%" G_GINT64_FORMAT " behind", lag) : g_strdup ("ok");
      const gchar *row[] = { peer->name, epoch, state };

      kvsql_result_page_add_row (page, row);
    }
  return page;
}
