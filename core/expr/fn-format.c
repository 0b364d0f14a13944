/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * fn-format.c: numbers to text and back by PostgreSQL's patterns: 9 0 . , D G S MI SG PR FM TH L,
 * and RN alone.
 */
#include "config.h"

#include "core/base/conversion.h"
#include "core/base/decimal.h"
#include "core/expr/function.h"

#include <math.h>

#define MAX_NODES 256

typedef enum
{
  NODE_DIGIT, /* 9 */
  NODE_ZERO,  /* 0 */
  NODE_POINT,
  NODE_GROUP,
  NODE_SIGN,    /* S: + or -, before the number, or after it */
  NODE_MINUS,   /* MI: - or a blank, at its place */
  NODE_EITHER,  /* SG: + or -, at its place */
  NODE_BRACKET, /* PR: <1> for -1 */
  NODE_FILL,    /* FM: no blanks */
  NODE_ENDING,  /* TH: 1ST, 2ND; th: 1st */
  NODE_OTHER,   /* text */
} NodeKind;

typedef struct
{
  NodeKind kind;
  gchar text; /* of OTHER; of ENDING: its first letter */
} Node;

typedef struct
{
  Node nodes[MAX_NODES];
  guint n_nodes;
  guint n_whole, n_fraction; /* digits before and after the point */
  guint first_zero;          /* of the digits before the point, the first 0; n_whole: none */
  guint last_zero;           /* of those after it, 1 + the last 0; 0: none */
  gboolean has_point, is_filled, is_signed, is_bracketed;
} Pattern;

static const struct
{
  const gchar *text;
  NodeKind kind;
} templates[] = {
  { "9", NODE_DIGIT }, { "0", NODE_ZERO },     { ".", NODE_POINT },  { "D", NODE_POINT },
  { ",", NODE_GROUP }, { "G", NODE_GROUP },    { "MI", NODE_MINUS }, { "SG", NODE_EITHER },
  { "S", NODE_SIGN },  { "PR", NODE_BRACKET }, { "FM", NODE_FILL },  { "TH", NODE_ENDING },
};

static const gchar *const unsupported[] = { "EEEE", "RN", "PL", "V", "B", "C" };

/* ---- patterns */

static gboolean
check_supported (const gchar *at, gsize size, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (unsupported); i++)
    {
      gsize length = strlen (unsupported[i]);
      if (size >= length && g_ascii_strncasecmp (at, unsupported[i], length) == 0)
        {
          kvsql_function_fail (error, "a number's pattern has no \"%s\"", unsupported[i]);
          return kvsql_error_hint (error,
                                   "There are 9 0 . , D G S MI SG PR FM TH L, text in \"…\", and "
                                   "RN alone.");
        }
    }
  return TRUE;
}

static gboolean
count_node (Pattern *self, NodeKind kind, GError **error)
{
  switch (kind)
    {
    case NODE_ZERO:
      if (self->has_point)
        self->last_zero = self->n_fraction + 1;
      else
        self->first_zero = MIN (self->first_zero, self->n_whole);
      G_GNUC_FALLTHROUGH;
    case NODE_DIGIT:
      *(self->has_point ? &self->n_fraction : &self->n_whole) += 1;
      return TRUE;
    case NODE_POINT:
      if (self->has_point)
        return kvsql_function_fail (error, "multiple decimal points");
      self->has_point = TRUE;
      return TRUE;
    case NODE_SIGN:
    case NODE_MINUS:
    case NODE_EITHER:
    case NODE_BRACKET:
      if (self->is_signed)
        return kvsql_function_fail (error, "a number's pattern has one sign");
      self->is_signed = TRUE;
      self->is_bracketed = kind == NODE_BRACKET;
      return TRUE;
    case NODE_FILL:
      self->is_filled = TRUE;
      return TRUE;
    default:
      return TRUE;
    }
}

static gboolean
next_node (const gchar *at, gsize size, Node *out, gsize *out_size, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (templates); i++)
    {
      gsize length = strlen (templates[i].text);
      if (size >= length && g_ascii_strncasecmp (at, templates[i].text, length) == 0)
        {
          *out = (Node){ templates[i].kind, *at };
          *out_size = length;
          return TRUE;
        }
    }
  /* the currency of the locale C is a blank */
  *out = (Node){ NODE_OTHER, *at == 'L' || *at == 'l' ? ' ' : *at };
  *out_size = 1;
  return check_supported (at, size, error);
}

