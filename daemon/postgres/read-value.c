/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * read-value.c: see read-value.h.
 */
#include "config.h"

#include "daemon/postgres/read-value.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/base/uuid.h"
#include "daemon/postgres/binary.h"
#include "daemon/postgres/numeric.h"

static gboolean
refuse_size (KvsqlSlice bytes, gsize size, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "incorrect binary data format: %" G_GSIZE_FORMAT " bytes, where %" G_GSIZE_FORMAT
                   " are expected",
                   bytes.size, size);
  return kvsql_error_sqlstate (error, bytes.size < size ? "08P01" : "22P03");
}

static gboolean
refuse_range (const gchar *what, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s out of range", what);
  kvsql_error_hint (error, "Years run from 0001 to 9999.");
  return kvsql_error_sqlstate (error, "22008");
}

static gboolean
check_text (KvsqlSlice bytes, GError **error)
{
  if (kvsql_text_is_valid (bytes))
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid byte sequence for encoding \"UTF8\"");
  return kvsql_error_sqlstate (error, "22021");
}

/* ---- the text format */

static gboolean
refuse_text (KvsqlSlice bytes, const gchar *type, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (bytes.data, MIN (bytes.size, 60)));

  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "invalid input syntax for type %s: \"%s\"", type, shown);
  return kvsql_error_sqlstate (error, "22P02");
}

/* Any beginning of true, false, yes, no; on, of, off, 1, 0. */
static gboolean
read_boolean_text (KvsqlSlice bytes, KvsqlValue *out, GError **error)
{
  static const struct
  {
    const gchar *word;
    gsize least;
    gboolean value;
  } words[] = { { "true", 1, TRUE }, { "false", 1, FALSE }, { "yes", 1, TRUE }, { "no", 1, FALSE },
                { "on", 2, TRUE },   { "off", 2, FALSE },   { "1", 1, TRUE },   { "0", 1, FALSE } };
  g_autofree gchar *text = g_strndup ((const gchar *)bytes.data, bytes.size);
  gsize size = strlen (g_strstrip (text));

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (size >= words[i].least && size <= strlen (words[i].word)
        && g_ascii_strncasecmp (text, words[i].word, size) == 0)
      {
        *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = words[i].value };
        return TRUE;
      }
  return refuse_text (bytes, "boolean", error);
}

/* \x and two hexadecimal digits for each byte; or bytes, with \\ and \ooo for some. */
static gboolean
read_bytea_text (KvsqlSlice bytes, KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  guint8 *copy = kvsql_arena_alloc (arena, bytes.size + 1);
  const guint8 *at = bytes.data, *end = bytes.data + bytes.size;
  gsize n = 0;

  if (bytes.size >= 2 && at[0] == '\\' && at[1] == 'x')
    {
      for (at += 2; at < end; at += 2)
        {
          if (end - at < 2 || !g_ascii_isxdigit (at[0]) || !g_ascii_isxdigit (at[1]))
            return refuse_text (bytes, "bytea", error);
          copy[n++] = (guint8)(g_ascii_xdigit_value (at[0]) << 4 | g_ascii_xdigit_value (at[1]));
        }
    }
  while (at < end)
    if (*at != '\\')
      copy[n++] = *at++;
    else if (end - at >= 2 && at[1] == '\\')
      {
        copy[n++] = '\\';
        at += 2;
      }
    else if (end - at >= 4 && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7'
             && at[3] >= '0' && at[3] <= '7')
      {
        copy[n++] = (guint8)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
        at += 4;
      }
    else
      return refuse_text (bytes, "bytea", error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = kvsql_slice (copy, n) };
  return TRUE;
}

/* Drivers send a zone after a date, too ("2024-01-01 +00"), which means nothing there. */
static KvsqlSlice
without_zone (KvsqlSlice date)
{
  const guint8 *blank = date.size > 0 ? memchr (date.data, ' ', date.size) : NULL;

  if (blank != NULL && blank + 1 < date.data + date.size && (blank[1] == '+' || blank[1] == '-'))
    date.size = (gsize)(blank - date.data);
  return date;
}

