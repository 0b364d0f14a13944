/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * oracle.c: finds all readings of bytes by trying all lengths.
 */
#include "config.h"

#include "tests/layout/automata/oracle.h"

/* ---- random layouts */

static const gchar *const constants[] = { "-", "a", "--", "a-", "\001" };
static const gchar *const separators[] = { "-", "--", "a", "-a", "-a-" };
static const gchar *const null_texts[] = { "", "a", "-", "a-" };

#define PICK(rand, array) ((array)[g_rand_int_range ((rand), 0, G_N_ELEMENTS (array))])

Layout
oracle_random_layout (GRand *rand)
{
  Layout layout = { .n = g_rand_int_range (rand, 1, ORACLE_MAX_PARTS) };

  for (guint i = 0; i < layout.n; i++)
    {
      Part *part = &layout.parts[i];

      part->kind = g_rand_int_range (rand, 0, N_PARTS);
      part->text = part->kind == PART_CONSTANT ? PICK (rand, constants) : PICK (rand, separators);
      part->n = g_rand_int_range (rand, 0, 3);
      if (part->kind != PART_CONSTANT && g_rand_int_range (rand, 0, 4) == 0)
        part->null_text = PICK (rand, null_texts);
    }
  return layout;
}

gchar *
oracle_describe (const Layout *layout)
{
  static const gchar *const names[] = { "", "fixed", "any", "suffix", "size", "class", "choice" };
  GString *out = g_string_new (NULL);

  for (guint i = 0; i < layout->n; i++)
    {
      const Part *part = &layout->parts[i];

      g_string_append_printf (out, "%s%s(", i > 0 ? ":" : "", names[part->kind]);
      if (part->kind == PART_FIXED)
        g_string_append_printf (out, "%u", part->n);
      else if (part->kind == PART_CONSTANT || part->kind == PART_SUFFIX)
        kvsql_append_readable (out, kvsql_slice_from_text (part->text));
      g_string_append (out, ")");
      if (part->null_text != NULL)
        g_string_append_printf (out, "|null(%s)", part->null_text);
    }
  return g_string_free (out, FALSE);
}

/* ---- as automata */

static KvsqlNfaFragment
literal (KvsqlNfa *nfa, const gchar *text)
{
  return kvsql_nfa_literal (nfa, kvsql_slice_from_text (text));
}

static KvsqlNfaFragment
build_value (KvsqlNfa *nfa, const Part *part)
{
  KvsqlByteSet letters = kvsql_byte_set_range ('a', 'b');
  KvsqlNfaFragment choice;

  switch (part->kind)
    {
    case PART_FIXED:
      return kvsql_nfa_any_bytes (nfa, part->n);
    case PART_SUFFIX:
      return kvsql_nfa_any_without (nfa, kvsql_slice_from_text (part->text));
    case PART_CLASS:
      return kvsql_nfa_repeat (nfa, kvsql_nfa_byte_set (nfa, &letters), 1, KVSQL_NFA_UNLIMITED);
    case PART_CHOICE:
      g_assert_true (kvsql_nfa_regexp (nfa, KVSQL_SLICE_LITERAL ("a|a-|"), &choice, NULL));
      return choice;
    default:
      return kvsql_nfa_any (nfa);
    }
}

static KvsqlNfaFragment
build_part (KvsqlNfa *nfa, const Part *part, guint attribute)
{
  KvsqlNfaFragment result;

  if (part->kind == PART_CONSTANT)
    return literal (nfa, part->text);
  if (part->kind == PART_SIZE)
    result = kvsql_nfa_length_prefixed (nfa, 1, attribute, G_MAXUINT64);
  else
    result = kvsql_nfa_mark (nfa, build_value (nfa, part), attribute);
  if (part->null_text != NULL)
    result = kvsql_nfa_alternative (nfa, literal (nfa, part->null_text), result);
  if (part->kind == PART_SUFFIX)
    result = kvsql_nfa_sequence (nfa, result, literal (nfa, part->text));
  return result;
}

KvsqlNfaFragment
oracle_build (KvsqlNfa *nfa, const Layout *layout)
{
  KvsqlNfaFragment result = build_part (nfa, &layout->parts[0], 0);

  for (guint i = 1; i < layout->n; i++)
    result = kvsql_nfa_sequence (nfa, result, build_part (nfa, &layout->parts[i], i));
  return result;
}

/* ---- reading */

/* The first place of @text in @bytes, or G_MAXSIZE. */
static gsize
find_text (KvsqlSlice bytes, KvsqlSlice text)
{
  for (gsize i = 0; i + text.size <= bytes.size; i++)
    if (memcmp (bytes.data + i, text.data, text.size) == 0)
      return i;
  return G_MAXSIZE;
}

