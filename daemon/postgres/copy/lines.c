/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * lines.c: see lines.h.
 */
#include "config.h"

#include "daemon/postgres/copy/lines.h"

#include "core/base/error.h"
#include "core/sql/ast-copy.h"

#define BAD_FORMAT "22P04"

void
kvsqld_pg_lines_init (KvsqldPgLines *self, const KvsqlCopy *copy)
{
  *self = (KvsqldPgLines){ .is_csv = copy->format == KVSQL_COPY_CSV,
                           .quote = (guint8)copy->quote,
                           .escape = copy->escape != copy->quote ? (guint8)copy->escape : 0 };
  self->is_special['\n'] = self->is_special['\r'] = self->is_special['\\'] = TRUE;
  if (self->is_csv)
    self->is_special[self->quote] = TRUE;
  if (self->escape != 0)
    self->is_special[self->escape] = TRUE;
}

static KvsqldPgLineState
fail (GError **error, const gchar *text, const gchar *hint)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE, "%s", text);
  kvsql_error_sqlstate (error, BAD_FORMAT);
  if (hint != NULL)
    kvsql_error_hint (error, "%s", hint);
  return KVSQLD_PG_LINE_BAD;
}

static KvsqldPgLineState
fail_return (const KvsqldPgLines *self, GError **error)
{
  return self->is_csv ? fail (error, "unquoted carriage return found in data",
                              "Use quoted CSV field to represent carriage return.")
                      : fail (error, "literal carriage return found in data",
                              "Use \"\\r\" to represent carriage return.");
}

static KvsqldPgLineState
fail_newline (const KvsqldPgLines *self, GError **error)
{
  return self->is_csv
             ? fail (error, "unquoted newline found in data",
                     "Use quoted CSV field to represent newline.")
             : fail (error, "literal newline found in data", "Use \"\\n\" to represent newline.");
}

/* The size of the end of a line at @at; 0: there is none. -1: more bytes are needed. */
static gint
get_end_size (KvsqldPgLines *self, KvsqlSlice bytes, gsize at, gboolean is_last)
{
  gboolean is_pair = at + 1 < bytes.size && bytes.data[at + 1] == '\n';

  if (bytes.data[at] == '\n')
    {
      if (self->end == KVSQLD_PG_LINE_END_UNKNOWN)
        self->end = KVSQLD_PG_LINE_END_NL;
      return self->end == KVSQLD_PG_LINE_END_NL ? 1 : 0;
    }
  if (self->end == KVSQLD_PG_LINE_END_CR)
    return 1;
  if (self->end == KVSQLD_PG_LINE_END_NL)
    return 0;
  if (at + 1 == bytes.size && !is_last)
    return -1;
  if (self->end == KVSQLD_PG_LINE_END_UNKNOWN)
    self->end = is_pair ? KVSQLD_PG_LINE_END_CRNL : KVSQLD_PG_LINE_END_CR;
  if (self->end == KVSQLD_PG_LINE_END_CR)
    return 1;
  return is_pair ? 2 : 0;
}

/* \. ends the data, alone on its line. @at: of the backslash. Sets *out_size to the bytes of the
 * marker with the end of its line; 0: it is none (CSV only). */
static KvsqldPgLineState
read_marker (KvsqldPgLines *self, KvsqlSlice bytes, gsize at, gboolean is_last, gsize *out_size,
             GError **error)
{
  gsize after = at + 2;
  guint8 c;
  gint end;

  *out_size = 0;
  if (after == bytes.size)
    {
      *out_size = is_last ? 2 : 0;
      return is_last ? KVSQLD_PG_LINE_NONE : KVSQLD_PG_LINE_PART;
    }
  c = bytes.data[after];
  if (c != '\n' && c != '\r')
    return self->is_csv ? KVSQLD_PG_LINE_NONE : fail (error, "end-of-copy marker corrupt", NULL);
  end = get_end_size (self, bytes, after, is_last);
  if (end < 0)
    return KVSQLD_PG_LINE_PART;
  if (end == 0)
    return self->is_csv
               ? KVSQLD_PG_LINE_NONE
               : fail (error, "end-of-copy marker does not match previous newline style", NULL);
  *out_size = 2 + (gsize)end;
  return KVSQLD_PG_LINE_NONE;
}

