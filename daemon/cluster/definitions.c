/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * definitions.c: makes catalog snapshots from registry entries.
 */
#include "config.h"

#include "daemon/cluster/definitions.h"

#include "core/base/interrupt.h"
#include "daemon/cluster/writable.h"

#include <sys/random.h>

#define LOAD_TIMEOUT_US (5 * G_TIME_SPAN_SECOND)
#define FIRST_PAUSE_US (100 * G_TIME_SPAN_MILLISECOND)
#define LAST_PAUSE_US (5 * G_TIME_SPAN_SECOND)

struct _KvsqldDefinitions
{
  KvsqldRegistry *registry;
  gboolean is_shared;      /* set once, before the first statement */
  gint64 load_deadline_us; /* atomic: of the reloader's present work; 0: idle */
  GThreadPool *reloader;   /* one thread; work items mean only "read again" */
  GMutex mutex;
  GCond changed; /* of the next two members */
  gboolean is_stopping;
  KvsqldRegistryState state;
  KvsqlCatalog *catalog;
  GHashTable *users; /* KvsqlCatalog -> number of its users; not owned */
  gint64 acknowledged;
  GBytes *secret;
  gboolean secret_is_shared;
  gchar *load_error;
};

/* ---- snapshots */

/* Without the limits of a statement: a snapshot serves all statements, so the end of one must not
 * leave it incomplete. */
static KvsqlCatalog *
build_catalog (KvsqldDefinitions *self, const KvsqldSnapshot *snapshot)
{
  KvsqlCatalog *catalog = kvsql_catalog_new (snapshot->epoch);
  g_autoptr (KvsqlCatalog) before = kvsqld_definitions_get (self);
  KvsqlInterrupt none;

  catalog->write_protocol = snapshot->protocol.number;
  catalog->is_protocol_announced = snapshot->protocol.is_announced;
  kvsql_interrupt_enter (&none, NULL, NULL);
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_RELATION)
      kvsql_catalog_add_definition (catalog, before, snapshot->entries[i].text);
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_SCHEMA)
      kvsql_catalog_add_definition (catalog, before, snapshot->entries[i].text);
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_VIEW)
      kvsql_catalog_add_view (catalog, before, snapshot->entries[i].text);
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_BACKFILL)
      g_hash_table_insert (catalog->notes, g_strdup (snapshot->entries[i].name),
                           g_strdup (snapshot->entries[i].text));
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_ROLE)
      kvsql_catalog_add_role (catalog, snapshot->entries[i].name, snapshot->entries[i].text);
  kvsql_catalog_complete_roles (catalog);
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_RIGHTS)
      kvsql_catalog_add_acl (catalog, before, snapshot->entries[i].name, snapshot->entries[i].text);
    else if (snapshot->entries[i].kind == KVSQL_DEFINITION_STATISTICS)
      kvsql_catalog_add_statistics (catalog, before, snapshot->entries[i].name,
                                    snapshot->entries[i].text);
    else if (snapshot->entries[i].kind == KVSQL_DEFINITION_COSTS)
      kvsql_catalog_add_costs (catalog, snapshot->entries[i].name, snapshot->entries[i].text);
    else if (snapshot->entries[i].kind == KVSQL_DEFINITION_SEQUENCE)
      kvsql_catalog_add_sequence (catalog, snapshot->entries[i].name, snapshot->entries[i].text);
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == KVSQL_DEFINITION_SEQUENCE_RIGHTS)
      kvsql_catalog_add_sequence_acl (catalog, snapshot->entries[i].name,
                                      snapshot->entries[i].text);
  kvsql_interrupt_leave (&none);
  return catalog;
}

/* The lock is held: the oldest definitions in use. */
static gint64
oldest_epoch (KvsqldDefinitions *self)
{
  gint64 oldest = self->catalog->epoch;
  GHashTableIter iter;
  gpointer catalog;

  g_hash_table_iter_init (&iter, self->users);
  while (g_hash_table_iter_next (&iter, &catalog, NULL))
    oldest = MIN (oldest, ((const KvsqlCatalog *)catalog)->epoch);
  return oldest;
}

