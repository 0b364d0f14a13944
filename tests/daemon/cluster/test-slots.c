/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * test-slots.c: no timestamp is used twice, whatever happens to the daemons.
 *
 * A daemon is a KvsqldSlots here, and the table is one entry in memory. The time is the test's,
 * except for leases.
 */
#include "config.h"

#include "daemon/cluster/process-id.h"
#include "daemon/cluster/slot-table.h"
#include "daemon/cluster/slots.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_DAEMONS 24
#define N_STEPS 4000
#define STEPS_PER_MS 3
#define CROWD 9

/* The entry, with a compare-and-set like a registry's. Some answers get lost. */
typedef struct
{
  KvsqldRegistry base;
  KvsqldRegistryClass klass;
  gchar *text;
  gint64 version;
  gint one_lost_in; /* one of this many writes loses its answer; 0: none */
} Entry;

typedef struct
{
  KvsqldSlots *slots; /* NULL: not running */
  gchar *peer;        /* its session; NULL: it has none */
  guint number;
  gint64 last; /* last timestamp */
} Member;

typedef struct
{
  Entry entry;
  Member members[MAX_DAEMONS];
  guint n_started;
  GHashTable *given; /* used timestamps */
  gint64 now_ms;     /* the common time */
} World;

static gboolean
read_entry (KvsqldRegistry *registry, gchar **out_text, gint64 *out_version, const KvsqlCall *call,
            GError **error)
{
  Entry *self = (Entry *)registry;

  *out_text = g_strdup (self->text);
  *out_version = self->version;
  return TRUE;
}

static gboolean
write_entry (KvsqldRegistry *registry, gint64 version, const gchar *text, gboolean *out_is_written,
             const KvsqlCall *call, GError **error)
{
  Entry *self = (Entry *)registry;

  *out_is_written = version == self->version;
  if (!*out_is_written)
    return TRUE;
  g_free (self->text);
  self->text = g_strdup (text);
  self->version++;
  if (self->one_lost_in == 0 || g_test_rand_int_range (0, self->one_lost_in) > 0)
    return TRUE;
  *out_is_written = FALSE;
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "the answer got lost");
}

