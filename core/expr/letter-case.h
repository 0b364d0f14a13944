/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * letter-case.h: upper and lower case of single characters, and which characters make words.
 *
 * Unicode's simple mapping of one character to one: "ß" does not change. PostgreSQL's upper() and
 * lower() do the same with a locale of libc whose encoding is UTF-8.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

gunichar kvsql_letter_to_upper (gunichar letter);
gunichar kvsql_letter_to_lower (gunichar letter);
/* Whether @character is a letter or a digit, so that it belongs to a word. Each character that has
 * two cases does. Of combining marks, only that one does. */
gboolean kvsql_letter_is_in_word (gunichar character);

G_END_DECLS
