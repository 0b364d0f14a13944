/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * local.c: a directory as registry, for the daemons of one machine.
 *
 * All definitions are one file that is only ever replaced as a whole. So a reader needs no lock,
 * and a crash leaves the old file or the new one. A writer holds a lock on a file of its own, which
 * the kernel releases when the writer dies. The history is another file, which is replaced before
 * the definitions: records after the definitions' epoch do not count.
 *
 * Each daemon that uses the directory holds a lock on its own file in it, which contains the epoch
 * of the definitions in use. A file without a lock belongs to a daemon that is gone.
 *
 * Threads: nothing changes after open() except what the main context's callbacks own (`seen_epoch`,
 * `state`), the daemon's own file, and the file that was parsed last, which have a lock. The
 * definitions' lock is a file's; it is held within one call.
 */
#include "config.h"

#include "daemon/registry/registry.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/registry/definitions-file.h"
#include "daemon/registry/history-file.h"
#include "daemon/registry/history.h"
#include "daemon/registry/registry-private.h"
#include "daemon/registry/whole-file.h"

#define MAX_COMMIT_BYTES (16 * 1024 * 1024)
#define MAX_HISTORY_BYTES (32 * 1024 * 1024)
#define LONGEST_LOCK_WAIT_US (30 * G_USEC_PER_SEC)

typedef struct
{
  KvsqldRegistry parent;
  gchar *directory;
  gchar *definitions_path;
  gchar *history_path;
  gchar *secret_path;
  gchar *clock_path;
  gchar *slots_path;
  gchar *lock_path;
  gchar *daemons_path;
  GMutex own_mutex; /* protects the next four; a leaf */
  gint own_fd;      /* our file in @daemons_path, locked; -1: none */
  gchar *own_path;
  gchar *own_error;       /* why there is no such file; nullable */
  struct stat understood; /* of the definitions, when they were last parsed without an error */
  KvsqldRegistryWatch watch;
  gpointer user_data;
  GFileMonitor *monitor;
  gint64 seen_epoch; /* the last one reported */
  KvsqldRegistryState state;
} LocalRegistry;

/* ---- reading ---- */

static KvsqldSnapshot *
read_definitions (LocalRegistry *self, GError **error)
{
  g_autoptr (GString) text = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean exists;

  text = _kvsqld_file_read (self->definitions_path, &exists, &local_error);
  if (text != NULL)
    return _kvsqld_definitions_parse (text->str, text->len, self->definitions_path, error);
  /* no file in an existing directory: nothing has been defined yet */
  if (!exists && g_file_test (self->directory, G_FILE_TEST_IS_DIR))
    return kvsqld_snapshot_new (0, 0);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

static KvsqldSnapshot *
local_load (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  if (!kvsql_call_check (call, error))
    return NULL;
  return read_definitions ((LocalRegistry *)registry, error);
}

/* ---- the lock between processes ---- */

static gint
locked_out (LocalRegistry *self, const KvsqlCall *call, GError **error)
{
  if (_kvsqld_call_is_cancelled (call))
    kvsql_error_set (error, KVSQL_ERROR_DEADLINE, KVSQL_SPAN_NONE,
                     "changing the definitions was cancelled before it began");
  else
    {
      kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                       "definitions in \"%s\" are locked by another process", self->directory);
      kvsql_error_hint (error, "Nothing was changed. Try again.");
    }
  return -1;
}

/* A descriptor that holds the lock until it is closed, or -1. flock() has no time limit, and the
 * lock is held for milliseconds only. So it is polled, less and less often. */
