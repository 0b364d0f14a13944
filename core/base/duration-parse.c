/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * duration-parse.c: texts of INTERVAL, as PostgreSQL 15 reads them.
 *
 * A text is cut into fields, which are read from the last to the first: a unit is the unit of the
 * number before it. What this does not read may be ISO 8601.
 */
#include "config.h"

#include "core/base/duration.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#define US_PER_SECOND G_GINT64_CONSTANT (1000000)
#define US_PER_MINUTE (60 * US_PER_SECOND)
#define US_PER_HOUR (60 * US_PER_MINUTE)
#define MAX_FIELDS 25
#define MAX_TEXT 256

typedef enum
{
  UNIT_NONE,
  UNIT_MICROSECOND,
  UNIT_MILLISECOND,
  UNIT_SECOND,
  UNIT_MINUTE,
  UNIT_HOUR,
  UNIT_DAY,
  UNIT_WEEK,
  UNIT_MONTH,
  UNIT_YEAR,
  UNIT_DECADE,
  UNIT_CENTURY,
  UNIT_MILLENNIUM,
  UNIT_AGO,
} Unit;

static const struct
{
  const gchar *name; /* ten letters: also a longer word that begins so */
  Unit unit;
} units[] = {
  { "ago", UNIT_AGO },
  { "c", UNIT_CENTURY },
  { "cent", UNIT_CENTURY },
  { "centuries", UNIT_CENTURY },
  { "century", UNIT_CENTURY },
  { "d", UNIT_DAY },
  { "day", UNIT_DAY },
  { "days", UNIT_DAY },
  { "dec", UNIT_DECADE },
  { "decade", UNIT_DECADE },
  { "decades", UNIT_DECADE },
  { "decs", UNIT_DECADE },
  { "h", UNIT_HOUR },
  { "hour", UNIT_HOUR },
  { "hours", UNIT_HOUR },
  { "hr", UNIT_HOUR },
  { "hrs", UNIT_HOUR },
  { "m", UNIT_MINUTE },
  { "microsecon", UNIT_MICROSECOND },
  { "mil", UNIT_MILLENNIUM },
  { "millennia", UNIT_MILLENNIUM },
  { "millennium", UNIT_MILLENNIUM },
  { "millisecon", UNIT_MILLISECOND },
  { "mils", UNIT_MILLENNIUM },
  { "min", UNIT_MINUTE },
  { "mins", UNIT_MINUTE },
  { "minute", UNIT_MINUTE },
  { "minutes", UNIT_MINUTE },
  { "mon", UNIT_MONTH },
  { "mons", UNIT_MONTH },
  { "month", UNIT_MONTH },
  { "months", UNIT_MONTH },
  { "ms", UNIT_MILLISECOND },
  { "msec", UNIT_MILLISECOND },
  { "msecond", UNIT_MILLISECOND },
  { "mseconds", UNIT_MILLISECOND },
  { "msecs", UNIT_MILLISECOND },
  { "s", UNIT_SECOND },
  { "sec", UNIT_SECOND },
  { "second", UNIT_SECOND },
  { "seconds", UNIT_SECOND },
  { "secs", UNIT_SECOND },
  { "us", UNIT_MICROSECOND },
  { "usec", UNIT_MICROSECOND },
  { "usecond", UNIT_MICROSECOND },
  { "useconds", UNIT_MICROSECOND },
  { "usecs", UNIT_MICROSECOND },
  { "w", UNIT_WEEK },
  { "week", UNIT_WEEK },
  { "weeks", UNIT_WEEK },
  { "y", UNIT_YEAR },
  { "year", UNIT_YEAR },
  { "years", UNIT_YEAR },
  { "yr", UNIT_YEAR },
  { "yrs", UNIT_YEAR },
};

#define SIGNIFICANT 10

static Unit
find_unit (const gchar *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strncmp (units[i].name, word, SIGNIFICANT) == 0)
      return units[i].unit;
  return UNIT_NONE;
}

typedef enum
{
  RESULT_OK,
  RESULT_BAD,      /* the text has another form */
  RESULT_OVERFLOW, /* a number is too large */
} Result;

/* The sums, before they are checked together. */
typedef struct
{
  gint32 years, months, days;
  gint64 us;
} Sums;