static gboolean
parse_pattern (KvsqlSlice text, Pattern *out, GError **error)
{
  const gchar *at = (const gchar *)text.data;
  gboolean is_quoted = FALSE;
  gsize size;

  *out = (Pattern){ .first_zero = G_MAXUINT };
  for (gsize i = 0; i < text.size; i += size)
    {
      Node node = { NODE_OTHER, at[i] };
      size = 1;
      if (at[i] == '"')
        {
          is_quoted = !is_quoted;
          continue;
        }
      if (!is_quoted
          && (!next_node (at + i, text.size - i, &node, &size, error)
              || !count_node (out, node.kind, error)))
        return FALSE;
      if (out->n_nodes == MAX_NODES)
        return kvsql_function_fail (error, "a number's pattern is longer than %d", MAX_NODES);
      out->nodes[out->n_nodes++] = node;
    }
  return TRUE;
}

/* ---- numbers to text */

typedef struct
{
  const Pattern *pattern;
  gboolean is_negative, has_begun;
  const gchar *whole, *fraction;
  guint n_whole, n_fraction; /* digits that there are */
  guint at_whole, at_fraction;
  GString *out;
} Writer;

/* Whether the sign is S before the number. */
static gboolean
begins_with_sign (const Pattern *pattern)
{
  guint first = pattern->n_nodes > 0 && pattern->nodes[0].kind == NODE_FILL;

  return first < pattern->n_nodes && pattern->nodes[first].kind == NODE_SIGN;
}

/* The sign is directly before the number. */
static void
begin_number (Writer *self)
{
  const Pattern *pattern = self->pattern;

  if (self->has_begun)
    return;
  self->has_begun = TRUE;
  if (begins_with_sign (pattern))
    g_string_append_c (self->out, self->is_negative ? '-' : '+');
  else if (pattern->is_bracketed && self->is_negative)
    g_string_append_c (self->out, '<');
  else if (!pattern->is_signed && self->is_negative)
    g_string_append_c (self->out, '-');
  else if ((pattern->is_bracketed || !pattern->is_signed) && !pattern->is_filled)
    g_string_append_c (self->out, ' ');
}

/* The number of digits after the point that FM does not leave out. */
static guint
needed_fraction (const Writer *self)
{
  guint needed = self->n_fraction;

  while (needed > 0 && self->fraction[needed - 1] == '0')
    needed--;
  return MAX (needed, self->pattern->last_zero);
}

/* FM leaves out all digits of 0 but the one before the point. */
static gboolean
is_only_digit (const Writer *self)
{
  return self->pattern->is_filled && self->at_whole == self->pattern->n_whole
         && needed_fraction (self) == 0;
}

static void
write_whole (Writer *self)
{
  guint place = self->at_whole++, leading = self->pattern->n_whole - self->n_whole;
  gboolean is_last = self->at_whole == self->pattern->n_whole && !self->pattern->has_point;

  if (place >= leading)
    {
      begin_number (self);
      g_string_append_c (self->out, self->whole[place - leading]);
    }
  else if (place >= self->pattern->first_zero || is_last || is_only_digit (self))
    {
      begin_number (self);
      g_string_append_c (self->out, '0');
    }
  else if (!self->pattern->is_filled)
    g_string_append_c (self->out, ' ');
}

static void
write_fraction (Writer *self)
{
  guint place = self->at_fraction++;

  if (!self->pattern->is_filled || place < needed_fraction (self))
    g_string_append_c (self->out, self->fraction[place]);
}

/* Of a whole number that is not negative, as 1st, 2nd, 3rd, 4th, 11th. */
static void
write_ending (Writer *self, gboolean is_upper)
{
  static const gchar *const endings[] = { "th", "st", "nd", "rd" };
  guint n = self->n_whole;
  gchar last = n > 0 ? self->whole[n - 1] : '0';
  gboolean is_teen = n > 1 && self->whole[n - 2] == '1';
  const gchar *ending = endings[!is_teen && last >= '1' && last <= '3' ? last - '0' : 0];

  if (self->is_negative || self->pattern->has_point || last == '#')
    return;
  for (; *ending != '\0'; ending++)
    g_string_append_c (self->out, is_upper ? g_ascii_toupper (*ending) : *ending);
}

