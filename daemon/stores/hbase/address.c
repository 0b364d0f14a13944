/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * address.c: see address.h.
 *
 * A name server that does not answer must not delay a caller past its deadline, but the blocking
 * lookup has no deadline. So the asynchronous one runs on a main context of its own, together with
 * a timer.
 */
#include "config.h"

#include "daemon/stores/hbase/address.h"

typedef struct
{
  gboolean is_done;
  GSocketAddress *address;
  GError *failure;
} Lookup;

static void
on_address (GObject *source, GAsyncResult *result, gpointer data)
{
  Lookup *lookup = data;

  lookup->address = g_socket_address_enumerator_next_finish (G_SOCKET_ADDRESS_ENUMERATOR (source),
                                                             result, &lookup->failure);
  lookup->is_done = TRUE;
}

static gboolean
on_timeout (gpointer cancellable)
{
  g_cancellable_cancel (cancellable);
  return G_SOURCE_REMOVE;
}

static void
pass_on (GCancellable *cancellable, gpointer own)
{
  g_cancellable_cancel (own);
}

static void
look_up (Lookup *lookup, GSocketAddressEnumerator *addresses, gint64 limit_us,
         GCancellable *cancellable)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GSource) timer = g_timeout_source_new (0);

  g_source_set_ready_time (timer, MAX (limit_us, 0));
  g_source_set_callback (timer, on_timeout, g_object_ref (cancellable), g_object_unref);
  g_source_attach (timer, context);
  g_main_context_push_thread_default (context);
  g_socket_address_enumerator_next_async (addresses, cancellable, on_address, lookup);
  while (!lookup->is_done)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  g_source_destroy (timer);
}

GSocketAddress *
kvsqld_t2_next_address (GSocketAddressEnumerator *addresses, gint64 limit_us,
                        GCancellable *cancellable, GError **error)
{
  g_autoptr (GCancellable) own = g_cancellable_new ();
  Lookup lookup = { 0 };
  gulong handler = 0;

  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (pass_on), own, NULL);
  look_up (&lookup, addresses, limit_us, own);
  if (handler != 0)
    g_cancellable_disconnect (cancellable, handler);
  if (lookup.failure != NULL)
    g_propagate_error (error, lookup.failure);
  return lookup.address;
}