/* ---- sums */

static gboolean
add_32 (gint32 *to, gint64 number, gint64 scale)
{
  gint64 product;

  return !__builtin_mul_overflow (number, scale, &product)
         && !__builtin_add_overflow (*to, product, to);
}

/* A fraction of a unit, rounded to microseconds. */
static gboolean
add_fraction (Sums *self, gdouble fraction, gint64 unit)
{
  gint64 us;

  if (fraction == 0)
    return TRUE;
  fraction *= (gdouble)unit;
  us = (gint64)fraction;
  fraction -= (gdouble)us;
  us += fraction > 0.5 ? 1 : fraction < -0.5 ? -1 : 0;
  return !__builtin_add_overflow (self->us, us, &self->us);
}

static gboolean
add_time (Sums *self, gint64 number, gdouble fraction, gint64 unit)
{
  gint64 us;

  return !__builtin_mul_overflow (number, unit, &us)
         && !__builtin_add_overflow (self->us, us, &self->us)
         && add_fraction (self, fraction, unit);
}

static gboolean
add_days (Sums *self, gint64 number, gdouble fraction, gint scale)
{
  gint more = (gint)(fraction * scale);

  return add_32 (&self->days, number, scale) && add_32 (&self->days, more, 1)
         && add_fraction (self, fraction * scale - more, KVSQL_US_PER_DAY);
}

static gboolean
add_months (Sums *self, gint64 number, gdouble fraction)
{
  return add_32 (&self->months, number, 1) && add_days (self, 0, fraction, KVSQL_DAYS_PER_MONTH);
}

static gboolean
add_years (Sums *self, gint64 number, gdouble fraction, gint scale)
{
  return add_32 (&self->years, number, scale)
         && add_32 (&self->months, (gint64)rint (fraction * scale * 12), 1);
}

static gboolean
add (Sums *self, Unit unit, gint64 number, gdouble fraction)
{
  switch (unit)
    {
    case UNIT_MICROSECOND:
      return add_time (self, number, fraction, 1);
    case UNIT_MILLISECOND:
      return add_time (self, number, fraction, 1000);
    case UNIT_SECOND:
      return add_time (self, number, fraction, US_PER_SECOND);
    case UNIT_MINUTE:
      return add_time (self, number, fraction, US_PER_MINUTE);
    case UNIT_HOUR:
      return add_time (self, number, fraction, US_PER_HOUR);
    case UNIT_DAY:
      return add_days (self, number, fraction, 1);
    case UNIT_WEEK:
      return add_days (self, number, fraction, 7);
    case UNIT_MONTH:
      return add_months (self, number, fraction);
    case UNIT_YEAR:
      return add_years (self, number, fraction, 1);
    case UNIT_DECADE:
      return add_years (self, number, fraction, 10);
    case UNIT_CENTURY:
      return add_years (self, number, fraction, 100);
    default:
      return add_years (self, number, fraction, 1000);
    }
}

/* ---- fields */

typedef enum
{
  FIELD_NUMBER,
  FIELD_SIGNED, /* with a sign; may have colons and points */
  FIELD_TIME,   /* with colons */
  FIELD_WORD,
} FieldKind;

typedef struct
{
  FieldKind kind;
  const gchar *text;
} Field;

typedef struct
{
  const gchar *at;
  gchar *to; /* the copies of the fields */
  Field fields[MAX_FIELDS];
  guint n;
} Cutter;

static void
keep_while (Cutter *self, gboolean (*is_part) (gchar c))
{
  while (*self->at != '\0' && is_part (*self->at))
    *self->to++ = g_ascii_tolower (*self->at++);
}

static gboolean
is_digit (gchar c)
{
  return g_ascii_isdigit (c);
}

static gboolean
is_letter (gchar c)
{
  return g_ascii_isalpha (c);
}

static gboolean
is_of_time (gchar c)
{
  return g_ascii_isdigit (c) || c == ':' || c == '.';
}

static gboolean
is_of_signed (gchar c)
{
  return is_of_time (c) || c == '-';
}

static gboolean
is_digit_or_point (gchar c)
{
  return g_ascii_isdigit (c) || c == '.';
}

