/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * copies.c: see copies.h.
 *
 * A relation is read once, over a connection of its own, and its rows are written to both copies:
 * also while other clients write, both have the same tuples.
 */
#include "config.h"

#include "client/ctl/verify/copies.h"

#include <string.h>

#include "client/ctl/report.h"
#include "client/ctl/terminal/interrupt.h"
#include "client/ctl/terminal/progress.h"

#define BATCH_ROWS 5000
/* One DELETE has to end within the timeout. */
#define DELETED_ROWS 20000
/* Of each copy, to name the tuples that differ. */
#define KEPT_ROWS 200000
#define VERIFIED_ROWS "1"

KvsqlctlCopies *
kvsqlctl_copies_new (Kvsqlctl *ctl, const KvsqlTrial *trial, GRand *random)
{
  KvsqlctlCopies *self = g_new0 (KvsqlctlCopies, 1);

  self->ctl = ctl;
  self->trial = trial;
  self->items = g_new0 (KvsqlctlCopy, trial->n_relations);
  for (guint i = 0; i < trial->n_relations; i++)
    {
      self->items[i].relation = &trial->relations[i];
      self->items[i].sample = kvsqlctl_sample_new (&trial->relations[i], random);
    }
  return self;
}

void
kvsqlctl_copies_free (KvsqlctlCopies *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->trial->n_relations; i++)
    {
      kvsqlctl_sample_free (self->items[i].sample);
      for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
        g_clear_object (&self->items[i].bulks[side]);
    }
  g_free (self->items);
  g_free (self);
}

/* ---- definitions */

static gboolean
execute (KvsqlctlCopies *self, const gchar *sql, GCancellable *cancellable, gint64 *out_affected,
         GError **error)
{
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (self->ctl->connection, sql, NULL, cancellable, error);

  if (result != NULL && out_affected != NULL)
    *out_affected = kvsql_result_get_affected (result);
  return result != NULL;
}

gboolean
kvsqlctl_copies_define (KvsqlctlCopies *self, GError **error)
{
  for (guint i = 0; i < self->trial->n_relations; i++)
    for (guint side = 0; self->items[i].relation->is_used && side < KVSQL_TRIAL_SIDES; side++)
      {
        KvsqlctlCopy *copy = &self->items[i];
        const gchar **definitions = copy->relation->definitions[side];
        GError *local = NULL;

        for (guint d = 0; definitions[d] != NULL; d++)
          {
            if (g_cancellable_set_error_if_cancelled (self->ctl->cancellable, error))
              return FALSE;
            copy->n_done[side] = d + 1; /* before: also if the answer is lost */
            if (!execute (self, definitions[d], NULL, NULL, &local))
              {
                /* what has its name already was not made here, and stays */
                if (g_error_matches (local, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_ALREADY_EXISTS))
                  copy->n_done[side] = d;
                g_propagate_error (error, local);
                return FALSE;
              }
          }
      }
  return TRUE;
}

/* ---- rows */

static KvsqlBulk *
get_bulk (KvsqlctlCopies *self, KvsqlctlCopy *copy, guint side)
{
  const KvsqlTrialRelation *relation = copy->relation;
  g_autofree const gchar **names = NULL;

  if (copy->bulks[side] != NULL)
    return copy->bulks[side];
  names = g_new0 (const gchar *, relation->n_attributes + 1);
  for (guint i = 0; i < relation->n_attributes; i++)
    names[i] = relation->attributes[i].name;
  copy->bulks[side] = kvsql_bulk_new (self->ctl->connection, relation->copies[side], names);
  return copy->bulks[side];
}

static gboolean
append_value (KvsqlBulk *bulk, guint column, KvsqlColumnType type, const gchar *text,
              GError **error)
{
  if (text != NULL)
    return kvsql_bulk_append_text (bulk, column, type, text, strlen (text), error);
  kvsql_bulk_append_null (bulk, column);
  return TRUE;
}

/* A write is never cancelled: kvsqld could go on with it while the copies are removed. */
static gboolean
insert_rows (KvsqlctlCopies *self, KvsqlctlCopy *copy, GError **error)
{
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    if (kvsql_bulk_insert (get_bulk (self, copy, side), NULL, error) < 0)
      return FALSE;
  return !g_cancellable_set_error_if_cancelled (self->ctl->cancellable, error);
}

