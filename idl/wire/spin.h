/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * spin.h: waiting awake for what usually comes soon.
 *
 * Who sleeps has to be woken: an interrupt to a processor that idles takes longer than most
 * requests, many times as long under a hypervisor, and costs more processor time than looking for a
 * while. Whether it is worth that is learnt from wait to wait, for each connection. One thread in
 * two processors may be awake so; with a single processor none, nor where another thread wants it.
 *
 * Threads: one at a time for each KvsqlSpin. Times are microseconds.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_SPIN_DEFAULT_US 50
#define KVSQL_SPIN_MAX_US 1000

/* Begins zeroed ({0}), which is never awake. */
typedef struct
{
  guint limit_us;
  gint hope;       /* how often it was soon, of late */
  gint64 began_us; /* the wait */
  gint64 now_us;   /* or the end of the wait, if the processor is wanted */
} KvsqlSpin;

/* A wait begins. FALSE: sleep; TRUE: look, as long as _kvsql_spin_goes_on() says so, and then call
 * _kvsql_spin_rest(). */
gboolean _kvsql_spin_begin (KvsqlSpin *self);
gboolean _kvsql_spin_goes_on (KvsqlSpin *self);
/* @has_come: what was waited for; else sleep. */
void _kvsql_spin_rest (KvsqlSpin *self, gboolean has_come);
/* The wait is over, by a sleep. */
void _kvsql_spin_wake (KvsqlSpin *self);

G_END_DECLS
