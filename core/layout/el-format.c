/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-format.c: format(pattern){a} and format(pattern, zone){a}: a DATE or TIMESTAMP as text.
 *
 * If another element holds the attribute, the text is only checked. Otherwise the formats of a cell
 * must contain all fields from the year on. They then give the attribute back, with smaller fields
 * at their least value. A value with other smaller fields is rejected when it is written.
 *
 * When a clock is set back, it shows the same hour twice. So an interval of times need not be an
 * interval of local times: the bounds are the least and the greatest local time (time-format.h).
 */
#include "config.h"

#include "core/layout/derived.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/layout/encoding/time-format.h"
#include "core/schema/relation.h"
#include "core/sql/ast-definition.h"

static const KvsqlTimeFormat *
format_of (const KvsqlElement *self)
{
  return self->own;
}

/* ---- compiling */

static gboolean
read_format (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
             GError **error)
{
  KvsqlSlice pattern, zone = KVSQL_SLICE_EMPTY;
  g_autoptr (GError) failure = NULL;
  guint index;

  if (!kvsql_element_bytes_argument (node, 0, compiler->arena, &pattern, error)
      || (node->n_arguments == 2
          && !kvsql_element_bytes_argument (node, 1, compiler->arena, &zone, error)))
    return FALSE;
  self->own = kvsql_time_format_new (
      compiler->arena, pattern,
      zone.size > 0 ? kvsql_arena_strndup (compiler->arena, (const gchar *)zone.data, zone.size)
                    : NULL,
      &failure);
  if (self->own != NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  /* which of the two is wrong? */
  index = kvsql_time_format_new (compiler->arena, pattern, NULL, NULL) != NULL;
  return kvsql_error_at (error, node->arguments[index].span);
}

static gboolean
check_type (const KvsqlElement *self, const KvsqlLayoutCompiler *compiler,
            const KvsqlLayoutNode *node, GError **error)
{
  const KvsqlTimeFormat *format = format_of (self);

  if (self->type != KVSQL_TYPE_DATE && self->type != KVSQL_TYPE_TIMESTAMP)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "format applies to DATE and TIMESTAMP, and \"%s\" is %s",
                            compiler->relation->attributes[self->attribute].name,
                            kvsql_type_get_name (self->type));
  if (self->type == KVSQL_TYPE_TIMESTAMP)
    return TRUE;
  if (format->finest > KVSQL_TIME_DAY)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[0].span,
                            "a DATE has no hours; its format takes yyyy, MM and dd");
  if (node->n_arguments == 2)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->arguments[1].span,
                            "a DATE has no time zone");
  return TRUE;
}

static const gchar *
demand_of (const KvsqlElement *self, KvsqlArena *arena)
{
  const KvsqlTimeFormat *format = format_of (self);
  guint n_all = self->type == KVSQL_TYPE_DATE ? KVSQL_TIME_DAY + 1 : KVSQL_N_TIME_FIELDS;

  if (format->n_chain < n_all)
    return kvsql_arena_printf (arena, "must be as coarse as '%s'", format->pattern);
  if (!format->is_fixed)
    return "must not be a time that the zone's clock shows again";
  return NULL;
}

static gboolean
compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
         GError **error)
{
  if (!kvsql_element_expect (node, 1, 2, TRUE, error))
    return FALSE;
  if (node->inner.n_nodes != 1 || node->inner.nodes[0].kind != KVSQL_LAYOUT_ATTRIBUTE)
    return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                            "format applies to one attribute");
  if (!read_format (self, compiler, node, error)
      || !kvsql_element_compile_part (self, compiler, node, KVSQL_TYPE_NULL, error)
      || !check_type (self, compiler, node, error))
    return FALSE;
  self->fixed_size = format_of (self)->size;
  self->demand = demand_of (self, compiler->arena);
  return TRUE;
}

/* ---- times */

static gint64
to_milliseconds (KvsqlType type, gint64 value)
{
  return type == KVSQL_TYPE_DATE ? value * KVSQL_MS_PER_DAY : value;
}

/* The value that the fields determine. */
static gboolean
value_of (const KvsqlElement *self, const KvsqlCivilTime *civil, gint64 *out)
{
  gint64 local;

  if (!kvsql_time_to_local (civil, &local)
      || !kvsql_time_format_from_local (format_of (self), local, out))
    return FALSE;
  if (self->type == KVSQL_TYPE_DATE)
    *out /= KVSQL_MS_PER_DAY;
  return TRUE;
}

/* ---- encoding and decoding */