static void
write_node (Writer *self, const Node *node, gboolean is_first)
{
  const Pattern *pattern = self->pattern;
  gchar sign = self->is_negative ? '-' : '+';

  switch (node->kind)
    {
    case NODE_DIGIT:
    case NODE_ZERO:
      if (self->at_whole < pattern->n_whole)
        write_whole (self);
      else
        write_fraction (self);
      break;
    case NODE_POINT:
      begin_number (self);
      g_string_append_c (self->out, '.');
      break;
    case NODE_GROUP:
      if (self->has_begun)
        g_string_append_c (self->out, ',');
      else if (!pattern->is_filled)
        g_string_append_c (self->out, ' ');
      break;
    case NODE_SIGN:
      if (!is_first)
        g_string_append_c (self->out, sign);
      break;
    case NODE_EITHER:
      g_string_append_c (self->out, sign);
      break;
    case NODE_MINUS:
      if (self->is_negative || !pattern->is_filled)
        g_string_append_c (self->out, self->is_negative ? '-' : ' ');
      break;
    case NODE_BRACKET:
      if (self->is_negative || !pattern->is_filled)
        g_string_append_c (self->out, self->is_negative ? '>' : ' ');
      break;
    case NODE_FILL:
      break;
    case NODE_ENDING:
      write_ending (self, node->text == 'T');
      break;
    case NODE_OTHER:
      g_string_append_c (self->out, node->text);
      break;
    }
}

/* A number with more digits than the pattern has is shown as #. */
static void
write_number (const Pattern *pattern, KvsqlSlice value, GString *out)
{
  Writer writer = { .pattern = pattern, .out = out };
  g_autofree gchar *text = g_strndup ((const gchar *)value.data, value.size);
  g_autofree gchar *hashes = g_strnfill (MAX_NODES, '#');
  g_autofree gchar *fraction = g_strnfill (MAX_NODES, '0');
  gchar *digits = text + (text[0] == '-'), *point = strchr (digits, '.');
  gsize n_whole = point == NULL ? strlen (digits) : (gsize)(point - digits);

  if (point != NULL)
    memcpy (fraction, point + 1, MIN (strlen (point + 1), pattern->n_fraction));
  if (n_whole == 1 && digits[0] == '0')
    n_whole = 0;
  writer.is_negative = text[0] == '-';
  writer.whole = n_whole > pattern->n_whole ? hashes : digits;
  writer.fraction = n_whole > pattern->n_whole ? hashes : fraction;
  writer.n_whole = (guint)MIN (n_whole, pattern->n_whole);
  writer.n_fraction = pattern->n_fraction;
  for (guint i = 0; i < pattern->n_nodes; i++)
    write_node (&writer, &pattern->nodes[i],
                i == 0 || (i == 1 && pattern->nodes[0].kind == NODE_FILL));
}

static gboolean
to_decimal (const KvsqlFunctionCall *call, const KvsqlValue *value, KvsqlSlice *out, GError **error)
{
  KvsqlValue decimal;

  if (value->type == KVSQL_TYPE_DOUBLE && !isfinite (value->real))
    return kvsql_function_fail (error, "a number that is not finite has no such text");
  if (!kvsql_value_convert (value, KVSQL_TYPE_DECIMAL, call->arena, &decimal, error))
    return FALSE;
  *out = decimal.bytes;
  return TRUE;
}

/* ---- Roman numbers */

#define ROMAN_WIDTH 15

/* RN alone, in any case, or FMRN. */
static gboolean
is_roman (KvsqlSlice pattern, gboolean *out_is_filled, gboolean *out_is_upper)
{
  const gchar *text = (const gchar *)pattern.data;
  gsize start = pattern.size == 4 && g_ascii_strncasecmp (text, "FM", 2) == 0 ? 2 : 0;

  if (pattern.size - start != 2 || g_ascii_strncasecmp (text + start, "RN", 2) != 0)
    return FALSE;
  *out_is_filled = start == 2;
  *out_is_upper = text[start] == 'R';
  return TRUE;
}

static void
append_roman (gint64 number, gboolean is_upper, GString *out)
{
  static const struct
  {
    gint64 value;
    const gchar *upper, *lower;
  } digits[] = { { 1000, "M", "m" }, { 900, "CM", "cm" }, { 500, "D", "d" }, { 400, "CD", "cd" },
                 { 100, "C", "c" },  { 90, "XC", "xc" },  { 50, "L", "l" },  { 40, "XL", "xl" },
                 { 10, "X", "x" },   { 9, "IX", "ix" },   { 5, "V", "v" },   { 4, "IV", "iv" },
                 { 1, "I", "i" } };

  for (guint i = 0; i < G_N_ELEMENTS (digits); i++)
    for (; number >= digits[i].value; number -= digits[i].value)
      g_string_append (out, is_upper ? digits[i].upper : digits[i].lower);
}