/* The lock is held, so that an older epoch is never acknowledged last. */
static void
acknowledge (KvsqldDefinitions *self)
{
  gint64 epoch = oldest_epoch (self);

  if (epoch == self->acknowledged || epoch < 0)
    return;
  self->acknowledged = epoch;
  self->registry->klass->acknowledge (self->registry, epoch);
}

/* A slow reader must not replace newer definitions by older ones. */
static void
serve (KvsqldDefinitions *self, KvsqlCatalog *catalog)
{
  KvsqlCatalog *old = catalog;
  gint64 epoch = catalog->epoch;

  g_mutex_lock (&self->mutex);
  if (self->catalog == NULL || epoch >= self->catalog->epoch)
    {
      old = self->catalog;
      self->catalog = catalog;
    }
  g_clear_pointer (&self->load_error, g_free);
  self->state = KVSQLD_REGISTRY_CONNECTED;
  acknowledge (self);
  g_mutex_unlock (&self->mutex);
  kvsql_catalog_unref (old);
}

/* The other daemons have to see this daemon before it uses any definitions. Otherwise one of them
 * might take the next step of a schema without waiting for it. So the registry is read again after
 * this daemon was announced. If they do not see it, the daemon uses what it has, like one that has
 * lost the registry. */
static KvsqldSnapshot *
load_first (KvsqldDefinitions *self, const KvsqlCall *call, GError **error)
{
  KvsqldSnapshot *snapshot = self->registry->klass->load (self->registry, call, error);
  KvsqldSnapshot *again;

  if (snapshot == NULL)
    return NULL;
  g_mutex_lock (&self->mutex);
  self->acknowledged = snapshot->epoch;
  self->registry->klass->acknowledge (self->registry, snapshot->epoch);
  g_mutex_unlock (&self->mutex);
  if (!self->registry->klass->await_acknowledged (self->registry, call))
    return snapshot;
  again = self->registry->klass->load (self->registry, call, NULL);
  if (again == NULL)
    return snapshot;
  kvsqld_snapshot_free (snapshot);
  return again;
}

static KvsqldSnapshot *
load (KvsqldDefinitions *self, const KvsqlCall *call, GError **error)
{
  gboolean is_first;

  g_mutex_lock (&self->mutex);
  is_first = self->catalog->epoch < 0;
  g_mutex_unlock (&self->mutex);
  return is_first ? load_first (self, call, error)
                  : self->registry->klass->load (self->registry, call, error);
}

gboolean
kvsqld_definitions_reload (KvsqldDefinitions *self, const KvsqlCall *call, GError **error)
{
  g_autoptr (GError) local = NULL;
  g_autoptr (KvsqldSnapshot) snapshot = load (self, call, &local);

  if (snapshot != NULL)
    {
      serve (self, build_catalog (self, snapshot));
      return TRUE;
    }
  g_mutex_lock (&self->mutex);
  g_free (self->load_error);
  self->load_error = g_strdup (local->message);
  g_mutex_unlock (&self->mutex);
  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

KvsqldSnapshot *
kvsqld_definitions_load (KvsqldDefinitions *self, const KvsqlCall *call, GError **error)
{
  return self->registry->klass->load (self->registry, call, error);
}

/* Waits between half of the pause and all of it, at most until the registry is away. FALSE: the
 * registry is away; its return will be reported. */
static gboolean
pause_before_retry (KvsqldDefinitions *self, gint64 pause_us)
{
  gint64 end_us
      = g_get_monotonic_time () + pause_us / 2 + g_random_int_range (0, (gint32)(pause_us / 2) + 1);
  gboolean is_worth_it;

  g_mutex_lock (&self->mutex);
  while (!self->is_stopping && self->state == KVSQLD_REGISTRY_CONNECTED
         && g_cond_wait_until (&self->changed, &self->mutex, end_us))
    ;
  is_worth_it = !self->is_stopping && self->state == KVSQLD_REGISTRY_CONNECTED;
  g_mutex_unlock (&self->mutex);
  return is_worth_it;
}

/* Keeps the error for the status. */
static gboolean
reload_in_time (KvsqldDefinitions *self)
{
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LOAD_TIMEOUT_US };
  gboolean ok;

  __atomic_store_n (&self->load_deadline_us, call.deadline_us, __ATOMIC_RELAXED);
  ok = kvsqld_definitions_reload (self, &call, NULL);
  __atomic_store_n (&self->load_deadline_us, 0, __ATOMIC_RELAXED);
  return ok;
}

