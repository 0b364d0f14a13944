/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * regexp.c: a recursive-descent parser for regular expressions, byte by byte.
 *
 * Other engines silently read some mistakes as literals ("a{x", an unknown escape). This one
 * rejects them, since a layout is used for longer than its author remembers such rules.
 */
#include "config.h"

#include "core/layout/automata/regexp.h"

#include "core/base/error.h"

typedef struct
{
  KvsqlArena *arena;
  KvsqlSlice text;
  gsize at;
  guint depth;
  GError **error;
} Parser;

static KvsqlRegexp *parse_alternatives (Parser *self);

/* ---- errors */

static gpointer fail (Parser *self, gsize offset, const gchar *hint, const gchar *format, ...)
    G_GNUC_PRINTF (4, 5);

static gpointer
fail (Parser *self, gsize offset, const gchar *hint, const gchar *format, ...)
{
  g_autofree gchar *readable = kvsql_readable (self->text);
  g_autofree gchar *reason = NULL;
  va_list args;

  va_start (args, format);
  reason = g_strdup_vprintf (format, args);
  va_end (args);
  kvsql_error_set (self->error, KVSQL_ERROR_DEFINITION, KVSQL_SPAN_NONE,
                   "invalid regular expression \"%s\": %s at offset %" G_GSIZE_FORMAT, readable,
                   reason, offset);
  if (hint != NULL)
    kvsql_error_hint (self->error, "%s", hint);
  return NULL;
}

static gpointer
fail_too_large (KvsqlSlice text, GError **error)
{
  g_autofree gchar *readable = kvsql_readable (kvsql_slice (text.data, MIN (text.size, 80)));

  kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                   "regular expression \"%s%s\" is too large: more than %u %s", readable,
                   text.size > 80 ? "…" : "",
                   text.size > KVSQL_REGEXP_MAX_TEXT ? KVSQL_REGEXP_MAX_TEXT
                                                     : KVSQL_REGEXP_MAX_STATES,
                   text.size > KVSQL_REGEXP_MAX_TEXT ? "bytes" : "states");
  return NULL;
}

/* ---- text and tree */

static gboolean
at_end (const Parser *self)
{
  return self->at >= self->text.size;
}

/* The byte @ahead of the current one, or -1 at the end. */
static gint
peek (const Parser *self, gsize ahead)
{
  return ahead < self->text.size - self->at ? self->text.data[self->at + ahead] : -1;
}

static gboolean
accept (Parser *self, gchar byte)
{
  if (peek (self, 0) != byte)
    return FALSE;
  self->at++;
  return TRUE;
}

static KvsqlRegexp *
new_node (Parser *self, KvsqlRegexpKind kind)
{
  KvsqlRegexp *node = kvsql_arena_new0 (self->arena, KvsqlRegexp);

  node->kind = kind;
  node->n_states = 1;
  return node;
}

static KvsqlRegexp *
new_set (Parser *self, KvsqlByteSet set)
{
  KvsqlRegexp *node = new_node (self, KVSQL_REGEXP_SET);

  node->set = set;
  return node;
}

/* Sizes do not overflow: a sum is bounded by the text, and each product is checked. */
static void
append_child (KvsqlRegexp *parent, KvsqlRegexp **last, KvsqlRegexp *child)
{
  if (*last == NULL)
    parent->first = child;
  else
    (*last)->next = child;
  *last = child;
  parent->n_states += child->n_states;
}

/* ---- sets */

static void
complement (KvsqlByteSet *set)
{
  for (guint i = 0; i < G_N_ELEMENTS (set->words); i++)
    set->words[i] = ~set->words[i];
}

static void
add_set (KvsqlByteSet *to, const KvsqlByteSet *from)
{
  for (guint i = 0; i < G_N_ELEMENTS (to->words); i++)
    to->words[i] |= from->words[i];
}

/* \d \w \s and their complements. */
static gboolean
named_set (gchar name, KvsqlByteSet *out_set)
{
  KvsqlByteSet set = KVSQL_BYTE_SET_EMPTY;

  switch (g_ascii_tolower (name))
    {
    case 'w':
      kvsql_byte_set_add_range (&set, 'a', 'z');
      kvsql_byte_set_add_range (&set, 'A', 'Z');
      kvsql_byte_set_add_range (&set, '_', '_');
      G_GNUC_FALLTHROUGH;
    case 'd':
      kvsql_byte_set_add_range (&set, '0', '9');
      break;
    case 's':
      kvsql_byte_set_add_range (&set, '\t', '\r');
      kvsql_byte_set_add_range (&set, ' ', ' ');
      break;
    default:
      return FALSE;
    }
  if (g_ascii_isupper (name))
    complement (&set);
  *out_set = set;
  return TRUE;
}

