/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * number-sequence.c: see the header.
 */
#include "config.h"

#include "core/catalog/number-sequence.h"

#include "core/base/slice.h"

#include <string.h>

/* Never 0. */
static guint64
random_id (void)
{
  return (guint64)g_random_int () << 32 | g_random_int () | 1;
}

KvsqlNumberSequence *
kvsql_number_sequence_new (const gchar *name, gint64 increment)
{
  KvsqlNumberSequence *self = g_new0 (KvsqlNumberSequence, 1);

  self->name = g_strdup (name);
  self->increment = increment;
  self->minimum = increment > 0 ? 1 : G_MININT64;
  self->maximum = increment > 0 ? G_MAXINT64 : -1;
  self->start = self->next = increment > 0 ? self->minimum : self->maximum;
  self->id = random_id ();
  return self;
}

KvsqlNumberSequence *
kvsql_number_sequence_copy (const KvsqlNumberSequence *self)
{
  KvsqlNumberSequence *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->acl = self->acl != NULL ? kvsql_acl_ref (self->acl) : NULL;
  return copy;
}

void
kvsql_number_sequence_free (gpointer data)
{
  KvsqlNumberSequence *self = data;

  if (self == NULL)
    return;
  kvsql_acl_unref (self->acl);
  g_free (self->name);
  g_free (self);
}

/* ---- text */

gchar *
kvsql_number_sequence_print (const KvsqlNumberSequence *self)
{
  return g_strdup_printf (
      "start=%" G_GINT64_FORMAT " increment=%" G_GINT64_FORMAT " minimum=%" G_GINT64_FORMAT
      " maximum=%" G_GINT64_FORMAT " cycle=%d owned=%d id=%" G_GUINT64_FORMAT
      " next=%" G_GINT64_FORMAT " exhausted=%d%s",
      self->start, self->increment, self->minimum, self->maximum, self->is_cyclic, self->is_owned,
      self->id, self->next, self->is_exhausted, self->is_identity ? " identity=1" : "");
}

static gboolean
read_signed (gchar **words, const gchar *name, gint64 *out)
{
  gsize n = strlen (name);

  for (guint i = 0; words[i] != NULL; i++)
    if (strncmp (words[i], name, n) == 0 && words[i][n] == '=')
      return g_ascii_string_to_signed (words[i] + n + 1, 10, G_MININT64, G_MAXINT64, out, NULL);
  return FALSE;
}

static gboolean
read_id (gchar **words, guint64 *out)
{
  for (guint i = 0; words[i] != NULL; i++)
    if (g_str_has_prefix (words[i], "id="))
      return g_ascii_string_to_unsigned (words[i] + 3, 10, 1, G_MAXUINT64, out, NULL);
  return FALSE;
}

KvsqlNumberSequence *
kvsql_number_sequence_parse (const gchar *name, const gchar *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 0);
  KvsqlNumberSequence *self = g_new0 (KvsqlNumberSequence, 1);
  gint64 is_cyclic, is_owned, is_exhausted, is_identity = 0;

  self->name = g_strdup (name);
  if (read_signed (words, "start", &self->start)
      && read_signed (words, "increment", &self->increment)
      && read_signed (words, "minimum", &self->minimum)
      && read_signed (words, "maximum", &self->maximum) && read_signed (words, "cycle", &is_cyclic)
      && read_signed (words, "owned", &is_owned) && read_id (words, &self->id)
      && read_signed (words, "next", &self->next) && read_signed (words, "exhausted", &is_exhausted)
      && self->increment != 0 && self->minimum <= self->next && self->next <= self->maximum)
    {
      self->is_cyclic = is_cyclic != 0;
      self->is_owned = is_owned != 0;
      self->is_exhausted = is_exhausted != 0;
      /* earlier builds did not write it */
      self->is_identity = read_signed (words, "identity", &is_identity) && is_identity != 0;
      return self;
    }
  kvsql_number_sequence_free (self);
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "sequence \"%s\" is stored as \"%s\", which is not understood", name, text);
  return NULL;
}

gchar *
kvsql_number_sequence_to_sql (const KvsqlNumberSequence *self)
{
  g_autofree gchar *name = kvsql_number_sequence_to_argument (self->name);

  return g_strdup_printf ("CREATE SEQUENCE %s INCREMENT BY %" G_GINT64_FORMAT
                          " MINVALUE %" G_GINT64_FORMAT " MAXVALUE %" G_GINT64_FORMAT
                          " START WITH %" G_GINT64_FORMAT "%s",
                          name, self->increment, self->minimum, self->maximum, self->start,
                          self->is_cyclic ? " CYCLE" : "");
}

/* ---- numbers */

