/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listen.h: the addresses that kvsqld listens on: tcp://HOST:PORT or unix:///PATH.
 *
 * With port 0 the kernel chooses the port, and the daemon prints it. An IPv6 host is in brackets.
 * The host is looked up when the socket is bound, not here.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *path; /* nullable: a UNIX socket */
  gchar *host; /* nullable: TCP */
  guint16 port;
} KvsqldListenAddress;

/* KVSQL_ERROR_INVALID, with a hint that shows the right form. */
KvsqldListenAddress *kvsqld_listen_address_parse (const gchar *text,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_listen_address_free (KvsqldListenAddress *self);

/* The address as kvsqld_listen_address_parse() reads it. (transfer full) */
gchar *kvsqld_listen_address_to_string (const KvsqldListenAddress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldListenAddress, kvsqld_listen_address_free)

G_END_DECLS
