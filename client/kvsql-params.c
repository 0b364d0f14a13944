/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsql-params.c: values for the `?` and `:name` of a statement.
 */
#include "config.h"

#include "client/params-private.h"

#include "client/error-private.h"
#include "client/text.h"

G_DEFINE_BOXED_TYPE (KvsqlParams, kvsql_params, kvsql_params_ref, kvsql_params_unref)

static void
param_clear_value (KvsqlParam *param)
{
  if (param->kind == KVSQL_PARAM_STRING || param->kind == KVSQL_PARAM_BYTES)
    g_bytes_unref (param->bytes);
  param->kind = KVSQL_PARAM_NULL;
}

static void
param_clear (gpointer data)
{
  KvsqlParam *param = data;

  param_clear_value (param);
  g_free (param->name);
}

KvsqlParams *
kvsql_params_new (void)
{
  KvsqlParams *self = g_atomic_rc_box_new0 (KvsqlParams);

  self->values = g_array_new (FALSE, TRUE, sizeof (KvsqlParam));
  g_array_set_clear_func (self->values, param_clear);
  return self;
}

KvsqlParams *
kvsql_params_ref (KvsqlParams *self)
{
  g_return_val_if_fail (self != NULL, NULL);
  return g_atomic_rc_box_acquire (self);
}

static void
params_free (gpointer data)
{
  KvsqlParams *self = data;

  g_array_unref (self->values);
}

void
kvsql_params_unref (KvsqlParams *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, params_free);
}

/* Returns the entry of this name, or a new one. */
static KvsqlParam *
params_slot (KvsqlParams *self, const gchar *name, KvsqlParamKind kind)
{
  KvsqlParam *param = name != NULL ? (KvsqlParam *)_kvsql_params_lookup (self, name) : NULL;

  if (param == NULL)
    {
      g_array_set_size (self->values, self->values->len + 1);
      param = &g_array_index (self->values, KvsqlParam, self->values->len - 1);
      param->name = g_strdup (name);
    }
  param_clear_value (param);
  param->kind = kind;
  return param;
}

void
kvsql_params_add_null (KvsqlParams *self, const gchar *name)
{
  g_return_if_fail (self != NULL);
  params_slot (self, name, KVSQL_PARAM_NULL);
}

void
kvsql_params_add_boolean (KvsqlParams *self, const gchar *name, gboolean value)
{
  g_return_if_fail (self != NULL);
  params_slot (self, name, KVSQL_PARAM_BOOLEAN)->boolean = value != FALSE;
}

void
kvsql_params_add_int64 (KvsqlParams *self, const gchar *name, gint64 value)
{
  g_return_if_fail (self != NULL);
  params_slot (self, name, KVSQL_PARAM_INT64)->integer = value;
}

void
kvsql_params_add_double (KvsqlParams *self, const gchar *name, gdouble value)
{
  g_return_if_fail (self != NULL);
  params_slot (self, name, KVSQL_PARAM_DOUBLE)->real = value;
}

void
kvsql_params_add_string (KvsqlParams *self, const gchar *name, const gchar *value)
{
  g_return_if_fail (self != NULL);
  if (value == NULL)
    kvsql_params_add_null (self, name);
  else
    params_slot (self, name, KVSQL_PARAM_STRING)->bytes = g_bytes_new (value, strlen (value) + 1);
}

void
kvsql_params_add_bytes (KvsqlParams *self, const gchar *name, gconstpointer value, gsize size)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (value != NULL || size == 0);
  params_slot (self, name, KVSQL_PARAM_BYTES)->bytes = g_bytes_new (value, size);
}

static gboolean
refuse_text (KvsqlColumnType type, const gchar *text, GError **error)
{
  return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE, "\"%s\" is not a value of %s",
                                  text, kvsql_column_type_get_name (type));
}

static gboolean
add_text_bytes (KvsqlParams *self, const gchar *name, const gchar *text, GError **error)
{
  g_autoptr (GByteArray) bytes = _kvsql_text_parse_bytes (text);

  if (bytes == NULL)
    {
      refuse_text (KVSQL_COLUMN_TYPE_BYTES, text, error);
      return _kvsql_client_error_hint (error, "Write bytes as x'00ff' or as plain text.");
    }
  kvsql_params_add_bytes (self, name, bytes->data, bytes->len);
  return TRUE;
}