static gboolean
comes_back_different (const KvsqlElement *self, const KvsqlEncoder *encoder, gint64 value,
                      gint64 back, GError **error)
{
  KvsqlValue given = { .type = self->type, .integer = value };
  KvsqlValue got = { .type = self->type, .integer = back };
  g_autoptr (GString) given_text = g_string_new (NULL);
  g_autoptr (GString) got_text = g_string_new (NULL);

  kvsql_value_append_text (&given, given_text);
  kvsql_value_append_text (&got, got_text);
  kvsql_encode_error (encoder, self, error, "is %s, which format('%s') would return as %s",
                      given_text->str, format_of (self)->pattern, got_text->str);
  return kvsql_error_hint (
      error, "Write times as coarse as the format is, or put the attribute elsewhere as a whole.");
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  const KvsqlTimeFormat *format = format_of (self);
  const KvsqlValue *value = kvsql_encoder_get_value (encoder, self, error);
  KvsqlCivilTime civil;
  gint64 back;

  if (value == NULL)
    return FALSE;
  if (!kvsql_time_from_local (
          kvsql_time_format_to_local (format, to_milliseconds (self->type, value->integer)),
          &civil))
    return kvsql_encode_error (encoder, self, error,
                               "is outside of the years 0001 to 9999 in the format's time zone");
  kvsql_time_format_write (format, &civil, kvsql_buffer_extend (out, format->size));
  if (self->n_parts != 1)
    return TRUE;
  kvsql_time_truncate (&civil, format->finest);
  if (value_of (self, &civil, &back) && back != value->integer)
    return comes_back_different (self, encoder, value->integer, back, error);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  KvsqlCivilTime unused;

  if (!kvsql_time_format_read (format_of (self), bytes, &unused))
    return FALSE;
  if (self->slot >= 0 && decoder->slots != NULL)
    decoder->slots[self->slot].bytes = bytes;
  return TRUE;
}

/* ---- composition */

/* The length of a field in milliseconds; 0 if it varies. */
static const gint64 lengths[KVSQL_N_TIME_FIELDS]
    = { 0, 0, KVSQL_MS_PER_DAY, 3600000, 60000, 1000, 1 };

/* The offset that holds the time below the field @finest. Only in UTC, where all days and hours
 * have the same length since 1970. */
static KvsqlElement *
find_rest (KvsqlElement *const *all, guint n, const KvsqlTimeFormat *format, guint n_chain)
{
  if (format->zone != NULL || n_chain <= KVSQL_TIME_DAY || n_chain > KVSQL_TIME_SECOND + 1)
    return NULL;
  for (guint i = 0; i < n; i++)
    if (all[i]->klass == &kvsql_element_offset && all[i]->type == KVSQL_TYPE_TIMESTAMP
        && all[i]->step == lengths[n_chain - 1])
      return all[i];
  return NULL;
}

/* Chooses all formats of the same zone, if they have all fields from the year on, and an offset
 * whose width is the smallest field. */
static guint
choose (KvsqlElement *const *all, guint n, guint first, KvsqlElement **out_chosen, guint *out_n)
{
  guint fields = 0, n_chain = 0;
  KvsqlElement *rest;

  *out_n = 0;
  for (guint i = 0; i < n; i++)
    if (all[i]->klass == &kvsql_element_format
        && format_of (all[i])->zone == format_of (all[first])->zone)
      {
        fields |= format_of (all[i])->fields;
        out_chosen[(*out_n)++] = all[i];
      }
  while (n_chain < KVSQL_N_TIME_FIELDS && (fields & 1u << n_chain) != 0)
    n_chain++;
  if (fields != (1u << n_chain) - 1)
    return 0;
  rest = find_rest (all, n, format_of (all[first]), n_chain);
  if (rest == NULL)
    return n_chain;
  out_chosen[(*out_n)++] = rest;
  return KVSQL_N_TIME_FIELDS;
}

static gboolean
join (KvsqlElement *const *chosen, guint n, const KvsqlSlot *slots, gint64 *out)
{
  gboolean has_rest = chosen[n - 1]->klass == &kvsql_element_offset;
  KvsqlCivilTime civil;

  kvsql_time_truncate (&civil, KVSQL_TIME_YEAR);
  for (guint i = 0; i < n - has_rest; i++)
    if (!kvsql_time_format_read (format_of (chosen[i]), slots[chosen[i]->slot].bytes, &civil))
      return FALSE;
  if (!value_of (chosen[0], &civil, out))
    return FALSE;
  if (has_rest)
    *out += slots[chosen[n - 1]->slot].number;
  return TRUE;
}

/* ---- ranges */

/* The local times that the clock may show for the values of an interval. */
typedef struct
{
  KvsqlCivilTime low, high; /* truncated */
  gboolean has_low, has_high;
  gboolean is_exact; /* no other values have these local times */
} Clock;

