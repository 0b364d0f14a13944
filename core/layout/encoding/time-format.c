/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * time-format.c: patterns, and clocks that are set forward and back.
 */
#include "config.h"

#include "core/layout/encoding/time-format.h"

#include "core/base/zone.h"

#define HOUR_MS G_GINT64_CONSTANT (3600000)
/* The greatest difference between two offsets of a zone. A local time that was shown longer ago
 * than this does not occur again. */
#define MAX_SETBACK (48 * HOUR_MS)

static const struct
{
  gchar letter;
  guint width;
  gint least, greatest;
} fields[KVSQL_N_TIME_FIELDS] = {
  { 'y', 4, 1, 9999 }, { 'M', 2, 1, 12 }, { 'd', 2, 1, 31 },  { 'H', 2, 0, 23 },
  { 'm', 2, 0, 59 },   { 's', 2, 0, 59 }, { 'S', 3, 0, 999 },
};

/* ---- zones */

static gint64
seconds_of (gint64 milliseconds)
{
  return milliseconds / 1000 - (milliseconds % 1000 < 0);
}

static gint
interval_at (GTimeZone *zone, gint64 utc)
{
  return g_time_zone_find_interval (zone, G_TIME_TYPE_UNIVERSAL, seconds_of (utc));
}

static gint64
offset_at (GTimeZone *zone, gint64 utc)
{
  return zone == NULL ? 0 : kvsql_zone_get_offset (zone, utc);
}

gint64
kvsql_time_format_to_local (const KvsqlTimeFormat *self, gint64 utc)
{
  return utc + offset_at (self->zone, utc);
}

gboolean
kvsql_time_format_from_local (const KvsqlTimeFormat *self, gint64 local, gint64 *out)
{
  gint64 before = local - offset_at (self->zone, local - MAX_SETBACK / 2);
  gint64 after = local - offset_at (self->zone, local + MAX_SETBACK / 2);

  *out = MIN (before, after);
  if (kvsql_time_format_to_local (self, *out) == local)
    return TRUE;
  *out = MAX (before, after);
  return kvsql_time_format_to_local (self, *out) == local;
}

gboolean
kvsql_time_format_is_even (const KvsqlTimeFormat *self, gint64 utc)
{
  return self->is_fixed
         || interval_at (self->zone, utc - MAX_SETBACK)
                == interval_at (self->zone, utc + MAX_SETBACK);
}

/* The least and the greatest local time within the interval. */
static void
extremes (GTimeZone *zone, gint64 from, gint64 to, gint64 *least, gint64 *greatest)
{
  gint64 middle;

  if (seconds_of (from) == seconds_of (to) || interval_at (zone, from) == interval_at (zone, to))
    {
      *least = MIN (*least, from + offset_at (zone, from));
      *greatest = MAX (*greatest, to + offset_at (zone, to));
      return;
    }
  middle = (seconds_of (from) + (seconds_of (to) - seconds_of (from) + 1) / 2) * 1000;
  extremes (zone, from, middle - 1, least, greatest);
  extremes (zone, middle, to, least, greatest);
}

gint64
kvsql_time_format_least_local (const KvsqlTimeFormat *self, gint64 low, gboolean has_high,
                               gint64 high)
{
  gint64 least = G_MAXINT64, greatest = G_MININT64, to = low + MAX_SETBACK;

  if (self->is_fixed)
    return kvsql_time_format_to_local (self, low);
  if (has_high)
    to = MIN (to, high);
  extremes (self->zone, low, MAX (low, to), &least, &greatest);
  return least;
}

gint64
kvsql_time_format_greatest_local (const KvsqlTimeFormat *self, gboolean has_low, gint64 low,
                                  gint64 high)
{
  gint64 least = G_MAXINT64, greatest = G_MININT64, from = high - MAX_SETBACK;

  if (self->is_fixed)
    return kvsql_time_format_to_local (self, high);
  if (has_low)
    from = MAX (from, low);
  extremes (self->zone, MIN (from, high), high, &least, &greatest);
  return greatest;
}

/* ---- civil times */