static gboolean
is_digit_or_dash (gchar c)
{
  return g_ascii_isdigit (c) || c == '-';
}

static void
cut_number (Cutter *self, FieldKind *kind)
{
  keep_while (self, is_digit);
  if (*self->at == ':')
    {
      *kind = FIELD_TIME;
      keep_while (self, is_of_time);
    }
  else if (*self->at == '.')
    keep_while (self, is_digit_or_point);
  else if (*self->at == '-' && g_ascii_isdigit (self->at[1]))
    keep_while (self, is_digit_or_dash);
}

/* Whether a number may follow the word without a blank: PostgreSQL reads others as dates. */
static gboolean
may_touch_number (const gchar *word)
{
  static const gchar *const words[] = { "d", "dec", "h", "m", "mon", "s", "y", NULL };

  return g_strv_contains (words, word);
}

static gboolean
cut_field (Cutter *self)
{
  Field *field = &self->fields[self->n];
  gchar c = *self->at;

  if (self->n == MAX_FIELDS)
    return FALSE;
  *field = (Field){ FIELD_NUMBER, self->to };
  if (g_ascii_isdigit (c))
    cut_number (self, &field->kind);
  else if (c == '.')
    keep_while (self, is_digit_or_point);
  else if (g_ascii_isalpha (c))
    {
      field->kind = FIELD_WORD;
      keep_while (self, is_letter);
      *self->to = '\0';
      if (*self->at != '\0' && strchr ("-/.", *self->at) != NULL)
        return FALSE; /* a date with the name of a month */
      if ((*self->at == '+' || g_ascii_isdigit (*self->at)) && !may_touch_number (field->text))
        return FALSE;
    }
  else if (c == '+' || c == '-')
    {
      field->kind = FIELD_SIGNED;
      *self->to++ = *self->at++;
      while (g_ascii_isspace (*self->at))
        self->at++;
      if (!is_digit_or_point (*self->at))
        return FALSE;
      keep_while (self, is_of_signed);
    }
  else
    return FALSE;
  *self->to++ = '\0';
  self->n++;
  return TRUE;
}

static gboolean
cut (Cutter *self)
{
  while (*self->at != '\0')
    if (g_ascii_isspace (*self->at)
        || (g_ascii_ispunct (*self->at) && strchr ("+-.", *self->at) == NULL))
      self->at++;
    else if (!cut_field (self))
      return FALSE;
  return self->n > 0;
}

/* ---- reading of fields */

typedef struct
{
  KvsqlDurationFields range;
  Sums sums;
  guint seen; /* units that have a number */
  Unit unit;  /* of the number before */
} Decoder;

#define SEEN(unit) (1u << (unit))
#define SEEN_TIME (SEEN (UNIT_HOUR) | SEEN (UNIT_MINUTE) | SEEN (UNIT_SECOND))
#define SEEN_SECONDS (SEEN (UNIT_SECOND) | SEEN (UNIT_MILLISECOND) | SEEN (UNIT_MICROSECOND))

/* The unit of a number without one: the last of the fields. */
static Unit
last_unit (KvsqlDurationFields range)
{
  if (range & KVSQL_DURATION_SECOND)
    return UNIT_SECOND;
  if (range & KVSQL_DURATION_MINUTE)
    return UNIT_MINUTE;
  if (range & KVSQL_DURATION_HOUR)
    return UNIT_HOUR;
  if (range & KVSQL_DURATION_DAY)
    return UNIT_DAY;
  return range & KVSQL_DURATION_MONTH ? UNIT_MONTH : UNIT_YEAR;
}

/* A point and digits, to the end. */
static gboolean
read_fraction (const gchar *text, gdouble *out)
{
  gchar *end;

  *out = 0;
  if (text[1] == '\0')
    return TRUE;
  *out = g_ascii_strtod (text, &end);
  return *end == '\0';
}