#define LEAST_LOCAL (KVSQL_DATE_MIN * KVSQL_MS_PER_DAY)
#define GREATEST_LOCAL ((KVSQL_DATE_MAX + 1LL) * KVSQL_MS_PER_DAY - 1)

/* The last millisecond of @value: a DATE is a whole day. */
static gint64
end_of (KvsqlType type, gint64 value)
{
  return type == KVSQL_TYPE_DATE ? to_milliseconds (type, value) + KVSQL_MS_PER_DAY - 1 : value;
}

static gboolean
is_unit_start (gint64 local, KvsqlTimeField finest)
{
  KvsqlCivilTime civil;
  gint64 start;

  if (!kvsql_time_from_local (local, &civil))
    return TRUE; /* end of the calendar */
  kvsql_time_truncate (&civil, finest);
  return kvsql_time_to_local (&civil, &start) && start == local;
}

/* FALSE if the interval contains no values. */
static gboolean
clock_of (const KvsqlElement *self, const KvsqlInterval *interval, Clock *out)
{
  const KvsqlTimeFormat *format = format_of (self);
  gint64 low = interval->low.integer + (interval->has_low && interval->low_is_open);
  gint64 high = interval->high.integer - (interval->has_high && interval->high_is_open);
  gint64 local_low, local_high;

  *out = (Clock){ .has_low = interval->has_low, .has_high = interval->has_high };
  if (out->has_low && out->has_high && low > high)
    return FALSE;
  low = to_milliseconds (self->type, low);
  high = end_of (self->type, high);
  local_low = out->has_low ? kvsql_time_format_least_local (format, low, out->has_high, high)
                           : LEAST_LOCAL;
  local_high = out->has_high ? kvsql_time_format_greatest_local (format, out->has_low, low, high)
                             : GREATEST_LOCAL;
  out->is_exact = (!out->has_low || kvsql_time_format_is_even (format, low))
                  && (!out->has_high || kvsql_time_format_is_even (format, high))
                  && is_unit_start (local_low, format->finest)
                  && is_unit_start (local_high + 1, format->finest);
  if (!kvsql_time_from_local (CLAMP (local_low, LEAST_LOCAL, GREATEST_LOCAL), &out->low)
      || !kvsql_time_from_local (CLAMP (local_high, LEAST_LOCAL, GREATEST_LOCAL), &out->high))
    return FALSE;
  kvsql_time_truncate (&out->low, format->finest);
  kvsql_time_truncate (&out->high, format->finest);
  return TRUE;
}

static KvsqlSlice
text_of (const KvsqlTimeFormat *format, const KvsqlCivilTime *civil, KvsqlArena *arena)
{
  guint8 *text = kvsql_arena_alloc (arena, format->size);

  kvsql_time_format_write (format, civil, text);
  return kvsql_slice (text, format->size);
}

/* The next time with another text; FALSE at the end of the calendar. */
static gboolean
step (KvsqlCivilTime *civil, KvsqlTimeField finest)
{
  gint64 local;

  if (finest <= KVSQL_TIME_MONTH)
    {
      gint *month = &civil->fields[KVSQL_TIME_MONTH], *year = &civil->fields[KVSQL_TIME_YEAR];
      *month += 1;
      if (finest == KVSQL_TIME_YEAR || *month > 12)
        {
          *month = 1;
          *year += 1;
        }
      return *year <= 9999;
    }
  return kvsql_time_to_local (civil, &local)
         && kvsql_time_from_local (local + lengths[finest], civil);
}

/* Adds each text from low to high; FALSE if there are too many. */
static gboolean
add_points (const KvsqlTimeFormat *format, const Clock *clock, gboolean is_exact, KvsqlArena *arena,
            KvsqlByteRanges *out)
{
  KvsqlCivilTime at = clock->low;
  gint64 now, last;

  if (!clock->has_low || !clock->has_high || !kvsql_time_to_local (&clock->high, &last))
    return FALSE;
  for (guint n = 0; kvsql_time_to_local (&at, &now) && now <= last; n++)
    {
      if (n == KVSQL_MAX_STEPS_AS_POINTS || out->n_ranges == KVSQL_MAX_STEPS_AS_POINTS)
        return FALSE;
      kvsql_byte_ranges_add_point (out, text_of (format, &at, arena));
      out->ranges[out->n_ranges - 1].is_exact = is_exact;
      if (!step (&at, format->finest))
        return TRUE;
    }
  return TRUE;
}