gboolean
kvsql_time_from_local (gint64 local, KvsqlCivilTime *out)
{
  gint64 days = kvsql_day_of_time (local);
  gint64 rest = local - days * KVSQL_MS_PER_DAY;
  gint *f = out->fields;

  if (days < KVSQL_DATE_MIN || days > KVSQL_DATE_MAX)
    return FALSE;
  kvsql_date_to_civil (days, &f[KVSQL_TIME_YEAR], &f[KVSQL_TIME_MONTH], &f[KVSQL_TIME_DAY]);
  f[KVSQL_TIME_HOUR] = rest / HOUR_MS;
  f[KVSQL_TIME_MINUTE] = rest / 60000 % 60;
  f[KVSQL_TIME_SECOND] = rest / 1000 % 60;
  f[KVSQL_TIME_MILLISECOND] = rest % 1000;
  return TRUE;
}

gboolean
kvsql_time_to_local (const KvsqlCivilTime *civil, gint64 *out)
{
  const gint *f = civil->fields;
  gint64 days;

  if (!kvsql_date_from_civil (f[KVSQL_TIME_YEAR], f[KVSQL_TIME_MONTH], f[KVSQL_TIME_DAY], &days))
    return FALSE;
  *out = days * KVSQL_MS_PER_DAY + f[KVSQL_TIME_HOUR] * HOUR_MS + f[KVSQL_TIME_MINUTE] * 60000
         + f[KVSQL_TIME_SECOND] * 1000 + f[KVSQL_TIME_MILLISECOND];
  return TRUE;
}

void
kvsql_time_truncate (KvsqlCivilTime *civil, KvsqlTimeField finest)
{
  for (guint i = finest + 1; i < KVSQL_N_TIME_FIELDS; i++)
    civil->fields[i] = fields[i].least;
}

/* ---- text */

void
kvsql_time_format_write (const KvsqlTimeFormat *self, const KvsqlCivilTime *civil, guint8 *out)
{
  for (guint i = 0; i < self->n_parts; i++)
    {
      const KvsqlTimePart *part = &self->parts[i];
      gint number;
      if (part->field < 0)
        {
          memcpy (out + part->at, part->literal, part->size);
          continue;
        }
      number = civil->fields[part->field];
      for (gsize digit = part->size; digit-- > 0; number /= 10)
        out[part->at + digit] = '0' + number % 10;
    }
}

static gboolean
read_field (const KvsqlTimePart *part, const guint8 *bytes, gint *out)
{
  gint number = 0;

  for (gsize i = 0; i < part->size; i++)
    {
      guint digit = bytes[i] - '0';
      if (digit > 9)
        return FALSE;
      number = number * 10 + (gint)digit;
    }
  *out = number;
  return number >= fields[part->field].least && number <= fields[part->field].greatest;
}

gboolean
kvsql_time_format_read (const KvsqlTimeFormat *self, KvsqlSlice bytes, KvsqlCivilTime *out)
{
  if (bytes.size != self->size)
    return FALSE;
  for (guint i = 0; i < self->n_parts; i++)
    {
      const KvsqlTimePart *part = &self->parts[i];
      const guint8 *at = bytes.data + part->at;
      if (part->field < 0 ? memcmp (at, part->literal, part->size) != 0
                          : !read_field (part, at, &out->fields[part->field]))
        return FALSE;
    }
  return TRUE;
}

/* ---- patterns */

static gboolean
wrong_letter (gchar letter, guint width, GError **error)
{
  for (guint i = 0; i < KVSQL_N_TIME_FIELDS; i++)
    if (fields[i].letter == letter)
      return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                              "format letter \"%c\" is repeated %u time%s; expected %u", letter,
                              width, width == 1 ? "" : "s", fields[i].width);
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                   "letter \"%c\" means nothing in a format", letter);
  return kvsql_error_hint (error, "There are yyyy, MM, dd, HH, mm, ss and SSS; other letters go "
                                  "between quotes, as in 'yyyy-MM-dd''T''HH'.");
}

static gint
find_field (gchar letter, guint width)
{
  for (guint i = 0; i < KVSQL_N_TIME_FIELDS; i++)
    if (fields[i].letter == letter && fields[i].width == width)
      return i;
  return -1;
}

static void
add_part (KvsqlTimeFormat *self, gint field, const guint8 *literal, gsize size)
{
  self->parts[self->n_parts++]
      = (KvsqlTimePart){ .field = field, .at = self->size, .size = size, .literal = literal };
  self->size += size;
}

