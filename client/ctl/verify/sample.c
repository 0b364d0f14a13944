/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sample.c: see sample.h.
 *
 * The tuples are chosen with a reservoir (Vitter's algorithm R). A range leaves about a tenth of
 * them, as the advisor assumes.
 */
#include "config.h"

#include "client/ctl/verify/sample.h"

#include <string.h>

#define MOST_TUPLES 2000
#define RANGE 0.1
/* LIKE 'begin%' leaves at most this share. */
#define PATTERN 0.1
/* Draws for a tuple without NULLs. */
#define DRAWS 20
/* Characters that can be exchanged, so that a text is new. */
#define ENOUGH 8

typedef struct
{
  KvsqlColumnType type;
  gboolean has_largest;
  gdouble largest;
  gint64 largest_integer;
  gint64 smallest_integer;
  guint *sorted; /* tuples by this attribute, without those where it is NULL; NULL: not yet */
  guint n_sorted;
} Attribute;

struct _KvsqlctlSample
{
  GRand *random;
  Attribute *attributes;
  guint n_attributes;
  GPtrArray *tuples; /* of gchar **, by attribute */
  guint64 n_rows;
  guint64 n_fresh;
};

typedef struct
{
  const KvsqlctlSample *sample;
  guint attribute;
} Sorting;

static gchar **
tuple_new (const KvsqlctlSample *self, KvsqlResult *result)
{
  gchar **tuple = g_new0 (gchar *, self->n_attributes + 1);

  for (guint i = 0; i < self->n_attributes; i++)
    tuple[i] = g_strdup (kvsql_result_get_text (result, i));
  return tuple;
}

static void
tuple_free (const KvsqlctlSample *self, gchar **tuple)
{
  for (guint i = 0; i < self->n_attributes; i++)
    g_free (tuple[i]);
  g_free (tuple);
}

KvsqlctlSample *
kvsqlctl_sample_new (const KvsqlTrialRelation *relation, GRand *random)
{
  KvsqlctlSample *self = g_new0 (KvsqlctlSample, 1);

  self->random = random;
  self->n_attributes = relation->n_attributes;
  self->attributes = g_new0 (Attribute, self->n_attributes);
  self->tuples = g_ptr_array_new ();
  return self;
}

void
kvsqlctl_sample_free (KvsqlctlSample *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->tuples->len; i++)
    tuple_free (self, self->tuples->pdata[i]);
  for (guint i = 0; i < self->n_attributes; i++)
    g_free (self->attributes[i].sorted);
  g_ptr_array_unref (self->tuples);
  g_free (self->attributes);
  g_free (self);
}

/* ---- tuples */

static gboolean
is_integer (KvsqlColumnType type)
{
  return type == KVSQL_COLUMN_TYPE_INT || type == KVSQL_COLUMN_TYPE_BIGINT
         || type == KVSQL_COLUMN_TYPE_DATE || type == KVSQL_COLUMN_TYPE_TIMESTAMP
         || type == KVSQL_COLUMN_TYPE_TIME;
}

static gboolean
is_real (KvsqlColumnType type)
{
  return type == KVSQL_COLUMN_TYPE_FLOAT || type == KVSQL_COLUMN_TYPE_DOUBLE
         || type == KVSQL_COLUMN_TYPE_DECIMAL;
}

static void
note_largest (Attribute *self, KvsqlResult *result, guint column)
{
  if (kvsql_result_is_null (result, column))
    return;
  if (is_integer (self->type))
    {
      gint64 value = kvsql_result_get_int64 (result, column);

      self->largest_integer = self->has_largest ? MAX (self->largest_integer, value) : value;
      self->smallest_integer = self->has_largest ? MIN (self->smallest_integer, value) : value;
    }
  else if (is_real (self->type))
    {
      gdouble value = g_ascii_strtod (kvsql_result_get_text (result, column), NULL);

      self->largest = self->has_largest ? MAX (self->largest, value) : value;
    }
  self->has_largest = TRUE;
}

/* From 0 to @n - 1. */
static guint64
draw_below (GRand *random, guint64 n)
{
  return MIN ((guint64)(g_rand_double (random) * (gdouble)n), n - 1);
}

void
kvsqlctl_sample_add (KvsqlctlSample *self, KvsqlResult *result)
{
  guint64 place;

  for (guint i = 0; i < self->n_attributes; i++)
    {
      if (self->n_rows == 0)
        self->attributes[i].type = kvsql_result_get_column_type (result, i);
      note_largest (&self->attributes[i], result, i);
    }
  self->n_rows++;
  if (self->tuples->len < MOST_TUPLES)
    {
      g_ptr_array_add (self->tuples, tuple_new (self, result));
      return;
    }
  place = draw_below (self->random, self->n_rows);
  if (place >= MOST_TUPLES)
    return;
  tuple_free (self, self->tuples->pdata[place]);
  self->tuples->pdata[place] = tuple_new (self, result);
}

