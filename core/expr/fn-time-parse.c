/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-time-parse.c: text to times by PostgreSQL's patterns: YYYY YY MM Month Mon DD DDD HH24 HH12 HH
 * MI SS MS US AM PM.
 */
#include "config.h"

#include "core/expr/cast.h"
#include "core/expr/function.h"

static const gchar *const months[]
    = { "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec" };
static const gchar *const rests[]
    = { "uary", "ruary", "ch", "il", "", "e", "y", "ust", "tember", "ober", "ember", "ember" };

typedef enum
{
  FIELD_YEAR,
  FIELD_SHORT_YEAR,
  FIELD_MONTH,
  FIELD_MONTH_NAME,
  FIELD_DAY,
  FIELD_DAY_OF_YEAR,
  FIELD_HOUR,
  FIELD_HOUR12,
  FIELD_MINUTE,
  FIELD_SECOND,
  FIELD_MS,
  FIELD_US,
  FIELD_NOON,
  N_FIELDS,
} Field;

/* A template precedes its prefixes. @n_digits: at most so many; 0: no number */
static const struct
{
  const gchar *text;
  Field field;
  guint n_digits;
} templates[] = {
  { "YYYY", FIELD_YEAR, 4 },      { "YY", FIELD_SHORT_YEAR, 2 },   { "Month", FIELD_MONTH_NAME, 0 },
  { "Mon", FIELD_MONTH_NAME, 0 }, { "MM", FIELD_MONTH, 2 },        { "MI", FIELD_MINUTE, 2 },
  { "MS", FIELD_MS, 3 },          { "DDD", FIELD_DAY_OF_YEAR, 3 }, { "DD", FIELD_DAY, 2 },
  { "HH24", FIELD_HOUR, 2 },      { "HH12", FIELD_HOUR12, 2 },     { "HH", FIELD_HOUR12, 2 },
  { "SS", FIELD_SECOND, 2 },      { "US", FIELD_US, 6 },           { "AM", FIELD_NOON, 0 },
  { "PM", FIELD_NOON, 0 },
};

static const gchar *const unsupported[]
    = { "Day", "Dy", "D",  "IYYY", "IY", "I",  "WW", "W",    "Q",   "J",
        "CC",  "BC", "AD", "TZ",   "OF", "RM", "FF", "SSSS", "YYY", "Y" };

typedef struct
{
  const gchar *at, *end;
  gint64 values[N_FIELDS];
  gboolean has[N_FIELDS];
} Reader;

static gboolean
fail_value (const Reader *self, const gchar *name, GError **error)
{
  kvsql_function_fail_as (error, "22007", "invalid value \"%.*s\" for \"%s\"",
                          (gint)MIN (self->end - self->at, 10), self->at, name);
  return kvsql_error_hint (error, "The text must have the form of the pattern.");
}

static gboolean
read_digits (Reader *self, const gchar *name, Field field, guint n_digits, GError **error)
{
  guint n = 0;
  gint64 value = 0;

  while (self->at + n < self->end && n < n_digits && g_ascii_isdigit (self->at[n]))
    value = value * 10 + (self->at[n++] - '0');
  if (n == 0)
    return fail_value (self, name, error);
  self->at += n;
  for (; n < n_digits && (field == FIELD_MS || field == FIELD_US); n++)
    value *= 10; /* digits after the point */
  self->values[field] = value;
  self->has[field] = TRUE;
  return TRUE;
}

static gboolean
read_month_name (Reader *self, const gchar *name, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (months); i++)
    {
      gsize rest = strlen (rests[i]);
      if (self->end - self->at < 3 || g_ascii_strncasecmp (self->at, months[i], 3) != 0)
        continue;
      self->at += 3;
      if (g_str_equal (name, "Month") && (gsize)(self->end - self->at) >= rest
          && g_ascii_strncasecmp (self->at, rests[i], rest) == 0)
        self->at += rest;
      self->values[FIELD_MONTH] = i + 1;
      self->has[FIELD_MONTH] = TRUE;
      return TRUE;
    }
  return fail_value (self, name, error);
}

static gboolean
read_noon (Reader *self, const gchar *name, GError **error)
{
  if (self->end - self->at < 2 || g_ascii_tolower (self->at[1]) != 'm'
      || strchr ("aApP", self->at[0]) == NULL)
    return fail_value (self, name, error);
  self->values[FIELD_NOON] = g_ascii_tolower (self->at[0]) == 'p';
  self->has[FIELD_NOON] = TRUE;
  self->at += 2;
  return TRUE;
}

/* Blanks in the text do not matter. */
static gboolean
read_template (Reader *self, guint template, GError **error)
{
  const gchar *name = templates[template].text;

  while (self->at < self->end && *self->at == ' ')
    self->at++;
  if (templates[template].field == FIELD_MONTH_NAME)
    return read_month_name (self, name, error);
  if (templates[template].field == FIELD_NOON)
    return read_noon (self, name, error);
  return read_digits (self, name, templates[template].field, templates[template].n_digits, error);
}

static gboolean
starts_with (const gchar *at, const gchar *end, const gchar *text)
{
  gsize size = strlen (text);

  return (gsize)(end - at) >= size && g_ascii_strncasecmp (at, text, size) == 0;
}