static gboolean
add_field (KvsqlTimeFormat *self, const guint8 *at, const guint8 *end, gsize *out_size,
           GError **error)
{
  guint width = 1;
  gint field;

  while (at + width < end && at[width] == at[0])
    width++;
  field = find_field (at[0], width);
  if (field < 0)
    return wrong_letter (at[0], width, error);
  if ((self->fields & 1u << field) != 0)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                            "\"%.*s\" is twice in the format", (gint)width, (const gchar *)at);
  add_part (self, field, NULL, width);
  self->fields |= 1u << field;
  *out_size = width;
  return TRUE;
}

/* 'text' in quotes; two quotes mean one. */
static gboolean
add_quoted (KvsqlTimeFormat *self, const guint8 *at, const guint8 *end, KvsqlArena *arena,
            gsize *out_size, GError **error)
{
  guint8 *text = kvsql_arena_alloc (arena, end - at);
  const guint8 *from = at + 1;
  gsize n = 0;

  for (; from < end; from++)
    {
      if (*from == '\'' && (from + 1 == end || from[1] != '\''))
        break;
      from += *from == '\'';
      text[n++] = *from;
    }
  if (from >= end)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                            "a quote in the format is not closed");
  if (n == 0)
    text[n++] = '\''; /* '' outside of quotes */
  add_part (self, -1, text, n);
  *out_size = from + 1 - at;
  return TRUE;
}

static gboolean
parse_pattern (KvsqlTimeFormat *self, KvsqlSlice pattern, KvsqlArena *arena, GError **error)
{
  const guint8 *at = pattern.data, *end = pattern.data + pattern.size;

  self->parts = kvsql_arena_array (arena, KvsqlTimePart, pattern.size + 1);
  while (at < end)
    {
      gsize size = 1;
      if (g_ascii_isalpha (*at))
        {
          if (!add_field (self, at, end, &size, error))
            return FALSE;
        }
      else if (*at == '\'')
        {
          if (!add_quoted (self, at, end, arena, &size, error))
            return FALSE;
        }
      else
        add_part (self, -1, at, 1);
      at += size;
    }
  if (self->fields != 0)
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                          "the format has no part of a time");
}

static void
derive_facts (KvsqlTimeFormat *self)
{
  guint n = 0;
  gint next = KVSQL_TIME_YEAR;

  while (n < KVSQL_N_TIME_FIELDS && (self->fields & 1u << n) != 0)
    n++;
  self->n_chain = self->fields == (1u << n) - 1 ? n : 0;
  for (guint i = 0; i < KVSQL_N_TIME_FIELDS; i++)
    if ((self->fields & 1u << i) != 0)
      self->finest = (KvsqlTimeField)i;
  self->is_ordered = self->n_chain > 0;
  for (guint i = 0; i < self->n_parts; i++)
    {
      const KvsqlTimePart *part = &self->parts[i];
      if (part->field < 0)
        continue;
      if (part->field != next)
        {
          self->is_ordered = FALSE;
          break;
        }
      self->ordered_size = part->at + part->size;
      next++;
    }
}

static gboolean
set_zone (KvsqlTimeFormat *self, const gchar *name, GError **error)
{
  self->is_fixed = TRUE;
  if (name == NULL || g_ascii_strcasecmp (name, "UTC") == 0)
    return TRUE;
  self->zone = kvsql_zone_find (name);
  if (self->zone == NULL)
    {
      kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                       "time zone \"%s\" is not known here", name);
      return kvsql_error_hint (error, "Zones are named as in the system's tz database (Asia/Seoul) "
                                      "or written +09:00.");
    }
  self->is_fixed = interval_at (self->zone, KVSQL_DATE_MIN * KVSQL_MS_PER_DAY)
                   == interval_at (self->zone, KVSQL_DATE_MAX * KVSQL_MS_PER_DAY);
  return TRUE;
}

KvsqlTimeFormat *
kvsql_time_format_new (KvsqlArena *arena, KvsqlSlice pattern, const gchar *zone, GError **error)
{
  KvsqlTimeFormat *self = kvsql_arena_new0 (arena, KvsqlTimeFormat);

  self->pattern = kvsql_arena_strndup (arena, (const gchar *)pattern.data, pattern.size);
  if (!parse_pattern (self, kvsql_slice (self->pattern, pattern.size), arena, error)
      || !set_zone (self, zone, error))
    return NULL;
  derive_facts (self);
  return self;
}
