/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * turns.h: long statements take turns on the processors.
 *
 * Each statement has a thread. If hundreds of them compute, a short statement, SHOW STATUS of an
 * operator or the accept of a connection has a small share of the processors, and waits for
 * seconds. So no more statements than a few for each processor compute at the same time, once they
 * are long. The others wait in a queue.
 *
 * A statement that is not short asks for a turn. The turn is over when the statement has computed
 * for a quantum; then it asks for another one, after those that wait. Of two turns, one is for a
 * statement that has had none yet. A turn also ends after some time, if its statement waits for its
 * store, a client or a lock most of the time: so no other one is held up. Statements that change
 * tuples should take no turns, as others may wait for their locks.
 *
 * Threads: kvsqld_turn_*() of the thread that executes the statement.
 */
#pragma once

#include <time.h>

#include "core/store/call.h"

G_BEGIN_DECLS

typedef struct _KvsqldTurns KvsqldTurns;

/* @n_max: how many compute at the same time; 0: as many as suit this machine */
KvsqldTurns *kvsqld_turns_new (guint n_max);
void kvsqld_turns_free (KvsqldTurns *self); /* accepts NULL */
/* How many wait. */
guint kvsqld_turns_count_waiting (KvsqldTurns *self);

/* Of one statement. Must not move. */
typedef struct
{
  KvsqldTurns *turns;
  gint64 looked_us;    /* at the clock of the thread, or the begin of the statement */
  gboolean has_asked;  /* for a turn */
  clockid_t clock;     /* of the thread; set before it first asks */
  gint64 cpu_us;       /* lock; of the thread when its last turn began */
  gint64 began_us;     /* lock; of the turn */
  gint64 ends_us;      /* lock; 0: it has no turn */
  gboolean is_waiting; /* lock */
  GCond cond;
  GList link; /* lock; in the queue of those that wait, or of those that have a turn */
} KvsqldTurn;

void kvsqld_turn_begin (KvsqldTurn *self, KvsqldTurns *turns, gint64 now_us);
/**
 * kvsqld_turn_check:
 *
 * To be called often. Waits for another turn if the statement has computed for a quantum. Returns
 * %FALSE with the error of kvsql_call_check() if that fails meanwhile.
 */
gboolean kvsqld_turn_check (KvsqldTurn *self, const KvsqlCall *call, gint64 now_us,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_turn_end (KvsqldTurn *self);

G_END_DECLS
