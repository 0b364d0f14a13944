/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * type-limit.c: see the header.
 */
#include "config.h"

#include "core/schema/type-limit.h"

#include "core/base/decimal.h"

#include <string.h>

#define MAX_LENGTH 10485760
#define MAX_PRECISION 1000
#define MS_TO_2000 G_GINT64_CONSTANT (946684800000)

static const struct
{
  const gchar *name;
  KvsqlLimitKind kind;
  KvsqlType type;
  guint n_least, n_most; /* numbers in parentheses */
} limited[] = {
  { "VARCHAR", KVSQL_LIMIT_LENGTH, KVSQL_TYPE_STRING, 0, 1 },
  { "CHAR", KVSQL_LIMIT_BLANKS, KVSQL_TYPE_STRING, 0, 1 },
  { "CHARACTER", KVSQL_LIMIT_BLANKS, KVSQL_TYPE_STRING, 0, 1 },
  { "NUMERIC", KVSQL_LIMIT_DIGITS, KVSQL_TYPE_DECIMAL, 1, 2 },
  { "DECIMAL", KVSQL_LIMIT_DIGITS, KVSQL_TYPE_DECIMAL, 1, 2 },
  { "SMALLINT", KVSQL_LIMIT_SMALL, KVSQL_TYPE_INT, 0, 0 },
  { "INT2", KVSQL_LIMIT_SMALL, KVSQL_TYPE_INT, 0, 0 },
  { "TIMESTAMP", KVSQL_LIMIT_TIMESTAMP, KVSQL_TYPE_TIMESTAMP, 1, 1 },
  { "TIMESTAMPTZ", KVSQL_LIMIT_ZONE, KVSQL_TYPE_TIMESTAMP, 0, 1 },
  { "TIME", KVSQL_LIMIT_TIME, KVSQL_TYPE_TIME, 1, 1 },
};

/* The numbers in parentheses. Returns: how many. */
static guint
read_numbers (const gchar *at, guint64 *out, guint n_most)
{
  guint n = 0;

  if (*at == '\0')
    return 0;
  do
    {
      at++;
      if (n < n_most)
        out[n] = g_ascii_strtoull (at, NULL, 10);
      n++;
    }
  while ((at = strchr (at, ',')) != NULL);
  return n;
}

static gboolean
fail_range (GError **error, const gchar *message)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s", message);
  return kvsql_error_sqlstate (error, "22023");
}

static gboolean
is_of_seconds (KvsqlLimitKind kind)
{
  return kind == KVSQL_LIMIT_TIMESTAMP || kind == KVSQL_LIMIT_TIME || kind == KVSQL_LIMIT_ZONE;
}

static gboolean
check_range (const KvsqlTypeLimit *self, const guint64 *numbers, guint n, GError **error)
{
  if (self->kind == KVSQL_LIMIT_DIGITS)
    {
      if (numbers[0] < 1 || numbers[0] > MAX_PRECISION)
        return fail_range (error, "the precision of NUMERIC must be between 1 and 1000");
      return n < 2 || numbers[1] <= numbers[0]
             || fail_range (error, "the scale of NUMERIC must not be above its precision");
    }
  if (is_of_seconds (self->kind))
    return TRUE;
  return n == 0 || (numbers[0] >= 1 && numbers[0] <= MAX_LENGTH)
         || fail_range (error, "the length of a text must be between 1 and 10485760");
}

gboolean
kvsql_type_limit_find (const gchar *name, KvsqlType *out_type, KvsqlTypeLimit *out, GError **error)
{
  gsize size = strcspn (name, "(");
  guint64 numbers[2] = { 1, 0 };
  guint n = read_numbers (name + size, numbers, G_N_ELEMENTS (numbers));

  *out = (KvsqlTypeLimit){ .kind = KVSQL_LIMIT_NONE };
  for (guint i = 0; i < G_N_ELEMENTS (limited); i++)
    {
      if (strlen (limited[i].name) != size
          || g_ascii_strncasecmp (limited[i].name, name, size) != 0)
        continue;
      if (n < limited[i].n_least && n == 0) /* NUMERIC and TIMESTAMP have no limit */
        return TRUE;
      if (n > limited[i].n_most)
        break;
      out->kind = limited[i].kind;
      *out_type = limited[i].type;
      if (!check_range (out, numbers, n, error))
        return FALSE;
      out->size = n == 0 && out->kind == KVSQL_LIMIT_LENGTH ? 0 : (guint)numbers[0];
      if (is_of_seconds (out->kind))
        out->size = n == 0 ? KVSQL_MAX_SECOND_DIGITS : MIN (out->size, KVSQL_MAX_SECOND_DIGITS);
      out->scale = (guint)numbers[1];
      return TRUE;
    }
  if (n == 0)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                   "type \"%s\" takes no such numbers in parentheses", name);
  return kvsql_error_hint (error, "VARCHAR(n), CHAR(n), NUMERIC(p, s), TIMESTAMP(p), TIME(p) and "
                                  "TIMESTAMPTZ(p) have them.");
}

gboolean
kvsql_type_limit_is_wide (const gchar *name)
{
  KvsqlTypeLimit limit;
  KvsqlType type;
  guint64 digits = 0;

  if (!kvsql_type_limit_find (name, &type, &limit, NULL) || !is_of_seconds (limit.kind))
    return FALSE;
  read_numbers (name + strcspn (name, "("), &digits, 1);
  return digits > KVSQL_MAX_SECOND_DIGITS;
}