/* ---- escapes */

static gpointer
fail_escape (Parser *self, gsize offset, gchar name)
{
  const gchar *hint = "A backslash may precede punctuation, d, w, s, D, W, S, t, n, r, f or xHH.";

  if (g_ascii_isdigit (name))
    return fail (self, offset, NULL, "back-references are not supported, found \"\\%c\"", name);
  if (strchr ("bBAzZG", name) != NULL)
    return fail (self, offset, "The expression always describes the whole value.",
                 "assertions are not supported, found \"\\%c\"", name);
  if (g_ascii_isalpha (name))
    return fail (self, offset, hint, "unknown escape \"\\%c\"", name);
  return fail (self, offset, hint, "unknown escape \"\\\\x%02x\"", (guint8)name);
}

static gboolean
parse_hex_byte (Parser *self, gsize offset, guint8 *out_byte)
{
  gint high = at_end (self) ? -1 : g_ascii_xdigit_value (peek (self, 0));
  gint low = peek (self, 1) < 0 ? -1 : g_ascii_xdigit_value (peek (self, 1));

  if (high < 0 || low < 0)
    return fail (self, offset, NULL, "\\x needs two hexadecimal digits") != NULL;
  self->at += 2;
  *out_byte = high * 16 + low;
  return TRUE;
}

/* After the backslash. @out_byte is the byte, or -1 if the escape names a set. */
static gboolean
parse_escape (Parser *self, KvsqlByteSet *out_set, gint *out_byte)
{
  static const gchar names[] = "tnrf";
  static const gchar controls[] = "\t\n\r\f";
  gsize offset = self->at - 1;
  guint8 byte;
  const gchar *control;

  if (at_end (self))
    return fail (self, offset, NULL, "the backslash escapes nothing") != NULL;
  byte = self->text.data[self->at++];
  *out_byte = -1;
  if (named_set (byte, out_set))
    return TRUE;
  control = byte != '\0' ? strchr (names, byte) : NULL;
  if (control != NULL)
    byte = controls[control - names];
  else if (byte == 'x')
    {
      if (!parse_hex_byte (self, offset, &byte))
        return FALSE;
    }
  else if (!g_ascii_ispunct (byte) && byte != ' ')
    return fail_escape (self, offset, byte) != NULL;
  *out_set = kvsql_byte_set_range (byte, byte);
  *out_byte = byte;
  return TRUE;
}

/* ---- [classes] */

/* One end of a range, or an escaped set, for which @out_byte is -1. */
static gboolean
parse_class_atom (Parser *self, KvsqlByteSet *out_set, gint *out_byte)
{
  gsize offset = self->at;
  gint byte = peek (self, 0);

  if (byte == '[' && (peek (self, 1) == ':' || peek (self, 1) == '.' || peek (self, 1) == '='))
    return fail (self, offset, "Write the characters or ranges instead, or \\[ for the bracket.",
                 "POSIX classes are not supported")
           != NULL;
  if (byte >= 0x80)
    return fail (self, offset, "Write alternatives, as (é|è), or bytes, as \\xe9.",
                 "characters beyond ASCII are not allowed in brackets")
           != NULL;
  self->at++;
  if (byte == '\\')
    return parse_escape (self, out_set, out_byte);
  *out_set = kvsql_byte_set_range (byte, byte);
  *out_byte = byte;
  return TRUE;
}

static gboolean
parse_class_item (Parser *self, KvsqlByteSet *set)
{
  gsize offset = self->at;
  KvsqlByteSet item = KVSQL_BYTE_SET_EMPTY;
  gint first = -1, last = -1;

  if (!parse_class_atom (self, &item, &first))
    return FALSE;
  if (peek (self, 0) != '-' || peek (self, 1) == ']')
    {
      add_set (set, &item);
      return TRUE;
    }
  if (peek (self, 1) < 0)
    {
      self->at++;
      return TRUE; /* the caller reports that the bracket is not closed */
    }
  self->at++;
  if (!parse_class_atom (self, &item, &last))
    return FALSE;
  if (first < 0 || last < 0)
    return fail (self, offset, "Put the - last, or write \\-.",
                 "a range needs a character at both ends")
           != NULL;
  if (first > last)
    return fail (self, offset, NULL, "the range is upside down") != NULL;
  kvsql_byte_set_add_range (set, first, last);
  return TRUE;
}

