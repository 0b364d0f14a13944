/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * differential-teller.c: tells stories from seeds, and plays them again.
 */
#include "config.h"

#include "daemon/service-private.h"
#include "tests/daemon/differential-story.h"

#define MAX_FAILED 5
/* In some stories a request seems to cost less than nothing: plans that save rows by many requests,
 * as skip scans do, are then chosen whenever there is one. */
#define STORE_THAT_LIKES_REQUESTS (-10)

static Player *
player_open (const StoryTeller *teller, const Story *story)
{
  Player *self = g_malloc0 (teller->player_size);

  self->story = story;
  self->tuples = g_ptr_array_new ();
  self->random = g_rand_new_with_seed (1);
  service_fixture_open (&self->fixture, story->store);
  if (story->likes_requests)
    self->fixture.service->store->capabilities.request_cost = STORE_THAT_LIKES_REQUESTS;
  return self;
}

static void
player_close (Player *self)
{
  service_fixture_close (&self->fixture);
  g_ptr_array_unref (self->tuples);
  g_rand_free (self->random);
  g_free (self);
}

Problem
story_play (const Story *self, const StoryTeller *teller, guint *out_failed)
{
  Player *player = player_open (teller, self);
  Problem problem = NULL;

  story_define (self, player->fixture.service);
  for (guint i = 0; i < self->steps->len && problem == NULL; i++)
    {
      *out_failed = i;
      problem = teller->run_step (player, self->steps->pdata[i]);
    }
  player_close (player);
  return problem;
}

gboolean
story_tell (const StoryTeller *teller, guint32 seed, const gchar *store, guint64 *n_statements)
{
  Source source = { .random = g_rand_new_with_seed (seed), .arena = kvsql_arena_new () };
  Problem problem = NULL;
  Player *player;
  Story story;

  story_open (&story, &source, store);
  story.likes_requests = seed % 2 == 0;
  player = player_open (teller, &story);
  if (story_find_schemas (&story, player->fixture.service))
    for (guint i = 0; i < teller->n_steps && problem == NULL; i++)
      {
        g_ptr_array_add (story.steps, teller->make_step (&story, player->tuples));
        problem = teller->run_step (player, story.steps->pdata[i]);
      }
  *n_statements += player->n_statements;
  teller->finish (player, &story);
  player_close (player);
  if (problem != NULL)
    story_fail (&story, problem, seed, teller);
  story_close (&story);
  kvsql_arena_free (source.arena);
  g_rand_free (source.random);
  return problem == NULL;
}

guint64
story_tell_many (const StoryTeller *teller, guint64 n_statements)
{
  guint64 wanted = story_number_from_environment ("KVSQL_TEST_STATEMENTS", n_statements), n = 0;
  gboolean has_seed = g_getenv ("KVSQL_TEST_SEED") != NULL;
  guint32 seed = story_number_from_environment ("KVSQL_TEST_SEED", g_random_int ());
  const gchar *store = g_getenv ("KVSQL_TEST_STORE");
  guint n_failed = 0;

  g_test_message ("first seed %u", seed);
  for (guint i = 0; n < wanted && n_failed < MAX_FAILED; i++)
    {
      const gchar *usual = (seed + i) % 20 == 0 ? "rocksdb" : NULL;
      n_failed += !story_tell (teller, seed + i, store != NULL ? store : usual, &n);
      if (has_seed && n_failed > 0)
        break;
    }
  return n;
}