gchar *
kvsql_type_limit_to_text (const KvsqlTypeLimit *self)
{
  switch (self->kind)
    {
    case KVSQL_LIMIT_LENGTH:
      return self->size == 0 ? g_strdup ("VARCHAR") : g_strdup_printf ("VARCHAR(%u)", self->size);
    case KVSQL_LIMIT_BLANKS:
      return g_strdup_printf ("CHAR(%u)", self->size);
    case KVSQL_LIMIT_DIGITS:
      return g_strdup_printf ("NUMERIC(%u, %u)", self->size, self->scale);
    case KVSQL_LIMIT_TIMESTAMP:
      return g_strdup_printf ("TIMESTAMP(%u)", self->size);
    case KVSQL_LIMIT_TIME:
      return g_strdup_printf ("TIME(%u)", self->size);
    case KVSQL_LIMIT_ZONE:
      return self->size == KVSQL_MAX_SECOND_DIGITS
                 ? g_strdup ("TIMESTAMPTZ")
                 : g_strdup_printf ("TIMESTAMPTZ(%u)", self->size);
    default:
      return g_strdup ("SMALLINT");
    }
}

KvsqlTypeLimit
kvsql_type_limit_shown_of (const KvsqlTypeLimit *self)
{
  switch (self->kind)
    {
    case KVSQL_LIMIT_ZONE:
      return KVSQL_TYPE_LIMIT_ZONE;
    case KVSQL_LIMIT_DIGITS:
    case KVSQL_LIMIT_SCALE:
      return (KvsqlTypeLimit){ .kind = KVSQL_LIMIT_SCALE, .scale = self->scale };
    default:
      return (KvsqlTypeLimit){ 0 };
    }
}

/* ---- values */

/* The bytes of the first @n characters. */
gsize
kvsql_type_limit_prefix (KvsqlSlice text, guint n)
{
  gsize at = 0;

  for (guint i = 0; i < n && at < text.size; i++)
    for (at++; at < text.size && (text.data[at] & 0xc0) == 0x80;)
      at++;
  return at;
}

static gboolean
apply_length (const KvsqlTypeLimit *self, KvsqlValue *inout, GError **error)
{
  KvsqlSlice *text = &inout->bytes;
  gsize most = kvsql_type_limit_prefix (*text, self->size);
  g_autofree gchar *type = NULL;

  while (text->size > most && text->data[text->size - 1] == ' ')
    text->size--;
  while (self->kind == KVSQL_LIMIT_BLANKS && text->size > 0 && text->data[text->size - 1] == ' ')
    text->size--;
  if (text->size <= most)
    return TRUE;
  type = kvsql_type_limit_to_text (self);
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "value too long for type %s", type);
  return kvsql_error_sqlstate (error, "22001");
}

static gboolean
apply_digits (const KvsqlTypeLimit *self, KvsqlValue *inout, KvsqlArena *arena, GError **error)
{
  gsize n_whole;
  KvsqlSlice digits;

  if (!kvsql_decimal_round (inout->bytes, self->scale, KVSQL_ROUND_HALF_UP, arena, &inout->bytes,
                            error))
    return FALSE;
  digits = inout->bytes;
  if (digits.data[0] == '-')
    digits = kvsql_slice (digits.data + 1, digits.size - 1);
  n_whole = digits.data[0] == '0' ? 0 : digits.size;
  for (gsize i = 0; i < n_whole; i++)
    if (digits.data[i] == '.')
      n_whole = i;
  if (n_whole + self->scale <= self->size)
    return TRUE;
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "numeric field overflow");
  kvsql_error_sqlstate (error, "22003");
  return kvsql_error_detail (
      error,
      "A value of NUMERIC(%u, %u) has at most %d digits before the point after it is rounded.",
      self->size, self->scale, (gint)self->size - (gint)self->scale);
}

/* Halves go away from the year 2000, as in PostgreSQL. */
static gint64
round_seconds (const KvsqlTypeLimit *self, gint64 ms)
{
  static const gint64 units[] = { 1000, 100, 10, 1 };
  const gint64 unit = units[MIN (self->size, KVSQL_MAX_SECOND_DIGITS)];
  const gint64 zero = self->kind == KVSQL_LIMIT_TIME ? 0 : MS_TO_2000;
  const gint64 rounded = (ABS (ms - zero) + unit / 2) / unit * unit;

  return zero + (ms < zero ? -rounded : rounded);
}

/* Cells of other programs may have numbers that are no times. */
static gboolean
apply_seconds (const KvsqlTypeLimit *self, KvsqlValue *inout, GError **error)
{
  if (kvsql_type_has_integer (inout->type, inout->integer))
    {
      inout->integer = round_seconds (self, inout->integer);
      if (kvsql_type_has_integer (inout->type, inout->integer))
        return TRUE;
    }
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s out of range",
                   kvsql_type_get_name (inout->type));
  return kvsql_error_sqlstate (error, "22008");
}

gboolean
kvsql_type_limit_apply (const KvsqlTypeLimit *self, KvsqlValue *inout, KvsqlArena *arena,
                        GError **error)
{
  if (!kvsql_type_limit_is_checked (self) || kvsql_value_is_null (inout))
    return TRUE;
  switch (self->kind)
    {
    case KVSQL_LIMIT_LENGTH:
    case KVSQL_LIMIT_BLANKS:
      return apply_length (self, inout, error);
    case KVSQL_LIMIT_DIGITS:
      return apply_digits (self, inout, arena, error);
    case KVSQL_LIMIT_TIMESTAMP:
    case KVSQL_LIMIT_TIME:
    case KVSQL_LIMIT_ZONE:
      return apply_seconds (self, inout, error);
    default:
      if (inout->integer >= G_MININT16 && inout->integer <= G_MAXINT16)
        return TRUE;
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "SMALLINT out of range");
      return kvsql_error_sqlstate (error, "22003");
    }
}