static gint
acquire_lock (LocalRegistry *self, const KvsqlCall *call, GError **error)
{
  g_auto (KvsqldDescriptor) fd = -1;
  gint64 end = _kvsqld_call_end (call, LONGEST_LOCK_WAIT_US);
  gulong pause_us = 500;
  gint held;

  if (!kvsql_call_check (call, error))
    return -1;
  fd = open (self->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      _kvsqld_file_fail (error, KVSQL_ERROR_UNAVAILABLE, "open", self->lock_path);
      return -1;
    }
  while (flock (fd, LOCK_EX | LOCK_NB) != 0)
    {
      gint64 now = g_get_monotonic_time ();

      if (errno != EWOULDBLOCK && errno != EINTR)
        {
          _kvsqld_file_fail (error, KVSQL_ERROR_UNAVAILABLE, "lock", self->lock_path);
          return -1;
        }
      if (now >= end || _kvsqld_call_is_cancelled (call))
        return locked_out (self, call, error);
      g_usleep (MIN (pause_us, (gulong)(end - now)));
      pause_us = MIN (pause_us * 2, 10000);
    }
  held = fd;
  fd = -1;
  return held;
}

/* ---- the history ---- */

/* The records up to @epoch. A later record belongs to a commit that was not completed. */
static GPtrArray *
read_history (LocalRegistry *self, gint64 epoch, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  gboolean exists;
  g_autoptr (GString) text = _kvsqld_file_read (self->history_path, &exists, &local_error);
  GPtrArray *records;

  if (text == NULL && !exists)
    return g_ptr_array_new_with_free_func (kvsql_definition_record_free);
  if (text == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  records = _kvsqld_history_parse (text->str, text->len, self->history_path, error);
  for (guint i = records != NULL ? records->len : 0; i > 0; i--)
    if (((const KvsqlDefinitionRecord *)records->pdata[i - 1])->epoch > epoch)
      g_ptr_array_remove_index (records, i - 1);
  return records;
}

static const KvsqldEntry *
find_entry (const KvsqldSnapshot *snapshot, const KvsqlDefinitionChange *change)
{
  for (guint i = 0; i < snapshot->n_entries; i++)
    if (snapshot->entries[i].kind == change->kind
        && strcmp (snapshot->entries[i].name, change->name) == 0)
      return &snapshot->entries[i];
  return NULL;
}

/* Adds a definition that is older than the history first. */
static void
add_records (GPtrArray *records, const KvsqldSnapshot *old, const KvsqlDefinitionChange *change,
             const KvsqldAuthor *author)
{
  const KvsqldEntry *entry = find_entry (old, change);

  if (!_kvsqld_history_wants (change->kind) || (change->text == NULL && entry == NULL))
    return;
  /* the old text of a role has its verifier */
  if (entry != NULL && change->kind != KVSQL_DEFINITION_ROLE
      && !_kvsqld_history_has (records, change->kind, change->name))
    g_ptr_array_add (
        records, _kvsqld_record_new_first (change->kind, change->name, entry->text, old->epoch));
  g_ptr_array_add (records, _kvsqld_record_new (change, author, old->epoch + 1));
}

static void
drop_surplus (GPtrArray *records)
{
  g_autoptr (GPtrArray) surplus = NULL;
  gsize n_bytes = 0;

  g_ptr_array_sort (records, _kvsqld_record_compare);
  surplus = _kvsqld_history_find_surplus (records);
  for (guint i = 0; i < surplus->len; i++)
    g_ptr_array_remove (records, surplus->pdata[i]);
  for (guint i = records->len; i > 0; i--)
    {
      const KvsqlDefinitionRecord *record = records->pdata[i - 1];

      n_bytes += strlen (record->statement) + (record->text != NULL ? strlen (record->text) : 0);
      if (n_bytes <= MAX_HISTORY_BYTES)
        continue;
      g_ptr_array_remove_range (records, 0, i);
      return;
    }
}

/* To be called before the definitions are replaced: until then the new records do not count. */
static gboolean
write_history (LocalRegistry *self, const KvsqldSnapshot *old, const KvsqlDefinitionChange *changes,
               guint n_changes, const KvsqldAuthor *author, GError **error)
{
  g_autoptr (GPtrArray) records = read_history (self, old->epoch, error);
  g_autoptr (GString) text = NULL;

  if (records == NULL)
    return FALSE;
  for (guint i = 0; i < n_changes; i++)
    add_records (records, old, &changes[i], author);
  drop_surplus (records);
  text = _kvsqld_history_print (records);
  return _kvsqld_file_replace (self->history_path, text->str, text->len, 0600, error);
}

static GPtrArray *
local_list_history (KvsqldRegistry *registry, const gchar *name, const KvsqlCall *call,
                    GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_autoptr (KvsqldSnapshot) snapshot
      = kvsql_call_check (call, error) ? read_definitions (self, error) : NULL;
  GPtrArray *records = snapshot != NULL ? read_history (self, snapshot->epoch, error) : NULL;

  for (guint i = records != NULL && name != NULL ? records->len : 0; i > 0; i--)
    if (strcmp (((const KvsqlDefinitionRecord *)records->pdata[i - 1])->name, name) != 0)
      g_ptr_array_remove_index (records, i - 1);
  return records;
}

/* @protocol: NULL: it stays as it is */
static gboolean
commit (LocalRegistry *self, gint64 expected_epoch, const KvsqlDefinitionChange *changes,
        guint n_changes, const KvsqldWriteProtocol *protocol, const KvsqldAuthor *author,
        const KvsqlCall *call, gint64 *out_epoch, GError **error)
{
  g_auto (KvsqldDescriptor) lock = -1;
  g_autoptr (KvsqldSnapshot) old = NULL;
  g_autoptr (KvsqldSnapshot) new = NULL;
  g_autoptr (GString) text = NULL;

  if (!_kvsqld_changes_check (changes, n_changes, author, MAX_COMMIT_BYTES, error))
    return FALSE;
  lock = acquire_lock (self, call, error);
  if (lock < 0)
    return FALSE;
  old = read_definitions (self, error);
  if (old == NULL)
    return FALSE;
  if (old->epoch != expected_epoch)
    return kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                            "definitions were changed by another at the same time");

  new = _kvsqld_snapshot_change (old, changes, n_changes);
  if (protocol != NULL)
    new->protocol = *protocol;
  else if (old->epoch == 0 && old->protocol.number == 0)
    new->protocol.number = self->parent.first_protocol;
  text = _kvsqld_definitions_print (new);
  if (text->len > KVSQLD_FILE_MAX_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_LIMIT, KVSQL_SPAN_NONE,
                            "all definitions together are larger than %d MiB",
                            KVSQLD_FILE_MAX_BYTES >> 20);
  if (author != NULL && !write_history (self, old, changes, n_changes, author, error))
    return FALSE;
  if (!_kvsqld_file_replace (self->definitions_path, text->str, text->len, 0600, error))
    return FALSE;
  if (out_epoch != NULL)
    *out_epoch = new->epoch;
  return TRUE;
}