static void
add_range (const KvsqlTimeFormat *format, const Clock *clock, KvsqlArena *arena,
           KvsqlByteRanges *out)
{
  KvsqlSlice low = text_of (format, &clock->low, arena);
  KvsqlSlice high = text_of (format, &clock->high, arena);
  gboolean has_high;

  if (kvsql_slice_equal (low, high))
    {
      kvsql_byte_ranges_add_point (out, low);
      out->ranges[out->n_ranges - 1].is_exact = clock->is_exact;
      return;
    }
  low.size = high.size = format->ordered_size;
  has_high = kvsql_slice_successor (arena, high, &high);
  kvsql_byte_ranges_add_range (out, low, has_high, high, clock->is_exact && format->is_ordered);
}

/* Only if the zone has no transition nearby, and the text sorts as times do. */
static gboolean
unit (const KvsqlElement *self, gint64 number, gint64 *out_first, gint64 *out_last)
{
  const KvsqlTimeFormat *format = format_of (self);
  gint64 value = to_milliseconds (self->type, number);
  gint64 local = kvsql_time_format_to_local (format, value), first, next;
  KvsqlCivilTime civil;

  if (!kvsql_time_format_is_even (format, value) || !format->is_ordered
      || !kvsql_time_from_local (local, &civil))
    return FALSE;
  kvsql_time_truncate (&civil, format->finest);
  if (!kvsql_time_to_local (&civil, &first) || !step (&civil, format->finest)
      || !kvsql_time_to_local (&civil, &next))
    return FALSE;
  *out_first = first - (local - value);
  *out_last = next - 1 - (local - value);
  if (!kvsql_time_format_is_even (format, *out_first)
      || !kvsql_time_format_is_even (format, *out_last))
    return FALSE;
  if (self->type == KVSQL_TYPE_DATE)
    {
      *out_first /= KVSQL_MS_PER_DAY;
      *out_last = *out_first + (next - first) / KVSQL_MS_PER_DAY - 1;
    }
  return TRUE;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  const KvsqlTimeFormat *format = format_of (self);
  const KvsqlConstraint *constraint = &constrainer->constraints[self->attribute];
  KvsqlByteRanges *points = kvsql_arena_new0 (constrainer->arena, KvsqlByteRanges);
  gboolean are_few = TRUE;

  if (!constraint->is_constrained)
    {
      *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, constraint->n_intervals);
  kvsql_byte_ranges_init (points, constrainer, KVSQL_MAX_STEPS_AS_POINTS);
  for (guint i = 0; i < constraint->n_intervals; i++)
    {
      Clock clock;
      if (!clock_of (self, &constraint->intervals[i], &clock))
        continue;
      are_few = are_few
                && add_points (format, &clock, clock.is_exact && format->n_chain > 0,
                               constrainer->arena, points);
      add_range (format, &clock, constrainer->arena, out);
    }
  if (are_few)
    kvsql_byte_ranges_sort (points);
  kvsql_byte_ranges_sort (out);
  if (are_few && !format->is_ordered)
    *out = *points;
  else if (are_few)
    out->as_points = points;
  else if (format->ordered_size == 0)
    *out = (KvsqlByteRanges){ .is_open = TRUE };
}

/* ---- automaton */

static void
append_digits (const KvsqlTimePart *part, GString *out)
{
  static const gchar *const patterns[KVSQL_N_TIME_FIELDS] = {
    "[0-9]{4}",   "(0[1-9]|1[0-2])", "(0[1-9]|[12][0-9]|3[01])", "([01][0-9]|2[0-3])", "[0-5][0-9]",
    "[0-5][0-9]", "[0-9]{3}"
  };

  g_string_append (out, patterns[part->field]);
}

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  const KvsqlTimeFormat *format = format_of (self);
  g_autoptr (GString) pattern = g_string_new (NULL);
  KvsqlNfaFragment value;

  for (guint i = 0; i < format->n_parts; i++)
    {
      const KvsqlTimePart *part = &format->parts[i];
      if (part->field >= 0)
        append_digits (part, pattern);
      for (gsize b = 0; part->field < 0 && b < part->size; b++)
        g_string_append_printf (pattern, "\\x%02x", part->literal[b]);
    }
  if (!kvsql_nfa_regexp (nfa, kvsql_slice (pattern->str, pattern->len), &value, NULL))
    value = kvsql_nfa_any_bytes (nfa, format->size);
  return kvsql_element_mark (self, nfa, value);
}

static KvsqlByteOrder
byte_order (const KvsqlElement *self)
{
  const KvsqlTimeFormat *format = format_of (self);

  if (self->n_parts != 1 || !format->is_ordered || !format->is_fixed)
    return KVSQL_BYTE_ORDER_NONE;
  return (KvsqlByteOrder){ .order = KVSQL_ORDER_ASCENDING };
}

const KvsqlElementClass kvsql_element_format = {
  .name = "format",
  .is_text = TRUE,
  .compile = compile,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
  .byte_order = byte_order,
  .choose = choose,
  .unit = unit,
  .join = join,
};