gboolean
kvsqld_pg_read_from_text (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                          GError **error)
{
  if (!check_text (bytes, error))
    return FALSE;
  switch (type)
    {
    case KVSQL_TYPE_NULL:
    case KVSQL_TYPE_STRING:
      *out = (KvsqlValue){ .type = KVSQL_TYPE_STRING, .bytes = kvsql_slice_dup (arena, bytes) };
      return TRUE;
    case KVSQL_TYPE_BOOLEAN:
      return read_boolean_text (bytes, out, error);
    case KVSQL_TYPE_BYTES:
      return read_bytea_text (bytes, arena, out, error);
    case KVSQL_TYPE_DATE:
      return kvsql_value_parse_scalar (type, without_zone (bytes), arena, out, error);
    default:
      return kvsql_value_parse_scalar (type, bytes, arena, out, error);
    }
}

gboolean
kvsqld_pg_read_clock_from_text (KvsqlSlice bytes, KvsqlValue *out, GError **error)
{
  return check_text (bytes, error) && kvsql_value_parse_clock (bytes, out, error);
}

gboolean
kvsqld_pg_read_list_from_text (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                               GError **error)
{
  return check_text (bytes, error) && kvsql_value_parse (type, bytes, arena, out, error);
}

/* ---- the binary format */

gboolean
kvsqld_pg_read_text (KvsqlSlice bytes, G_GNUC_UNUSED KvsqlType type, KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  return kvsqld_pg_read_from_text (bytes, KVSQL_TYPE_STRING, arena, out, error);
}

gboolean
kvsqld_pg_read_boolean (KvsqlSlice bytes, G_GNUC_UNUSED KvsqlType type,
                        G_GNUC_UNUSED KvsqlArena *arena, KvsqlValue *out, GError **error)
{
  if (bytes.size != 1)
    return refuse_size (bytes, 1, error);
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BOOLEAN, .boolean = bytes.data[0] != 0 };
  return TRUE;
}

gboolean
kvsqld_pg_read_bytea (KvsqlSlice bytes, G_GNUC_UNUSED KvsqlType type, KvsqlArena *arena,
                      KvsqlValue *out, G_GNUC_UNUSED GError **error)
{
  *out = (KvsqlValue){ .type = KVSQL_TYPE_BYTES, .bytes = kvsql_slice_dup (arena, bytes) };
  return TRUE;
}

gboolean
kvsqld_pg_read_integer (KvsqlSlice bytes, KvsqlType type, G_GNUC_UNUSED KvsqlArena *arena,
                        KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = type };
  if (bytes.size == 8 && type == KVSQL_TYPE_BIGINT)
    out->integer = (gint64)kvsql_get_be64 (bytes.data);
  else if (bytes.size == 4 && type == KVSQL_TYPE_INT)
    out->integer = (gint32)kvsql_get_be32 (bytes.data);
  else if (bytes.size == 2 && type == KVSQL_TYPE_INT)
    out->integer = (gint16)(bytes.data[0] << 8 | bytes.data[1]);
  else
    return refuse_size (bytes, type == KVSQL_TYPE_BIGINT ? 8 : 4, error);
  return TRUE;
}

gboolean
kvsqld_pg_read_oid (KvsqlSlice bytes, KvsqlType type, G_GNUC_UNUSED KvsqlArena *arena,
                    KvsqlValue *out, GError **error)
{
  if (bytes.size != 4)
    return refuse_size (bytes, 4, error);
  *out = (KvsqlValue){ .type = type, .integer = kvsql_get_be32 (bytes.data) };
  return TRUE;
}

gboolean
kvsqld_pg_read_real (KvsqlSlice bytes, KvsqlType type, G_GNUC_UNUSED KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  *out = (KvsqlValue){ .type = type };
  if (type == KVSQL_TYPE_DOUBLE && bytes.size == 8)
    {
      guint64 bits = kvsql_get_be64 (bytes.data);

      memcpy (&out->real, &bits, sizeof bits);
      return TRUE;
    }
  if (type == KVSQL_TYPE_FLOAT && bytes.size == 4)
    {
      guint32 bits = kvsql_get_be32 (bytes.data);
      gfloat real;

      memcpy (&real, &bits, sizeof bits);
      out->real = real;
      return TRUE;
    }
  return refuse_size (bytes, type == KVSQL_TYPE_DOUBLE ? 8 : 4, error);
}