static gboolean
local_commit (KvsqldRegistry *registry, gint64 expected_epoch, const KvsqlDefinitionChange *changes,
              guint n_changes, const KvsqldAuthor *author, const KvsqlCall *call, gint64 *out_epoch,
              GError **error)
{
  return commit ((LocalRegistry *)registry, expected_epoch, changes, n_changes, NULL, author, call,
                 out_epoch, error);
}

static gboolean
local_change_protocol (KvsqldRegistry *registry, gint64 expected_epoch,
                       const KvsqldWriteProtocol *protocol, const KvsqlCall *call, GError **error)
{
  return commit ((LocalRegistry *)registry, expected_epoch, NULL, 0, protocol, NULL, call, NULL,
                 error);
}

/* ---- the secret ---- */

static GBytes *
read_secret (LocalRegistry *self, gboolean *out_exists, GError **error)
{
  g_autoptr (GString) bytes = _kvsqld_file_read (self->secret_path, out_exists, error);

  if (bytes == NULL)
    return NULL;
  if (bytes->len != KVSQLD_SECRET_BYTES)
    {
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE,
                       "secret file \"%s\" has %" G_GSIZE_FORMAT " bytes instead of %d",
                       self->secret_path, bytes->len, KVSQLD_SECRET_BYTES);
      kvsql_error_hint (error, "Remove it; a new one is made, and open cursors end.");
      return NULL;
    }
  return g_bytes_new (bytes->str, bytes->len);
}

