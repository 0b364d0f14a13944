/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-turns.c: how many statements have a turn, in which order, and that none waits for ever.
 */
#include "config.h"

#include "core/base/error.h"
#include "daemon/session/turns.h"

#define DEADLINE_US (60 * G_TIME_SPAN_SECOND)
#define N_WAITING 8

/* A statement that is not short any more, in its thread. */
typedef struct
{
  KvsqldTurns *turns;
  KvsqlCall call;
  GString *order; /* the names of the statements that have got a turn */
  GMutex *mutex;  /* of @order */
  gchar name;
  gboolean computes; /* for some quanta */
  gboolean ok;
  GError *error;
} Statement;

static gboolean
look (KvsqldTurn *turn, const KvsqlCall *call, GError **error)
{
  return kvsqld_turn_check (turn, call, g_get_monotonic_time (), error);
}

/* As if it had begun a second ago. */
static void
begin (KvsqldTurn *turn, KvsqldTurns *turns)
{
  kvsqld_turn_begin (turn, turns, g_get_monotonic_time () - G_TIME_SPAN_SECOND);
}

static gpointer
execute (gpointer data)
{
  Statement *self = data;
  gint64 until_us;
  KvsqldTurn turn;

  begin (&turn, self->turns);
  self->ok = look (&turn, &self->call, &self->error);
  if (self->ok)
    {
      g_mutex_lock (self->mutex);
      g_string_append_c (self->order, self->name);
      g_mutex_unlock (self->mutex);
    }
  until_us = g_get_monotonic_time () + 200 * G_TIME_SPAN_MILLISECOND;
  while (self->computes && self->ok && g_get_monotonic_time () < until_us)
    self->ok = look (&turn, &self->call, &self->error);
  kvsqld_turn_end (&turn);
  return NULL;
}

static void
await_waiting (KvsqldTurns *turns, guint n)
{
  gint64 until_us = g_get_monotonic_time () + DEADLINE_US;

  while (kvsqld_turns_count_waiting (turns) != n)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until_us);
      g_usleep (100);
    }
}

/* The statement that has the only turn waits for something, and does not look: its turn ends. */
static void
test_blocked (void)
{
  KvsqldTurns *turns = kvsqld_turns_new (1);
  g_autoptr (GString) order = g_string_new (NULL);
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + DEADLINE_US };
  Statement statements[N_WAITING];
  GThread *threads[N_WAITING];
  KvsqldTurn blocked;
  GMutex mutex;

  g_mutex_init (&mutex);
  begin (&blocked, turns);
  g_assert_true (look (&blocked, &call, NULL));
  for (guint i = 0; i < N_WAITING; i++)
    {
      statements[i] = (Statement){
        .turns = turns, .call = call, .order = order, .mutex = &mutex, .name = (gchar)('a' + i)
      };
      threads[i] = g_thread_new ("statement", execute, &statements[i]);
    }
  for (guint i = 0; i < N_WAITING; i++)
    {
      g_thread_join (threads[i]);
      g_assert_true (statements[i].ok);
    }
  g_assert_cmpuint (order->len, ==, N_WAITING);
  g_assert_cmpuint (kvsqld_turns_count_waiting (turns), ==, 0);
  kvsqld_turn_end (&blocked);
  g_mutex_clear (&mutex);
  kvsqld_turns_free (turns);
}

