/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * value.c: converts fields of a file to values of attributes.
 */
#include "config.h"

#include <string.h>

#include "client/ctl/import/batch.h"
#include "client/ctl/terminal/column-type.h"
#include "core/base/hash.h"

GByteArray *
kvsqlctl_read_hex (const gchar *text, gsize size)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gboolean is_quoted = size >= 3 && (text[0] == 'x' || text[0] == 'X') && text[1] == '\''
                       && text[size - 1] == '\'';
  gsize end = is_quoted ? size - 1 : size;

  if (!is_quoted && (size < 2 || text[0] != '\\' || text[1] != 'x'))
    return NULL;
  if (end % 2 != 0)
    return NULL;
  for (gsize i = 2; i < end; i += 2)
    {
      gint high = g_ascii_xdigit_value (text[i]), low = g_ascii_xdigit_value (text[i + 1]);
      guint8 byte = (guint8)(high << 4 | low);

      if (high < 0 || low < 0)
        return NULL;
      g_byte_array_append (bytes, &byte, 1);
    }
  return g_steal_pointer (&bytes);
}

static gboolean
reject (KvsqlctlProblem *problem, const KvsqlctlAttribute *attribute, const gchar *message,
        const gchar *hint)
{
  problem->message = g_strdup_printf ("attribute \"%s\": %s", attribute->name, message);
  problem->hint = g_strdup (hint);
  return FALSE;
}

static gboolean
append_hex (KvsqlBulk *bulk, guint column, const KvsqlctlAttribute *attribute, const gchar *text,
            gsize size, KvsqlctlProblem *out_problem)
{
  g_autoptr (GByteArray) bytes = kvsqlctl_read_hex (text, size);

  if (bytes == NULL)
    return reject (out_problem, attribute, "this is not BYTES in hexadecimal",
                   "Write \\x00ff or x'00ff'.");
  kvsql_bulk_append_bytes (bulk, column, bytes->data, bytes->len);
  return TRUE;
}

/* JSON values have a type in addition to their text. A string is valid for every attribute: it is
 * the form of NaN, of a date, or of a DECIMAL that other programs would round. */
gboolean
kvsqlctl_check_kind (const KvsqlctlAttribute *attribute, KvsqlctlFieldKind kind,
                     KvsqlctlProblem *problem)
{
  const gchar *type = kvsql_column_type_get_name (attribute->type);
  gboolean is_json
      = attribute->type == KVSQL_COLUMN_TYPE_JSON || attribute->type == KVSQL_COLUMN_TYPE_JSONB;
  g_autofree gchar *message = NULL;

  switch (kind)
    {
    case KVSQLCTL_FIELD_NUMBER:
      if (kvsqlctl_is_number (attribute->type) || is_json)
        return TRUE;
      message = g_strdup_printf ("a number is not a value of %s", type);
      return reject (problem, attribute, message, "Put it in quotes.");
    case KVSQLCTL_FIELD_BOOLEAN:
      if (attribute->type == KVSQL_COLUMN_TYPE_BOOLEAN || is_json)
        return TRUE;
      message = g_strdup_printf ("true and false are not values of %s", type);
      return reject (problem, attribute, message, NULL);
    case KVSQLCTL_FIELD_ARRAY:
      if (attribute->type == KVSQL_COLUMN_TYPE_LIST || is_json)
        return TRUE;
      message = g_strdup_printf ("an array is not a value of %s", type);
      return reject (problem, attribute, message, NULL);
    case KVSQLCTL_FIELD_OBJECT:
      if (attribute->type == KVSQL_COLUMN_TYPE_MAP || is_json)
        return TRUE;
      message = g_strdup_printf ("an object is not a value of %s", type);
      return reject (problem, attribute, message, NULL);
    default:
      return TRUE;
    }
}

