/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * advice-sql.c: the advice as definitions that kvsqlctl can execute. Each is proved before.
 */
#include "config.h"

#include "core/advisor/advice.h"
#include "core/advisor/schema-text.h"

static void
append_statements (const KvsqlAdvisedSchema *schema, GString *out)
{
  g_string_append (out, schema->n_statements == 0   ? "-- no statement reads it\n"
                        : schema->n_statements == 1 ? "-- for statement "
                                                    : "-- for statements ");
  for (guint i = 0; i < schema->n_statements; i++)
    g_string_append_printf (out, "%s%u", i > 0 ? ", " : "", schema->statements[i]);
  if (schema->n_statements > 0)
    g_string_append_c (out, '\n');
}

gchar *
kvsql_advice_define (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema, GError **error)
{
  KvsqlRelation *relation = self->problem->workload->relations[schema->design->relation].relation;
  g_autofree gchar *text
      = kvsql_design_to_text (schema->design, relation, schema->name, schema->is_primary);
  g_autoptr (KvsqlSchema) proved = kvsql_design_prove (text, relation, error);

  if (proved != NULL)
    return g_steal_pointer (&text);
  g_prefix_error (error, "schema %s cannot be defined: ", schema->name);
  kvsql_error_move (error, KVSQL_SPAN_NONE);
  return NULL;
}

static gboolean
append_schema (const KvsqlAdvice *self, const KvsqlAdvisedSchema *schema, GString *out,
               GError **error)
{
  g_autofree gchar *text = NULL;

  if (schema->design->given != NULL)
    {
      g_string_append_printf (out, "-- schema %s stays\n", schema->name);
      append_statements (schema, out);
      return TRUE;
    }
  text = kvsql_advice_define (self, schema, error);
  if (text == NULL)
    return FALSE;
  append_statements (schema, out);
  g_string_append_printf (out, "%s;\n", text);
  return TRUE;
}

/* Dropping is left to the reader. */
static void
append_unused (const KvsqlAdvice *self, GString *out)
{
  const KvsqlWorkload *workload = self->problem->workload;

  for (guint i = 0; i < workload->n_schemas; i++)
    if (!kvsql_advice_has_given (self, &workload->schemas[i]))
      g_string_append_printf (out, "-- schema %s costs more than it saves: DROP SCHEMA %s\n",
                              workload->schemas[i].name, workload->schemas[i].name);
}

gchar *
kvsql_advice_to_sql (const KvsqlAdvice *self, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < self->n_schemas; i++)
    if (!append_schema (self, &self->schemas[i], out, error))
      return NULL;
  append_unused (self, out);
  return g_string_free (g_steal_pointer (&out), FALSE);
}
