/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-time-text.c: to_char of times, by PostgreSQL's patterns.
 *
 * A pattern consists of templates, each with FM or TM before it and TH or th after it. Text in "…",
 * and text that is not a template, is copied.
 */
#include "config.h"

#include "core/expr/function.h"
#include "core/expr/time-parts.h"

static const gchar *const months[]
    = { "January", "February", "March",     "April",   "May",      "June",
        "July",    "August",   "September", "October", "November", "December" };
static const gchar *const weekdays[]
    = { "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday" };
static const gchar *const roman_months[]
    = { "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII" };

typedef enum
{
  /* numbers */
  YEAR,
  COMMA_YEAR,
  ISO_YEAR,
  CENTURY,
  MONTH,
  DAY,
  DAY_OF_YEAR,
  ISO_DAY_OF_YEAR,
  WEEKDAY, /* 1 Sunday to 7 Saturday */
  ISO_WEEKDAY,
  WEEK,
  WEEK_OF_MONTH,
  ISO_WEEK,
  QUARTER,
  JULIAN,
  HOUR,
  HOUR_12,
  MINUTE,
  SECOND,
  SECOND_OF_DAY,
  FRACTION, /* of a second: as many digits as the width */
  /* words */
  MONTH_NAME,
  SHORT_MONTH,
  ROMAN_MONTH,
  WEEKDAY_NAME,
  SHORT_WEEKDAY,
  NOON,
  DOTTED_NOON,
  ERA,
  DOTTED_ERA,
  OFFSET,
  OFFSET_MINUTE,
  NOTHING,
} Field;

/* A number may be written in lower case; the case of a word is that of its template. */
typedef struct
{
  const gchar *name;
  Field field;
  guint width; /* a number is filled with 0, and a word with blanks */
} Template;

static const Template templates[] = {
  { "Y,YYY", COMMA_YEAR, 0 },
  { "YYYY", YEAR, 4 },
  { "YYY", YEAR, 3 },
  { "YY", YEAR, 2 },
  { "Y", YEAR, 1 },
  { "IYYY", ISO_YEAR, 4 },
  { "IYY", ISO_YEAR, 3 },
  { "IY", ISO_YEAR, 2 },
  { "I", ISO_YEAR, 1 },
  { "CC", CENTURY, 2 },
  { "MM", MONTH, 2 },
  { "MI", MINUTE, 2 },
  { "MS", FRACTION, 3 },
  { "US", FRACTION, 6 },
  { "FF1", FRACTION, 1 },
  { "FF2", FRACTION, 2 },
  { "FF3", FRACTION, 3 },
  { "FF4", FRACTION, 4 },
  { "FF5", FRACTION, 5 },
  { "FF6", FRACTION, 6 },
  { "DDD", DAY_OF_YEAR, 3 },
  { "DD", DAY, 2 },
  { "D", WEEKDAY, 1 },
  { "IDDD", ISO_DAY_OF_YEAR, 3 },
  { "ID", ISO_WEEKDAY, 1 },
  { "WW", WEEK, 2 },
  { "W", WEEK_OF_MONTH, 1 },
  { "IW", ISO_WEEK, 2 },
  { "Q", QUARTER, 1 },
  { "J", JULIAN, 1 },
  { "HH24", HOUR, 2 },
  { "HH12", HOUR_12, 2 },
  { "HH", HOUR_12, 2 },
  { "SSSSS", SECOND_OF_DAY, 1 },
  { "SSSS", SECOND_OF_DAY, 1 },
  { "SS", SECOND, 2 },
  { "MONTH", MONTH_NAME, 9 },
  { "Month", MONTH_NAME, 9 },
  { "month", MONTH_NAME, 9 },
  { "MON", SHORT_MONTH, 0 },
  { "Mon", SHORT_MONTH, 0 },
  { "mon", SHORT_MONTH, 0 },
  { "RM", ROMAN_MONTH, 4 },
  { "rm", ROMAN_MONTH, 4 },
  { "DAY", WEEKDAY_NAME, 9 },
  { "Day", WEEKDAY_NAME, 9 },
  { "day", WEEKDAY_NAME, 9 },
  { "DY", SHORT_WEEKDAY, 0 },
  { "Dy", SHORT_WEEKDAY, 0 },
  { "dy", SHORT_WEEKDAY, 0 },
  { "AM", NOON, 0 },
  { "PM", NOON, 0 },
  { "am", NOON, 0 },
  { "pm", NOON, 0 },
  { "A.M.", DOTTED_NOON, 0 },
  { "P.M.", DOTTED_NOON, 0 },
  { "a.m.", DOTTED_NOON, 0 },
  { "p.m.", DOTTED_NOON, 0 },
  { "AD", ERA, 0 },
  { "BC", ERA, 0 },
  { "ad", ERA, 0 },
  { "bc", ERA, 0 },
  { "A.D.", DOTTED_ERA, 0 },
  { "B.C.", DOTTED_ERA, 0 },
  { "a.d.", DOTTED_ERA, 0 },
  { "b.c.", DOTTED_ERA, 0 },
  { "TZH", OFFSET, 0 },
  { "tzh", OFFSET, 0 },
  { "TZM", OFFSET_MINUTE, 0 },
  { "tzm", OFFSET_MINUTE, 0 },
  { "TZ", NOTHING, 0 },
  { "tz", NOTHING, 0 },
  { "OF", OFFSET, 0 },
  { "of", OFFSET, 0 },
  { "FX", NOTHING, 0 },
  { "fx", NOTHING, 0 },
};