/* A change is reported once, so it is read until that succeeds. */
static void
reload_in_background (gpointer data, gpointer user_data)
{
  gint64 pause_us = FIRST_PAUSE_US;

  while (!reload_in_time (user_data) && pause_before_retry (user_data, pause_us))
    pause_us = MIN (2 * pause_us, LAST_PAUSE_US);
}

gint64
kvsqld_definitions_get_load_deadline (KvsqldDefinitions *self)
{
  return __atomic_load_n (&self->load_deadline_us, __ATOMIC_RELAXED);
}

static void
registry_changed (KvsqldRegistry *registry, KvsqldRegistryState state, gboolean definitions_changed,
                  gpointer user_data)
{
  KvsqldDefinitions *self = user_data;
  gboolean is_back;

  g_mutex_lock (&self->mutex);
  is_back = state == KVSQLD_REGISTRY_CONNECTED && self->state != KVSQLD_REGISTRY_CONNECTED;
  self->state = state;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  if (state == KVSQLD_REGISTRY_CONNECTED && (definitions_changed || is_back)
      && self->reloader != NULL && g_thread_pool_unprocessed (self->reloader) == 0)
    g_thread_pool_push (self->reloader, GINT_TO_POINTER (1), NULL);
}

/* ---- construction */

KvsqldDefinitions *
kvsqld_definitions_new (const gchar *registry_url, GError **error)
{
  KvsqldDefinitions *self = g_new0 (KvsqldDefinitions, 1);
  KvsqlCall call = { .deadline_us = g_get_monotonic_time () + LOAD_TIMEOUT_US };

  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  self->catalog = kvsql_catalog_new (-1);
  self->users = g_hash_table_new (NULL, NULL);
  self->acknowledged = -1;
  self->state = KVSQLD_REGISTRY_AWAY;
  self->registry = kvsqld_registry_open (registry_url, registry_changed, self, error);
  if (self->registry == NULL)
    {
      kvsqld_definitions_free (self);
      return NULL;
    }
  self->reloader = g_thread_pool_new (reload_in_background, self, 1, FALSE, NULL);
  if (!kvsqld_definitions_reload (self, &call, NULL))
    g_debug ("definitions: the registry did not answer; they are read once it does");
  return self;
}

void
kvsqld_definitions_free (KvsqldDefinitions *self)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->is_stopping = TRUE;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
  if (self->reloader != NULL)
    g_thread_pool_free (g_steal_pointer (&self->reloader), TRUE, TRUE);
  kvsqld_registry_close (self->registry);
  kvsql_catalog_unref (self->catalog);
  g_hash_table_unref (self->users);
  g_clear_pointer (&self->secret, g_bytes_unref);
  g_free (self->load_error);
  g_cond_clear (&self->changed);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

KvsqldRegistry *
kvsqld_definitions_get_registry (KvsqldDefinitions *self)
{
  return self->registry;
}

KvsqlCatalog *
kvsqld_definitions_get (KvsqldDefinitions *self)
{
  KvsqlCatalog *catalog;

  g_mutex_lock (&self->mutex);
  catalog = kvsql_catalog_ref (self->catalog);
  g_mutex_unlock (&self->mutex);
  return catalog;
}

KvsqlCatalog *
kvsqld_definitions_enter (KvsqldDefinitions *self)
{
  KvsqlCatalog *catalog;
  guint n;

  g_mutex_lock (&self->mutex);
  catalog = kvsql_catalog_ref (self->catalog);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->users, catalog));
  g_hash_table_insert (self->users, catalog, GUINT_TO_POINTER (n + 1));
  g_mutex_unlock (&self->mutex);
  return catalog;
}

void
kvsqld_definitions_leave (KvsqldDefinitions *self, KvsqlCatalog *catalog)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = GPOINTER_TO_UINT (g_hash_table_lookup (self->users, catalog));
  if (n > 1)
    g_hash_table_insert (self->users, catalog, GUINT_TO_POINTER (n - 1));
  else
    {
      g_hash_table_remove (self->users, catalog);
      acknowledge (self);
    }
  g_mutex_unlock (&self->mutex);
  kvsql_catalog_unref (catalog);
}