static void
world_init (World *self)
{
  *self = (World){ .entry = { .text = g_strdup ("") }, .now_ms = 1000000 };
  self->entry.klass.read_slots = read_entry;
  self->entry.klass.write_slots = write_entry;
  self->entry.base.klass = &self->entry.klass;
  self->given = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

static void
world_clear (World *self)
{
  for (guint i = 0; i < MAX_DAEMONS; i++)
    {
      kvsqld_slots_free (self->members[i].slots);
      g_free (self->members[i].peer);
    }
  g_hash_table_unref (self->given);
  g_free (self->entry.text);
}

static void
start (World *self, Member *member, gint64 lease_s)
{
  member->slots = kvsqld_slots_new (&self->entry.base, lease_s);
  member->number = self->n_started++;
  member->last = 0;
  member->peer = g_strdup_printf ("host-%u", member->number);
}

/* Ends without releasing its slot. */
static void
end (Member *member)
{
  g_clear_pointer (&member->slots, kvsqld_slots_free);
  g_clear_pointer (&member->peer, g_free);
}

static GPtrArray *
list (World *self, const Member *own)
{
  GPtrArray *daemons = g_ptr_array_new_with_free_func (kvsqld_peer_free);

  for (guint i = 0; i < MAX_DAEMONS; i++)
    if (self->members[i].peer != NULL)
      {
        KvsqldPeer *peer = g_new0 (KvsqldPeer, 1);
        peer->name = g_strdup (self->members[i].peer);
        peer->is_self = &self->members[i] == own;
        g_ptr_array_add (daemons, peer);
      }
  return daemons;
}

/* TRUE: it has a slot and nothing to do. */
static gboolean
turn (World *self, const Member *member)
{
  g_autoptr (GPtrArray) daemons = list (self, member);
  gboolean is_done;
  guint n_holders;

  return kvsqld_slots_step (member->slots, daemons, g_get_monotonic_time (), self->now_ms, NULL,
                            &n_holders, &is_done, NULL)
         && is_done;
}

static void
settle (World *self, const Member *member)
{
  for (guint i = 0; !turn (self, member); i++)
    g_assert_cmpuint (i, <, 100);
}

/* A timestamp as for a write of a key that this daemon has just written. 0: no slot, or the
 * timestamp would be farther ahead of the clock than a write may be (core/write/timestamps.c). */
static gint64
try_to_give (World *self, Member *member)
{
  gint64 at_least = MAX (self->now_ms, member->last + 1);
  gint64 timestamp = at_least < self->now_ms + 1000
                         ? kvsqld_slots_next_timestamp (member->slots, at_least, self->now_ms, NULL)
                         : 0;

  if (timestamp == 0)
    return 0;
  g_assert_cmpint (timestamp, >=, at_least);
  member->last = timestamp;
  if (!g_hash_table_add (self->given, g_memdup2 (&timestamp, sizeof timestamp)))
    g_error ("daemon %u gave out %" G_GINT64_FORMAT " again; the table is\n%s", member->number,
             timestamp, self->entry.text);
  return timestamp;
}

static gint64
give (World *self, Member *member)
{
  gint64 timestamp = try_to_give (self, member);

  g_assert_cmpint (timestamp, !=, 0);
  return timestamp;
}

static KvsqldSlotTable *
table_of (const World *self)
{
  g_autoptr (GError) error = NULL;
  KvsqldSlotTable *table = kvsqld_slot_table_parse (self->entry.text, &error);

  g_assert_no_error (error);
  return table;
}

static guint
n_slots (const World *self)
{
  g_autoptr (KvsqldSlotTable) table = table_of (self);

  return table->n_slots;
}

/* ---- the table */

static void
test_text (void)
{
  static const gchar *const text
      = "kvsql-slots 1\nslots 8 past 1732489200000\n"
        "slot 0 of 8 id 0a lease 3600 unseen 0 process b.1.2.3 peer host-2-1f\n"
        "slot 3 of 4 id 0b lease 10 unseen 7 process unknown.0.9.0 peer h%2E-9-20\n";
  g_autoptr (KvsqldSlotTable) table = kvsqld_slot_table_parse (text, NULL);
  g_autofree gchar *again = kvsqld_slot_table_print (table);
  guint slot;

  g_assert_cmpstr (again, ==, text);
  g_assert_cmpuint (table->holders->len, ==, 2);
  g_assert_cmpstr (kvsqld_slot_table_find (table, "0b")->peer, ==, "h%2E-9-20");
  g_assert_null (kvsqld_slot_table_find (table, "0c"));
  /* 7 is 3 of 4, and the holder of 3 does not go by 8 yet */
  g_assert_true (kvsqld_slot_table_find_free (table, &slot));
  g_assert_cmpuint (slot, ==, 1);
  g_assert_true (kvsqld_slot_table_can_shrink (table));
}

static void
test_damaged (void)
{
  static const gchar *const texts[] = {
    "noon",
    "kvsql-slots 1",
    "kvsql-slots 1\nslots 3 past 0\n",
    "kvsql-slots 1\nslots 2048 past 0\n",
    "kvsql-slots 1\nslots 0 past 0\n",
    "kvsql-slots 1\nslots 2 past -1\n",
    "kvsql-slots 2\nslots 2 past 1\n",
    "kvsql-slots 1\nslots 2 past 1\nslot 2 of 2 id a lease 1 unseen 0 process p peer q\n",
    "kvsql-slots 1\nslots 2 past 1\nslot 0 of 2 id a lease 1 unseen 0 process p peer \n",
    "kvsql-slots 1\nslots 2 past 1\nslot 0 of 2 id a lease x unseen 0 process p peer q\n",
    "kvsql-slots 1\nslots 2 past 1\nslot 0 of 2 id a lease 1 unseen 0 process p\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (kvsqld_slot_table_parse (texts[i], &error));
      g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_STORE);
      g_assert_cmpstr (error->message, ==, "the entry \"slots\" of the registry is damaged");
    }
}

