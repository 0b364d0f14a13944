/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spin.h: adaptive spinning: poll for a short time before a wait blocks.
 *
 * A blocked thread has to be woken. The interrupt to an idle processor takes longer than most
 * requests (many times longer under a hypervisor), and costs more processor time than a short
 * spin. Each connection learns from its own waits whether spinning pays off. At most one thread in
 * two processors spins at the same time: with one processor, none. A thread also stops to spin when
 * another thread wants its processor.
 *
 * Threads: one at a time for each KvsqlSpin. Times are microseconds.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_SPIN_DEFAULT_US 50
#define KVSQL_SPIN_MAX_US 1000

/* Start with zeroed memory ({0}): then no wait spins. */
typedef struct
{
  guint limit_us;  /* the longest spin; 0: never spin */
  gint credit;     /* earned by recent short waits; a wait spins if there is enough of it */
  gint64 began_us; /* start of the wait */
  gint64 now_us; /* last reading of the clock, or the end of the spin if the processor is wanted */
} KvsqlSpin;

/* Starts a wait. FALSE: block. TRUE: poll as long as _kvsql_spin_goes_on() returns TRUE, then call
 * _kvsql_spin_end(). */
gboolean _kvsql_spin_begin (KvsqlSpin *self);
gboolean _kvsql_spin_goes_on (KvsqlSpin *self);
/* Ends a spin. @has_arrived: the spin has found what the caller waits for; else the caller blocks.
 */
void _kvsql_spin_end (KvsqlSpin *self, gboolean has_arrived);
/* Ends a wait that has blocked. */
void _kvsql_spin_end_block (KvsqlSpin *self);

G_END_DECLS
