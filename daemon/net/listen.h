/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * listen.h: the addresses that kvsqld listens on: tcp://HOST:PORT?auth=… or unix:///PATH.
 *
 * A TCP address says how its clients prove who they are: auth=scram, auth=cert or auth=none. On a
 * host that is not loopback, auth=none needs allow_insecure=true, too. A UNIX socket has auth=peer
 * if it does not say another way.
 *
 * tls=required or tls=optional: a TCP address is encrypted. client_cert=verify: its clients have a
 * certificate of tls_client_ca; auth=cert implies that.
 *
 * With port 0 the kernel chooses the port, and the daemon prints it. An IPv6 host is in brackets.
 * The host is looked up when the socket is bound, not here.
 */
#pragma once

#include <glib.h>

#include "core/base/error.h"

G_BEGIN_DECLS

/* How a client proves who it is. */
typedef enum
{
  KVSQLD_AUTH_NONE,  /* not at all */
  KVSQLD_AUTH_PEER,  /* by the user of its process, as the system says: UNIX sockets only */
  KVSQLD_AUTH_SCRAM, /* by a password: SCRAM-SHA-256 */
  KVSQLD_AUTH_CERT,  /* by a certificate */
} KvsqldAuth;

typedef enum
{
  KVSQLD_TLS_OFF,
  KVSQLD_TLS_OPTIONAL, /* as the client wishes: protocols that can ask for it */
  KVSQLD_TLS_REQUIRED,
} KvsqldTlsMode;

typedef struct
{
  gchar *path; /* nullable: a UNIX socket */
  gchar *host; /* nullable: TCP */
  guint16 port;
  KvsqldAuth auth;
  gboolean allows_insecure;
  KvsqldTlsMode tls;
  gboolean asks_certificate; /* of its clients */
} KvsqldListenAddress;

/* KVSQL_ERROR_INVALID, with a hint that shows the right form. */
KvsqldListenAddress *kvsqld_listen_address_parse (const gchar *text,
                                                  GError **error) G_GNUC_WARN_UNUSED_RESULT;
void kvsqld_listen_address_free (KvsqldListenAddress *self);

/* "scram", "none": of a socket of systemd, which has no address in the configuration. */
gboolean kvsqld_auth_parse (const gchar *text, KvsqldAuth *out);

/* The address without its parameters. (transfer full) */
gchar *kvsqld_listen_address_to_string (const KvsqldListenAddress *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqldListenAddress, kvsqld_listen_address_free)

G_END_DECLS
