/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * capture.c: the statistics of statements, the definitions of their relations, and the statistics
 * of these.
 */
#include "config.h"

#include "client/ctl/commands/capture.h"

#include <string.h>

#include "client/ctl/execute.h"
#include "client/ctl/names.h"
#include "core/advisor/capture.h"

/* An alias in the statements of this file, so that a later capture leaves them out, as those on the
 * copies of advise --verify. */
#define OWN "kvsqlctl_capture"
#define OWN_COPY "\\badv_[0-9a-f]{6}_[ab]_r[0-9]+_"

void
kvsqlctl_capture_clear (KvsqlctlCapture *self)
{
  g_clear_pointer (&self->text, g_free);
}

/* ---- statements */

typedef struct
{
  gchar *text;
  gboolean is_whole;
  gint64 n_calls, n_rows;
} Counted;

static void
counted_free (gpointer data)
{
  Counted *self = data;

  g_free (self->text);
  g_free (self);
}

static gint64
read_number (KvsqlResult *result, gint column)
{
  const gchar *text = kvsql_result_get_text (result, (guint)column);

  return text == NULL ? 0 : g_ascii_strtoll (text, NULL, 10);
}

/* By role and text. */
static gboolean
take_counts (Kvsqlctl *ctl, GPtrArray *order, GHashTable **out, GError **error)
{
  g_autoptr (KvsqlResult) result = kvsql_connection_query (
      ctl->connection, "SHOW STATEMENT STATISTICS", NULL, ctl->cancellable, error);
  g_autoptr (GHashTable) counts
      = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, counted_free);
  gint role, text, calls, rows, whole;
  GError *local = NULL;

  if (result == NULL)
    return FALSE;
  role = kvsql_result_find_column (result, "role");
  text = kvsql_result_find_column (result, "statement");
  calls = kvsql_result_find_column (result, "calls");
  rows = kvsql_result_find_column (result, "rows");
  whole = kvsql_result_find_column (result, "whole");
  if (role < 0 || text < 0 || calls < 0 || rows < 0 || whole < 0)
    {
      g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_PROTOCOL,
                   "this kvsqld has other statistics of statements");
      return FALSE;
    }
  while (kvsql_result_next (result, &local))
    {
      const gchar *of = kvsql_result_get_text (result, (guint)role);
      Counted *counted = g_new0 (Counted, 1);
      gchar *key;

      counted->text = g_strdup (kvsql_result_get_text (result, (guint)text));
      counted->is_whole = g_strcmp0 (kvsql_result_get_text (result, (guint)whole), "yes") == 0;
      counted->n_calls = read_number (result, calls);
      counted->n_rows = read_number (result, rows);
      key = g_strconcat (of != NULL ? of : "", "\n", counted->text, NULL);
      g_ptr_array_add (order, g_strdup (key));
      g_hash_table_replace (counts, key, counted);
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  *out = g_steal_pointer (&counts);
  return TRUE;
}

static gboolean
is_own (const gchar *text)
{
  return strstr (text, OWN) != NULL || g_regex_match_simple (OWN_COPY, text, 0, 0);
}

static void
add_counts (KvsqlCapture *capture, const GPtrArray *order, GHashTable *before, GHashTable *now)
{
  for (guint i = 0; i < order->len; i++)
    {
      const Counted *counted = g_hash_table_lookup (now, order->pdata[i]);
      const Counted *old = before != NULL ? g_hash_table_lookup (before, order->pdata[i]) : NULL;
      /* lower numbers: it was reset or evicted */
      gboolean grew
          = old != NULL && old->n_calls <= counted->n_calls && old->n_rows <= counted->n_rows;
      const KvsqlCapturedStatement statement
          = { .text = counted->text,
              .is_whole = counted->is_whole,
              .n_calls = (gdouble)(counted->n_calls - (grew ? old->n_calls : 0)),
              .n_rows = (gdouble)(counted->n_rows - (grew ? old->n_rows : 0)) };

      if (statement.n_calls > 0 && !is_own (counted->text))
        kvsql_capture_add (capture, &statement);
    }
}

/* With @seconds, what is counted in that time. */
static gboolean
capture_statements (Kvsqlctl *ctl, KvsqlCapture *capture, gdouble seconds, gdouble *out_seconds,
                    GError **error)
{
  g_autoptr (GPtrArray) ignored = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) before = NULL, now = NULL;
  gint64 began_us;

  if (seconds > 0 && !take_counts (ctl, ignored, &before, error))
    return FALSE;
  began_us = g_get_monotonic_time ();
  if (seconds > 0)
    g_usleep ((gulong)(seconds * G_USEC_PER_SEC));
  if (!take_counts (ctl, order, &now, error))
    return FALSE;
  *out_seconds = seconds > 0 ? (gdouble)(g_get_monotonic_time () - began_us) / G_USEC_PER_SEC : 0;
  add_counts (capture, order, before, now);
  return TRUE;
}

/* ---- relations */

static void
attribute_clear (gpointer data)
{
  g_free ((gchar *)((KvsqlCapturedAttribute *)data)->name);
}