/* hh:mm, hh:mm:ss.fff; mm:ss.fff */
static Result
read_time (const gchar *text, KvsqlDurationFields range, gboolean is_negative, gint64 *out_us)
{
  gint64 hours, minutes, seconds = 0;
  gdouble fraction = 0;
  __int128 us;
  gchar *at;

  errno = 0;
  hours = g_ascii_strtoll (text, &at, 10);
  if (errno == ERANGE)
    return RESULT_OVERFLOW;
  if (*at != ':')
    return RESULT_BAD;
  minutes = g_ascii_strtoll (at + 1, &at, 10);
  if (errno == ERANGE)
    return RESULT_OVERFLOW;
  if ((*at == '\0' && range == (KVSQL_DURATION_MINUTE | KVSQL_DURATION_SECOND)) || *at == '.')
    {
      seconds = minutes;
      minutes = hours;
      hours = 0;
    }
  else if (*at == ':')
    seconds = g_ascii_strtoll (at + 1, &at, 10);
  if (errno == ERANGE)
    return RESULT_OVERFLOW;
  if (*at == '.' ? !read_fraction (at, &fraction) : *at != '\0')
    return RESULT_BAD;
  if (hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 60)
    return RESULT_OVERFLOW;
  us = (__int128)hours * US_PER_HOUR + minutes * US_PER_MINUTE + seconds * US_PER_SECOND
       + (gint64)rint (fraction * 1e6);
  us = is_negative ? -us : us;
  *out_us = (gint64)us;
  return *out_us == us ? RESULT_OK : RESULT_OVERFLOW;
}

static Result
decode_time (Decoder *self, const gchar *text, gboolean is_negative)
{
  gint64 us = 0;
  Result result = read_time (text, self->range, is_negative, &us);

  if (result != RESULT_OK)
    return result;
  if ((self->seen & SEEN_TIME) != 0)
    return RESULT_BAD;
  self->seen |= SEEN_TIME;
  self->unit = UNIT_DAY;
  /* PostgreSQL forgets what was there */
  self->sums.us = us;
  return RESULT_OK;
}

static Result
decode_number (Decoder *self, const gchar *text)
{
  gboolean is_negative = *text == '-';
  gdouble fraction = 0;
  guint seen;
  gint64 number;
  gchar *at;

  if (self->unit == UNIT_NONE)
    self->unit = last_unit (self->range);
  errno = 0;
  number = g_ascii_strtoll (text, &at, 10);
  if (errno == ERANGE)
    return RESULT_OVERFLOW;
  if (at == text && *text != '.')
    return RESULT_BAD; /* a sign needs digits before the point */
  if (*at == '-')
    {
      /* years-months */
      gint64 months = g_ascii_strtoll (at + 1, &at, 10);
      if (errno == ERANGE || months < 0 || months >= 12)
        return RESULT_OVERFLOW;
      if (*at != '\0')
        return RESULT_BAD;
      self->unit = UNIT_MONTH;
      if (__builtin_mul_overflow (number, (gint64)12, &number)
          || __builtin_add_overflow (number, is_negative ? -months : months, &number))
        return RESULT_OVERFLOW;
    }
  else if (*at == '.' ? !read_fraction (at, &fraction) : *at != '\0')
    return RESULT_BAD;
  if (self->unit == UNIT_AGO)
    return RESULT_BAD;
  if (!add (&self->sums, self->unit, number, is_negative ? -fraction : fraction))
    return RESULT_OVERFLOW;
  seen = self->unit == UNIT_SECOND && fraction != 0 ? SEEN_SECONDS : SEEN (self->unit);
  if ((self->seen & seen) != 0)
    return RESULT_BAD;
  self->seen |= seen;
  if (self->unit == UNIT_HOUR)
    self->unit = UNIT_DAY;
  return RESULT_OK;
}

static Result
decode_field (Decoder *self, const Field *field, gboolean *inout_is_ago)
{
  Unit unit;
  Result result;

  switch (field->kind)
    {
    case FIELD_TIME:
      return decode_time (self, field->text, FALSE);
    case FIELD_SIGNED:
      if (strchr (field->text, ':') != NULL)
        {
          result = decode_time (self, field->text + 1, *field->text == '-');
          if (result == RESULT_OK)
            return result;
        }
      return decode_number (self, field->text);
    case FIELD_NUMBER:
      return decode_number (self, field->text);
    default:
      unit = find_unit (field->text);
      if (unit == UNIT_NONE)
        return RESULT_BAD;
      *inout_is_ago = *inout_is_ago || unit == UNIT_AGO;
      self->unit = unit;
      return RESULT_OK;
    }
}

