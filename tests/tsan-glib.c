/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tsan-glib.c: shows GLib's mutexes, conditions, reference counts, thread pools and initializations
 * to ThreadSanitizer.
 *
 * GLib makes its locks from futexes inside a library that is not instrumented, so a build with
 * --enable-tsan would take every use of them for a race. Programs that link this file get them
 * announced instead, lock order included. In other builds it is empty.
 */
#include "config.h"

#include <glib.h>

#if defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <string.h>

#undef g_atomic_ref_count_inc
#undef g_atomic_ref_count_dec
#undef g_once_init_leave

/* Looked up once per place; a lookup that happens twice finds the same. */
#define REAL(function)                                                                             \
  ({                                                                                               \
    static __typeof__ (&function) real;                                                            \
    __typeof__ (&function) found = __atomic_load_n (&real, __ATOMIC_RELAXED);                      \
    if (found == NULL)                                                                             \
      {                                                                                            \
        found = (__typeof__ (&function))dlsym (RTLD_NEXT, #function);                              \
        __atomic_store_n (&real, found, __ATOMIC_RELAXED);                                         \
      }                                                                                            \
    found;                                                                                         \
  })

void
g_mutex_init (GMutex *mutex)
{
  REAL (g_mutex_init) (mutex);
  __tsan_mutex_create (mutex, 0);
}

/* The store that publishes what was initialized is in GLib; the load is inlined. */
void
g_once_init_leave (volatile void *location, gsize result)
{
  __tsan_release ((gpointer)location);
  REAL (g_once_init_leave) (location, result);
}

/* GLib's own objects count references in code that is not instrumented, so the last owner, who
 * clears the mutex, is not seen to come after the others. Our own programs get no such help. */
static gboolean
is_glib (gconstpointer code)
{
  Dl_info info;

  return dladdr (code, &info) != 0 && strstr (info.dli_fname, "/libg") != NULL;
}

void
g_mutex_clear (GMutex *mutex)
{
  if (is_glib (__builtin_return_address (0)))
    __tsan_acquire (mutex);
  __tsan_mutex_destroy (mutex, 0);
  REAL (g_mutex_clear) (mutex);
}

void
g_mutex_lock (GMutex *mutex)
{
  __tsan_mutex_pre_lock (mutex, 0);
  REAL (g_mutex_lock) (mutex);
  __tsan_mutex_post_lock (mutex, 0, 0);
}

gboolean
g_mutex_trylock (GMutex *mutex)
{
  gboolean is_locked;

  __tsan_mutex_pre_lock (mutex, __tsan_mutex_try_lock);
  is_locked = REAL (g_mutex_trylock) (mutex);
  __tsan_mutex_post_lock (
      mutex, __tsan_mutex_try_lock | (is_locked ? 0 : __tsan_mutex_try_lock_failed), 0);
  return is_locked;
}

void
g_mutex_unlock (GMutex *mutex)
{
  __tsan_mutex_pre_unlock (mutex, 0);
  REAL (g_mutex_unlock) (mutex);
  __tsan_mutex_post_unlock (mutex, 0);
}

static void
before_wait (GMutex *mutex)
{
  __tsan_mutex_pre_unlock (mutex, 0);
  __tsan_mutex_post_unlock (mutex, 0);
  __tsan_mutex_pre_lock (mutex, 0);
}

void
g_cond_wait (GCond *cond, GMutex *mutex)
{
  before_wait (mutex);
  REAL (g_cond_wait) (cond, mutex);
  __tsan_mutex_post_lock (mutex, 0, 0);
}

gboolean
g_cond_wait_until (GCond *cond, GMutex *mutex, gint64 end_time)
{
  gboolean was_signalled;

  before_wait (mutex);
  was_signalled = REAL (g_cond_wait_until) (cond, mutex, end_time);
  __tsan_mutex_post_lock (mutex, 0, 0);
  return was_signalled;
}

void
g_atomic_ref_count_inc (gatomicrefcount *count)
{
  g_atomic_int_inc (count);
}

/* In instrumented code, so that the last owner is seen to come after the others. */
gboolean
g_atomic_ref_count_dec (gatomicrefcount *count)
{
  return g_atomic_int_dec_and_test (count);
}

/* The same for boxes, whose counts are in GLib. */
static __thread GDestroyNotify clear_of_box;

static void
acquire_and_clear (gpointer box)
{
  const GDestroyNotify clear = clear_of_box; /* it may release other boxes */

  __tsan_acquire (box);
  clear (box);
}

void
g_atomic_rc_box_release_full (gpointer box, GDestroyNotify clear)
{
  __tsan_release (box);
  clear_of_box = clear;
  REAL (g_atomic_rc_box_release_full) (box, acquire_and_clear);
}

/* What one thread hands to a pool another finds as it was. */
typedef struct
{
  GFunc function;
  gpointer user_data;
} PoolWork; /* lives as long as the program */

static void
run_pool_work (gpointer data, gpointer user_data)
{
  const PoolWork *work = user_data;

  __tsan_acquire (data);
  work->function (data, work->user_data);
  __tsan_release ((void *)work);
}

GThreadPool *
g_thread_pool_new (GFunc function, gpointer user_data, gint max_threads, gboolean exclusive,
                   GError **error)
{
  PoolWork *work = g_new (PoolWork, 1);

  *work = (PoolWork){ function, user_data };
  return REAL (g_thread_pool_new) (run_pool_work, work, max_threads, exclusive, error);
}

/* What waits for the pool's functions comes after them. */
void
g_thread_pool_free (GThreadPool *pool, gboolean immediate, gboolean wait)
{
  gpointer work = pool->user_data;

  REAL (g_thread_pool_free) (pool, immediate, wait);
  if (wait)
    __tsan_acquire (work);
}

/* The pool's own queue, which cannot be seen. */
const char *__tsan_default_suppressions (void);

const char *
__tsan_default_suppressions (void)
{
  return "race:g_queue_pop_tail\n";
}

gboolean
g_thread_pool_push (GThreadPool *pool, gpointer data, GError **error)
{
  __tsan_release (data);
  return REAL (g_thread_pool_push) (pool, data, error);
}

#else
typedef int KvsqlNoThreadSanitizer; /* ISO C wants a declaration */
#endif
