/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * program.h: the protocol of the programs that tests/bench/run drives: one line for each command
 * and each answer.
 *
 *   COMMAND TABLE FIRST CALLS THREADS
 *
 * runs an operation CALLS times, with the numbers from FIRST on, in THREADS threads that take the
 * next number when they are ready. Each thread has its own connection, which is opened before the
 * measurement and stays open for later commands. The answer is JSON: rows touched, nanoseconds of
 * wall time and of the processor, quantiles of the calls' times.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the number of rows that it read or wrote, or -1 after printing an error. */
typedef gint64 (*BenchOperation) (gpointer connection, const gchar *table, guint64 number);

typedef struct
{
  const gchar *name;
  BenchOperation run;
} BenchCommand;

typedef struct
{
  const BenchCommand *commands;
  guint n_commands;
  gpointer (*connect) (gpointer data); /* NULL after saying why */
  /* (nullable): waits for what the operations of a command have begun, before its clock stops; as
   * an operation returns */
  gint64 (*finish) (gpointer connection);
  void (*disconnect) (gpointer connection);
  gpointer data;
} BenchProgram;

/* Until the end of input. Returns main()'s status. */
int bench_serve (const BenchProgram *program);

/* To standard error. Returns -1. */
gint64 bench_fail (const gchar *message);

G_END_DECLS