static gboolean
add_text_boolean (KvsqlParams *self, const gchar *name, const gchar *text, GError **error)
{
  gboolean is_true;

  if (!_kvsql_text_parse_boolean (text, strlen (text), &is_true))
    return refuse_text (KVSQL_COLUMN_TYPE_BOOLEAN, text, error);
  kvsql_params_add_boolean (self, name, is_true);
  return TRUE;
}

gboolean
kvsql_params_add_text (KvsqlParams *self, const gchar *name, KvsqlColumnType type,
                       const gchar *text, GError **error)
{
  gint64 integer;
  gdouble real;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);
  g_return_val_if_fail (error == NULL || *error == NULL, FALSE);

  switch (type)
    {
    case KVSQL_COLUMN_TYPE_BOOLEAN:
      return add_text_boolean (self, name, text, error);
    case KVSQL_COLUMN_TYPE_INT:
    case KVSQL_COLUMN_TYPE_BIGINT:
      if (!_kvsql_text_parse_int64 (text, strlen (text), &integer))
        return refuse_text (type, text, error);
      kvsql_params_add_int64 (self, name, integer);
      return TRUE;
    case KVSQL_COLUMN_TYPE_FLOAT:
    case KVSQL_COLUMN_TYPE_DOUBLE:
      if (!_kvsql_text_parse_double (text, strlen (text), &real))
        return refuse_text (type, text, error);
      kvsql_params_add_double (self, name, real);
      return TRUE;
    case KVSQL_COLUMN_TYPE_BYTES:
      return add_text_bytes (self, name, text, error);
    default:
      if (!g_utf8_validate (text, -1, NULL))
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_VALUE, "text is not UTF-8");
      kvsql_params_add_string (self, name, text);
      return TRUE;
    }
}

guint
kvsql_params_get_n_values (const KvsqlParams *self)
{
  g_return_val_if_fail (self != NULL, 0);
  return self->values->len;
}

gboolean
_kvsql_params_have_names (const KvsqlParams *self)
{
  for (guint i = 0; self != NULL && i < self->values->len; i++)
    if (g_array_index (self->values, KvsqlParam, i).name != NULL)
      return TRUE;
  return FALSE;
}

const KvsqlParam *
_kvsql_params_lookup (const KvsqlParams *self, const gchar *name)
{
  for (guint i = 0; self != NULL && i < self->values->len; i++)
    {
      const KvsqlParam *param = &g_array_index (self->values, KvsqlParam, i);
      if (param->name != NULL && g_ascii_strcasecmp (param->name, name) == 0)
        return param;
    }
  return NULL;
}

static const KvsqlParam *
nth_unnamed (const KvsqlParams *self, guint index)
{
  const KvsqlParam *param = self != NULL && index < self->values->len
                                ? &g_array_index (self->values, KvsqlParam, index)
                                : NULL;

  return param != NULL && param->name == NULL ? param : NULL;
}

/* Fails if there is a value that the statement has no parameter for. */
static gboolean
check_no_other (const KvsqlParams *self, const gchar *const *names, guint n_names, GError **error)
{
  guint n_values = self != NULL ? self->values->len : 0;

  for (guint i = 0; i < n_values; i++)
    {
      const gchar *name = g_array_index (self->values, KvsqlParam, i).name;
      guint j = 0;

      while (name != NULL && j < n_names
             && (names[j] == NULL || g_ascii_strcasecmp (name, names[j]) != 0))
        j++;
      if (name != NULL && j == n_names)
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                        "the statement has no parameter \":%s\"", name);
      if (name == NULL && (i >= n_names || names[i] != NULL))
        return _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                        "the statement has %u parameters, but %u values were given",
                                        n_names, n_values);
    }
  return TRUE;
}

GPtrArray *
_kvsql_params_order (const KvsqlParams *self, const gchar *const *names, guint n_names,
                     GError **error)
{
  g_autoptr (GPtrArray) ordered = g_ptr_array_sized_new (n_names);

  for (guint i = 0; i < n_names; i++)
    {
      const KvsqlParam *param
          = names[i] != NULL ? _kvsql_params_lookup (self, names[i]) : nth_unnamed (self, i);

      if (param == NULL && names[i] != NULL)
        _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                 "no value was given for parameter \":%s\"", names[i]);
      else if (param == NULL)
        _kvsql_client_error_set (error, KVSQL_CLIENT_ERROR_INVALID,
                                 "no value was given for parameter %u of %u", i + 1, n_names);
      if (param == NULL)
        return NULL;
      g_ptr_array_add (ordered, (gpointer)param);
    }
  if (!check_no_other (self, names, n_names, error))
    return NULL;
  return g_steal_pointer (&ordered);
}