/* The users of older definitions; NULL: none. (transfer full) */
static gchar *
find_laggard (KvsqldDefinitions *self, gint64 epoch, const KvsqlCall *call, GError **error)
{
  g_autoptr (GPtrArray) daemons = NULL;
  gint64 oldest;

  g_mutex_lock (&self->mutex);
  oldest = oldest_epoch (self);
  g_mutex_unlock (&self->mutex);
  if (oldest < epoch)
    return g_strdup ("this daemon runs a statement that began before the definition");
  daemons = self->registry->klass->list_daemons (self->registry, call, error);
  for (guint i = 0; daemons != NULL && i < daemons->len; i++)
    {
      const KvsqldPeer *peer = daemons->pdata[i];
      if (peer->epoch < epoch)
        return g_strdup_printf ("daemon %s uses the definitions of epoch %" G_GINT64_FORMAT
                                ", and %" G_GINT64_FORMAT " is needed",
                                peer->name, peer->epoch, epoch);
    }
  return NULL;
}

static gboolean
fail_laggard (const gchar *laggard, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "not all daemons know the definition yet: %s", laggard);
  return kvsql_error_hint (error, "Try again; if a daemon hangs, end it.");
}

gboolean
kvsqld_definitions_await (KvsqldDefinitions *self, gint64 epoch, const KvsqlCall *call,
                          GError **error)
{
  g_autofree gchar *laggard = NULL;
  gulong pause_us = 1000;

  for (;;)
    {
      g_autoptr (GError) local = NULL;
      g_autofree gchar *last = g_steal_pointer (&laggard);

      laggard = find_laggard (self, epoch, call, &local);
      if (local == NULL && laggard == NULL)
        return TRUE;
      if (!kvsql_call_check (call, NULL) && (laggard != NULL || last != NULL))
        return fail_laggard (laggard ?: last, error);
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      g_usleep (pause_us);
      pause_us = MIN (pause_us * 2, 50000);
    }
}

gboolean
kvsqld_definitions_confirm (gpointer definitions, const KvsqlCall *call, GError **error)
{
  KvsqldDefinitions *self = definitions;
  gboolean is_current;

  if (!kvsqld_definitions_reload (self, call, error))
    return FALSE;
  g_mutex_lock (&self->mutex);
  is_current = oldest_epoch (self) == self->catalog->epoch;
  g_mutex_unlock (&self->mutex);
  return is_current
         || kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                             "a statement of this daemon still uses older definitions");
}

gchar *
kvsqld_definitions_describe_last_error (KvsqldDefinitions *self, gboolean *out_is_writable)
{
  g_autofree gchar *last_error = self->registry->klass->describe_last_error (self->registry);

  *out_is_writable = last_error == NULL;
  if (last_error != NULL)
    return g_steal_pointer (&last_error);
  g_mutex_lock (&self->mutex);
  last_error = g_strdup (self->load_error);
  if (last_error == NULL && self->catalog->load_errors->len > 0)
    last_error = g_strdup_printf ("%u definitions could not be understood, the first: %s",
                                  self->catalog->load_errors->len,
                                  (const gchar *)self->catalog->load_errors->pdata[0]);
  g_mutex_unlock (&self->mutex);
  return g_steal_pointer (&last_error);
}

/* ---- the secret */

static GBytes *
random_secret (void)
{
  guint8 bytes[32];
  gssize n;

  do
    n = getrandom (bytes, sizeof bytes, 0);
  while (n != sizeof bytes);
  return g_bytes_new (bytes, sizeof bytes);
}