static gboolean
negate (Sums *self)
{
  if (self->years == G_MININT32 || self->months == G_MININT32 || self->days == G_MININT32
      || self->us == G_MININT64)
    return FALSE;
  *self = (Sums){ -self->years, -self->months, -self->days, -self->us };
  return TRUE;
}

static Result
read_fields (const gchar *text, KvsqlDurationFields range, Sums *out)
{
  gchar copies[2 * MAX_TEXT + 2];
  Cutter cutter = { .at = text, .to = copies };
  Decoder decoder = { .range = range };
  gboolean is_ago = FALSE;

  if (!cut (&cutter))
    return RESULT_BAD;
  for (guint i = cutter.n; i > 0; i--)
    {
      Result result = decode_field (&decoder, &cutter.fields[i - 1], &is_ago);
      if (result != RESULT_OK)
        return result;
    }
  if (decoder.seen == 0)
    return RESULT_BAD;
  if (is_ago && !negate (&decoder.sums))
    return RESULT_OVERFLOW;
  *out = decoder.sums;
  return RESULT_OK;
}

/* ---- ISO 8601 */

typedef struct
{
  const gchar *at;
  Sums sums;
  gint64 number;
  gdouble fraction;
  gint width; /* digits of the whole number */
} Iso;

static Result
take_number (Iso *self)
{
  gchar *end;
  gdouble value;

  if (!g_ascii_isdigit (*self->at) && *self->at != '-' && *self->at != '.')
    return RESULT_BAD;
  errno = 0;
  value = g_ascii_strtod (self->at, &end);
  if (end == self->at || errno != 0)
    return RESULT_BAD;
  if (!(value >= -1e15 && value <= 1e15))
    return RESULT_OVERFLOW;
  self->width = (gint)strspn (self->at + (*self->at == '-'), "0123456789");
  self->number = (gint64)value;
  self->fraction = value - (gdouble)self->number;
  self->at = end;
  return RESULT_OK;
}

/* years-months-days, hours:minutes:seconds: the first number is taken. */
static Result
take_rest (Iso *self, const Unit parts[3], gchar separator, gchar end)
{
  Result result;

  for (guint i = 0;; i++)
    {
      if (!add (&self->sums, parts[i], self->number, self->fraction))
        return RESULT_OVERFLOW;
      if (*self->at == '\0' || *self->at == end)
        return RESULT_OK;
      if (i == 2 || *self->at != separator)
        return RESULT_BAD;
      self->at++;
      result = take_number (self);
      if (result != RESULT_OK)
        return result;
    }
}

/* yyyymmdd, hhmmss */
static Result
take_digits (Iso *self, const Unit parts[3], gdouble fraction)
{
  gint64 number = self->number;

  return add (&self->sums, parts[0], number / 10000, 0)
                 && add (&self->sums, parts[1], number / 100 % 100, 0)
                 && add (&self->sums, parts[2], number % 100, fraction)
             ? RESULT_OK
             : RESULT_OVERFLOW;
}

/* The numbers with a letter, up to @end or the end; or one of the two other forms. */
static Result
take_part (Iso *self, const gchar *letters, const Unit *of_letters, const Unit parts[3], gint width,
           gchar separator, gchar end)
{
  gboolean is_first = TRUE;

  while (*self->at != '\0' && *self->at != end)
    {
      Result result = take_number (self);
      const gchar *letter;
      gchar c = *self->at;

      if (result != RESULT_OK)
        return result;
      if (c == '\0' || c == separator || c == end)
        {
          /* PostgreSQL forgets the fraction of hhmmss */
          if (is_first && c != separator && self->width == width)
            return take_digits (self, parts, separator == '-' ? self->fraction : 0);
          return is_first ? take_rest (self, parts, separator, end) : RESULT_BAD;
        }
      letter = strchr (letters, c);
      if (letter == NULL)
        return RESULT_BAD;
      self->at++;
      if (!add (&self->sums, of_letters[letter - letters], self->number, self->fraction))
        return RESULT_OVERFLOW;
      is_first = FALSE;
    }
  return RESULT_OK;
}

