/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slot-table.c: the text of the table, and its free slots.
 */
#include "config.h"

#include "daemon/cluster/slot-table.h"

#include <string.h>

#include "core/base/error.h"

#define TITLE "kvsql-slots 1"

static void
holder_free (gpointer data)
{
  KvsqldSlotHolder *self = data;

  g_free (self->id);
  g_free (self->process);
  g_free (self->peer);
  g_free (self);
}

void
kvsqld_slot_table_free (KvsqldSlotTable *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->holders);
  g_free (self);
}

static KvsqldSlotTable *
table_new (void)
{
  KvsqldSlotTable *self = g_new0 (KvsqldSlotTable, 1);

  self->n_slots = KVSQLD_MIN_SLOTS;
  self->holders = g_ptr_array_new_with_free_func (holder_free);
  return self;
}

/* ---- the text */

static gboolean
read_number (const gchar *word, gint64 most, gint64 *out)
{
  return g_ascii_string_to_signed (word, 10, 0, most, out, NULL);
}

static gboolean
read_n_slots (const gchar *word, guint *out)
{
  gint64 n;

  if (!read_number (word, KVSQLD_MAX_SLOTS, &n) || n < KVSQLD_MIN_SLOTS || (n & (n - 1)) != 0)
    return FALSE;
  *out = (guint)n;
  return TRUE;
}

/* The words of a line whose words at even positions are those of @pattern. NULL: they are not. */
static gchar **
read_line (const gchar *line, const gchar *const *pattern, guint n_pattern)
{
  g_auto (GStrv) words = g_strsplit (line, " ", (gint)(2 * n_pattern + 1));

  if (g_strv_length (words) != 2 * n_pattern)
    return NULL;
  for (guint i = 0; i < n_pattern; i++)
    if (strcmp (words[2 * i], pattern[i]) != 0 || *words[2 * i + 1] == '\0')
      return NULL;
  return g_steal_pointer (&words);
}

static gboolean
parse_head (KvsqldSlotTable *self, const gchar *line)
{
  static const gchar *const pattern[] = { "slots", "past" };
  g_auto (GStrv) words = read_line (line, pattern, G_N_ELEMENTS (pattern));

  return words != NULL && read_n_slots (words[1], &self->n_slots)
         && read_number (words[3], G_MAXINT64, &self->past_ms);
}

static gboolean
parse_holder (KvsqldSlotTable *self, const gchar *line)
{
  static const gchar *const pattern[]
      = { "slot", "of", "id", "lease", "unseen", "process", "peer" };
  g_auto (GStrv) words = read_line (line, pattern, G_N_ELEMENTS (pattern));
  KvsqldSlotHolder *holder;
  gint64 slot;

  if (words == NULL || !read_number (words[1], KVSQLD_MAX_SLOTS - 1, &slot))
    return FALSE;
  holder = kvsqld_slot_table_add (self);
  holder->slot = (guint)slot;
  holder->id = g_strdup (words[5]);
  holder->process = g_strdup (words[11]);
  holder->peer = g_strdup (words[13]);
  return read_n_slots (words[3], &holder->n_slots) && holder->slot < holder->n_slots
         && read_number (words[7], G_MAXINT32, &holder->lease_s)
         && read_number (words[9], G_MAXINT32, &holder->unseen_s);
}

KvsqldSlotTable *
kvsqld_slot_table_parse (const gchar *text, GError **error)
{
  g_autoptr (KvsqldSlotTable) self = table_new ();
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean ok = TRUE;

  if (*text == '\0')
    return g_steal_pointer (&self);
  if (g_strv_length (lines) < 2 || strcmp (lines[0], TITLE) != 0 || !parse_head (self, lines[1]))
    ok = FALSE;
  for (guint i = 2; ok && lines[i] != NULL; i++)
    ok = *lines[i] == '\0' || parse_holder (self, lines[i]);
  if (ok)
    return g_steal_pointer (&self);
  kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                   "the entry \"slots\" of the registry is damaged");
  kvsql_error_hint (error, "Stop every kvsqld of this registry, remove the entry, and start them "
                           "again.");
  return NULL;
}

gchar *
kvsqld_slot_table_print (const KvsqldSlotTable *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%s\nslots %u past %" G_GINT64_FORMAT "\n", TITLE, self->n_slots,
                          self->past_ms);
  for (guint i = 0; i < self->holders->len; i++)
    {
      const KvsqldSlotHolder *holder = self->holders->pdata[i];

      g_string_append_printf (text,
                              "slot %u of %u id %s lease %" G_GINT64_FORMAT
                              " unseen %" G_GINT64_FORMAT " process %s peer %s\n",
                              holder->slot, holder->n_slots, holder->id, holder->lease_s,
                              holder->unseen_s, holder->process, holder->peer);
    }
  return g_string_free (text, FALSE);
}

/* ---- holders */

KvsqldSlotHolder *
kvsqld_slot_table_find (const KvsqldSlotTable *self, const gchar *id)
{
  for (guint i = 0; i < self->holders->len; i++)
    {
      KvsqldSlotHolder *holder = self->holders->pdata[i];

      if (strcmp (holder->id, id) == 0)
        return holder;
    }
  return NULL;
}

KvsqldSlotHolder *
kvsqld_slot_table_add (KvsqldSlotTable *self)
{
  KvsqldSlotHolder *holder = g_new0 (KvsqldSlotHolder, 1);

  holder->n_slots = self->n_slots;
  g_ptr_array_add (self->holders, holder);
  return holder;
}

void
kvsqld_slot_table_remove (KvsqldSlotTable *self, KvsqldSlotHolder *holder)
{
  g_ptr_array_remove (self->holders, holder);
}

/* Whether a timestamp of slot @slot of @n_slots may belong to the holder. Both numbers of slots are
 * powers of two, so the smaller one decides. */
static gboolean
overlaps (const KvsqldSlotHolder *holder, guint slot, guint n_slots)
{
  guint n = MIN (holder->n_slots, n_slots);

  return holder->slot % n == slot % n;
}

static gboolean
is_free (const KvsqldSlotTable *self, guint slot, guint n_slots)
{
  for (guint i = 0; i < self->holders->len; i++)
    if (overlaps (self->holders->pdata[i], slot, n_slots))
      return FALSE;
  return TRUE;
}

gboolean
kvsqld_slot_table_find_free (const KvsqldSlotTable *self, guint *out_slot)
{
  for (guint slot = 0; slot < self->n_slots; slot++)
    if (is_free (self, slot, self->n_slots))
      {
        *out_slot = slot;
        return TRUE;
      }
  return FALSE;
}

gboolean
kvsqld_slot_table_can_shrink (const KvsqldSlotTable *self)
{
  guint half = self->n_slots / 2, n_free = 0;

  if (half < KVSQLD_MIN_SLOTS)
    return FALSE;
  /* then each holder is alone in its slot, and none has to move */
  for (guint i = 0; i < self->holders->len; i++)
    if (((const KvsqldSlotHolder *)self->holders->pdata[i])->slot >= half)
      return FALSE;
  for (guint slot = 0; slot < half; slot++)
    n_free += is_free (self, slot, half) ? 1 : 0;
  return n_free > 0;
}

gint64
kvsqld_slot_next (guint slot, guint n_slots, gint64 at_least)
{
  gint64 n = n_slots;

  return at_least + (((gint64)slot - at_least) % n + n) % n;
}

guint64
kvsqld_slot_holder_id_to_daemon_id (const gchar *id)
{
  gchar digits[17];

  g_strlcpy (digits, id, sizeof digits);
  return g_ascii_strtoull (digits, NULL, 16);
}