static void
test_next (void)
{
  for (guint n = 2; n <= 16; n *= 2)
    for (guint slot = 0; slot < n; slot++)
      for (gint64 at = 0; at < 64; at++)
        {
          gint64 next = kvsqld_slot_next (slot, n, at);

          g_assert_cmpint (next, >=, at);
          g_assert_cmpint (next, <, at + n);
          g_assert_cmpint (next % n, ==, slot);
        }
}

/* ---- daemons */

/* A daemon that is alone leaves a slot for its successor. If there is none, one is made soon. */
static void
test_growth (void)
{
  World world;

  world_init (&world);
  for (guint i = 0; i < CROWD; i++)
    {
      start (&world, &world.members[i], 0);
      /* all live daemons make their steps */
      for (guint round = 0; round < 4; round++)
        for (guint other = 0; other <= i; other++)
          turn (&world, &world.members[other]);
      for (guint other = 0; other <= i; other++)
        g_assert_true (turn (&world, &world.members[other]));
      g_assert_cmpuint (n_slots (&world), >, i + 1);
      g_assert_cmpuint (n_slots (&world), <=, 2 * (i + 1));
      for (guint other = 0; other <= i; other++)
        give (&world, &world.members[other]);
      world.now_ms += 2 * CROWD;
    }
  /* all but the first end; the number of slots becomes what it was */
  for (guint i = 1; i < CROWD; i++)
    {
      kvsqld_slots_release (world.members[i].slots, NULL);
      end (&world.members[i]);
    }
  for (guint i = 0; i < 20; i++)
    turn (&world, &world.members[0]);
  g_assert_cmpuint (n_slots (&world), ==, KVSQLD_MIN_SLOTS);
  give (&world, &world.members[0]);
  world_clear (&world);
}

/* Timestamps that a daemon used before it went by more slots are not used by the new holder. The
 * daemon goes by more slots even if the answer to its write gets lost. */
static void
test_followed (void)
{
  World world;

  world_init (&world);
  for (guint i = 0; i < 2; i++)
    {
      start (&world, &world.members[i], 0);
      settle (&world, &world.members[i]);
    }
  g_assert_cmpuint (n_slots (&world), ==, 2);
  turn (&world, &world.members[1]);
  g_assert_cmpuint (n_slots (&world), ==, 4);
  world.now_ms = 1000001;
  g_assert_cmpint (give (&world, &world.members[0]), ==, 1000002);
  world.entry.one_lost_in = 1;
  turn (&world, &world.members[0]);
  world.entry.one_lost_in = 0;
  start (&world, &world.members[2], 0);
  settle (&world, &world.members[2]);
  g_assert_cmpint (give (&world, &world.members[2]), ==, 1000006);
  world.now_ms = 1000005;
  g_assert_cmpint (give (&world, &world.members[0]), ==, 1000008);
  world_clear (&world);
}

/* A daemon that has lost the registry keeps its number of slots, and its timestamps are not given
 * to others. */
static void
test_not_followed (void)
{
  World world;

  world_init (&world);
  start (&world, &world.members[0], 0);
  settle (&world, &world.members[0]);
  g_clear_pointer (&world.members[0].peer, g_free);
  for (guint i = 1; i < CROWD; i++)
    {
      start (&world, &world.members[i], 0);
      for (guint round = 0; round < 4; round++)
        for (guint other = 1; other <= i; other++)
          turn (&world, &world.members[other]);
    }
  for (guint i = 0; i < 500; i++)
    {
      for (guint other = 0; other < CROWD; other++)
        if (other == 0 || i % other == 0)
          try_to_give (&world, &world.members[other]);
      world.now_ms++;
    }
  world_clear (&world);
}

/* The next process of a daemon gets the same slot, in the same millisecond. */
static void
test_restart (void)
{
  World world;
  gint64 last = 0;

  world_init (&world);
  for (guint i = 0; i < 50; i++)
    {
      gint64 timestamp;

      start (&world, &world.members[0], 0);
      settle (&world, &world.members[0]);
      timestamp = give (&world, &world.members[0]);
      g_assert_cmpint (timestamp, >, last);
      g_assert_cmpuint (n_slots (&world), ==, KVSQLD_MIN_SLOTS);
      last = timestamp;
      kvsqld_slots_release (world.members[0].slots, NULL);
      end (&world.members[0]);
    }
  world_clear (&world);
}