GBytes *
kvsqld_definitions_get_secret (KvsqldDefinitions *self, const KvsqlCall *call)
{
  GBytes *result, *shared = NULL;
  gboolean must_ask;

  g_mutex_lock (&self->mutex);
  must_ask = !self->secret_is_shared && self->state == KVSQLD_REGISTRY_CONNECTED;
  g_mutex_unlock (&self->mutex);
  if (must_ask)
    shared = self->registry->klass->get_secret (self->registry, call, NULL);

  g_mutex_lock (&self->mutex);
  if (shared != NULL)
    {
      g_clear_pointer (&self->secret, g_bytes_unref);
      self->secret = shared;
      self->secret_is_shared = TRUE;
    }
  if (self->secret == NULL)
    self->secret = random_secret ();
  result = g_bytes_ref (self->secret);
  g_mutex_unlock (&self->mutex);
  return result;
}

/* ---- changes */

/* @failure: (transfer full) (nullable): of a commit. Uses what was committed, or the definitions of
 * the commit that came first. */
static gboolean
follow_commit (KvsqldDefinitions *self, GError *failure, const KvsqlCall *call, GError **error)
{
  /* what is committed is used by this daemon, even if the statement was cancelled in the meantime
   */
  const KvsqlCall rest = { .deadline_us = call != NULL ? call->deadline_us : 0 };

  if (failure == NULL)
    {
      if (!kvsqld_definitions_reload (self, &rest, NULL))
        g_debug ("definitions: committed, but not read back; the watch reads them");
      return TRUE;
    }
  if (g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_CONFLICT)
      && !kvsqld_definitions_reload (self, call, error))
    {
      g_error_free (failure);
      return FALSE;
    }
  g_propagate_error (error, failure);
  return FALSE;
}

gboolean
kvsqld_definitions_commit (KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                           const KvsqlDefinitionChange *changes, guint n_changes,
                           const KvsqldAuthor *author, const KvsqlCall *call, GError **error)
{
  GError *failure = NULL;
  gint64 epoch;

  if (!kvsqld_definitions_may_change (self, catalog, error))
    return FALSE;
  if (!self->registry->klass->commit (self->registry, MAX (catalog->epoch, 0), changes, n_changes,
                                      author, call, &epoch, &failure))
    g_assert (failure != NULL);
  return follow_commit (self, failure, call, error);
}

gboolean
kvsqld_definitions_change_protocol (KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                                    const KvsqldWriteProtocol *protocol, const KvsqlCall *call,
                                    GError **error)
{
  GError *failure = NULL;

  if (!self->registry->klass->change_protocol (self->registry, MAX (catalog->epoch, 0), protocol,
                                               call, &failure))
    g_assert (failure != NULL);
  return follow_commit (self, failure, call, error);
}

/* ---- the write protocol */

void
kvsqld_definitions_set_shared (KvsqldDefinitions *self)
{
  self->is_shared = TRUE;
  self->registry->first_protocol = KVSQLD_WRITE_PROTOCOL;
}

static KvsqldWriteProtocol
protocol_of (const KvsqlCatalog *catalog)
{
  return (KvsqldWriteProtocol){ .number = catalog->write_protocol,
                                .is_announced = catalog->is_protocol_announced };
}

gboolean
kvsqld_definitions_may_write (const KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                              GError **error)
{
  const KvsqldWriteProtocol protocol = protocol_of (catalog);

  return !self->is_shared || kvsqld_protocol_check_in_use (&protocol, catalog->epoch, error);
}

gboolean
kvsqld_definitions_may_change (const KvsqldDefinitions *self, const KvsqlCatalog *catalog,
                               GError **error)
{
  const KvsqldWriteProtocol protocol = protocol_of (catalog);

  return !self->is_shared || kvsqld_protocol_check_known (&protocol, error);
}

GPtrArray *
kvsqld_definitions_list_history (KvsqldDefinitions *self, const gchar *name, const KvsqlCall *call,
                                 GError **error)
{
  return self->registry->klass->list_history (self->registry, name, call, error);
}

GPtrArray *
kvsqld_definitions_list_exposed (KvsqldDefinitions *self, const KvsqlCall *call, GError **error)
{
  if (self->registry->klass->list_exposed == NULL)
    return g_ptr_array_new_with_free_func (g_free);
  return self->registry->klass->list_exposed (self->registry, call, error);
}

GPtrArray *
kvsqld_definitions_list_daemons (KvsqldDefinitions *self, const KvsqlCall *call, GError **error)
{
  return self->registry->klass->list_daemons (self->registry, call, error);
}