guint64
kvsqlctl_sample_get_n_rows (const KvsqlctlSample *self)
{
  return self->n_rows;
}

static const gchar *
get_text (const KvsqlctlSample *self, guint tuple, guint attribute)
{
  return tuple < self->tuples->len ? ((gchar **)self->tuples->pdata[tuple])[attribute] : NULL;
}

guint
kvsqlctl_sample_draw (KvsqlctlSample *self, const gboolean *needed)
{
  guint tuple = G_MAXUINT;

  for (guint draw = 0; self->tuples->len > 0 && draw < DRAWS; draw++)
    {
      gboolean has_all = TRUE;

      tuple = (guint)draw_below (self->random, self->tuples->len);
      for (guint i = 0; needed != NULL && i < self->n_attributes; i++)
        has_all = has_all && (!needed[i] || get_text (self, tuple, i) != NULL);
      if (has_all)
        break;
    }
  return tuple;
}

/* ---- ranges */

static gint
compare_tuples (gconstpointer a, gconstpointer b, gpointer data)
{
  const Sorting *self = data;
  KvsqlColumnType type = self->sample->attributes[self->attribute].type;
  const gchar *left = get_text (self->sample, *(const guint *)a, self->attribute);
  const gchar *right = get_text (self->sample, *(const guint *)b, self->attribute);
  gdouble one, other;

  if (!is_real (type) && type != KVSQL_COLUMN_TYPE_INT && type != KVSQL_COLUMN_TYPE_BIGINT)
    return strcmp (left, right); /* times, too */
  one = g_ascii_strtod (left, NULL);
  other = g_ascii_strtod (right, NULL);
  return one < other ? -1 : one > other;
}

static void
sort_by (KvsqlctlSample *self, guint attribute)
{
  Attribute *of = &self->attributes[attribute];
  Sorting sorting = { self, attribute };

  if (of->sorted != NULL)
    return;
  of->sorted = g_new (guint, self->tuples->len + 1);
  for (guint i = 0; i < self->tuples->len; i++)
    if (get_text (self, i, attribute) != NULL)
      of->sorted[of->n_sorted++] = i;
  if (of->n_sorted > 0)
    g_qsort_with_data (of->sorted, (gint)of->n_sorted, sizeof *of->sorted, compare_tuples,
                       &sorting);
}

/* The place of a tuple among those that are sorted. */
static guint
find_place (const Attribute *self, guint tuple)
{
  for (guint i = 0; i < self->n_sorted; i++)
    if (self->sorted[i] == tuple)
      return i;
  return self->n_sorted / 2;
}

/* With bounds on both sides, the tuple is in the middle. */
static const gchar *
make_bound (KvsqlctlSample *self, const KvsqlTrialParameter *parameter, guint tuple)
{
  Attribute *of = &self->attributes[parameter->attribute];
  gboolean is_upper = parameter->kind == KVSQL_TRIAL_UPPER;
  gdouble at, width;

  sort_by (self, parameter->attribute);
  if (of->n_sorted == 0)
    return NULL;
  width = RANGE * of->n_sorted;
  if (parameter->has_both)
    {
      gdouble first = CLAMP (find_place (of, tuple) - width / 2, 0, of->n_sorted - 1 - width);

      at = is_upper ? first + width : first;
    }
  else
    {
      at = width * (0.5 + g_rand_double (self->random));
      at = is_upper ? at : of->n_sorted - 1 - at;
    }
  return get_text (self, of->sorted[(guint)CLAMP (at, 0, of->n_sorted - 1)], parameter->attribute);
}

/* ---- patterns */

static gdouble
get_share (const KvsqlctlSample *self, guint attribute, const gchar *start, gsize size)
{
  guint n = 0;

  for (guint i = 0; i < self->tuples->len; i++)
    {
      const gchar *text = get_text (self, i, attribute);

      n += text != NULL && strncmp (text, start, size) == 0;
    }
  return (gdouble)n / self->tuples->len;
}

/* The shortest beginning that few tuples have. */
static gchar *
make_pattern (const KvsqlctlSample *self, guint attribute, const gchar *text)
{
  g_autoptr (GString) pattern = g_string_new (NULL);
  const gchar *end = text;

  while (*end != '\0')
    {
      end = g_utf8_next_char (end);
      if (get_share (self, attribute, text, (gsize)(end - text)) <= PATTERN)
        break;
    }
  for (const gchar *c = text; c < end; c++)
    {
      if (*c == '%' || *c == '_' || *c == '\\')
        g_string_append_c (pattern, '\\');
      g_string_append_c (pattern, *c);
    }
  g_string_append_c (pattern, '%');
  return g_string_free (g_steal_pointer (&pattern), FALSE);
}