gboolean
kvsqld_pg_read_numeric (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                        GError **error)
{
  KvsqlSlice text;

  *out = (KvsqlValue){ .type = type };
  return kvsqld_pg_numeric_read (bytes, arena, &text, error)
         && (kvsql_decimal_parse (text, arena, &out->bytes, error)
             || kvsql_error_sqlstate (error, "22003"));
}

gboolean
kvsqld_pg_read_date (KvsqlSlice bytes, KvsqlType type, G_GNUC_UNUSED KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  gint64 days;

  if (bytes.size != 4)
    return refuse_size (bytes, 4, error);
  days = (gint32)kvsql_get_be32 (bytes.data) + KVSQLD_PG_EPOCH_DAYS;
  if (days < KVSQL_DATE_MIN || days > KVSQL_DATE_MAX)
    return refuse_range ("date", error);
  *out = (KvsqlValue){ .type = type, .integer = days };
  return TRUE;
}

gboolean
kvsqld_pg_read_timestamp (KvsqlSlice bytes, KvsqlType type, G_GNUC_UNUSED KvsqlArena *arena,
                          KvsqlValue *out, GError **error)
{
  gint64 us, ms;

  if (bytes.size != 8)
    return refuse_size (bytes, 8, error);
  us = (gint64)kvsql_get_be64 (bytes.data);
  us = us <= G_MAXINT64 - 500 ? us + 500 : us; /* half up, as in text */
  ms = us / 1000 - (us % 1000 < 0);
  ms += KVSQLD_PG_EPOCH_DAYS * KVSQL_MS_PER_DAY;
  if (ms < KVSQL_DATE_MIN * KVSQL_MS_PER_DAY || ms >= (KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY)
    return refuse_range ("timestamp", error);
  *out = (KvsqlValue){ .type = type, .integer = ms };
  return TRUE;
}

gboolean
kvsqld_pg_read_time (KvsqlSlice bytes, KvsqlType type, G_GNUC_UNUSED KvsqlArena *arena,
                     KvsqlValue *out, GError **error)
{
  gint64 us;

  if (bytes.size != 8)
    return refuse_size (bytes, 8, error);
  us = (gint64)kvsql_get_be64 (bytes.data);
  if (us < 0 || us > KVSQL_US_PER_DAY)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "time out of range");
      kvsql_error_hint (error, "Times of day are from 00:00:00 to 24:00:00.");
      return kvsql_error_sqlstate (error, "22008");
    }
  *out = (KvsqlValue){ .type = type, .integer = kvsql_us_to_ms (us) };
  return TRUE;
}

/* Microseconds, days, months. */
gboolean
kvsqld_pg_read_interval (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                         GError **error)
{
  KvsqlDuration duration;

  if (bytes.size != 16)
    return refuse_size (bytes, 16, error);
  duration.us = (gint64)kvsql_get_be64 (bytes.data);
  duration.days = (gint32)kvsql_get_be32 (bytes.data + 8);
  duration.months = (gint32)kvsql_get_be32 (bytes.data + 12);
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_duration_to_text (&duration, arena) };
  return TRUE;
}

gboolean
kvsqld_pg_read_uuid (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                     GError **error)
{
  if (bytes.size != KVSQL_UUID_BYTES)
    return refuse_size (bytes, KVSQL_UUID_BYTES, error);
  *out = (KvsqlValue){ .type = type, .bytes = kvsql_uuid_to_text (bytes.data, arena) };
  return TRUE;
}

gboolean
kvsqld_pg_read_jsonb (KvsqlSlice bytes, KvsqlType type, KvsqlArena *arena, KvsqlValue *out,
                      GError **error)
{
  if (bytes.size < 1)
    return refuse_size (bytes, 1, error);
  if (bytes.data[0] != KVSQLD_PG_JSONB_VERSION)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "unsupported jsonb version number %u", bytes.data[0]);
      return kvsql_error_sqlstate (error, "22P03");
    }
  return kvsqld_pg_read_from_text (kvsql_slice (bytes.data + 1, bytes.size - 1), type, arena, out,
                                   error);
}
