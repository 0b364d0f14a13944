/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequences.c: see the header.
 */
#include "config.h"

#include "daemon/cluster/sequences.h"

#include "core/base/interrupt.h"
#include "core/catalog/number-sequence.h"

#define FIRST_BLOCK 32
#define LARGEST_BLOCK 100000
#define QUICK_US (10 * G_TIME_SPAN_SECOND) /* a block that is used up in this time was small */
#define MAX_ATTEMPTS 50

typedef struct
{
  guint64 id; /* of the sequence when it was leased */
  gint64 next, increment;
  guint64 n_left;
  guint64 block; /* to lease the next time */
  gint64 leased_us;
} Lease;

/* What a session got. */
typedef struct
{
  GHashTable *values; /* name -> gint64 */
  gint64 last;
} Session;

struct _KvsqldSequences
{
  KvsqldDefinitions *definitions;
  GMutex lease_mutex;   /* held while a block is leased: only one thread asks the registry */
  GMutex mutex;         /* of the tables; taken after lease_mutex */
  GHashTable *leases;   /* name -> Lease */
  GHashTable *sessions; /* id -> Session */
};

static void
session_free (gpointer data)
{
  Session *self = data;

  g_hash_table_unref (self->values);
  g_free (self);
}

KvsqldSequences *
kvsqld_sequences_new (KvsqldDefinitions *definitions)
{
  KvsqldSequences *self = g_new0 (KvsqldSequences, 1);

  self->definitions = definitions;
  g_mutex_init (&self->lease_mutex);
  g_mutex_init (&self->mutex);
  self->leases = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->sessions = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, session_free);
  return self;
}

void
kvsqld_sequences_free (KvsqldSequences *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->leases);
  g_hash_table_unref (self->sessions);
  g_mutex_clear (&self->lease_mutex);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

/* ---- what sessions got */

static void
remember (KvsqldSequences *self, gint64 session, const gchar *name, gint64 value)
{
  Session *found;

  if (session == 0)
    return;
  g_mutex_lock (&self->mutex);
  found = g_hash_table_lookup (self->sessions, &session);
  if (found == NULL)
    {
      found = g_new0 (Session, 1);
      found->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
      g_hash_table_insert (self->sessions, g_memdup2 (&session, sizeof session), found);
    }
  found->last = value;
  g_hash_table_insert (found->values, g_strdup (name), g_memdup2 (&value, sizeof value));
  g_mutex_unlock (&self->mutex);
}

void
kvsqld_sequences_forget (KvsqldSequences *self, gint64 session)
{
  g_mutex_lock (&self->mutex);
  g_hash_table_remove (self->sessions, &session);
  g_mutex_unlock (&self->mutex);
}

static gboolean
fail_unused (const gchar *name, GError **error)
{
  if (name == NULL)
    kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                     "lastval is not yet defined in this session");
  else
    kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                     "currval of sequence \"%s\" is not yet defined in this session", name);
  return kvsql_error_sqlstate (error, "55000");
}

static gboolean
fail_unknown (const gchar *name, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, KVSQL_SPAN_NONE,
                   "sequence \"%s\" does not exist", name);
  return kvsql_error_sqlstate (error, "42P01");
}

static gboolean
check_exists (KvsqldSequences *self, const gchar *name, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);

  return kvsql_catalog_find_sequence (catalog, name) != NULL
         || (kvsql_catalog_check_known (catalog, error) && fail_unknown (name, error));
}

gboolean
kvsqld_sequences_current (KvsqldSequences *self, gint64 session, const gchar *name, gint64 *out,
                          GError **error)
{
  const Session *found;
  const gint64 *value = NULL;

  if (name != NULL && !check_exists (self, name, error))
    return FALSE;
  g_mutex_lock (&self->mutex);
  found = g_hash_table_lookup (self->sessions, &session);
  if (found != NULL)
    value = name == NULL ? &found->last : g_hash_table_lookup (found->values, name);
  if (value != NULL)
    *out = *value;
  g_mutex_unlock (&self->mutex);
  return value != NULL || fail_unused (name, error);
}

/* ---- changes of the entry */

typedef gboolean (*Change) (KvsqlNumberSequence *sequence, gpointer data, GError **error);

/* TRUE with *out_is_late: another commit came first. */
static gboolean
try_change (KvsqldSequences *self, const gchar *name, Change change, gpointer data,
            const KvsqlCall *call, gboolean *out_is_late, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);
  const KvsqlNumberSequence *found = kvsql_catalog_find_sequence (catalog, name);
  KvsqlNumberSequence *changed;
  g_autofree gchar *text = NULL;
  g_autoptr (GError) failure = NULL;
  gboolean ok;

  *out_is_late = FALSE;
  if (found == NULL)
    return kvsql_catalog_check_known (catalog, error) && fail_unknown (name, error);
  if (!kvsqld_definitions_may_write (self->definitions, catalog, error))
    return FALSE;
  changed = kvsql_number_sequence_copy (found);
  ok = change (changed, data, error);
  text = ok ? kvsql_number_sequence_print (changed) : NULL;
  kvsql_number_sequence_free (changed);
  if (!ok)
    return FALSE;
  const KvsqlDefinitionChange entry
      = { .kind = KVSQL_DEFINITION_SEQUENCE, .name = name, .text = text };
  if (kvsqld_definitions_commit (self->definitions, catalog, &entry, 1, NULL, call, &failure))
    return TRUE;
  *out_is_late = g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_CONFLICT);
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Whatever the outcome of a commit is that is not known: its numbers are not used, and the next
 * commit is decided on what the registry has then. */
