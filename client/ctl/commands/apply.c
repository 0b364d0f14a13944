/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * apply.c: see apply.h.
 *
 * A schema is defined, filled and compared before the next one is defined: at any time at most one
 * schema is written that no statement can read yet.
 */
#include "config.h"

#include "client/ctl/commands/apply.h"

#include <string.h>

#include "client/ctl/names.h"
#include "client/ctl/report.h"

/* The steps of a schema. */
typedef enum
{
  STEP_LOOK, /* whether its table is free: BACKFILL would delete what is in it */
  STEP_DEFINE,
  STEP_BACKFILL,
  STEP_VERIFY,
  N_STEPS,
} Step;

static const gchar *const verbs[N_STEPS] = { [STEP_LOOK] = "define",
                                             [STEP_DEFINE] = "define",
                                             [STEP_BACKFILL] = "fill",
                                             [STEP_VERIFY] = "compare" };

typedef struct
{
  gchar *definition;
  gchar *name; /* quoted, if it needs that */
  gchar *table;
} Schema;

static void
schema_free (gpointer data)
{
  Schema *self = data;

  g_free (self->definition);
  g_free (self->name);
  g_free (self->table);
  g_free (self);
}

/* "DEFINE SCHEMA name FOR …" */
static gchar *
take_name (const gchar *definition)
{
  const gchar *start = definition + strlen ("DEFINE SCHEMA "), *end = start;

  if (*end == '`')
    for (end++; *end != '\0' && (*end != '`' || end[1] == '`'); end++)
      end += *end == '`' ? 1 : 0;
  end += strcspn (end, " ");
  return g_strndup (start, (gsize)(end - start));
}

/* "… TABLE 'name', …" */
static gchar *
take_table (const gchar *definition)
{
  const gchar *start = strstr (definition, "{ TABLE '"), *end;

  if (start == NULL)
    return g_strdup ("");
  start += strlen ("{ TABLE '");
  end = strchr (start, '\'');
  return g_strndup (start, end != NULL ? (gsize)(end - start) : strlen (start));
}

/* One definition is one line. */
static GPtrArray *
read_script (const gchar *script)
{
  GPtrArray *schemas = g_ptr_array_new_with_free_func (schema_free);
  g_auto (GStrv) lines = g_strsplit (script, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "DEFINE SCHEMA "))
      {
        Schema *schema = g_new0 (Schema, 1);

        schema->definition = g_strdup (lines[i]);
        schema->name = take_name (lines[i]);
        schema->table = take_table (lines[i]);
        g_ptr_array_add (schemas, schema);
      }
  return schemas;
}

static gchar *
make_statement (const Schema *schema, Step step)
{
  switch (step)
    {
    case STEP_LOOK:
      return g_strdup_printf ("SHOW TABLES LIKE '%s';", schema->table);
    case STEP_DEFINE:
      return g_strdup (schema->definition);
    case STEP_BACKFILL:
      return g_strdup_printf ("BACKFILL SCHEMA %s;", schema->name);
    default:
      return g_strdup_printf ("VERIFY SCHEMA %s LIMIT 10;", schema->name);
    }
}

/* ---- one step */

/* A row of BACKFILL: schema, state, tuples, share, tuples a second, seconds left. */
static void
show_progress (KvsqlResult *result)
{
  const gchar *state = kvsql_result_get_text (result, 1);
  const gchar *tuples = kvsql_result_get_text (result, 2);
  const gchar *share = kvsql_result_get_text (result, 3);
  const gchar *left = kvsql_result_get_text (result, 5);

  printf ("  %s, %s tuples", state != NULL ? state : "?", tuples != NULL ? tuples : "0");
  if (share != NULL)
    printf (", %s", share);
  if (left != NULL)
    printf (", %s s left", left);
  putchar ('\n');
  fflush (stdout);
}

/* A row of VERIFY: difference, key, cell. */
static void
show_difference (KvsqlResult *result)
{
  const gchar *kind = kvsql_result_get_text (result, 0);
  const gchar *key = kvsql_result_get_text (result, 1);

  fprintf (stderr, "  %s: %s\n", kind != NULL ? kind : "?", key != NULL ? key : "?");
}

/* A row of SHOW TABLES; in a pattern, _ is any character. */
static gboolean
is_table (KvsqlResult *result, const gchar *table)
{
  gint column = kvsql_result_find_column (result, "table");

  return column >= 0 && g_strcmp0 (kvsql_result_get_text (result, (guint)column), table) == 0;
}

static void
fail_table (const Schema *schema, GError **error)
{
  g_set_error (
      error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_CONFLICT,
      "table \"%s\" exists already, and BACKFILL would delete the cells in it that are not "
      "of the relation",
      schema->table);
}

static gboolean
run_step (Kvsqlctl *ctl, const Schema *schema, Step step, GError **error)
{
  g_autofree gchar *sql = make_statement (schema, step);
  g_autoptr (KvsqlResult) result
      = kvsql_connection_query (ctl->connection, sql, NULL, ctl->cancellable, error);
  GError *local = NULL;
  guint n = 0;

  if (result == NULL)
    return FALSE;
  for (; local == NULL && kvsql_result_next (result, &local); n++)
    if (step == STEP_LOOK && is_table (result, schema->table))
      fail_table (schema, &local);
    else if (step == STEP_BACKFILL)
      show_progress (result);
    else if (step == STEP_VERIFY)
      show_difference (result);
  if (local == NULL && step == STEP_VERIFY && n > 0)
    g_set_error (&local, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_STORE,
                 "schema %s differs from the primary", schema->name);
  if (local != NULL)
    g_propagate_error (error, local);
  return local == NULL;
}

/* ---- all steps */

/* How to go on: the statements that are left. */
static void
show_rest (const GPtrArray *schemas, guint schema, Step step, const GError *error)
{
  fprintf (stderr, "%u of %u schemas were applied. What was defined stays, and is written.\n",
           schema, schemas->len);
  fputs ("To go on, correct the cause, and run these, or drop the schema:\n", stderr);
  if (step == STEP_VERIFY && g_error_matches (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_STORE))
    fprintf (stderr, "  REPAIR SCHEMA %s;\n", ((Schema *)schemas->pdata[schema])->name);
  for (guint i = schema; i < schemas->len; i++)
    for (guint s = i == schema && step > STEP_DEFINE ? step : STEP_DEFINE; s < N_STEPS; s++)
      {
        g_autofree gchar *sql = make_statement (schemas->pdata[i], s);

        fprintf (stderr, "  %s\n", sql);
      }
}

KvsqlctlStatus
kvsqlctl_apply (Kvsqlctl *ctl, const gchar *script)
{
  g_autoptr (GPtrArray) schemas = read_script (script);

  if (schemas->len == 0)
    puts ("Nothing is to be defined.");
  for (guint i = 0; i < schemas->len; i++)
    {
      const Schema *schema = schemas->pdata[i];

      printf ("%s\n", schema->definition);
      for (Step step = STEP_LOOK; step < N_STEPS; step++)
        {
          g_autoptr (GError) error = NULL;
          KvsqlctlStatus status;

          if (run_step (ctl, schema, step, &error))
            continue;
          g_prefix_error (&error, "could not %s schema %s: ", verbs[step], schema->name);
          status = kvsqlctl_report (ctl, error, NULL);
          show_rest (schemas, i, step, error);
          return status;
        }
      printf ("  schema %s is applied\n", schema->name);
    }
  return KVSQLCTL_DONE;
}