/* In the order in which they have asked; and a statement that ends passes its turn on. */
static void
test_order (void)
{
  KvsqldTurns *turns = kvsqld_turns_new (1);
  g_autoptr (GString) order = g_string_new (NULL);
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + DEADLINE_US };
  Statement statements[N_WAITING];
  GThread *threads[N_WAITING];
  gint64 began_us = g_get_monotonic_time ();
  KvsqldTurn first;
  GMutex mutex;

  g_mutex_init (&mutex);
  begin (&first, turns);
  g_assert_true (look (&first, &call, NULL));
  for (guint i = 0; i < N_WAITING; i++)
    {
      statements[i] = (Statement){
        .turns = turns, .call = call, .order = order, .mutex = &mutex, .name = (gchar)('a' + i)
      };
      threads[i] = g_thread_new ("statement", execute, &statements[i]);
      if (g_get_monotonic_time () - began_us < 50 * G_TIME_SPAN_MILLISECOND)
        await_waiting (turns, i + 1);
    }
  kvsqld_turn_end (&first);
  for (guint i = 0; i < N_WAITING; i++)
    g_thread_join (threads[i]);
  /* on a machine that is so busy that the first turn has ended by itself, the order is open */
  if (g_get_monotonic_time () - began_us < 80 * G_TIME_SPAN_MILLISECOND)
    g_assert_cmpstr (order->str, ==, "abcdefgh");
  g_assert_cmpuint (order->len, ==, N_WAITING);
  g_mutex_clear (&mutex);
  kvsqld_turns_free (turns);
}

/* Statements that compute for long give others their turns. */
static void
test_quantum (void)
{
  KvsqldTurns *turns = kvsqld_turns_new (2);
  g_autoptr (GString) order = g_string_new (NULL);
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + DEADLINE_US };
  Statement statements[N_WAITING];
  GThread *threads[N_WAITING];
  GMutex mutex;

  g_mutex_init (&mutex);
  for (guint i = 0; i < N_WAITING; i++)
    {
      statements[i] = (Statement){ .turns = turns,
                                   .call = call,
                                   .order = order,
                                   .mutex = &mutex,
                                   .name = (gchar)('a' + i),
                                   .computes = TRUE };
      threads[i] = g_thread_new ("statement", execute, &statements[i]);
    }
  for (guint i = 0; i < N_WAITING; i++)
    {
      g_thread_join (threads[i]);
      g_assert_true (statements[i].ok);
    }
  g_assert_cmpuint (order->len, ==, N_WAITING);
  g_mutex_clear (&mutex);
  kvsqld_turns_free (turns);
}

/* Deadline and KILL end the wait. */
static void
test_cancelled (void)
{
  KvsqldTurns *turns = kvsqld_turns_new (1);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const KvsqlCall long_call = { .deadline_us = g_get_monotonic_time () + DEADLINE_US };
  const KvsqlCall late = { .deadline_us = g_get_monotonic_time () - 1 };
  const KvsqlCall cancelled = { .cancellable = cancellable };
  KvsqldTurn running, waiting, other;

  begin (&running, turns);
  g_assert_true (look (&running, &long_call, NULL));
  begin (&waiting, turns);
  g_assert_false (look (&waiting, &late, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_clear_error (&error);
  kvsqld_turn_end (&waiting);
  g_cancellable_cancel (cancellable);
  begin (&other, turns);
  g_assert_false (look (&other, &cancelled, &error));
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_DEADLINE);
  g_assert_cmpuint (kvsqld_turns_count_waiting (turns), ==, 0);
  kvsqld_turn_end (&other);
  kvsqld_turn_end (&running);
  kvsqld_turns_free (turns);
}

/* A short statement asks for no turn. */
static void
test_short (void)
{
  KvsqldTurns *turns = kvsqld_turns_new (1);
  const KvsqlCall late = { .deadline_us = g_get_monotonic_time () - 1 };
  gint64 now_us = g_get_monotonic_time ();
  KvsqldTurn turn;

  kvsqld_turn_begin (&turn, turns, now_us);
  g_assert_true (kvsqld_turn_check (&turn, &late, now_us + G_TIME_SPAN_MILLISECOND, NULL));
  g_assert_false (turn.has_asked);
  kvsqld_turn_end (&turn);
  kvsqld_turns_free (turns);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/turns/short", test_short);
  g_test_add_func ("/session/turns/order", test_order);
  g_test_add_func ("/session/turns/blocked", test_blocked);
  g_test_add_func ("/session/turns/quantum", test_quantum);
  g_test_add_func ("/session/turns/cancelled", test_cancelled);
  return g_test_run ();
}