/* Where an INSERT replaces nothing, each row is a statement. */
static gboolean
replace_row (KvsqlctlCopies *self, const KvsqlTrialRelation *relation, const KvsqlctlAnswer *rows,
             gchar *const *row, GError **error)
{
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    {
      g_autoptr (KvsqlParams) params = kvsql_params_new ();
      g_autoptr (KvsqlResult) result = NULL;

      for (guint i = 0; i < rows->n_columns; i++)
        if (row[i] == NULL)
          kvsql_params_add_null (params, NULL);
        else if (!kvsql_params_add_text (params, NULL, rows->types[i], row[i], error))
          return FALSE;
      result = kvsql_connection_query (self->ctl->connection, relation->replace[side], params, NULL,
                                       error);
      if (result == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
append_row (KvsqlctlCopies *self, KvsqlctlCopy *copy, const KvsqlctlAnswer *rows, gchar *const *row,
            GError **error)
{
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    for (guint i = 0; i < rows->n_columns; i++)
      if (!append_value (get_bulk (self, copy, side), i, rows->types[i], row[i], error))
        return FALSE;
  return TRUE;
}

gboolean
kvsqlctl_copies_put (KvsqlctlCopies *self, guint relation, const KvsqlctlAnswer *rows,
                     GError **error)
{
  KvsqlctlCopy *copy = &self->items[relation];

  for (guint i = 0; i < rows->rows->len; i++)
    if (copy->relation->is_unique
            ? !replace_row (self, copy->relation, rows, rows->rows->pdata[i], error)
            : !append_row (self, copy, rows, rows->rows->pdata[i], error))
      return FALSE;
  return copy->relation->is_unique || rows->rows->len == 0 || insert_rows (self, copy, error);
}

/* ---- filling */

/* Whether the tuple belongs to the share: its KEY decides, each time in the same way. */
static gboolean
is_chosen (const KvsqlTrialRelation *relation, KvsqlResult *result, gdouble share)
{
  g_autoptr (GChecksum) checksum = NULL;
  guint8 digest[16];
  gsize size = sizeof digest;

  if (share >= 1)
    return TRUE;
  checksum = g_checksum_new (G_CHECKSUM_MD5);
  for (guint i = 0; i < relation->n_attributes; i++)
    if (relation->attributes[i].is_key)
      {
        const gchar *text = kvsql_result_get_text (result, i);

        g_checksum_update (checksum, (const guchar *)text, (gssize)strlen (text) + 1);
      }
  g_checksum_get_digest (checksum, digest, &size);
  return ((digest[0] << 16) | (digest[1] << 8) | digest[2]) < share * (1 << 24);
}

static gboolean
copy_row (KvsqlctlCopies *self, KvsqlctlCopy *copy, KvsqlResult *result, GError **error)
{
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    for (guint i = 0; i < copy->relation->n_attributes; i++)
      if (!append_value (get_bulk (self, copy, side), i, kvsql_result_get_column_type (result, i),
                         kvsql_result_get_text (result, i), error))
        return FALSE;
  kvsqlctl_sample_add (copy->sample, result);
  return kvsql_bulk_get_n_rows (copy->bulks[0]) < BATCH_ROWS || insert_rows (self, copy, error);
}

static gboolean
copy_rows (KvsqlctlCopies *self, KvsqlctlCopy *copy, KvsqlResult *result, gdouble share,
           KvsqlctlProgress *progress, GError **error)
{
  GError *local = NULL;

  do
    {
      for (guint left = kvsql_result_get_n_page_rows (result); left > 0; left--)
        if (kvsql_result_next (result, NULL) && is_chosen (copy->relation, result, share)
            && !copy_row (self, copy, result, error))
          return FALSE;
      kvsqlctl_progress_guess_part (progress, kvsql_result_get_progress (result));
      kvsqlctl_progress_show (progress, 0, kvsqlctl_sample_get_n_rows (copy->sample));
    }
  while (kvsql_result_next_page (result, self->ctl->cancellable, &local));
  if (local == NULL)
    return insert_rows (self, copy, error);
  g_propagate_error (error, local);
  return FALSE;
}

/* Whether a schema is not read before BACKFILL has ended. Other states are roles. */
static gboolean
is_filling (const gchar *state)
{
  static const gchar *const others[] = { "readable", "read", "write", "shadow", NULL };

  return state != NULL && !g_strv_contains (others, state);
}

/* With several daemons, a schema is not read before all of them know it, which DEFINE may not have
 * waited for. */
static gboolean
await_schemas (KvsqlctlCopies *self, const gchar *copy, GError **error)
{
  g_autofree gchar *show = g_strdup_printf ("SHOW SCHEMAS FOR %s", copy);
  g_autoptr (KvsqlResult) schemas
      = kvsql_connection_query (self->ctl->connection, show, NULL, self->ctl->cancellable, error);
  GError *local = NULL;
  gint name, state;

  if (schemas == NULL)
    return FALSE;
  name = MAX (kvsql_result_find_column (schemas, "schema"), 0);
  state = kvsql_result_find_column (schemas, "state");
  while (local == NULL && state >= 0 && kvsql_result_next (schemas, &local))
    {
      g_autofree gchar *fill
          = g_strdup_printf ("BACKFILL SCHEMA %s", kvsql_result_get_text (schemas, (guint)name));
      g_autoptr (KvsqlResult) rows = NULL;

      if (!is_filling (kvsql_result_get_text (schemas, (guint)state)))
        continue;
      rows = kvsql_connection_query (self->ctl->connection, fill, NULL, self->ctl->cancellable,
                                     &local);
      while (rows != NULL && kvsql_result_next (rows, &local))
        ; /* its progress */
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

static gboolean
copy_relation (KvsqlctlCopies *self, KvsqlConnection *reader, KvsqlctlCopy *copy, gdouble share,
               GError **error)
{
  g_autofree gchar *verb = g_strdup_printf ("copying %s", copy->relation->name);
  g_autoptr (KvsqlctlProgress) progress = kvsqlctl_progress_new (verb, 0, 0, FALSE, TRUE);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (reader, copy->relation->read, NULL, self->ctl->cancellable, error);

  if (result == NULL || !copy_rows (self, copy, result, share, progress, error))
    {
      g_prefix_error (error, "could not copy relation %s: ", copy->relation->name);
      return FALSE;
    }
  for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
    {
      g_autofree gchar *sql = g_strdup_printf ("ANALYZE %s", copy->relation->copies[side]);

      if (!await_schemas (self, copy->relation->copies[side], error)
          || !execute (self, sql, self->ctl->cancellable, NULL, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
kvsqlctl_copies_fill (KvsqlctlCopies *self, gdouble share, GError **error)
{
  g_autoptr (KvsqlConnection) reader = kvsql_connection_new_like (self->ctl->connection);

  kvsql_connection_set_timeout (reader, kvsql_connection_get_timeout (self->ctl->connection));
  kvsql_connection_set_progress (reader, TRUE);
  for (guint i = 0; i < self->trial->n_relations; i++)
    if (self->items[i].relation->is_used
        && !copy_relation (self, reader, &self->items[i], share, error))
      return FALSE;
  return TRUE;
}

/* ---- comparing */

static KvsqlctlAnswer *
read_all (KvsqlctlCopies *self, const KvsqlTrialRelation *relation, guint side, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT ");
  g_autoptr (KvsqlResult) result = NULL;
  g_autoptr (KvsqlctlAnswer) answer = kvsqlctl_answer_new ();

  for (guint i = 0; i < relation->n_attributes; i++)
    g_string_append_printf (sql, "%s%s", i > 0 ? ", " : "", relation->attributes[i].sql);
  g_string_append_printf (sql, " FROM %s", relation->copies[side]);
  result = kvsql_connection_query (self->ctl->connection, sql->str, NULL, self->ctl->cancellable,
                                   error);
  if (result == NULL
      || !kvsqlctl_answer_read (answer, result, NULL, 0, KEPT_ROWS, NULL, self->ctl->cancellable,
                                error))
    return NULL;
  return g_steal_pointer (&answer);
}

static gboolean
compare_tuples (KvsqlctlCopies *self, const KvsqlTrialRelation *relation, GPtrArray *differences,
                GError **error)
{
  g_autoptr (KvsqlctlAnswer) today = read_all (self, relation, 0, error);
  g_autoptr (KvsqlctlAnswer) advised = today != NULL ? read_all (self, relation, 1, error) : NULL;
  g_autofree gchar *difference
      = advised != NULL ? kvsqlctl_answer_compare (today, advised, NULL) : NULL;

  if (difference != NULL)
    g_ptr_array_add (differences, g_strdup_printf ("relation %s, after all statements: %s",
                                                   relation->name, difference));
  return advised != NULL;
}

/* Whether a schema has what the primary has. */
static gboolean
verify_schema (KvsqlctlCopies *self, const gchar *schema, GPtrArray *differences, GError **error)
{
  g_autofree gchar *sql = g_strdup_printf ("VERIFY SCHEMA %s LIMIT " VERIFIED_ROWS, schema);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (self->ctl->connection, sql, NULL, self->ctl->cancellable, error);
  GError *local = NULL;

  if (result == NULL)
    return FALSE;
  while (kvsql_result_next (result, &local))
    {
      const gchar *kind = kvsql_result_get_text (result, 0);
      const gchar *key = kvsql_result_get_text (result, 1);

      g_ptr_array_add (differences,
                       g_strdup_printf ("schema %s, after all statements: %s, %s", schema,
                                        kind != NULL ? kind : "?", key != NULL ? key : "?"));
    }
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

gboolean
kvsqlctl_copies_compare (KvsqlctlCopies *self, GPtrArray *differences, GError **error)
{
  for (guint i = 0; i < self->trial->n_relations; i++)
    {
      const KvsqlTrialRelation *relation = &self->trial->relations[i];

      if (relation->is_used && !compare_tuples (self, relation, differences, error))
        return FALSE;
      for (guint side = 0; relation->is_used && side < KVSQL_TRIAL_SIDES; side++)
        for (guint s = 1; relation->schemas[side][s] != NULL; s++) /* the first is the primary */
          if (!verify_schema (self, relation->schemas[side][s], differences, error))
            return FALSE;
    }
  return TRUE;
}

/* ---- removing */

static gboolean
drop_copy (KvsqlctlCopies *self, KvsqlctlCopy *copy, guint side, GCancellable *cancellable,
           GError **error)
{
  const gchar *name = copy->relation->copies[side];
  g_autofree gchar *delete = g_strdup_printf ("DELETE FROM %s LIMIT %u", name, (guint)DELETED_ROWS);
  g_autofree gchar *drop = g_strdup_printf ("DROP RELATION IF EXISTS %s", name);
  gint64 n = DELETED_ROWS;
  GError *local = NULL;

  /* without a primary there are no tuples */
  while (copy->n_done[side] > 1 && n >= DELETED_ROWS && local == NULL)
    if (!execute (self, delete, cancellable, &n, &local))
      n = 0;
  if (local != NULL && !g_error_matches (local, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME)
      && copy->n_done[side] > 2)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  g_clear_error (&local); /* the last definition has failed: there is no primary */
  if (!execute (self, drop, cancellable, NULL, error))
    return FALSE;
  copy->n_done[side] = 0;
  return TRUE;
}

static void
print_rest (const KvsqlctlCopies *self)
{
  fputs ("These copies are left. To remove them:\n", stderr);
  for (guint i = 0; i < self->trial->n_relations; i++)
    for (guint side = 0; side < KVSQL_TRIAL_SIDES; side++)
      {
        const KvsqlctlCopy *copy = &self->items[i];
        const gchar *name = copy->relation->copies[side];

        if (copy->n_done[side] > 1)
          fprintf (stderr, "  DELETE FROM %s;\n", name);
        if (copy->n_done[side] > 0)
          fprintf (stderr, "  DROP RELATION IF EXISTS %s;\n", name);
      }
}

gboolean
kvsqlctl_copies_drop (KvsqlctlCopies *self)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  /* another Ctrl-C ends it */
  kvsqlctl_interrupt_set_target (cancellable);
  for (guint i = 0; error == NULL && i < self->trial->n_relations; i++)
    for (guint side = 0; error == NULL && side < KVSQL_TRIAL_SIDES; side++)
      if (self->items[i].n_done[side] > 0)
        drop_copy (self, &self->items[i], side, cancellable, &error);
  kvsqlctl_interrupt_set_target (NULL);
  if (error == NULL)
    return TRUE;
  kvsqlctl_report (self->ctl, error, NULL);
  print_rest (self);
  return FALSE;
}
