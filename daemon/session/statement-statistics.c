/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * statement-statistics.c: a hash table with open addressing. Every statement looks its shape up, so
 * this is a few instructions under the lock; all counts are outside of it.
 */
#include "config.h"

#include "daemon/session/statement-statistics.h"

#include "core/base/hash.h"

#define EVICTED_PART 16
#define CUT " …"

struct _KvsqldStatementStatistics
{
  GMutex mutex;
  guint64 seed; /* secret, so that a client cannot choose statements that collide */
  KvsqldShape **slots;
  guint mask; /* their number minus one: a power of two, at least twice @max */
  guint max;
  guint n;
  KvsqlCount n_evicted;
  gint64 since_ms;
};

/* ---- shapes */

KvsqldShape *
kvsqld_shape_ref (KvsqldShape *self)
{
  if (self != NULL)
    g_atomic_int_inc (&self->ref_count);
  return self;
}

void
kvsqld_shape_unref (KvsqldShape *self)
{
  if (self == NULL || !g_atomic_int_dec_and_test (&self->ref_count))
    return;
  g_free (self->role);
  g_free (self->text);
  g_free (self);
}

static gchar *
cut_text (const gchar *text)
{
  g_autofree gchar *start = NULL;
  const gchar *end;
  gsize size = strlen (text);

  if (size <= KVSQLD_MAX_SHAPE_BYTES)
    return g_strdup (text);
  /* not within a character */
  size = KVSQLD_MAX_SHAPE_BYTES - strlen (CUT);
  end = g_utf8_find_prev_char (text, text + size + 1);
  start = g_strndup (text, end != NULL ? (gsize)(end - text) : size);
  return g_strconcat (start, CUT, NULL);
}

static KvsqldShape *
shape_new (guint64 fingerprint, const gchar *role, const gchar *text, gboolean is_whole)
{
  KvsqldShape *self = g_new0 (KvsqldShape, 1);

  self->ref_count = 1;
  self->fingerprint = fingerprint;
  self->role = g_strdup (role);
  self->text = cut_text (text);
  self->is_whole = is_whole && strlen (text) <= KVSQLD_MAX_SHAPE_BYTES;
  self->since_ms = g_get_real_time () / 1000;
  return self;
}

