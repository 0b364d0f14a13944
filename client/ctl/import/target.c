/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * target.c: see target.h.
 */
#include "config.h"

#include "client/ctl/import/target.h"

#include <string.h>

#include "client/ctl/execute.h"

static void
attribute_clear (gpointer data)
{
  g_free (((KvsqlctlAttribute *)data)->name);
}

void
kvsqlctl_target_free (KvsqlctlTarget *self)
{
  if (self == NULL)
    return;
  g_free (self->relation);
  g_array_unref (self->attributes);
  g_array_unref (self->columns);
  g_array_unref (self->fields);
  g_strfreev (self->names);
  g_free (self);
}

void
kvsqlctl_problem_clear (KvsqlctlProblem *self)
{
  g_clear_pointer (&self->message, g_free);
  g_clear_pointer (&self->hint, g_free);
}

/* ---- the relation */

static KvsqlColumnType
type_of (KvsqlStatement *statement, const gchar *name)
{
  for (guint i = 0; i < kvsql_statement_get_n_columns (statement); i++)
    if (strcmp (kvsql_statement_get_column_name (statement, i), name) == 0)
      return kvsql_statement_get_column_type (statement, i);
  return KVSQL_COLUMN_TYPE_NULL;
}

static gboolean
is_text (KvsqlResult *result, guint column, const gchar *text)
{
  return g_strcmp0 (kvsql_result_get_text (result, column), text) == 0;
}

static gboolean
read_attributes (KvsqlctlTarget *self, KvsqlStatement *statement, KvsqlResult *result,
                 GError **error)
{
  g_autoptr (GError) cause = NULL;

  while (kvsql_result_next (result, &cause))
    {
      KvsqlctlAttribute attribute = { .name = g_strdup (kvsql_result_get_text (result, 0)) };

      attribute.type = type_of (statement, attribute.name);
      attribute.is_key = is_text (result, 2, "KEY");
      attribute.has_default = !kvsql_result_is_null (result, 4);
      attribute.is_needed = is_text (result, 3, "NOT NULL") && !attribute.has_default;
      g_array_append_val (self->attributes, attribute);
    }
  if (cause == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&cause));
  return FALSE;
}

