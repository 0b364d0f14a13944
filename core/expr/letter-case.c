/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * letter-case.c: GLib's mapping, and the characters that it lacks because they are not letters in
 * Unicode.
 */
#include "config.h"

#include "core/expr/letter-case.h"

#define COMBINING_IOTA 0x345
#define CAPITAL_IOTA 0x399

/* Ranges of capitals, and the distance to their small forms. */
static const struct
{
  gunichar first, last, distance;
} runs[] = {
  { 0x2160, 0x216f, 16 }, /* Roman numerals */
  { 0x24b6, 0x24cf, 26 }, /* letters in circles */
};

gunichar
kvsql_letter_to_upper (gunichar letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (runs) && letter >= COMBINING_IOTA; i++)
    if (letter >= runs[i].first + runs[i].distance && letter <= runs[i].last + runs[i].distance)
      return letter - runs[i].distance;
  return letter == COMBINING_IOTA ? CAPITAL_IOTA : g_unichar_toupper (letter);
}

gunichar
kvsql_letter_to_lower (gunichar letter)
{
  for (guint i = 0; i < G_N_ELEMENTS (runs) && letter >= COMBINING_IOTA; i++)
    if (letter >= runs[i].first && letter <= runs[i].last)
      return letter + runs[i].distance;
  return g_unichar_tolower (letter);
}

gboolean
kvsql_letter_is_in_word (gunichar character)
{
  switch (g_unichar_type (character))
    {
    case G_UNICODE_UPPERCASE_LETTER:
    case G_UNICODE_LOWERCASE_LETTER:
    case G_UNICODE_TITLECASE_LETTER:
    case G_UNICODE_MODIFIER_LETTER:
    case G_UNICODE_OTHER_LETTER:
    case G_UNICODE_DECIMAL_NUMBER:
    case G_UNICODE_LETTER_NUMBER:
      return TRUE;
    default:
      return kvsql_letter_to_upper (character) != character
             || kvsql_letter_to_lower (character) != character;
    }
}