static gboolean
check_supported (const gchar *at, const gchar *end, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (unsupported); i++)
    if (starts_with (at, end, unsupported[i]))
      {
        kvsql_function_fail (error, "a time is not read by \"%s\"", unsupported[i]);
        return kvsql_error_hint (error, "There are YYYY YY MM Month Mon DD DDD HH24 HH12 MI SS MS "
                                        "US AM PM, and text in \"…\".");
      }
  return TRUE;
}

/* Text between templates: a sign that is no letter or digit matches any one such sign. */
static void
skip_other (Reader *self, gchar c, gboolean is_quoted)
{
  gboolean is_sign = !is_quoted && !g_ascii_isalnum (c);

  if (self->at < self->end && (!is_sign || !g_ascii_isalnum (*self->at)))
    self->at++;
}

static gboolean
read_all (Reader *self, KvsqlSlice pattern, GError **error)
{
  const gchar *p = (const gchar *)pattern.data, *end = p + pattern.size;
  gboolean is_quoted = FALSE;

  while (p < end)
    {
      guint found = 0;
      if (*p == '"')
        {
          is_quoted = !is_quoted;
          p++;
          continue;
        }
      while (!is_quoted && found < G_N_ELEMENTS (templates)
             && !starts_with (p, end, templates[found].text))
        found++;
      if (is_quoted || found == G_N_ELEMENTS (templates))
        {
          if (!is_quoted && !check_supported (p, end, error))
            return FALSE;
          skip_other (self, *p++, is_quoted);
          continue;
        }
      if (!read_template (self, found, error))
        return FALSE;
      p += strlen (templates[found].text);
    }
  return TRUE;
}

static gboolean
fail_field (GError **error)
{
  return kvsql_function_fail_as (error, "22008", "date/time field value out of range");
}

static gboolean
days_of (const Reader *self, gint64 *out, GError **error)
{
  gint64 year = self->has[FIELD_YEAR] ? self->values[FIELD_YEAR] : 0;
  gint64 month = self->has[FIELD_MONTH] ? self->values[FIELD_MONTH] : 1;
  gint64 day = self->has[FIELD_DAY] ? self->values[FIELD_DAY] : 1, ordinal = 0;

  if (self->has[FIELD_SHORT_YEAR])
    year = self->values[FIELD_SHORT_YEAR] + (self->values[FIELD_SHORT_YEAR] < 70 ? 2000 : 1900);
  if (self->has[FIELD_DAY_OF_YEAR])
    {
      ordinal = self->values[FIELD_DAY_OF_YEAR] - 1;
      month = day = 1;
    }
  if (!kvsql_date_from_civil ((gint)year, (gint)month, (gint)day, out) || ordinal < 0
      || ordinal > 365)
    return fail_field (error);
  *out += ordinal;
  return TRUE;
}

static gboolean
ms_of_day (const Reader *self, gint64 *out, GError **error)
{
  gint64 hour = self->values[FIELD_HOUR], minute = self->values[FIELD_MINUTE],
         second = self->values[FIELD_SECOND];

  if (self->has[FIELD_HOUR12])
    {
      hour = self->values[FIELD_HOUR12];
      if (hour < 1 || hour > 12)
        return kvsql_function_fail_as (error, "22007",
                                       "hour \"%d\" is invalid for the 12-hour clock", (gint)hour)
               || kvsql_error_hint (error, "Write HH24, or an hour between 1 and 12.");
      hour = hour % 12 + (self->values[FIELD_NOON] ? 12 : 0);
    }
  if (hour > 23 || minute > 59 || second > 59)
    return fail_field (error);
  *out = ((hour * 60 + minute) * 60 + second) * 1000 + self->values[FIELD_MS]
         + (self->values[FIELD_US] + 500) / 1000;
  return TRUE;
}

static gboolean
parse (const KvsqlValue *arguments, gint64 *out_days, gint64 *out_ms, GError **error)
{
  Reader reader = { .at = (const gchar *)arguments[0].bytes.data };

  reader.end = reader.at + arguments[0].bytes.size;
  return read_all (&reader, arguments[1].bytes, error) && ms_of_day (&reader, out_ms, error)
         && days_of (&reader, out_days, error);
}

static gboolean
to_date (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  gint64 days, ms;

  if (!parse (arguments, &days, &ms, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_DATE, .integer = days };
  return kvsql_cast_check_time (KVSQL_TYPE_DATE, days, error);
}

static gboolean
to_timestamp (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
              GError **error)
{
  gint64 days, ms;

  if (!parse (arguments, &days, &ms, error))
    return FALSE;
  *out = (KvsqlValue){ .type = KVSQL_TYPE_TIMESTAMP, .integer = days * KVSQL_MS_PER_DAY + ms };
  return kvsql_cast_check_time (KVSQL_TYPE_TIMESTAMP, out->integer, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("to_date", STRING, STRING, DATE, to_date),
  KVSQL_FUNCTION_2 ("to_timestamp", STRING, STRING, TIMESTAMP, to_timestamp,
                    .zone = KVSQL_ZONE_ALWAYS),
};

const KvsqlFunctionFamily kvsql_functions_time_parse = { functions, G_N_ELEMENTS (functions) };
