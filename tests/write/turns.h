/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * turns.h: threads that run one at a time, in an order that a random number decides.
 *
 * So a test tries orders of the steps of several writers that would be rare otherwise, and the same
 * number gives the same order again.
 */
#pragma once

#include <glib.h>

typedef struct _Turns Turns;
typedef void (*TurnsFunc) (gpointer data);

Turns *turns_new (GRand *random); /* @random is borrowed */
void turns_free (Turns *self);
/* Before turns_run(). */
void turns_add (Turns *self, TurnsFunc func, gpointer data);
/* Runs all functions to their end. */
void turns_run (Turns *self);
/* Called by one of the functions: lets another one go on, or the same again. Outside of turns_run()
 * it does nothing. */
void turns_wait (Turns *self);
/* How many turns there were. */
guint turns_get_time (const Turns *self);