/* ---- numbers */

static gint
day_of_year (const KvsqlTimeParts *parts)
{
  return (gint)(parts->days - kvsql_time_first_of (parts->year, 1)) + 1;
}

static gint
power_of_ten (guint n)
{
  gint power = 1;

  for (; n > 0; n--)
    power *= 10;
  return power;
}

/* @width: the last digits of a year; those of a fraction */
static gint
number_of (const KvsqlTimeParts *parts, Field field, guint width)
{
  gint year, week;

  switch (field)
    {
    case YEAR:
      return width < 4 ? parts->year % power_of_ten (width) : parts->year;
    case ISO_YEAR:
      kvsql_time_iso_week (parts->days, &year);
      return width < 4 ? year % power_of_ten (width) : year;
    case CENTURY:
      return (parts->year + 99) / 100;
    case MONTH:
      return parts->month;
    case DAY:
      return parts->day;
    case DAY_OF_YEAR:
      return day_of_year (parts);
    case ISO_DAY_OF_YEAR:
      week = kvsql_time_iso_week (parts->days, &year);
      return (week - 1) * 7 + kvsql_time_iso_weekday (parts->days);
    case WEEKDAY:
      return kvsql_time_iso_weekday (parts->days) % 7 + 1;
    case ISO_WEEKDAY:
      return kvsql_time_iso_weekday (parts->days);
    case WEEK:
      return (day_of_year (parts) - 1) / 7 + 1;
    case WEEK_OF_MONTH:
      return (parts->day - 1) / 7 + 1;
    case ISO_WEEK:
      return kvsql_time_iso_week (parts->days, &year);
    case QUARTER:
      return (parts->month + 2) / 3;
    case JULIAN:
      return (gint)(parts->days + KVSQL_JULIAN_1970);
    case HOUR:
      return parts->hour;
    case HOUR_12:
      return (parts->hour + 11) % 12 + 1;
    case MINUTE:
      return parts->minute;
    case SECOND:
      return parts->second;
    case SECOND_OF_DAY:
      return (parts->hour * 60 + parts->minute) * 60 + parts->second;
    default:
      return width <= 3 ? parts->ms / power_of_ten (3 - width)
                        : parts->ms * power_of_ten (width - 3);
    }
}

/* The ending of the number that ends @text: 1st, 2nd, 3rd, 4th, 11th. */
static void
append_ending (GString *text, gboolean is_upper)
{
  static const gchar *const endings[] = { "th", "st", "nd", "rd" };
  gchar last = text->str[text->len - 1];
  gboolean is_teen = text->len > 1 && text->str[text->len - 2] == '1';
  const gchar *ending = endings[!is_teen && last >= '1' && last <= '3' ? last - '0' : 0];

  for (; *ending != '\0'; ending++)
    g_string_append_c (text, is_upper ? g_ascii_toupper (*ending) : *ending);
}

/* ---- words */

static const gchar *
word_of (const KvsqlTimeParts *parts, Field field)
{
  switch (field)
    {
    case MONTH_NAME:
    case SHORT_MONTH:
      return months[parts->month - 1];
    case ROMAN_MONTH:
      return roman_months[parts->month - 1];
    case WEEKDAY_NAME:
    case SHORT_WEEKDAY:
      return weekdays[kvsql_time_iso_weekday (parts->days) - 1];
    case NOON:
      return parts->hour < 12 ? "AM" : "PM";
    case DOTTED_NOON:
      return parts->hour < 12 ? "A.M." : "P.M.";
    case ERA:
      return "AD";
    case DOTTED_ERA:
      return "A.D.";
    case OFFSET:
      return "+00";
    case OFFSET_MINUTE:
      return "00";
    default:
      return "";
    }
}

