/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * admission.c: see admission.h.
 *
 * The held places are in a list in the order of their last use, so the least recently used one is
 * near the head. Places whose connection runs a statement are skipped.
 */
#include "config.h"

#include "daemon/connections/admission.h"

struct _KvsqldAdmission
{
  GQueue places;     /* KvsqldPlace, the least recently used one at the head */
  guint n_reserved;  /* number of reserved places in the list */
  GHashTable *peers; /* name -> number of the peer's places, without the reserved ones */
};

KvsqldAdmission *
kvsqld_admission_new (void)
{
  KvsqldAdmission *self = g_new0 (KvsqldAdmission, 1);

  g_queue_init (&self->places);
  self->peers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
kvsqld_admission_free (KvsqldAdmission *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->peers);
  g_free (self);
}

guint
kvsqld_admission_count (const KvsqldAdmission *self)
{
  return self->places.length;
}

static guint
count_peer (const KvsqldAdmission *self, const gchar *peer)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->peers, peer));
}

static void
change_peer (KvsqldAdmission *self, const gchar *peer, gint change)
{
  guint n = count_peer (self, peer) + (guint)change;

  if (n == 0)
    g_hash_table_remove (self->peers, peer);
  else
    g_hash_table_insert (self->peers, g_strdup (peer), GUINT_TO_POINTER (n));
}

static void
hold (KvsqldAdmission *self, KvsqldPlace *place, gboolean is_reserved, gint64 now_us)
{
  place->is_held = TRUE;
  place->is_reserved = is_reserved;
  place->since_us = now_us;
  place->link = (GList){ .data = place };
  g_queue_push_tail_link (&self->places, &place->link);
  if (is_reserved)
    self->n_reserved++;
  else
    change_peer (self, place->peer, 1);
}

void
kvsqld_admission_leave (KvsqldAdmission *self, KvsqldPlace *place)
{
  if (!place->is_held)
    return;
  place->is_held = FALSE;
  g_queue_unlink (&self->places, &place->link);
  if (place->is_reserved)
    self->n_reserved--;
  else
    change_peer (self, place->peer, -1);
}

void
kvsqld_admission_touch (KvsqldAdmission *self, KvsqldPlace *place, gint64 now_us)
{
  if (!place->is_held)
    return;
  place->since_us = now_us;
  g_queue_unlink (&self->places, &place->link);
  g_queue_push_tail_link (&self->places, &place->link);
}

/* Returns the least recently used place that may be taken away: unused since @before_us or longer.
 * @peer: (nullable): only a place of this peer. */
static KvsqldPlace *
find_unused (const KvsqldAdmission *self, const KvsqldAdmissionBounds *bounds, gboolean is_reserved,
             const gchar *peer, gint64 before_us)
{
  for (GList *link = self->places.head; link != NULL; link = link->next)
    {
      KvsqldPlace *place = link->data;

      if (place->since_us > before_us)
        return NULL;
      if (place->is_reserved == is_reserved && (peer == NULL || g_str_equal (place->peer, peer))
          && !bounds->is_running (place->owner))
        return place;
    }
  return NULL;
}

static guint
reserved_for (const KvsqldPlace *place, const KvsqldAdmissionBounds *bounds)
{
  if (!place->is_local)
    return 0;
  return place->is_operator ? bounds->reserved : bounds->reserved / 2;
}

const gchar *
kvsqld_admission_enter (KvsqldAdmission *self, KvsqldPlace *place,
                        const KvsqldAdmissionBounds *bounds, gint64 now_us,
                        KvsqldPlace **out_displaced)
{
  gboolean is_full = self->places.length - self->n_reserved >= bounds->max;
  gboolean is_full_of_peer = count_peer (self, place->peer) >= bounds->max_of_peer;
  gboolean takes_reserved = FALSE;

  *out_displaced = NULL;
  if (is_full || is_full_of_peer)
    {
      takes_reserved = self->n_reserved < reserved_for (place, bounds);
      if (!takes_reserved)
        *out_displaced = find_unused (self, bounds, FALSE, is_full_of_peer ? place->peer : NULL,
                                      now_us - bounds->idle_us);
      if (!takes_reserved && *out_displaced == NULL && place->is_local && place->is_operator)
        {
          *out_displaced = find_unused (self, bounds, TRUE, NULL, now_us);
          takes_reserved = *out_displaced != NULL;
        }
      if (!takes_reserved && *out_displaced == NULL)
        return is_full ? "max_connections" : "max_connections_per_peer";
    }
  if (*out_displaced != NULL)
    kvsqld_admission_leave (self, *out_displaced);
  hold (self, place, takes_reserved, now_us);
  return NULL;
}
