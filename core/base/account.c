/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * account.c: see the header.
 */
#include "config.h"

#include "core/base/account.h"

struct _KvsqlAccount
{
  KvsqlAccount *parent; /* nullable */
  gint64 used;
  gint64 freed; /* in total, of large blocks */
};

static _Thread_local KvsqlAccount *current;

KvsqlAccount *
kvsql_account_new (KvsqlAccount *parent)
{
  KvsqlAccount *self = g_atomic_rc_box_new0 (KvsqlAccount);

  self->parent = kvsql_account_ref (parent);
  return self;
}

KvsqlAccount *
kvsql_account_ref (KvsqlAccount *self)
{
  return self == NULL ? NULL : g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  KvsqlAccount *self = data;

  /* each owner of memory has a reference */
  g_assert (__atomic_load_n (&self->used, __ATOMIC_RELAXED) == 0);
  kvsql_account_unref (self->parent);
}

void
kvsql_account_unref (KvsqlAccount *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, clear);
}

void
kvsql_account_join (KvsqlAccount *self, KvsqlAccount *parent)
{
  KvsqlAccount *before = self->parent;

  g_return_if_fail (parent->parent == before);
  self->parent = kvsql_account_ref (parent);
  __atomic_fetch_add (&parent->used, __atomic_load_n (&self->used, __ATOMIC_RELAXED),
                      __ATOMIC_RELAXED);
  kvsql_account_unref (before);
}

gsize
kvsql_account_get_used (const KvsqlAccount *self)
{
  return (gsize)MAX (__atomic_load_n (&self->used, __ATOMIC_RELAXED), 0);
}

guint64
kvsql_account_get_freed (const KvsqlAccount *self)
{
  return (guint64)__atomic_load_n (&self->freed, __ATOMIC_RELAXED);
}

KvsqlAccount *
kvsql_account_enter (KvsqlAccount *self)
{
  KvsqlAccount *before = current;

  current = self;
  return before;
}

KvsqlAccount *
kvsql_account_get_current (void)
{
  return current;
}

void
kvsql_account_add (KvsqlAccount *self, gssize bytes)
{
  for (; self != NULL; self = self->parent)
    {
      __atomic_fetch_add (&self->used, bytes, __ATOMIC_RELAXED);
      if (bytes <= -KVSQL_ACCOUNT_LARGE_BLOCK)
        __atomic_fetch_sub (&self->freed, bytes, __ATOMIC_RELAXED);
    }
}