/* Daemons begin, end, lose their sessions and come back, and answers get lost. */
static void
test_random (void)
{
  World world;

  world_init (&world);
  world.entry.one_lost_in = 20;
  for (guint i = 0; i < MAX_DAEMONS / 2; i++)
    start (&world, &world.members[i], 0);
  for (guint step = 0; step < N_STEPS; step++)
    {
      Member *member = &world.members[g_test_rand_int_range (0, MAX_DAEMONS)];
      gint chance = g_test_rand_int_range (0, 100);

      if (step % STEPS_PER_MS == 0)
        world.now_ms++;
      if (member->slots == NULL)
        {
          if (chance < 10)
            start (&world, member, 0);
          continue;
        }
      if (chance < 40)
        try_to_give (&world, member);
      else if (chance < 90 && member->peer != NULL)
        turn (&world, member);
      else if (chance < 94)
        {
          g_free (member->peer);
          member->peer = chance < 92 ? g_strdup_printf ("host-%u-%u", member->number, step) : NULL;
        }
      else if (chance < 97 && member->peer != NULL)
        {
          kvsqld_slots_release (member->slots, NULL);
          end (member);
        }
      else if (chance == 99 && step % 8 == 0)
        end (member);
    }
  g_assert_cmpuint (g_hash_table_size (world.given), >, N_STEPS / 40);
  world_clear (&world);
}

/* ---- the lease */

static void
test_lease (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *status = NULL;
  gboolean is_taken = FALSE;
  World world;

  world_init (&world);
  start (&world, &world.members[0], 2);
  settle (&world, &world.members[0]);
  g_clear_pointer (&world.members[0].peer, g_free);
  start (&world, &world.members[1], 2);
  while (!is_taken)
    {
      g_autoptr (KvsqldSlotTable) table = NULL;

      turn (&world, &world.members[1]);
      table = table_of (&world);
      is_taken = table->holders->len == 1;
      g_usleep (10000);
    }
  /* it has stopped before that time */
  g_assert_cmpint (kvsqld_slots_next_timestamp (world.members[0].slots, 1, 1, &error), ==, 0);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "nothing is written: this daemon may no longer give out timestamps, because the "
                   "registry has not confirmed its slot for 2 s");
  g_assert_nonnull (kvsql_error_get_hint (error));
  status = kvsqld_slots_describe (world.members[0].slots);
  g_assert_true (g_str_has_suffix (status, ": too long, writes are refused"));

  /* its session comes back */
  world.members[0].peer = g_strdup ("again");
  settle (&world, &world.members[0]);
  give (&world, &world.members[0]);
  world.now_ms += 10;
  give (&world, &world.members[1]);
  world_clear (&world);
}

static gboolean
refuse (gpointer data, const KvsqlCall *call, GError **error)
{
  guint *n_left = data;

  if (*n_left == 0)
    return TRUE;
  (*n_left)--;
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "old definitions");
}

/* No other daemon has waited for the statements of one that had no slot, so it gets another slot
 * only when they have ended. */
static void
test_ready (void)
{
  g_autofree gchar *status = NULL;
  guint n_left = 2;
  World world;

  world_init (&world);
  start (&world, &world.members[0], 2);
  kvsqld_slots_set_ready (world.members[0].slots, refuse, &n_left);
  settle (&world, &world.members[0]);
  g_assert_cmpuint (n_left, ==, 2);
  /* its lease was over, and another daemon has seen that */
  g_free (world.entry.text);
  world.entry.text = g_strdup ("");
  g_assert_false (turn (&world, &world.members[0]));
  g_assert_cmpint (try_to_give (&world, &world.members[0]), ==, 0);
  status = kvsqld_slots_describe (world.members[0].slots);
  g_assert_nonnull (strstr (status, "old definitions"));
  g_assert_false (turn (&world, &world.members[0]));
  g_assert_true (turn (&world, &world.members[0]));
  give (&world, &world.members[0]);
  world_clear (&world);
}