static GBytes *
local_get_secret (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_auto (KvsqldDescriptor) lock = acquire_lock (self, call, error);
  g_autoptr (GError) local_error = NULL;
  guint8 secret[KVSQLD_SECRET_BYTES];
  gboolean exists;
  GBytes *bytes;

  if (lock < 0)
    return NULL;
  bytes = read_secret (self, &exists, &local_error);
  if (bytes != NULL)
    return bytes;
  if (exists)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  if (!_kvsqld_random_bytes (secret, sizeof secret, error)
      || !_kvsqld_file_replace (self->secret_path, (const gchar *)secret, sizeof secret, 0600,
                                error))
    return NULL;
  return g_bytes_new (secret, sizeof secret);
}

/* ---- the clock ---- */

/* The file: a version, a space, the text, a line's end. */
static gboolean
load_clock (LocalRegistry *self, KvsqldClockReading *out, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  gboolean exists;
  g_autoptr (GString) text = _kvsqld_file_read (self->clock_path, &exists, &local_error);
  gchar *end;

  *out = (KvsqldClockReading){ .server_ms = g_get_real_time () / 1000 };
  if (text == NULL)
    {
      if (!exists)
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  out->version = g_ascii_strtoll (text->str, &end, 10);
  if (end == text->str || *end != ' ')
    {
      kvsql_error_set (error, KVSQL_ERROR_STORE, KVSQL_SPAN_NONE, "clock file \"%s\" is damaged",
                       self->clock_path);
      return kvsql_error_hint (error, "Remove it while no kvsqld runs.");
    }
  g_strlcpy (out->text, g_strchomp (end + 1), sizeof out->text);
  return TRUE;
}

static gboolean
local_read_clock (KvsqldRegistry *registry, KvsqldClockReading *out, const KvsqlCall *call,
                  GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_auto (KvsqldDescriptor) lock = acquire_lock (self, call, error);

  return lock >= 0 && load_clock (self, out, error);
}

static gboolean
local_write_clock (KvsqldRegistry *registry, const KvsqldClockReading *reading, const gchar *text,
                   gboolean *out_is_written, const KvsqlCall *call, GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_auto (KvsqldDescriptor) lock = acquire_lock (self, call, error);
  g_autofree gchar *line = NULL;
  KvsqldClockReading now;

  *out_is_written = FALSE;
  if (lock < 0 || !load_clock (self, &now, error))
    return FALSE;
  if (now.version != reading->version)
    return TRUE;
  line = g_strdup_printf ("%" G_GINT64_FORMAT " %s\n", now.version + 1, text);
  *out_is_written = _kvsqld_file_replace (self->clock_path, line, strlen (line), 0644, error);
  return *out_is_written;
}

/* ---- the slots ---- */

/* The file: a version, a line's end, the text. */
static gboolean
load_slots (LocalRegistry *self, gchar **out_text, gint64 *out_version, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  gboolean exists;
  g_autoptr (GString) text = _kvsqld_file_read (self->slots_path, &exists, &local_error);
  gchar *end;

  *out_version = 0;
  if (text == NULL)
    {
      if (!exists)
        {
          *out_text = g_strdup ("");
          return TRUE;
        }
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  *out_version = g_ascii_strtoll (text->str, &end, 10);
  /* a text without a version is rejected by the caller */
  *out_text = g_strdup (*end == '\n' ? end + 1 : "damaged");
  return TRUE;
}

static gboolean
local_read_slots (KvsqldRegistry *registry, gchar **out_text, gint64 *out_version,
                  const KvsqlCall *call, GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_auto (KvsqldDescriptor) lock = acquire_lock (self, call, error);

  return lock >= 0 && load_slots (self, out_text, out_version, error);
}

static gboolean
local_write_slots (KvsqldRegistry *registry, gint64 version, const gchar *text,
                   gboolean *out_is_written, const KvsqlCall *call, GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_auto (KvsqldDescriptor) lock = acquire_lock (self, call, error);
  g_autofree gchar *old = NULL;
  g_autofree gchar *bytes = NULL;
  gint64 now;

  *out_is_written = FALSE;
  if (lock < 0 || !load_slots (self, &old, &now, error))
    return FALSE;
  if (now != version)
    return TRUE;
  bytes = g_strdup_printf ("%" G_GINT64_FORMAT "\n%s", version + 1, text);
  *out_is_written = _kvsqld_file_replace (self->slots_path, bytes, strlen (bytes), 0644, error);
  return *out_is_written;
}

/* ---- watching ---- */

static void
report_if_changed (LocalRegistry *self)
{
  g_autoptr (KvsqldSnapshot) snapshot = read_definitions (self, NULL);
  KvsqldRegistryState state = snapshot != NULL ? KVSQLD_REGISTRY_CONNECTED : KVSQLD_REGISTRY_AWAY;
  gboolean has_changed = snapshot != NULL && snapshot->epoch != self->seen_epoch;

  if (!has_changed && state == self->state)
    return;
  self->state = state;
  if (has_changed)
    self->seen_epoch = snapshot->epoch;
  self->watch (&self->parent, state, has_changed, self->user_data);
}

static gboolean
is_file (GFile *file, const gchar *path)
{
  return file != NULL && g_strcmp0 (g_file_peek_path (file), path) == 0;
}

static void
on_directory_event (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event,
                    gpointer user_data)
{
  LocalRegistry *self = user_data;

  if (is_file (file, self->definitions_path) || is_file (other, self->definitions_path)
      || is_file (file, self->directory))
    report_if_changed (self);
}

static gboolean
start_watching (LocalRegistry *self, GError **error)
{
  g_autoptr (GFile) directory = g_file_new_for_path (self->directory);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (KvsqldSnapshot) snapshot = NULL;

  self->monitor
      = g_file_monitor_directory (directory, G_FILE_MONITOR_WATCH_MOVES, NULL, &local_error);
  if (self->monitor == NULL)
    return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                            "could not watch \"%s\": %s", self->directory, local_error->message);
  g_signal_connect (self->monitor, "changed", G_CALLBACK (on_directory_event), self);

  /* only now, so that no change is missed */
  snapshot = read_definitions (self, NULL);
  self->seen_epoch = snapshot != NULL ? snapshot->epoch : -1;
  self->state = snapshot != NULL ? KVSQLD_REGISTRY_CONNECTED : KVSQLD_REGISTRY_AWAY;
  return TRUE;
}

/* ---- the rest ---- */

/* ---- other daemons ---- */

/* The lock is held. Other daemons do not wait for this one then. The error is logged once, and
 * shown in the status. */
static void
record_own_error (LocalRegistry *self, const gchar *what, const gchar *path)
{
  g_autofree gchar *last_error = g_strdup_printf (
      "other daemons do not see this one, and do not wait for it when a schema is defined: could "
      "not %s \"%s\": %s. Let the user of kvsqld write there, or remove \"%s\"",
      what, path, g_strerror (errno), self->daemons_path);

  if (g_strcmp0 (last_error, self->own_error) != 0)
    g_warning ("%s", last_error);
  g_free (self->own_error);
  self->own_error = g_steal_pointer (&last_error);
}

/* The file is locked before it gets the name under which other daemons look for it. */
static void
open_own_file (LocalRegistry *self)
{
  g_autofree gchar *name = g_strdup_printf ("%d-%08x", (gint)getpid (), g_random_int ());
  g_autofree gchar *path = g_build_filename (self->daemons_path, name, NULL);
  g_autofree gchar *temporary = g_strdup_printf ("%s/.%s", self->directory, name);
  g_auto (KvsqldDescriptor) fd = -1;

  if (g_mkdir_with_parents (self->daemons_path, 0700) != 0)
    {
      record_own_error (self, "make", self->daemons_path);
      return;
    }
  fd = open (temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      record_own_error (self, "make", temporary);
      return;
    }
  if (flock (fd, LOCK_EX | LOCK_NB) != 0 || rename (temporary, path) != 0)
    {
      record_own_error (self, "make", path);
      unlink (temporary);
      return;
    }
  g_clear_pointer (&self->own_error, g_free);
  self->own_fd = fd;
  self->own_path = g_steal_pointer (&path);
  fd = -1;
}

/* The number has a fixed width, so that a reader never sees a part of it. */
static void
local_acknowledge (KvsqldRegistry *registry, gint64 epoch)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  gchar text[32];

  g_snprintf (text, sizeof text, "%020" G_GINT64_FORMAT "\n", epoch);
  g_mutex_lock (&self->own_mutex);
  if (self->own_fd < 0)
    open_own_file (self);
  if (self->own_fd >= 0 && pwrite (self->own_fd, text, strlen (text), 0) < 0)
    g_debug ("could not write \"%s\": %s", self->own_path, g_strerror (errno));
  g_mutex_unlock (&self->own_mutex);
}