static gboolean
fail_exhausted (const KvsqlNumberSequence *self, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                   "nextval: reached %s value of sequence \"%s\" (%" G_GINT64_FORMAT ")",
                   self->increment > 0 ? "maximum" : "minimum", self->name,
                   self->increment > 0 ? self->maximum : self->minimum);
  return kvsql_error_sqlstate (error, "2200H");
}

/* How many steps there are from @next to the bound. */
static guint64
count_steps (const KvsqlNumberSequence *self)
{
  guint64 distance = self->increment > 0 ? (guint64)self->maximum - (guint64)self->next
                                         : (guint64)self->next - (guint64)self->minimum;
  guint64 step
      = self->increment > 0 ? (guint64)self->increment : (guint64)0 - (guint64)self->increment;

  return distance / step;
}

gboolean
kvsql_number_sequence_take (KvsqlNumberSequence *self, guint64 n_wanted, gint64 *out_first,
                            guint64 *out_n, GError **error)
{
  guint64 n_steps = count_steps (self);

  if (self->is_exhausted)
    return fail_exhausted (self, error);
  *out_first = self->next;
  if (n_wanted <= n_steps)
    {
      *out_n = n_wanted;
      self->next = (gint64)((guint64)self->next + n_wanted * (guint64)self->increment);
      return TRUE;
    }
  *out_n = n_steps + 1;
  if (self->is_cyclic)
    self->next = self->increment > 0 ? self->minimum : self->maximum;
  else
    self->is_exhausted = TRUE;
  return TRUE;
}

/* The last number up to the bound, counted from @next. */
static gint64
get_bound (const KvsqlNumberSequence *self)
{
  return (gint64)((guint64)self->next + count_steps (self) * (guint64)self->increment);
}

gint64
kvsql_number_sequence_get_last (const KvsqlNumberSequence *self, gboolean *out_is_called)
{
  gint64 first = self->increment > 0 ? self->minimum : self->maximum;

  *out_is_called = self->is_exhausted || self->next != self->start;
  if (self->is_exhausted) /* next is the first number of the last block */
    return get_bound (self);
  if (self->next == first)
    *out_is_called = *out_is_called && self->is_cyclic;
  if (!*out_is_called)
    return self->next;
  return self->next == first ? get_bound (self)
                             : (gint64)((guint64)self->next - (guint64)self->increment);
}

gboolean
kvsql_number_sequence_set (KvsqlNumberSequence *self, gint64 value, gboolean is_called,
                           GError **error)
{
  gint64 first;
  guint64 n;

  if (value < self->minimum || value > self->maximum)
    {
      kvsql_error_set (error, KVSQL_ERROR_VALUE, KVSQL_SPAN_NONE,
                       "setval: value %" G_GINT64_FORMAT
                       " is out of bounds for sequence \"%s\" (%" G_GINT64_FORMAT
                       "..%" G_GINT64_FORMAT ")",
                       value, self->name, self->minimum, self->maximum);
      return kvsql_error_sqlstate (error, "22003");
    }
  self->next = value;
  self->is_exhausted = FALSE;
  self->id = random_id ();
  return !is_called || kvsql_number_sequence_take (self, 1, &first, &n, error);
}

/* ---- changes */

void
kvsql_number_sequence_release (KvsqlNumberSequence *self)
{
  self->id = random_id ();
  if (self->is_exhausted)
    self->next = get_bound (self);
}

gboolean
kvsql_number_sequence_go_on (KvsqlNumberSequence *self)
{
  gint64 next;

  if (!self->is_exhausted)
    return TRUE;
  if (__builtin_add_overflow (self->next, self->increment, &next) || next < self->minimum
      || next > self->maximum)
    return FALSE;
  self->next = next;
  self->is_exhausted = FALSE;
  return TRUE;
}

/* ---- names */

static const gchar *
skip_public (const gchar *text)
{
  static const gchar *const prefixes[] = { "public.", "\"public\"." };

  for (guint i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_ascii_strncasecmp (text, prefixes[i], strlen (prefixes[i])) == 0)
      return text + strlen (prefixes[i]);
  return text;
}

gchar *
kvsql_number_sequence_fold_argument (const gchar *text)
{
  gsize size;

  text = skip_public (text);
  size = strlen (text);
  if (size >= 2 && text[0] == '"' && text[size - 1] == '"')
    return g_strndup (text + 1, size - 2);
  return g_ascii_strdown (text, -1);
}

gchar *
kvsql_number_sequence_to_argument (const gchar *name)
{
  gboolean is_plain = !g_ascii_isdigit (name[0]);

  for (const gchar *at = name; *at != '\0'; at++)
    is_plain = is_plain && (g_ascii_islower (*at) || g_ascii_isdigit (*at) || *at == '_');
  return is_plain ? g_strdup (name) : g_strdup_printf ("\"%s\"", name);
}