KvsqlctlTarget *
kvsqlctl_target_new (Kvsqlctl *ctl, const gchar *relation, GError **error)
{
  g_autoptr (KvsqlctlTarget) self = g_new0 (KvsqlctlTarget, 1);
  g_autofree gchar *quoted = kvsqlctl_quote_name (relation);
  g_autofree gchar *select = g_strconcat ("SELECT * FROM ", quoted, NULL);
  g_autofree gchar *describe = g_strconcat ("DESCRIBE ", quoted, NULL);
  g_autoptr (KvsqlStatement) statement = NULL;
  g_autoptr (KvsqlResult) result = NULL;

  self->relation = g_strdup (relation);
  self->attributes = g_array_new (FALSE, FALSE, sizeof (KvsqlctlAttribute));
  g_array_set_clear_func (self->attributes, attribute_clear);
  self->columns = g_array_new (FALSE, FALSE, sizeof (guint));
  self->fields = g_array_new (FALSE, FALSE, sizeof (gint));
  statement = kvsql_connection_prepare (ctl->connection, select, NULL, error);
  if (statement != NULL)
    result = kvsql_connection_query (ctl->connection, describe, NULL, NULL, error);
  if (result == NULL || !read_attributes (self, statement, result, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* ---- its columns */

const KvsqlctlAttribute *
kvsqlctl_target_get_attribute (const KvsqlctlTarget *self, guint column)
{
  return &g_array_index (self->attributes, KvsqlctlAttribute,
                         g_array_index (self->columns, guint, column));
}

/* As in statements, case is ignored if there is no exact match. */
static gint
find_attribute (const KvsqlctlTarget *self, const gchar *name)
{
  gint found = -1;

  for (guint i = 0; i < self->attributes->len; i++)
    {
      const gchar *candidate = g_array_index (self->attributes, KvsqlctlAttribute, i).name;

      if (strcmp (candidate, name) == 0)
        return (gint)i;
      if (found < 0 && g_ascii_strcasecmp (candidate, name) == 0)
        found = (gint)i;
    }
  return found;
}

gint
kvsqlctl_target_find_column (const KvsqlctlTarget *self, const gchar *name, gsize size)
{
  for (guint i = 0; i < self->columns->len; i++)
    if (strlen (self->names[i]) == size && memcmp (self->names[i], name, size) == 0)
      return (gint)i;
  return -1;
}

static gboolean
add_column (KvsqlctlTarget *self, guint attribute, GError **error)
{
  gint column = (gint)self->columns->len;

  for (guint i = 0; i < self->columns->len; i++)
    if (g_array_index (self->columns, guint, i) == attribute)
      {
        g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_INVALID,
                     "attribute \"%s\" is named twice",
                     g_array_index (self->attributes, KvsqlctlAttribute, attribute).name);
        return FALSE;
      }
  g_array_append_val (self->columns, attribute);
  g_array_append_val (self->fields, column);
  return TRUE;
}

static gboolean
add_field (KvsqlctlTarget *self, const gchar *name, GError **error)
{
  gint attribute = strcmp (name, "-") == 0 ? -1 : find_attribute (self, name);

  if (attribute >= 0)
    return add_column (self, (guint)attribute, error);
  if (strcmp (name, "-") == 0)
    {
      g_array_append_val (self->fields, attribute);
      return TRUE;
    }
  g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_UNKNOWN_NAME,
               "relation \"%s\" has no attribute \"%s\"", self->relation, name);
  return FALSE;
}

/* Checks that each attribute that needs a value gets one. */
static gboolean
check_needed (const KvsqlctlTarget *self, GError **error)
{
  for (guint a = 0; a < self->attributes->len; a++)
    {
      const KvsqlctlAttribute *attribute = &g_array_index (self->attributes, KvsqlctlAttribute, a);
      gboolean is_given = FALSE;

      for (guint i = 0; i < self->columns->len; i++)
        is_given |= g_array_index (self->columns, guint, i) == a;
      if (attribute->is_needed && !is_given)
        {
          g_set_error (error, KVSQL_CLIENT_ERROR, KVSQL_CLIENT_ERROR_VALUE,
                       "attribute \"%s\" is %s and gets no value", attribute->name,
                       attribute->is_key ? "KEY" : "NOT NULL");
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
kvsqlctl_target_choose (KvsqlctlTarget *self, const gchar *const *names, gint *out_wrong,
                        GError **error)
{
  g_array_set_size (self->columns, 0);
  g_array_set_size (self->fields, 0);
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    if (!add_field (self, names[i], error))
      {
        if (out_wrong != NULL)
          *out_wrong = (gint)i;
        return FALSE;
      }
  for (guint i = 0; names == NULL && i < self->attributes->len; i++)
    if (!add_column (self, i, error))
      return FALSE;
  g_strfreev (self->names);
  self->names = g_new0 (gchar *, self->columns->len + 1);
  for (guint i = 0; i < self->columns->len; i++)
    self->names[i] = g_strdup (kvsqlctl_target_get_attribute (self, i)->name);
  if (out_wrong != NULL)
    *out_wrong = -1;
  return check_needed (self, error);
}

/* ---- rows */

static gboolean
reject (KvsqlctlProblem *problem, gsize place, const gchar *hint, gchar *message)
{
  *problem = (KvsqlctlProblem){ message, g_strdup (hint), place };
  return FALSE;
}

static gboolean
arrange_fields (const KvsqlctlTarget *self, const KvsqlctlRecord *record, const gchar *bytes,
                KvsqlctlField *out, KvsqlctlProblem *out_problem)
{
  guint n = record->fields->len, n_wanted = self->fields->len;

  if (n != n_wanted)
    {
      gsize end = record->size;

      while (end > 0 && (bytes[end - 1] == '\n' || bytes[end - 1] == '\r'))
        end--;
      return reject (
          out_problem,
          n > n_wanted ? g_array_index (record->fields, KvsqlctlField, n_wanted).place : end, NULL,
          g_strdup_printf ("%u field%s; expected %u", n, n == 1 ? "" : "s", n_wanted));
    }
  for (guint i = 0; i < n; i++)
    {
      gint column = g_array_index (self->fields, gint, i);

      if (column >= 0)
        out[column] = g_array_index (record->fields, KvsqlctlField, i);
    }
  return TRUE;
}

static gboolean
arrange_members (const KvsqlctlTarget *self, const KvsqlctlRecord *record, const gchar *bytes,
                 KvsqlctlField *out, KvsqlctlProblem *out_problem)
{
  for (guint i = 0; i < self->columns->len; i++)
    out[i] = (KvsqlctlField){ .kind = KVSQLCTL_FIELD_MISSING };
  for (guint i = 0; i < record->fields->len; i += 2)
    {
      const KvsqlctlField *name = &g_array_index (record->fields, KvsqlctlField, i);
      const gchar *text = kvsqlctl_record_get (record, bytes, name);
      gint column = kvsqlctl_target_find_column (self, text, name->size);

      if (column >= 0)
        out[column] = name[1];
      else if (!self->takes_any_member)
        return reject (out_problem, name->place, "With --columns, other members are ignored.",
                       g_strdup_printf ("relation \"%s\" has no attribute \"%.*s\"", self->relation,
                                        (gint)name->size, text));
    }
  for (guint i = 0; i < self->columns->len; i++)
    {
      const KvsqlctlAttribute *attribute = kvsqlctl_target_get_attribute (self, i);

      if (out[i].kind == KVSQLCTL_FIELD_MISSING && attribute->is_needed)
        return reject (out_problem, 0, NULL,
                       g_strdup_printf ("attribute \"%s\" is %s and gets no value", attribute->name,
                                        attribute->is_key ? "KEY" : "NOT NULL"));
      if (out[i].kind == KVSQLCTL_FIELD_MISSING && !attribute->has_default)
        out[i].kind = KVSQLCTL_FIELD_NULL;
    }
  return TRUE;
}

gboolean
kvsqlctl_target_arrange (const KvsqlctlTarget *self, const KvsqlctlRecord *record,
                         const gchar *bytes, gboolean is_ndjson, KvsqlctlField *out,
                         KvsqlctlProblem *out_problem)
{
  return is_ndjson ? arrange_members (self, record, bytes, out, out_problem)
                   : arrange_fields (self, record, bytes, out, out_problem);
}