static gboolean
local_await_acknowledged (KvsqldRegistry *registry, const KvsqlCall *call)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  gboolean is_told;

  g_mutex_lock (&self->own_mutex);
  is_told = self->own_fd >= 0;
  g_mutex_unlock (&self->own_mutex);
  return is_told;
}

static void
close_own_file (LocalRegistry *self)
{
  if (self->own_fd >= 0)
    {
      unlink (self->own_path);
      close (self->own_fd);
    }
  g_free (self->own_path);
  g_free (self->own_error);
}

/* NULL: that daemon is gone. */
static KvsqldPeer *
read_peer (const gchar *path, const gchar *name)
{
  g_auto (KvsqldDescriptor) fd = open (path, O_RDONLY | O_CLOEXEC);
  g_autoptr (GString) text = NULL;
  KvsqldPeer *peer;

  if (fd < 0)
    return NULL;
  if (flock (fd, LOCK_SH | LOCK_NB) == 0)
    {
      unlink (path);
      return NULL;
    }
  text = _kvsqld_file_read_descriptor (fd, path, NULL);
  peer = g_new0 (KvsqldPeer, 1);
  peer->name = g_strdup (name);
  peer->epoch = text == NULL || text->len == 0 ? -1 : g_ascii_strtoll (text->str, NULL, 10);
  return peer;
}