static void
note_quotes (KvsqldPgLines *self, guint8 c)
{
  if (self->is_quoted && self->escape != 0 && c == self->escape)
    self->after_escape = !self->after_escape;
  if (c == self->quote && !self->after_escape)
    self->is_quoted = !self->is_quoted;
  if (c != self->escape)
    self->after_escape = FALSE;
  if (self->is_quoted && c == (self->end == KVSQLD_PG_LINE_END_NL ? '\n' : '\r'))
    self->number++;
}

static void
begin_line (KvsqldPgLines *self)
{
  if (self->is_inside)
    return;
  self->is_inside = TRUE;
  self->is_quoted = self->after_escape = FALSE;
  self->number++;
}

static KvsqldPgLineState
end_line (KvsqldPgLines *self, KvsqlSlice bytes, gsize size, gsize used, gsize *out_used,
          KvsqlSlice *out_line)
{
  self->is_inside = FALSE;
  self->at = 0;
  *out_used = used;
  *out_line = kvsql_slice (bytes.data, size);
  return KVSQLD_PG_LINE_WHOLE;
}

static KvsqldPgLineState
end_data (KvsqldPgLines *self, KvsqlSlice bytes, gsize size, gsize used, gsize *out_used,
          KvsqlSlice *out_line)
{
  self->is_done = TRUE;
  if (size > 0)
    return end_line (self, bytes, size, used, out_used, out_line);
  *out_used = used;
  return KVSQLD_PG_LINE_NONE;
}

KvsqldPgLineState
kvsqld_pg_lines_next (KvsqldPgLines *self, KvsqlSlice bytes, gboolean is_last, gsize *out_used,
                      KvsqlSlice *out_line, GError **error)
{
  gsize at = self->at;

  *out_used = 0;
  if (self->is_done)
    {
      *out_used = bytes.size;
      return KVSQLD_PG_LINE_NONE;
    }
  if (bytes.size > 0)
    begin_line (self);
  for (; at < bytes.size; at++)
    {
      guint8 c = bytes.data[at];

      if (!self->is_special[c])
        {
          self->after_escape = FALSE;
          continue;
        }
      self->at = at;
      if (c == '\\' && (!self->is_csv || at == 0))
        {
          gsize marker;
          KvsqldPgLineState state;

          if (at + 1 == bytes.size && !is_last)
            return KVSQLD_PG_LINE_PART;
          if (at + 1 < bytes.size && bytes.data[at + 1] == '.')
            {
              state = read_marker (self, bytes, at, is_last, &marker, error);
              if (state != KVSQLD_PG_LINE_NONE)
                return state;
              if (marker > 0)
                return end_data (self, bytes, at, at + marker, out_used, out_line);
            }
          if (!self->is_csv)
            {
              at++; /* an escaped byte does not end a line */
              continue;
            }
        }
      if (self->is_csv)
        note_quotes (self, c);
      if ((c == '\n' || c == '\r') && !self->is_quoted)
        {
          gint end = get_end_size (self, bytes, at, is_last);

          if (end < 0)
            return KVSQLD_PG_LINE_PART;
          if (end == 0)
            return c == '\n' ? fail_newline (self, error) : fail_return (self, error);
          return end_line (self, bytes, at, at + (gsize)end, out_used, out_line);
        }
    }
  self->at = at;
  if (!is_last)
    return KVSQLD_PG_LINE_PART;
  return end_data (self, bytes, MIN (at, bytes.size), bytes.size, out_used, out_line);
}
