/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * interrupt.h: interrupts long computations of a statement.
 *
 * A loop whose length depends on the client's input calls kvsql_interrupt_tick() in each iteration,
 * and ends when that returns FALSE. Once in many ticks, and soon after an arena has grown by much,
 * the tick calls the check that the thread has entered. The check tests the deadline, KILL and the
 * memory limits. Its failure is final: every later tick returns FALSE, so that all loops of the
 * thread end one after the other. Functions without a GError need no other way to fail: they return
 * valid memory, which may be incomplete. Their caller with a GError calls kvsql_interrupt_check()
 * before it uses or returns their results.
 *
 * Threads: each thread has its own check. A thread that has entered none is never interrupted.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* FALSE with an error if the thread has to stop. */
typedef gboolean (*KvsqlInterruptCheck) (gconstpointer data, GError **error);

typedef struct _KvsqlInterrupt KvsqlInterrupt;
struct _KvsqlInterrupt
{
  KvsqlInterruptCheck check;
  gconstpointer data;
  GError *error; /* nullable: the error of the check */
  KvsqlInterrupt *outer;
};

/* Sets the check of this thread until kvsql_interrupt_leave(). The caller owns @self, which must
 * not move. Without a @check (nullable) nothing is interrupted: for work that must be complete. */
void kvsql_interrupt_enter (KvsqlInterrupt *self, KvsqlInterruptCheck check, gconstpointer data);
void kvsql_interrupt_leave (KvsqlInterrupt *self);

/* FALSE with a copy of the error, if the thread has to stop. Always calls the check. */
gboolean kvsql_interrupt_check (GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The next tick calls the check, as much memory was allocated. */
void kvsql_interrupt_check_soon (void);

/* ---- the tick */

/* The ticks between two calls of the check. An iteration takes about 100 ns to 10 us. */
#define KVSQL_INTERRUPT_TICKS 128

extern _Thread_local gint kvsql_interrupt_ticks_left;
gboolean kvsql_interrupt_ask (void);

/* For an iteration that costs as much as @n ticks. FALSE: end the loop. */
static inline gboolean
kvsql_interrupt_spend (gint n)
{
  kvsql_interrupt_ticks_left -= n;
  return kvsql_interrupt_ticks_left > 0 || kvsql_interrupt_ask ();
}

static inline gboolean
kvsql_interrupt_tick (void)
{
  return kvsql_interrupt_spend (1);
}

/* The tick of a loop over the bytes of a text, for the byte at @i. It costs 64 ticks once in 4096
 * bytes. */
static inline gboolean
kvsql_interrupt_tick_byte (gsize i)
{
  return (i & 4095) != 4095 || kvsql_interrupt_spend (64);
}

/* The tick of a loop that can fail. */
static inline gboolean
kvsql_interrupt_poll (GError **error)
{
  return kvsql_interrupt_tick () || kvsql_interrupt_check (error);
}

G_END_DECLS
