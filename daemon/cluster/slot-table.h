/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * slot-table.h: assigns timestamps to daemons.
 *
 * There are N slots. A daemon holds one, and uses only timestamps T with T mod N = slot, so no two
 * daemons ever use the same timestamp. (Deletes are at T - 1. They need no slot of their own: a
 * delete at T - 1 hides the puts up to T - 1 and none at T. So of two writes with different T the
 * later one wins in every cell, even if T - 1 is the other's T.)
 *
 * N is a power of two. When N is doubled, the timestamps of slot s become those of slots s and s +
 * N, and the holder of s keeps the first of them. Each holder's entry has the number of slots that
 * the holder goes by. The second slot is assigned only after the holder of the first one goes by
 * the new number. No other daemon has to be waited for.
 *
 * Threads: values without locks.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A daemon that is alone has every second timestamp. The other slot is for its successor. */
#define KVSQLD_MIN_SLOTS 2
#define KVSQLD_MAX_SLOTS 1024

typedef struct
{
  guint slot;
  guint n_slots;   /* that it goes by: a power of two, never more than the table has had */
  gchar *id;       /* random, unique to this holder */
  gint64 lease_s;  /* the holder uses the slot for this time after the end of its session */
  gint64 unseen_s; /* for this time other daemons have seen it without a session */
  gchar *process;  /* process-id.h */
  gchar *peer;     /* its name in the registry's list of daemons, while it has a session */
} KvsqldSlotHolder;

typedef struct
{
  guint n_slots;      /* for new holders */
  gint64 past_ms;     /* new holders use only timestamps after this */
  GPtrArray *holders; /* (element-type KvsqldSlotHolder) */
} KvsqldSlotTable;

/* The id of a holder as a number, for the log of writes (core/write/write-log.h). */
guint64 kvsqld_slot_holder_id_to_daemon_id (const gchar *id);

/* "" is a table without holders. NULL: damaged. */
KvsqldSlotTable *kvsqld_slot_table_parse (const gchar *text, GError **error);
gchar *kvsqld_slot_table_print (const KvsqldSlotTable *self);
void kvsqld_slot_table_free (KvsqldSlotTable *self); /* accepts NULL */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldSlotTable, kvsqld_slot_table_free)

/* (transfer none) (nullable) */
KvsqldSlotHolder *kvsqld_slot_table_find (const KvsqldSlotTable *self, const gchar *id);
/* (transfer none): zeroed, except the table's n_slots */
KvsqldSlotHolder *kvsqld_slot_table_add (KvsqldSlotTable *self);
void kvsqld_slot_table_remove (KvsqldSlotTable *self, KvsqldSlotHolder *holder);

/* A slot whose timestamps no holder uses. FALSE: there is none. */
gboolean kvsqld_slot_table_find_free (const KvsqldSlotTable *self, guint *out_slot);
/* Whether half as many slots would be enough, with one of them free. */
gboolean kvsqld_slot_table_can_shrink (const KvsqldSlotTable *self);

/* The first timestamp of @slot, at least @at_least. */
gint64 kvsqld_slot_next (guint slot, guint n_slots, gint64 at_least);

G_END_DECLS