static GPtrArray *
local_list_daemons (KvsqldRegistry *registry, const KvsqlCall *call, GError **error)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_autoptr (GPtrArray) daemons = g_ptr_array_new_with_free_func (kvsqld_peer_free);
  g_autoptr (GDir) dir = g_dir_open (self->daemons_path, 0, NULL);
  const gchar *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree gchar *path = g_build_filename (self->daemons_path, name, NULL);
      KvsqldPeer *peer = read_peer (path, name);

      if (peer == NULL)
        continue;
      g_mutex_lock (&self->own_mutex);
      peer->is_self = g_strcmp0 (path, self->own_path) == 0;
      g_mutex_unlock (&self->own_mutex);
      g_ptr_array_add (daemons, peer);
    }
  return g_steal_pointer (&daemons);
}

static gboolean
is_same_file (const struct stat *a, const struct stat *b)
{
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size
         && a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec
         && a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Each new connection causes a check, so a file that was parsed is not parsed again. */
static gboolean
can_be_read (LocalRegistry *self, GError **error)
{
  g_autoptr (KvsqldSnapshot) snapshot = NULL;
  struct stat now = { 0 };
  gboolean is_known;

  if (stat (self->definitions_path, &now) == 0)
    {
      g_mutex_lock (&self->own_mutex);
      is_known = is_same_file (&self->understood, &now);
      g_mutex_unlock (&self->own_mutex);
      if (is_known)
        return TRUE;
    }
  snapshot = read_definitions (self, error);
  if (snapshot == NULL)
    return FALSE;
  g_mutex_lock (&self->own_mutex);
  self->understood = now;
  g_mutex_unlock (&self->own_mutex);
  return TRUE;
}

static gchar *
local_describe_last_error (KvsqldRegistry *registry)
{
  LocalRegistry *self = (LocalRegistry *)registry;
  g_autoptr (GError) error = NULL;
  gchar *last_error;

  if (!can_be_read (self, &error))
    {
      g_assert (error != NULL);
      return g_strdup (error->message);
    }
  if (access (self->directory, W_OK) != 0)
    return g_strdup_printf ("definitions cannot be changed: no right to write to \"%s\"",
                            self->directory);
  g_mutex_lock (&self->own_mutex);
  last_error = g_strdup (self->own_error);
  g_mutex_unlock (&self->own_mutex);
  return last_error;
}

static void
local_close (KvsqldRegistry *registry)
{
  LocalRegistry *self = (LocalRegistry *)registry;

  if (self->monitor != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->monitor, self);
      g_file_monitor_cancel (self->monitor);
      g_object_unref (self->monitor);
    }
  close_own_file (self);
  g_mutex_clear (&self->own_mutex);
  g_free (self->daemons_path);
  g_free (self->directory);
  g_free (self->definitions_path);
  g_free (self->history_path);
  g_free (self->secret_path);
  g_free (self->clock_path);
  g_free (self->slots_path);
  g_free (self->lock_path);
  g_free (self);
}

