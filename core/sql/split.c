/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * split.c: splits a script into statements.
 */
#include "config.h"

#include "core/sql/escaped-text.h"
#include "core/sql/lexer.h"
#include "core/sql/parser.h"

/* Whether the quote at @at is that of E'…', and the E is no end of a word. */
static gboolean
is_escaped (KvsqlSlice text, gsize at)
{
  return at > 0 && (text.data[at - 1] | 0x20) == 'e'
         && (at == 1 || !(g_ascii_isalnum (text.data[at - 2]) || text.data[at - 2] == '_'));
}

/* From the first byte of a statement to the ';' that ends it, or to the end of the text. An
 * unclosed string or comment extends to the end, and is an error of the parser. */
static gsize
find_end (KvsqlSlice text, gsize at)
{
  while (at < text.size && text.data[at] != ';')
    {
      guint8 byte = text.data[at];
      gsize before = at;

      if (byte == '\'' || byte == '"' || byte == '`')
        {
          if (!(byte == '\'' && is_escaped (text, at)
                    ? kvsql_escaped_text_skip
                    : kvsql_lexer_skip_quoted) (text.data, text.size, &at))
            return text.size;
        }
      else if (!kvsql_lexer_skip_blanks (text.data, text.size, &at))
        return text.size;
      else if (at == before)
        at++;
    }
  return at;
}

static KvsqlSlice
without_trailing_blanks (const guint8 *start, gsize size)
{
  while (size > 0 && g_ascii_isspace (start[size - 1]))
    size--;
  return kvsql_slice (start, size);
}

gboolean
kvsql_sql_split (KvsqlSlice text, gsize *offset, KvsqlSlice *out_statement, gboolean *out_complete)
{
  gsize start = *offset, end;

  g_assert (start <= text.size);
  /* empty statements are skipped with the blanks */
  while (kvsql_lexer_skip_blanks (text.data, text.size, &start) && start < text.size
         && text.data[start] == ';')
    start++;
  if (start >= text.size)
    {
      *offset = text.size;
      return FALSE;
    }
  end = find_end (text, start);
  *out_complete = end < text.size;
  *out_statement = without_trailing_blanks (text.data + start, end - start);
  g_assert (end > start); /* a loop over the statements comes to its end */
  *offset = end + *out_complete;
  return TRUE;
}