/* In the case of the template: AB, Ab, ab. */
static void
append_word (const Template *template, const KvsqlTimeParts *parts, gboolean is_filled,
             GString *out)
{
  const gchar *word = word_of (parts, template->field);
  gsize size = strlen (word),
        n = template->field == SHORT_MONTH || template->field == SHORT_WEEKDAY ? 3 : size;
  gboolean first_is_upper = g_ascii_isupper (template->name[0]);
  gboolean rest_is_upper = first_is_upper && !g_ascii_islower (template->name[1]);

  for (gsize i = 0; i < n; i++)
    g_string_append_c (out, (i == 0 ? first_is_upper : rest_is_upper) ? g_ascii_toupper (word[i])
                                                                      : g_ascii_tolower (word[i]));
  for (gsize i = n; is_filled && i < template->width; i++)
    g_string_append_c (out, ' ');
}

/* ---- patterns */

static gboolean
begins_with (const gchar *p, const gchar *end, const gchar *name, gboolean ignores_case)
{
  gsize size = strlen (name);
  gboolean is_lower = ignores_case && p < end && g_ascii_islower (*p);

  if ((gsize)(end - p) < size)
    return FALSE;
  for (gsize i = 0; i < size; i++)
    if (p[i] != (is_lower ? g_ascii_tolower (name[i]) : name[i]))
      return FALSE;
  return TRUE;
}

/* The longest one. */
static const Template *
find_template (const gchar *p, const gchar *end)
{
  const Template *found = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    if (begins_with (p, end, templates[i].name, templates[i].field < MONTH_NAME)
        && (found == NULL || strlen (templates[i].name) > strlen (found->name)))
      found = &templates[i];
  return found;
}

static void
append_template (const Template *template, const KvsqlTimeParts *parts, gboolean is_filled,
                 const gchar *ending, GString *out)
{
  if (template->field >= MONTH_NAME)
    {
      append_word (template, parts, is_filled, out);
      return;
    }
  if (template->field == COMMA_YEAR)
    g_string_append_printf (out, "%d,%03d", parts->year / 1000, parts->year % 1000);
  else
    g_string_append_printf (out, "%0*d",
                            is_filled || template->field == FRACTION ? (gint) template->width : 0,
                            number_of (parts, template->field, template->width));
  if (ending != NULL)
    append_ending (out, *ending == 'T');
}

/* Takes a template with what belongs to it. Returns: the rest; NULL: there is none. */
static const gchar *
take_template (const KvsqlTimeParts *parts, const gchar *p, const gchar *end, GString *out)
{
  static const gchar *const prefixes[] = { "FM", "fm", "TM", "tm" };
  const Template *template;
  const gchar *ending = NULL;
  gboolean is_filled = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (prefixes) && is_filled; i++)
    is_filled = !begins_with (p, end, prefixes[i], FALSE);
  p += is_filled ? 0 : 2;
  template = find_template (p, end);
  if (template == NULL)
    return is_filled ? NULL : p;
  p += strlen (template->name);
  if (begins_with (p, end, "TH", FALSE) || begins_with (p, end, "th", FALSE))
    {
      ending = p;
      p += 2;
    }
  append_template (template, parts, is_filled, ending, out);
  return p;
}

/* After a quotation mark; within quotation marks, \ takes the meaning from what follows. */
static const gchar *
copy_quoted (const gchar *p, const gchar *end, GString *out)
{
  for (; p < end && *p != '"'; p++)
    {
      if (*p == '\\' && p + 1 < end)
        p++;
      g_string_append_c (out, *p);
    }
  return p < end ? p + 1 : p;
}

/* An empty pattern gives NULL, as in PostgreSQL. */
static gboolean
to_char (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  const gchar *p = (const gchar *)arguments[1].bytes.data, *end = p + arguments[1].bytes.size;
  g_autoptr (GString) text = g_string_new (NULL);
  KvsqlTimeParts parts = kvsql_time_parts (arguments[0].integer);

  if (p == end)
    return TRUE;
  while (p < end)
    {
      const gchar *next = take_template (&parts, p, end, text);

      if (next != NULL)
        p = next;
      else if (*p == '"')
        p = copy_quoted (p + 1, end, text);
      else
        {
          p += *p == '\\' && p + 1 < end && p[1] == '"';
          g_string_append_c (text, *p++);
        }
      if (text->len > KVSQL_FUNCTION_MAX_BYTES)
        return kvsql_function_fail_too_long (error);
    }
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("to_char", TIMESTAMP, STRING, STRING, to_char),
};

const KvsqlFunctionFamily kvsql_functions_time_text = { functions, G_N_ELEMENTS (functions) };