static const KvsqldRegistryClass local_class = {
  .scheme = "local",
  .open = _kvsqld_local_registry_open,
  .close = local_close,
  .load = local_load,
  .commit = local_commit,
  .change_protocol = local_change_protocol,
  .list_history = local_list_history,
  .acknowledge = local_acknowledge,
  .await_acknowledged = local_await_acknowledged,
  .list_daemons = local_list_daemons,
  .get_secret = local_get_secret,
  .read_clock = local_read_clock,
  .write_clock = local_write_clock,
  .read_slots = local_read_slots,
  .write_slots = local_write_slots,
  .describe_last_error = local_describe_last_error,
};

static gchar *
directory_from_url (const gchar *url, GError **error)
{
  g_autoptr (GUri) uri = g_uri_parse (url, G_URI_FLAGS_NONE, NULL);

  if (uri != NULL && (g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
      && g_path_is_absolute (g_uri_get_path (uri)) && g_uri_get_query (uri) == NULL
      && g_uri_get_fragment (uri) == NULL)
    return g_canonicalize_filename (g_uri_get_path (uri), "/");
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "registry \"%s\" names no directory", url);
  kvsql_error_hint (error, "Write local:///directory, with an absolute path.");
  return NULL;
}

KvsqldRegistry *
_kvsqld_local_registry_open (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                             GError **error)
{
  g_autofree gchar *directory = directory_from_url (url, error);
  LocalRegistry *self;

  if (directory == NULL)
    return NULL;
  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      _kvsqld_file_fail (error, KVSQL_ERROR_INVALID, "make the registry's directory", directory);
      return NULL;
    }
  self = g_new0 (LocalRegistry, 1);
  self->parent.klass = &local_class;
  self->watch = watch;
  self->user_data = user_data;
  self->definitions_path = g_build_filename (directory, "definitions", NULL);
  self->history_path = g_build_filename (directory, "history", NULL);
  self->secret_path = g_build_filename (directory, "secret", NULL);
  self->clock_path = g_build_filename (directory, "clock", NULL);
  self->slots_path = g_build_filename (directory, "slots", NULL);
  self->lock_path = g_build_filename (directory, "lock", NULL);
  self->daemons_path = g_build_filename (directory, "daemons", NULL);
  g_mutex_init (&self->own_mutex);
  self->own_fd = -1;
  self->directory = g_steal_pointer (&directory);
  if (watch != NULL && !start_watching (self, error))
    {
      local_close (&self->parent);
      return NULL;
    }
  return &self->parent;
}