static Result
read_iso (const gchar *text, Sums *out)
{
  static const Unit dates[] = { UNIT_YEAR, UNIT_MONTH, UNIT_DAY },
                    times[] = { UNIT_HOUR, UNIT_MINUTE, UNIT_SECOND },
                    of_dates[] = { UNIT_YEAR, UNIT_MONTH, UNIT_WEEK, UNIT_DAY };
  Iso self = { .at = text + 1 };
  Result result;

  if (text[0] != 'P' || text[1] == '\0')
    return RESULT_BAD;
  result = take_part (&self, "YMWD", of_dates, dates, 8, '-', 'T');
  if (result == RESULT_OK && *self.at == 'T')
    {
      self.at++;
      result = take_part (&self, "HMS", times, times, 6, ':', '\0');
    }
  *out = self.sums;
  return result;
}

/* ---- the whole */

gboolean
kvsql_duration_fail_range (GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "INTERVAL out of range");
  return kvsql_error_sqlstate (error, "22008");
}

static gboolean
fail (Result result, KvsqlSlice text, GError **error)
{
  g_autofree gchar *shown = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 60)));

  if (result == RESULT_OVERFLOW)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "interval field value out of range: \"%s\"", shown);
      return kvsql_error_sqlstate (error, "22015");
    }
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "invalid INTERVAL \"%s\"", shown);
  kvsql_error_hint (error, "Write an interval as 1 year 2 months 3 days 04:05:06, or P1Y2M3D.");
  return kvsql_error_sqlstate (error, "22007");
}

gboolean
kvsql_duration_parse (KvsqlSlice text, KvsqlDurationFields fields, KvsqlDuration *out,
                      GError **error)
{
  gchar copy[MAX_TEXT + 1];
  Sums sums = { 0 };
  gint64 months;
  Result result;

  if (text.size > MAX_TEXT || (text.size > 0 && memchr (text.data, 0, text.size) != NULL))
    return fail (RESULT_BAD, text, error);
  if (text.size > 0)
    memcpy (copy, text.data, text.size);
  copy[text.size] = '\0';
  result = read_fields (copy, fields, &sums);
  if (result == RESULT_BAD)
    result = read_iso (copy, &sums);
  if (result != RESULT_OK)
    return fail (result, text, error);
  months = sums.years * G_GINT64_CONSTANT (12) + sums.months;
  if (months != (gint32)months)
    return kvsql_duration_fail_range (error);
  *out = (KvsqlDuration){ (gint32)months, sums.days, sums.us };
  return TRUE;
}

/* ---- fields of a declaration */

gboolean
kvsql_duration_fields_parse (const gchar *text, KvsqlDurationFields *out_fields, guint *out_digits)
{
  static const gchar *const names[] = { "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND" };
  g_auto (GStrv) words = g_strsplit_set (text, " ()", -1);
  gint first = -1, last = -1;
  gboolean has_to = FALSE;

  *out_digits = 6;
  for (guint w = 0; words[w] != NULL; w++)
    {
      gint found = -1;
      if (words[w][0] == '\0')
        continue;
      for (gint i = 0; i < (gint)G_N_ELEMENTS (names); i++)
        if (g_ascii_strcasecmp (words[w], names[i]) == 0)
          found = i;
      if (g_ascii_isdigit (words[w][0]) && (first < 0 || last == 5))
        *out_digits = MIN ((guint)g_ascii_strtoull (words[w], NULL, 10), 6);
      else if (g_ascii_strcasecmp (words[w], "TO") == 0 && first >= 0 && !has_to)
        has_to = TRUE;
      else if (found > last && (first < 0) != has_to && (last < 0 || last == first))
        {
          last = found;
          first = first < 0 ? found : first;
        }
      else
        return FALSE;
    }
  /* months are not part of days */
  if (first >= 0 && (has_to ? last == first || (first < 2) != (last < 2) : last != first))
    return FALSE;
  *out_fields = KVSQL_DURATION_ALL;
  if (first >= 0)
    *out_fields = (KvsqlDurationFields)(((1 << (last + 1)) - 1) & ~((1 << first) - 1));
  return TRUE;
}