/* ---- values that no tuple has */

/* Digits stay digits, letters stay letters of their case. */
static gchar *
change_text (KvsqlctlSample *self, const gchar *text, gboolean is_hex)
{
  gchar *changed = g_strdup (text);
  guint n = 0;

  for (gchar *c = changed + (is_hex ? 2 : 0); *c != '\0'; c++)
    {
      gboolean can_change = is_hex ? g_ascii_isxdigit (*c) : g_ascii_isalnum (*c);

      if (!can_change)
        continue;
      n++;
      if (is_hex)
        *c = "0123456789abcdef"[draw_below (self->random, 16)];
      else if (g_ascii_isdigit (*c))
        *c = (gchar)('0' + draw_below (self->random, 10));
      else
        *c = (gchar)((g_ascii_isupper (*c) ? 'A' : 'a') + draw_below (self->random, 26));
    }
  if (n >= ENOUGH)
    return changed;
  g_free (changed);
  if (is_hex)
    return g_strdup_printf ("%.*s%08x'", (gint)strlen (text) - 1, text, g_rand_int (self->random));
  return g_strdup_printf ("%s%08x", text, g_rand_int (self->random));
}

static KvsqlctlValue
make_fresh_integer (KvsqlctlSample *self, const Attribute *of)
{
  gint64 limit = of->type == KVSQL_COLUMN_TYPE_INT ? G_MAXINT32 : G_MAXINT64, value;
  guint64 width = (guint64)of->largest_integer - (guint64)of->smallest_integer;

  self->n_fresh++;
  if (of->largest_integer <= limit - (gint64)self->n_fresh)
    value = of->largest_integer + (gint64)self->n_fresh;
  else
    value = (gint64)((guint64)of->smallest_integer + draw_below (self->random, MAX (width, 1)));
  return (KvsqlctlValue){ of->type == KVSQL_COLUMN_TYPE_INT ? of->type : KVSQL_COLUMN_TYPE_BIGINT,
                          g_strdup_printf ("%" G_GINT64_FORMAT, value) };
}

static gchar *
make_uuid (KvsqlctlSample *self)
{
  guint32 words[4];

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    words[i] = g_rand_int (self->random);
  return g_strdup_printf ("%08x-%04x-4%03x-a%03x-%04x%08x", words[0], words[1] >> 16,
                          words[1] & 0xfff, words[2] >> 20, words[2] & 0xffff, words[3]);
}

static KvsqlctlValue
make_fresh (KvsqlctlSample *self, guint attribute, const gchar *text)
{
  const Attribute *of = &self->attributes[attribute];

  if (is_integer (of->type) && of->has_largest)
    return make_fresh_integer (self, of);
  if (is_real (of->type) && of->has_largest)
    return (KvsqlctlValue){ of->type,
                            g_strdup_printf ("%.0f", of->largest + (gdouble)++self->n_fresh) };
  if (of->type == KVSQL_COLUMN_TYPE_UUID)
    return (KvsqlctlValue){ of->type, make_uuid (self) };
  return (KvsqlctlValue){
    of->type, text == NULL ? NULL : change_text (self, text, of->type == KVSQL_COLUMN_TYPE_BYTES)
  };
}

/* ---- values */

KvsqlctlValue
kvsqlctl_sample_make_value (KvsqlctlSample *self, const KvsqlTrialParameter *parameter, guint tuple)
{
  const guint attribute = parameter->attribute;
  const KvsqlColumnType type = self->attributes[attribute].type;
  const gchar *text = get_text (self, tuple, attribute);

  switch (parameter->kind)
    {
    case KVSQL_TRIAL_LOWER:
    case KVSQL_TRIAL_UPPER:
      return (KvsqlctlValue){ type, g_strdup (make_bound (self, parameter, tuple)) };
    case KVSQL_TRIAL_PATTERN:
      return (KvsqlctlValue){ KVSQL_COLUMN_TYPE_STRING,
                              text != NULL ? make_pattern (self, attribute, text) : NULL };
    case KVSQL_TRIAL_FRESH:
      return make_fresh (self, attribute, text);
    case KVSQL_TRIAL_NUMBER:
      return (KvsqlctlValue){ KVSQL_COLUMN_TYPE_BIGINT,
                              g_strdup_printf ("%" G_GINT64_FORMAT, parameter->number) };
    default:
      return (KvsqlctlValue){ type, g_strdup (text) };
    }
}