static void
test_none (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *status = NULL;
  World world;

  world_init (&world);
  start (&world, &world.members[0], 0);
  g_clear_pointer (&world.members[0].peer, g_free);
  g_assert_false (turn (&world, &world.members[0]));
  g_assert_cmpint (kvsqld_slots_next_timestamp (world.members[0].slots, 1, 1, &error), ==, 0);
  g_assert_error (error, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE);
  g_assert_cmpstr (error->message, ==,
                   "nothing is written: this daemon has no slot to give out timestamps: the "
                   "registry does not list this daemon yet");
  status = kvsqld_slots_describe (world.members[0].slots);
  g_assert_cmpstr (status, ==,
                   "none, writes are refused: the registry does not list this daemon yet");
  world_clear (&world);
}

/* If a daemon was killed on this machine, its lease is not waited for. */
static void
test_killed (void)
{
  g_autoptr (KvsqldSlotTable) table = NULL;
  World world;
  gchar *process;
  pid_t child;

  world_init (&world);
  child = fork ();
  if (child == 0)
    _exit (0);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  /* the name of this process, with the number of one that has ended */
  {
    g_autofree gchar *own = kvsqld_process_id_new ();
    g_autofree gchar *number = g_strdup_printf (".%d.", (gint)getpid ());
    gchar *at = strstr (own, number);

    g_assert_false (kvsqld_process_id_has_ended (own));
    g_assert_nonnull (at);
    *at = '\0';
    process = g_strdup_printf ("%s.%d.1", own, (gint)child);
  }
  g_assert_true (kvsqld_process_id_has_ended (process));
  g_assert_false (kvsqld_process_id_has_ended ("another-boot.1.1.1"));
  g_assert_false (kvsqld_process_id_has_ended (""));

  g_free (world.entry.text);
  world.entry.text = g_strdup_printf (
      "kvsql-slots 1\nslots 2 past 0\nslot 0 of 2 id a lease 3600 unseen 0 process %s peer gone\n",
      process);
  start (&world, &world.members[0], 0);
  settle (&world, &world.members[0]);
  table = table_of (&world);
  g_assert_cmpuint (table->holders->len, ==, 1);
  /* its last timestamp, a little ahead of the clock, is not used again */
  g_assert_cmpint (table->past_ms, >=, world.now_ms + 1000);
  g_assert_cmpint (give (&world, &world.members[0]), >, table->past_ms);
  g_free (process);
  world_clear (&world);
}

/* The parent of a process that has ended may wait for it much later. */
static void
test_not_waited_for (void)
{
  gint64 deadline_us = g_get_monotonic_time () + 60 * G_TIME_SPAN_SECOND;
  g_autofree gchar *id = NULL;
  gchar buffer[256] = "";
  gint pipe_ends[2], child;

  g_assert_cmpint (pipe (pipe_ends), ==, 0);
  child = fork ();
  if (child == 0)
    {
      id = kvsqld_process_id_new ();
      _exit (write (pipe_ends[1], id, strlen (id)) < 0);
    }
  close (pipe_ends[1]);
  g_assert_cmpint (read (pipe_ends[0], buffer, sizeof buffer - 1), >, 0);
  close (pipe_ends[0]);
  while (!kvsqld_process_id_has_ended (buffer))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline_us);
      g_usleep (1000);
    }
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_true (kvsqld_process_id_has_ended (buffer));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/slots/table/text", test_text);
  g_test_add_func ("/slots/not-waited-for", test_not_waited_for);
  g_test_add_func ("/slots/table/damaged", test_damaged);
  g_test_add_func ("/slots/table/next", test_next);
  g_test_add_func ("/slots/growth", test_growth);
  g_test_add_func ("/slots/followed", test_followed);
  g_test_add_func ("/slots/not-followed", test_not_followed);
  g_test_add_func ("/slots/restart", test_restart);
  g_test_add_func ("/slots/random", test_random);
  g_test_add_func ("/slots/lease", test_lease);
  g_test_add_func ("/slots/ready", test_ready);
  g_test_add_func ("/slots/none", test_none);
  g_test_add_func ("/slots/killed", test_killed);
  return g_test_run ();
}