/* After the "[". A "]" in the first place is a member. */
static KvsqlRegexp *
parse_class (Parser *self)
{
  gsize offset = self->at - 1;
  gboolean is_negated = accept (self, '^');
  KvsqlByteSet set = KVSQL_BYTE_SET_EMPTY;
  gboolean is_first = TRUE;

  while (!at_end (self) && (is_first || peek (self, 0) != ']'))
    {
      if (!parse_class_item (self, &set))
        return NULL;
      is_first = FALSE;
    }
  if (!accept (self, ']'))
    return fail (self, offset, "To mean the bracket itself, write \\[.", "\"[\" is never closed");
  if (is_negated)
    complement (&set);
  return new_set (self, set);
}

/* ---- groups and single characters */

/* After "(?". */
static gpointer
fail_group (Parser *self, gsize offset)
{
  gint next = peek (self, 0);
  gint after = peek (self, 1);

  if (next == '=' || next == '!' || (next == '<' && (after == '=' || after == '!')))
    return fail (self, offset, NULL, "look-around is not supported");
  if (next == 'P' || next == '<' || next == '\'')
    return fail (self, offset, "Groups capture nothing here: write (…).",
                 "named groups are not supported");
  return fail (self, offset, NULL, "only (…) and (?:…) are supported, not flags or special groups");
}

/* After the "(". */
static KvsqlRegexp *
parse_group (Parser *self)
{
  gsize offset = self->at - 1;
  KvsqlRegexp *inside;

  if (accept (self, '?') && !accept (self, ':'))
    return fail_group (self, offset);
  if (peek (self, 0) == '*')
    return fail (self, self->at, NULL, "nothing to repeat");
  if (++self->depth > KVSQL_REGEXP_MAX_DEPTH)
    return fail (self, offset, NULL, "groups are nested more than %d deep", KVSQL_REGEXP_MAX_DEPTH);
  inside = parse_alternatives (self);
  self->depth--;
  if (inside == NULL)
    return NULL;
  if (!accept (self, ')'))
    return fail (self, offset, "To mean the parenthesis itself, write \\(.",
                 "\"(\" is never closed");
  return inside;
}

/* A character beyond ASCII is one unit, so a quantifier after it applies to all of its bytes. */
static KvsqlRegexp *
parse_character (Parser *self)
{
  const gchar *text = (const gchar *)self->text.data + self->at;
  gunichar character = g_utf8_get_char_validated (text, self->text.size - self->at);
  gsize n_bytes = 1;
  KvsqlRegexp *sequence;
  KvsqlRegexp *last = NULL;

  if ((guint8)text[0] >= 0x80 && character != (gunichar)-1 && character != (gunichar)-2)
    n_bytes = g_utf8_skip[(guint8)text[0]];
  self->at += n_bytes;
  if (n_bytes == 1)
    return new_set (self, kvsql_byte_set_range (text[0], text[0]));
  sequence = new_node (self, KVSQL_REGEXP_SEQUENCE);
  for (gsize i = 0; i < n_bytes; i++)
    append_child (sequence, &last, new_set (self, kvsql_byte_set_range (text[i], text[i])));
  return sequence;
}

static KvsqlRegexp *
parse_atom (Parser *self)
{
  gsize offset = self->at;
  KvsqlByteSet set;
  gint byte;

  switch (peek (self, 0))
    {
    case '(':
      self->at++;
      return parse_group (self);
    case '[':
      self->at++;
      return parse_class (self);
    case '.':
      self->at++;
      return new_set (self, kvsql_byte_set_range (0x00, 0xff));
    case '\\':
      self->at++;
      return parse_escape (self, &set, &byte) ? new_set (self, set) : NULL;
    case '^':
    case '$':
      return fail (self, offset, "To mean the character itself, put a backslash before it.",
                   "\"%c\" is allowed only at an end of the expression", peek (self, 0));
    case '*':
    case '+':
    case '?':
    case '{':
      return fail (self, offset, "To mean the character itself, put a backslash before it.",
                   "nothing to repeat");
    default:
      return parse_character (self);
    }
}

/* ---- quantifiers */

/* Reads digits. Stops counting above the bound, so the number cannot overflow. */
static gboolean
parse_count (Parser *self, guint *out_count)
{
  guint count = 0;
  gsize start = self->at;

  for (; !at_end (self) && g_ascii_isdigit (peek (self, 0)); self->at++)
    count = MIN (count * 10 + (peek (self, 0) - '0'), KVSQL_REGEXP_MAX_REPEAT + 1);
  *out_count = count;
  return self->at > start;
}