/* The attributes, with what ANALYZE says of them. */
static GArray *
analyze (Kvsqlctl *ctl, const gchar *relation, GError **error)
{
  g_autofree gchar *sql = g_strconcat ("ANALYZE ", relation, NULL);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);
  GArray *attributes;

  if (result == NULL)
    return NULL;
  attributes = g_array_new (FALSE, TRUE, sizeof (KvsqlCapturedAttribute));
  g_array_set_clear_func (attributes, attribute_clear);
  while (kvsql_result_next (result, NULL))
    {
      const gchar *bytes = kvsql_result_get_text (result, 3);
      const KvsqlCapturedAttribute attribute
          = { .name = g_strdup (kvsql_result_get_text (result, 0)),
              .distinct = g_ascii_strtod (kvsql_result_get_text (result, 1), NULL),
              .bytes = bytes == NULL ? 0 : MAX (g_ascii_strtod (bytes, NULL), 1) };

      g_array_append_val (attributes, attribute);
    }
  return attributes;
}

static gboolean
count_rows (Kvsqlctl *ctl, const gchar *relation, gdouble *out, GError **error)
{
  g_autofree gchar *sql = g_strconcat ("SELECT count(*) FROM ", relation, " AS " OWN, NULL);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);

  if (result == NULL || !kvsql_result_next (result, error))
    return FALSE;
  *out = (gdouble)kvsql_result_get_int64 (result, 0);
  return TRUE;
}

static const gchar *
find_definition (gchar **texts, const gchar *start)
{
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    if (g_str_has_prefix (texts[i], start))
      return texts[i];
  return NULL;
}

/* NULL: a schema of it is not filled yet. */
static GStrv
find_schemas (gchar **texts, GError **error)
{
  g_autoptr (GStrvBuilder) schemas = g_strv_builder_new ();

  for (guint i = 0; texts[i] != NULL; i++)
    {
      if (g_regex_match_simple ("\\bstate = (building|deleting|rebuilding)\\b", texts[i], 0, 0))
        {
          g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_CONFLICT,
                       "a schema is not filled yet; run BACKFILL SCHEMA, or drop it: %s", texts[i]);
          return NULL;
        }
      if (g_str_has_prefix (texts[i], "DEFINE PRIMARY SCHEMA ")
          || g_str_has_prefix (texts[i], "DEFINE SCHEMA "))
        g_strv_builder_add (schemas, texts[i]);
    }
  return g_strv_builder_end (schemas);
}

/* FALSE only if a schema cannot be taken: other errors are a reason in the file. */
static gboolean
capture_relation (Kvsqlctl *ctl, KvsqlCapture *capture, const gchar *name, gboolean with_schemas,
                  GError **out_error)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) schemas = NULL;
  g_autofree gchar *sql = g_strconcat ("SHOW CREATE ", name, NULL);
  g_auto (GStrv) texts = kvsqlctl_query_names (ctl, sql, &error);
  const gchar *definition = find_definition (texts, "DEFINE RELATION ");
  g_autoptr (GArray) attributes = NULL;
  gdouble rows = 0;

  if (definition == NULL)
    {
      kvsql_capture_set_relation (capture, name, NULL,
                                  error != NULL ? error->message : "it reads a view", 0, NULL, 0,
                                  NULL);
      return TRUE;
    }
  schemas = with_schemas ? find_schemas (texts, out_error) : NULL;
  if (with_schemas && schemas == NULL)
    return FALSE;
  attributes = analyze (ctl, name, &error);
  if (attributes == NULL || !count_rows (ctl, name, &rows, &error))
    rows = 0;
  kvsql_capture_set_relation (
      capture, name, definition, error != NULL ? error->message : NULL, rows,
      attributes != NULL ? (KvsqlCapturedAttribute *)attributes->data : NULL,
      attributes != NULL ? attributes->len : 0, (const gchar *const *)schemas);
  return TRUE;
}

/* Without CALIBRATE there are none. */
static gboolean
capture_costs (Kvsqlctl *ctl, KvsqlCapture *capture, GError **error)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, "SHOW STATUS", NULL, ctl->cancellable, error);
  GError *local = NULL;

  if (result == NULL)
    return FALSE;
  while (kvsql_result_next (result, &local))
    if (g_strcmp0 (kvsql_result_get_text (result, 0), "measured costs of the store") == 0)
      kvsql_capture_set_costs (capture, kvsql_result_get_text (result, 1));
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

gchar *
kvsqlctl_capture_relations (Kvsqlctl *ctl, const gchar *workload, GError **error)
{
  g_autoptr (KvsqlCapture) capture = kvsql_capture_new ();
  g_auto (GStrv) names = capture_costs (ctl, capture, error)
                             ? kvsqlctl_query_names (ctl, "SHOW RELATIONS", error)
                             : NULL;

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    {
      g_autofree gchar *quoted = kvsqlctl_quote_name (names[i]);

      if (kvsql_capture_is_named (workload, names[i])
          && !capture_relation (ctl, capture, quoted, TRUE, error))
        return NULL;
    }
  return names != NULL ? kvsql_capture_print_relations (capture) : NULL;
}

gboolean
kvsqlctl_capture (Kvsqlctl *ctl, const gchar *name, gdouble seconds, gboolean with_schemas,
                  KvsqlctlCapture *out, GError **error)
{
  g_autoptr (KvsqlCapture) capture = kvsql_capture_new ();
  const gchar *const *relations;

  *out = (KvsqlctlCapture){ 0 };
  if (!capture_costs (ctl, capture, error)
      || !capture_statements (ctl, capture, seconds, &out->seconds, error))
    return FALSE;
  relations = kvsql_capture_list_relations (capture);
  for (guint i = 0; relations[i] != NULL; i++)
    if (!capture_relation (ctl, capture, relations[i], with_schemas, error))
      return FALSE;
  out->text = kvsql_capture_print (capture, name, out->seconds, &out->n_advised);
  return TRUE;
}