gboolean
kvsqlctl_append_field (KvsqlBulk *bulk, guint column, const KvsqlctlAttribute *attribute,
                       KvsqlctlFieldKind kind, const gchar *text, gsize size,
                       KvsqlctlProblem *out_problem)
{
  g_autoptr (GError) error = NULL;

  if (kind == KVSQLCTL_FIELD_NULL)
    {
      kvsql_bulk_append_null (bulk, column);
      return TRUE;
    }
  if (!kvsqlctl_check_kind (attribute, kind, out_problem))
    return FALSE;
  if (attribute->type == KVSQL_COLUMN_TYPE_BYTES)
    return append_hex (bulk, column, attribute, text, size, out_problem);
  return kvsql_bulk_append_text (bulk, column, attribute->type, text, size, &error)
         || reject (out_problem, attribute, error->message, kvsql_client_error_get_hint (error));
}

/* ---- keys */

/* Covers all forms in which kvsqld accepts a time: without seconds, without a time of day, with
 * blanks. */
static gint64
milliseconds (const gchar *text, gsize size)
{
  g_autofree gchar *copy = g_strndup (text, size);
  g_autoptr (GString) iso = g_string_ascii_up (g_string_new (g_strstrip (copy)));
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = NULL;

  if (iso->len == strlen ("2024-02-29"))
    g_string_append (iso, "T00:00");
  else if (iso->len > strlen ("2024-02-29"))
    iso->str[strlen ("2024-02-29")] = 'T';
  if (iso->len >= strlen ("2024-02-29T12:00") && iso->str[strlen ("2024-02-29T12:00")] != ':')
    g_string_insert (iso, strlen ("2024-02-29T12:00"), ":00");
  g_string_replace (iso, " ", "", 0);
  time = g_date_time_new_from_iso8601 (iso->str, utc);
  return time == NULL
             ? 0
             : g_date_time_to_unix (time) * 1000 + g_date_time_get_microsecond (time) / 1000;
}

/* A UUID has the same digits in each form. */
static guint64
hash_digits (guint64 hash, const gchar *text, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      gchar digit = g_ascii_tolower (text[i]);
      if (g_ascii_isxdigit (digit))
        hash = kvsql_hash (hash, &digit, 1);
    }
  return hash;
}

/* Values with several text forms are hashed by their meaning, or all get the same hash. */
static guint64
hash_value (guint64 hash, KvsqlColumnType type, const gchar *text, gsize size)
{
  g_autofree gchar *copy = NULL;
  gint64 integer;
  gdouble real;

  switch (type)
    {
    case KVSQL_COLUMN_TYPE_STRING:
      return kvsql_hash (hash, text, size);
    case KVSQL_COLUMN_TYPE_INT:
    case KVSQL_COLUMN_TYPE_BIGINT:
    case KVSQL_COLUMN_TYPE_FLOAT:
    case KVSQL_COLUMN_TYPE_DOUBLE:
    case KVSQL_COLUMN_TYPE_DECIMAL:
      copy = g_strndup (text, size);
      real = g_ascii_strtod (copy, NULL) + 0.0; /* -0 is 0 */
      return kvsql_hash (hash, &real, sizeof real);
    case KVSQL_COLUMN_TYPE_UUID:
      return hash_digits (hash, text, size);
    case KVSQL_COLUMN_TYPE_TIMESTAMP:
      integer = milliseconds (text, size);
      return kvsql_hash (hash, &integer, sizeof integer);
    default:
      return hash;
    }
}

guint64
kvsqlctl_hash_key (const KvsqlctlTarget *target, const KvsqlctlRecord *record, const gchar *bytes,
                   const KvsqlctlField *fields)
{
  guint64 hash = KVSQL_HASH_FIXED_SEED;

  for (guint i = 0; i < target->columns->len; i++)
    {
      const KvsqlctlAttribute *attribute = kvsqlctl_target_get_attribute (target, i);

      if (attribute->is_key && fields[i].kind != KVSQLCTL_FIELD_MISSING)
        hash = hash_value (hash, attribute->type, kvsqlctl_record_get (record, bytes, &fields[i]),
                           fields[i].size);
    }
  return hash;
}