static gboolean
change_entry (KvsqldSequences *self, const gchar *name, Change change, gpointer data,
              const KvsqlCall *call, GError **error)
{
  for (guint attempt = 0;; attempt++)
    {
      g_autoptr (GError) failure = NULL;
      gboolean is_late;

      if (try_change (self, name, change, data, call, &is_late, &failure))
        return TRUE;
      if (!is_late || attempt == MAX_ATTEMPTS || !kvsql_interrupt_check (NULL))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return FALSE;
        }
    }
}

/* ---- nextval */

static gboolean
take_block (KvsqlNumberSequence *sequence, gpointer data, GError **error)
{
  Lease *lease = data;

  lease->id = sequence->id;
  lease->increment = sequence->increment;
  return kvsql_number_sequence_take (sequence, lease->block, &lease->next, &lease->n_left, error);
}

/* Takes a number of the lease. FALSE: there is none, or it is of another sequence. */
static gboolean
take_leased (KvsqldSequences *self, const gchar *name, guint64 id, gint64 *out)
{
  Lease *lease;
  gboolean ok;

  g_mutex_lock (&self->mutex);
  lease = g_hash_table_lookup (self->leases, name);
  ok = lease != NULL && lease->id == id && lease->n_left > 0;
  if (ok)
    {
      *out = lease->next;
      lease->next = (gint64)((guint64)lease->next + (guint64)lease->increment);
      lease->n_left--;
    }
  g_mutex_unlock (&self->mutex);
  return ok;
}

static guint64
choose_block (KvsqldSequences *self, const gchar *name, gint64 now)
{
  const Lease *before;
  guint64 block = FIRST_BLOCK;

  g_mutex_lock (&self->mutex);
  before = g_hash_table_lookup (self->leases, name);
  if (before != NULL)
    block = now - before->leased_us < QUICK_US ? MIN (before->block * 4, LARGEST_BLOCK)
                                               : MAX (before->block / 2, FIRST_BLOCK);
  g_mutex_unlock (&self->mutex);
  return block;
}

/* The caller holds lease_mutex. */
static gboolean
lease_block (KvsqldSequences *self, const gchar *name, const KvsqlCall *call, GError **error)
{
  Lease *lease = g_new0 (Lease, 1);

  lease->leased_us = g_get_monotonic_time ();
  lease->block = choose_block (self, name, lease->leased_us);
  if (!change_entry (self, name, take_block, lease, call, error))
    {
      g_free (lease);
      return FALSE;
    }
  g_mutex_lock (&self->mutex);
  g_hash_table_replace (self->leases, g_strdup (name), lease);
  g_mutex_unlock (&self->mutex);
  return TRUE;
}

/* The id of the sequence now. */
static gboolean
find_id (KvsqldSequences *self, const gchar *name, guint64 *out, GError **error)
{
  g_autoptr (KvsqlCatalog) catalog = kvsqld_definitions_get (self->definitions);
  const KvsqlNumberSequence *found = kvsql_catalog_find_sequence (catalog, name);

  if (found == NULL)
    return kvsql_catalog_check_known (catalog, error) && fail_unknown (name, error);
  *out = found->id;
  return TRUE;
}

static gboolean
take_or_lease (KvsqldSequences *self, const gchar *name, const KvsqlCall *call, gint64 *out,
               GError **error)
{
  guint64 id = 0;

  for (guint attempt = 0; attempt < MAX_ATTEMPTS; attempt++)
    {
      gboolean ok;

      if (!find_id (self, name, &id, error))
        return FALSE;
      if (take_leased (self, name, id, out))
        return TRUE;
      g_mutex_lock (&self->lease_mutex);
      ok = take_leased (self, name, id, out); /* another thread has leased in the meantime */
      if (ok || !lease_block (self, name, call, error))
        {
          g_mutex_unlock (&self->lease_mutex);
          return ok;
        }
      g_mutex_unlock (&self->lease_mutex);
    }
  return kvsql_error_set (error, KVSQL_ERROR_CONFLICT, KVSQL_SPAN_NONE,
                          "sequence \"%s\" is changed all the time", name);
}

gboolean
kvsqld_sequences_next (KvsqldSequences *self, gint64 session, const gchar *name,
                       const KvsqlCall *call, gint64 *out, GError **error)
{
  if (!take_or_lease (self, name, call, out, error))
    return FALSE;
  remember (self, session, name, *out);
  return TRUE;
}

/* ---- setval */

typedef struct
{
  gint64 value;
  gboolean is_called;
} Setting;

static gboolean
set_value (KvsqlNumberSequence *sequence, gpointer data, GError **error)
{
  const Setting *setting = data;

  return kvsql_number_sequence_set (sequence, setting->value, setting->is_called, error);
}

gboolean
kvsqld_sequences_set (KvsqldSequences *self, gint64 session, const gchar *name, gint64 value,
                      gboolean is_called, const KvsqlCall *call, GError **error)
{
  Setting setting = { .value = value, .is_called = is_called };

  if (!change_entry (self, name, set_value, &setting, call, error))
    return FALSE;
  if (is_called)
    remember (self, session, name, value);
  return TRUE;
}