static void
raise_to (KvsqlCount *self, gint64 value)
{
  gint64 old = kvsql_count_get (self);

  while (
      old < value
      && !__atomic_compare_exchange_n (self, &old, value, TRUE, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void
kvsqld_shape_count (KvsqldShape *self, const KvsqldShapeUse *use)
{
  if (!use->is_fetch)
    {
      kvsql_count_add (&self->n_calls, 1);
      __atomic_fetch_add (&self->usage, 1, __ATOMIC_RELAXED);
    }
  if (use->is_error)
    kvsql_count_add (&self->n_errors, 1);
  if (use->n_rows > 0)
    kvsql_count_add (&self->n_rows, use->n_rows);
  if (kvsql_count_get (&use->usage->n_calls) > 0)
    {
      kvsql_count_add (&self->n_store_calls, kvsql_count_get (&use->usage->n_calls));
      kvsql_count_add (&self->n_rows_read, kvsql_count_get (&use->usage->n_rows));
      kvsql_count_add (&self->n_cells_read, kvsql_count_get (&use->usage->n_cells));
    }
  kvsql_count_add (&self->total_us, use->duration_us);
  raise_to (&self->max_us, use->duration_us);
  __atomic_store_n (&self->last_ms, use->began_ms, __ATOMIC_RELAXED);
}

/* ---- the table */

static guint64
hash_of (const KvsqldStatementStatistics *self, guint64 fingerprint, const gchar *role)
{
  return role[0] == '\0' ? fingerprint : kvsql_hash (self->seed ^ fingerprint, role, strlen (role));
}

/* Mostly there are no roles. */
static gboolean
is_equal (const gchar *a, const gchar *b)
{
  return (a[0] == '\0' && b[0] == '\0') || strcmp (a, b) == 0;
}

/* The slot of the shape, or the free one where it belongs. */
static KvsqldShape **
find_slot (const KvsqldStatementStatistics *self, guint64 fingerprint, const gchar *role)
{
  for (guint i = hash_of (self, fingerprint, role) & self->mask;; i = (i + 1) & self->mask)
    {
      KvsqldShape **slot = &self->slots[i];

      if (*slot == NULL || ((*slot)->fingerprint == fingerprint && is_equal ((*slot)->role, role)))
        return slot;
    }
}

static void
make_slots (KvsqldStatementStatistics *self, guint max)
{
  guint n = 2;

  while (n < 2 * max)
    n *= 2;
  self->slots = g_new0 (KvsqldShape *, n);
  self->mask = n - 1;
  self->max = max;
  self->n = 0;
}

/* (transfer full): the shapes of the table, which is empty then */
static GPtrArray *
take_all (KvsqldStatementStatistics *self)
{
  GPtrArray *shapes = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_shape_unref);

  for (guint i = 0; i <= self->mask; i++)
    if (self->slots[i] != NULL)
      g_ptr_array_add (shapes, g_steal_pointer (&self->slots[i]));
  self->n = 0;
  return shapes;
}

static void
put (KvsqldStatementStatistics *self, KvsqldShape *shape)
{
  *find_slot (self, shape->fingerprint, shape->role) = shape;
  self->n++;
}

KvsqldStatementStatistics *
kvsqld_statement_statistics_new (void)
{
  KvsqldStatementStatistics *self = g_new0 (KvsqldStatementStatistics, 1);

  g_mutex_init (&self->mutex);
  self->seed = (guint64)g_random_int () << 32 | g_random_int ();
  self->since_ms = g_get_real_time () / 1000;
  make_slots (self, 0);
  return self;
}

void
kvsqld_statement_statistics_free (KvsqldStatementStatistics *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (take_all (self));
  g_free (self->slots);
  g_mutex_clear (&self->mutex);
  g_free (self);
}

void
kvsqld_statement_statistics_set_max (KvsqldStatementStatistics *self, guint max_shapes)
{
  g_autoptr (GPtrArray) old = NULL;

  g_mutex_lock (&self->mutex);
  if (self->max != max_shapes)
    {
      old = take_all (self);
      g_free (self->slots);
      make_slots (self, max_shapes);
      self->since_ms = g_get_real_time () / 1000;
    }
  g_mutex_unlock (&self->mutex);
}

guint64
kvsqld_statement_statistics_get_seed (const KvsqldStatementStatistics *self)
{
  return self->seed;
}

KvsqldShape *
kvsqld_statement_statistics_find (KvsqldStatementStatistics *self, guint64 fingerprint,
                                  const gchar *role)
{
  KvsqldShape *shape;

  g_mutex_lock (&self->mutex);
  shape = kvsqld_shape_ref (*find_slot (self, fingerprint, role));
  g_mutex_unlock (&self->mutex);
  return shape;
}

static gint
compare_usage (gconstpointer a, gconstpointer b)
{
  const KvsqldShape *left = *(KvsqldShape *const *)a, *right = *(KvsqldShape *const *)b;
  guint64 of_left = __atomic_load_n (&left->usage, __ATOMIC_RELAXED);
  guint64 of_right = __atomic_load_n (&right->usage, __ATOMIC_RELAXED);
  gint64 time_of_left = kvsql_count_get (&left->last_ms);
  gint64 time_of_right = kvsql_count_get (&right->last_ms);

  if (of_left != of_right)
    return of_left < of_right ? -1 : 1;
  return time_of_left < time_of_right ? -1 : time_of_left > time_of_right;
}

/* Halving what remains lets new shapes get past those that were used long ago. */
static GPtrArray *
evict (KvsqldStatementStatistics *self)
{
  GPtrArray *shapes = take_all (self);
  guint n_evicted = MAX (shapes->len / EVICTED_PART, 1);

  g_ptr_array_sort (shapes, compare_usage);
  for (guint i = n_evicted; i < shapes->len; i++)
    {
      KvsqldShape *shape = shapes->pdata[i];

      __atomic_store_n (&shape->usage, __atomic_load_n (&shape->usage, __ATOMIC_RELAXED) / 2,
                        __ATOMIC_RELAXED);
      put (self, kvsqld_shape_ref (shape));
    }
  kvsql_count_add (&self->n_evicted, n_evicted);
  return shapes;
}

KvsqldShape *
kvsqld_statement_statistics_add (KvsqldStatementStatistics *self, guint64 fingerprint,
                                 const gchar *role, const gchar *text, gboolean is_whole)
{
  KvsqldShape *added = shape_new (fingerprint, role, text, is_whole), *shape = NULL;
  g_autoptr (GPtrArray) old = NULL;

  g_mutex_lock (&self->mutex);
  if (self->max > 0)
    {
      shape = *find_slot (self, fingerprint, role);
      if (shape == NULL)
        {
          if (self->n >= self->max)
            old = evict (self);
          shape = kvsqld_shape_ref (added);
          put (self, shape);
        }
      kvsqld_shape_ref (shape);
    }
  g_mutex_unlock (&self->mutex);
  kvsqld_shape_unref (added);
  return shape;
}

/* ---- showing and forgetting */

static gint
compare_time (gconstpointer a, gconstpointer b)
{
  const KvsqldShape *left = *(KvsqldShape *const *)a, *right = *(KvsqldShape *const *)b;
  gint64 of_left = kvsql_count_get (&left->total_us), of_right = kvsql_count_get (&right->total_us);

  if (of_left != of_right)
    return of_left > of_right ? -1 : 1;
  return strcmp (left->text, right->text);
}

GPtrArray *
kvsqld_statement_statistics_list (KvsqldStatementStatistics *self)
{
  GPtrArray *shapes = g_ptr_array_new_with_free_func ((GDestroyNotify)kvsqld_shape_unref);

  g_mutex_lock (&self->mutex);
  for (guint i = 0; i <= self->mask; i++)
    if (self->slots[i] != NULL)
      g_ptr_array_add (shapes, kvsqld_shape_ref (self->slots[i]));
  g_mutex_unlock (&self->mutex);
  g_ptr_array_sort (shapes, compare_time);
  return shapes;
}

void
kvsqld_statement_statistics_reset (KvsqldStatementStatistics *self,
                                   gboolean (*is_of) (const gchar *role, gpointer data),
                                   gpointer data)
{
  g_autoptr (GPtrArray) old = NULL;

  g_mutex_lock (&self->mutex);
  old = take_all (self);
  for (guint i = 0; is_of != NULL && i < old->len; i++)
    {
      KvsqldShape *shape = old->pdata[i];

      if (!is_of (shape->role, data))
        put (self, kvsqld_shape_ref (shape));
    }
  if (is_of == NULL)
    {
      __atomic_store_n (&self->n_evicted, 0, __ATOMIC_RELAXED);
      self->since_ms = g_get_real_time () / 1000;
    }
  g_mutex_unlock (&self->mutex);
}

guint
kvsqld_statement_statistics_get_size (KvsqldStatementStatistics *self)
{
  guint n;

  g_mutex_lock (&self->mutex);
  n = self->n;
  g_mutex_unlock (&self->mutex);
  return n;
}

gint64
kvsqld_statement_statistics_get_n_evicted (const KvsqldStatementStatistics *self)
{
  return kvsql_count_get (&self->n_evicted);
}

gint64
kvsqld_statement_statistics_get_since (KvsqldStatementStatistics *self)
{
  gint64 since_ms;

  g_mutex_lock (&self->mutex);
  since_ms = self->since_ms;
  g_mutex_unlock (&self->mutex);
  return since_ms;
}