/* Numbers from 1 to 3999, on the right of 15 characters; others are #. */
static gboolean
write_roman (const KvsqlFunctionCall *call, KvsqlSlice value, gboolean is_filled, gboolean is_upper,
             KvsqlValue *out, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gint64 number = 0;

  if (!kvsql_decimal_round (value, 0, KVSQL_ROUND_HALF_UP, call->arena, &value, error))
    return FALSE;
  if (kvsql_decimal_to_int64 (value, &number, NULL) && number >= 1 && number <= 3999)
    append_roman (number, is_upper, text);
  else
    while (text->len < ROMAN_WIDTH)
      g_string_append_c (text, '#');
  while (!is_filled && text->len < ROMAN_WIDTH)
    g_string_prepend_c (text, ' ');
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

static gboolean
to_char (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
         GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_filled, is_upper;
  Pattern pattern;
  KvsqlSlice value;

  if (is_roman (arguments[1].bytes, &is_filled, &is_upper))
    return to_decimal (call, &arguments[0], &value, error)
           && write_roman (call, value, is_filled, is_upper, out, error);
  if (!parse_pattern (arguments[1].bytes, &pattern, error)
      || !to_decimal (call, &arguments[0], &value, error)
      || !kvsql_decimal_round (value, pattern.n_fraction, KVSQL_ROUND_HALF_UP, call->arena, &value,
                               error))
    return FALSE;
  write_number (&pattern, value, text);
  return kvsql_function_set_text (call, kvsql_slice (text->str, text->len), out, error);
}

/* ---- text to numbers */

static gboolean
take_sign (const gchar **at, gboolean *is_negative)
{
  if (**at == '-' || **at == '<')
    *is_negative = TRUE;
  if (**at == '\0' || strchr ("-+<>", **at) == NULL)
    return FALSE;
  ++*at;
  return TRUE;
}

static void
read_node (const Node *node, const gchar **at, gboolean *is_negative, GString *digits)
{
  switch (node->kind)
    {
    case NODE_DIGIT:
    case NODE_ZERO:
      while (**at == ' ' || take_sign (at, is_negative))
        *at += **at == ' ';
      if (g_ascii_isdigit (**at))
        g_string_append_c (digits, *(*at)++);
      break;
    case NODE_POINT:
      if (**at == '.')
        g_string_append_c (digits, *(*at)++);
      break;
    case NODE_GROUP:
      *at += **at == ',';
      break;
    case NODE_FILL:
      break;
    case NODE_ENDING:
      for (guint i = 0; i < 2 && **at != '\0'; i++)
        ++*at;
      break;
    case NODE_OTHER:
      *at += **at != '\0';
      break;
    default:
      while (**at == ' ')
        ++*at;
      take_sign (at, is_negative);
      break;
    }
}

static gboolean
to_number (const KvsqlFunctionCall *call, const KvsqlValue *arguments, KvsqlValue *out,
           GError **error)
{
  g_autofree gchar *text
      = g_strndup ((const gchar *)arguments[0].bytes.data, arguments[0].bytes.size);
  g_autoptr (GString) digits = g_string_new ("0");
  const gchar *at = text;
  gboolean is_negative = FALSE;
  Pattern pattern;

  if (!parse_pattern (arguments[1].bytes, &pattern, error))
    return FALSE;
  for (guint i = 0; i < pattern.n_nodes; i++)
    read_node (&pattern.nodes[i], &at, &is_negative, digits);
  if (digits->len == 1)
    return kvsql_function_fail_as (error, "22P02",
                                   "invalid input syntax for type DECIMAL: \"%.40s\"", text);
  if (is_negative)
    g_string_prepend_c (digits, '-');
  out->type = KVSQL_TYPE_DECIMAL;
  return kvsql_decimal_parse (kvsql_slice (digits->str, digits->len), call->arena, &out->bytes,
                              error);
}

static const KvsqlFunction functions[] = {
  KVSQL_FUNCTION_2 ("to_char", INT, STRING, STRING, to_char),
  KVSQL_FUNCTION_2 ("to_char", BIGINT, STRING, STRING, to_char),
  KVSQL_FUNCTION_2 ("to_char", DECIMAL, STRING, STRING, to_char),
  KVSQL_FUNCTION_2 ("to_char", DOUBLE, STRING, STRING, to_char),
  KVSQL_FUNCTION_2 ("to_number", STRING, STRING, DECIMAL, to_number),
};

const KvsqlFunctionFamily kvsql_functions_format = { functions, G_N_ELEMENTS (functions) };