static gboolean
value_matches (const Part *part, KvsqlSlice value)
{
  switch (part->kind)
    {
    case PART_FIXED:
      return value.size == part->n;
    case PART_CLASS:
      for (gsize i = 0; i < value.size; i++)
        if (value.data[i] != 'a' && value.data[i] != 'b')
          return FALSE;
      return value.size > 0;
    case PART_CHOICE:
      return value.size == 0 || kvsql_slice_equal (value, KVSQL_SLICE_LITERAL ("a"))
             || kvsql_slice_equal (value, KVSQL_SLICE_LITERAL ("a-"));
    default:
      return TRUE;
    }
}

/* Whether all of @bytes are a value of this part; the value is then *@out_value. */
static gboolean
part_matches (const Part *part, KvsqlSlice bytes, KvsqlSlice *out_value)
{
  KvsqlSlice text = kvsql_slice_from_text (part->text);

  switch (part->kind)
    {
    case PART_CONSTANT:
      return kvsql_slice_equal (bytes, text);
    case PART_SUFFIX:
      *out_value = kvsql_slice (bytes.data, bytes.size - MIN (bytes.size, text.size));
      return bytes.size >= text.size && find_text (bytes, text) == bytes.size - text.size;
    case PART_SIZE:
      *out_value = kvsql_slice (bytes.data + 1, bytes.size - 1);
      return bytes.size > 0 && bytes.data[0] == bytes.size - 1;
    default:
      *out_value = bytes;
      return value_matches (part, bytes);
    }
}

static gboolean
part_is_null (const Part *part, KvsqlSlice bytes)
{
  g_autofree gchar *text = NULL;

  if (part->null_text == NULL)
    return FALSE;
  text = g_strconcat (part->null_text, part->kind == PART_SUFFIX ? part->text : NULL, NULL);
  return kvsql_slice_equal (bytes, kvsql_slice_from_text (text));
}

typedef gboolean (*ReadingFunc) (const Layout *layout, const Reading *reading, gpointer data);

/* Calls @function for each reading until it returns TRUE. */
static gboolean
for_each_reading (const Layout *layout, guint i, KvsqlSlice bytes, Reading *reading,
                  ReadingFunc function, gpointer data)
{
  if (i == layout->n)
    return bytes.size == 0 && function (layout, reading, data);
  for (gsize length = 0; length <= bytes.size; length++)
    {
      const Part *part = &layout->parts[i];
      KvsqlSlice head = kvsql_slice (bytes.data, length);
      KvsqlSlice tail = kvsql_slice (bytes.data + length, bytes.size - length);

      reading->values[i] = (Value){ FALSE, KVSQL_SLICE_EMPTY };
      if (part_is_null (part, head)
          && for_each_reading (layout, i + 1, tail, reading, function, data))
        return TRUE;
      reading->values[i].is_present = part->kind != PART_CONSTANT;
      if (part_matches (part, head, &reading->values[i].bytes)
          && for_each_reading (layout, i + 1, tail, reading, function, data))
        return TRUE;
    }
  return FALSE;
}

gboolean
oracle_reading_equal (const Layout *layout, const Reading *a, const Reading *b)
{
  for (guint i = 0; i < layout->n; i++)
    {
      if (a->values[i].is_present != b->values[i].is_present)
        return FALSE;
      if (a->values[i].is_present && !kvsql_slice_equal (a->values[i].bytes, b->values[i].bytes))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_any (const Layout *layout, const Reading *reading, gpointer data)
{
  return TRUE;
}

static gboolean
is_equal (const Layout *layout, const Reading *reading, gpointer data)
{
  return oracle_reading_equal (layout, reading, data);
}

/* Stores the first reading. */
static gboolean
is_other (const Layout *layout, const Reading *reading, gpointer data)
{
  Reading **first = data;

  if (*first == NULL)
    {
      *first = g_memdup2 (reading, sizeof *reading);
      return FALSE;
    }
  return !oracle_reading_equal (layout, reading, *first);
}

gboolean
oracle_accepts (const Layout *layout, KvsqlSlice bytes)
{
  Reading reading = { 0 };

  return for_each_reading (layout, 0, bytes, &reading, is_any, NULL);
}

gboolean
oracle_has_reading (const Layout *layout, KvsqlSlice bytes, const Reading *wanted)
{
  Reading reading = { 0 };

  return for_each_reading (layout, 0, bytes, &reading, is_equal, (gpointer)wanted);
}

gboolean
oracle_is_ambiguous (const Layout *layout, KvsqlSlice bytes)
{
  Reading reading = { 0 };
  g_autofree Reading *first = NULL;

  return for_each_reading (layout, 0, bytes, &reading, is_other, &first);
}