/* After the "{". */
static gboolean
parse_counts (Parser *self, guint *out_minimum, gint *out_maximum)
{
  gsize offset = self->at - 1;
  guint minimum, maximum;
  gboolean is_unlimited = FALSE;

  if (!parse_count (self, &minimum))
    return fail (self, offset, "To mean the brace itself, write \\{.",
                 "\"{\" needs a number, as {2} or {2,5}")
           != NULL;
  maximum = minimum;
  if (accept (self, ','))
    is_unlimited = !parse_count (self, &maximum);
  if (!accept (self, '}'))
    return fail (self, offset, "To mean the brace itself, write \\{.", "\"{\" is never closed")
           != NULL;
  if (minimum > KVSQL_REGEXP_MAX_REPEAT || (!is_unlimited && maximum > KVSQL_REGEXP_MAX_REPEAT))
    return fail (self, offset, NULL, "more than %d repetitions", KVSQL_REGEXP_MAX_REPEAT) != NULL;
  if (!is_unlimited && minimum > maximum)
    return fail (self, offset, NULL, "the numbers in braces are upside down") != NULL;
  *out_minimum = minimum;
  *out_maximum = is_unlimited ? KVSQL_REGEXP_UNLIMITED : (gint)maximum;
  return TRUE;
}

static KvsqlRegexp *
new_repeat (Parser *self, KvsqlRegexp *atom, guint minimum, gint maximum)
{
  KvsqlRegexp *node = new_node (self, KVSQL_REGEXP_REPEAT);
  guint n_copies = maximum == KVSQL_REGEXP_UNLIMITED ? MAX (minimum, 1) : (guint)maximum;

  g_assert (atom->n_states <= KVSQL_REGEXP_MAX_STATES); /* so the product does not overflow */
  g_assert (n_copies <= KVSQL_REGEXP_MAX_REPEAT);

  node->first = atom;
  node->minimum = minimum;
  node->maximum = maximum;
  node->n_states += atom->n_states * n_copies;
  if (node->n_states > KVSQL_REGEXP_MAX_STATES)
    return fail_too_large (self->text, self->error);
  return node;
}

static KvsqlRegexp *
parse_repeated (Parser *self)
{
  KvsqlRegexp *atom = parse_atom (self);
  guint minimum = 0;
  gint maximum = KVSQL_REGEXP_UNLIMITED;
  gint next;

  if (atom == NULL)
    return NULL;
  if (accept (self, '*'))
    minimum = 0;
  else if (accept (self, '+'))
    minimum = 1;
  else if (accept (self, '?'))
    maximum = 1;
  else if (accept (self, '{'))
    {
      if (!parse_counts (self, &minimum, &maximum))
        return NULL;
    }
  else
    return atom;
  next = peek (self, 0);
  if (next == '?')
    return fail (self, self->at, NULL, "lazy quantifiers are not supported");
  if (next == '+')
    return fail (self, self->at, NULL, "possessive quantifiers are not supported");
  if (next == '*' || next == '{')
    return fail (self, self->at, "Put the part before it in parentheses.",
                 "a quantifier follows a quantifier");
  return new_repeat (self, atom, minimum, maximum);
}

/* ---- sequences and alternatives */

static KvsqlRegexp *
parse_sequence (Parser *self)
{
  KvsqlRegexp *sequence = new_node (self, KVSQL_REGEXP_SEQUENCE);
  KvsqlRegexp *last = NULL;

  if (self->depth == 0)
    accept (self, '^');
  while (!at_end (self) && peek (self, 0) != '|' && !(peek (self, 0) == ')' && self->depth > 0))
    {
      KvsqlRegexp *part;

      if (self->depth == 0 && peek (self, 0) == '$'
          && (peek (self, 1) < 0 || peek (self, 1) == '|'))
        {
          self->at++;
          break;
        }
      if (peek (self, 0) == ')')
        return fail (self, self->at, "To mean the parenthesis itself, write \\).",
                     "\")\" closes nothing");
      part = parse_repeated (self);
      if (part == NULL)
        return NULL;
      append_child (sequence, &last, part);
      if (sequence->n_states > KVSQL_REGEXP_MAX_STATES)
        return fail_too_large (self->text, self->error);
    }
  return sequence;
}

static KvsqlRegexp *
parse_alternatives (Parser *self)
{
  KvsqlRegexp *alternatives = new_node (self, KVSQL_REGEXP_ALTERNATIVE);
  KvsqlRegexp *last = NULL;

  do
    {
      KvsqlRegexp *sequence = parse_sequence (self);

      if (sequence == NULL)
        return NULL;
      append_child (alternatives, &last, sequence);
      if (alternatives->n_states > KVSQL_REGEXP_MAX_STATES)
        return fail_too_large (self->text, self->error);
    }
  while (accept (self, '|'));
  return alternatives;
}

KvsqlRegexp *
kvsql_regexp_parse (KvsqlArena *arena, KvsqlSlice text, GError **error)
{
  Parser parser = { .arena = arena, .text = text, .error = error };

  if (text.size > KVSQL_REGEXP_MAX_TEXT)
    return fail_too_large (text, error);
  return parse_alternatives (&parser);
}
