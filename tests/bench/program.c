/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "tests/bench/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MOST_THREADS 64

typedef struct
{
  const BenchProgram *program;
  gpointer connections[MOST_THREADS];
  guint n_connections;
} Server;

/* A command that runs. */
typedef struct
{
  const BenchCommand *command;
  const gchar *table;
  guint64 first;
  guint n_calls;
  gint64 *times;
  gint next;   /* atomic: the number of the next call */
  gint failed; /* atomic */
} Run;

typedef struct
{
  const BenchProgram *program;
  Run *run;
  gpointer connection;
  gint64 rows;
} Share;

gint64
bench_fail (const gchar *message)
{
  fprintf (stderr, "%s: %s\n", g_get_prgname () != NULL ? g_get_prgname () : "bench", message);
  return -1;
}

static gint64
read_clock (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;

  return (x > y) - (x < y);
}

static void
count_rows (Share *self, gint64 rows)
{
  if (rows < 0)
    g_atomic_int_set (&self->run->failed, 1);
  self->rows += rows;
}

static gpointer
take_calls (gpointer data)
{
  Share *self = data;
  Run *run = self->run;
  guint call;

  while ((call = (guint)g_atomic_int_add (&run->next, 1)) < run->n_calls
         && !g_atomic_int_get (&run->failed))
    {
      gint64 start = read_clock (CLOCK_MONOTONIC);
      gint64 rows = run->command->run (self->connection, run->table, run->first + call);

      run->times[call] = read_clock (CLOCK_MONOTONIC) - start;
      count_rows (self, rows);
    }
  if (self->program->finish != NULL)
    count_rows (self, self->program->finish (self->connection));
  return NULL;
}

/* This thread runs the first share. Returns the number of rows. */
static gint64
share_calls (Server *self, Run *run, guint n_threads)
{
  Share shares[MOST_THREADS];
  GThread *threads[MOST_THREADS];
  gint64 rows = 0;

  for (guint i = 0; i < n_threads; i++)
    shares[i] = (Share){ self->program, run, self->connections[i], 0 };
  for (guint i = 1; i < n_threads; i++)
    threads[i] = g_thread_new ("bench", take_calls, &shares[i]);
  take_calls (&shares[0]);
  for (guint i = 1; i < n_threads; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < n_threads; i++)
    rows += shares[i].rows;
  return rows;
}

static void
print_answer (const Run *run, gint64 rows, gint64 wall, gint64 cpu)
{
  qsort (run->times, run->n_calls, sizeof *run->times, compare_times);
  printf ("{\"calls\": %u, \"rows\": %" G_GINT64_FORMAT ", \"wall\": %" G_GINT64_FORMAT
          ", \"cpu\": %" G_GINT64_FORMAT ", \"p50\": %" G_GINT64_FORMAT
          ", \"p99\": %" G_GINT64_FORMAT "}\n",
          run->n_calls, rows, wall, cpu, run->times[run->n_calls / 2],
          run->times[(guint64)run->n_calls * 99 / 100]);
  fflush (stdout);
}

static gboolean
ensure_connections (Server *self, guint n)
{
  while (self->n_connections < n)
    {
      gpointer connection = self->program->connect (self->program->data);
      if (connection == NULL)
        return FALSE;
      self->connections[self->n_connections++] = connection;
    }
  return TRUE;
}

static gboolean
run_command (Server *self, Run *run, guint n_threads)
{
  g_autofree gint64 *times = g_new0 (gint64, run->n_calls);
  gint64 wall, cpu, rows;

  if (!ensure_connections (self, n_threads))
    return FALSE;
  run->times = times;
  cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID);
  wall = read_clock (CLOCK_MONOTONIC);
  rows = share_calls (self, run, n_threads);
  wall = read_clock (CLOCK_MONOTONIC) - wall;
  cpu = read_clock (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  if (run->failed)
    return FALSE;
  print_answer (run, rows, wall, cpu);
  return TRUE;
}

static const BenchCommand *
find_command (const BenchProgram *program, const gchar *name)
{
  for (guint i = 0; i < program->n_commands; i++)
    if (strcmp (name, program->commands[i].name) == 0)
      return &program->commands[i];
  return NULL;
}

static int
serve_lines (Server *self)
{
  gchar name[64], table[64];
  guint64 first;
  guint n_calls, n_threads;

  while (scanf ("%63s %63s %" G_GUINT64_FORMAT " %u %u", name, table, &first, &n_calls, &n_threads)
         == 5)
    {
      Run run = { find_command (self->program, name), table, first, MAX (n_calls, 1), NULL, 0, 0 };

      if (run.command == NULL || n_threads < 1 || n_threads > MOST_THREADS)
        {
          bench_fail (run.command == NULL ? "no such command" : "too many threads");
          return 2;
        }
      if (!run_command (self, &run, n_threads))
        return 1;
    }
  return 0;
}

int
bench_serve (const BenchProgram *program)
{
  Server self = { .program = program };
  int status = serve_lines (&self);

  for (guint i = 0; i < self.n_connections; i++)
    program->disconnect (self.connections[i]);
  return status;
}
