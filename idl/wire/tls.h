/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tls.h: TLS 1.2 and 1.3 over a socket, by GnuTLS.
 *
 * Not by GIO: GIO runs each handshake in a thread of a pool that all of GIO shares and that has ten
 * threads at first. Twenty clients that send a byte and no more delay all others by more than a
 * second. Here a handshake is a sequence of steps that never block.
 *
 * Errors: KVSQL_ERROR_INVALID for files, KVSQL_ERROR_UNAVAILABLE for all that the peer does.
 *
 * Threads: credentials may be used by any thread; a session by one thread at a time.
 */
#pragma once

#include <gio/gio.h>

#include "core/base/error.h"

G_BEGIN_DECLS

/* What one side shows and trusts. Immutable, with a count of references: sessions keep the
 * credentials that they began with. */
typedef struct _KvsqlTlsCredentials KvsqlTlsCredentials;
typedef struct _KvsqlTls KvsqlTls;

typedef struct
{
  const gchar *certificate; /* nullable: of this side, PEM; may be followed by those of its CAs */
  const gchar *key;         /* nullable: its private key, PEM; NULL: in the same file */
  const gchar *ca;          /* nullable: whom to trust, PEM; NULL: the system's CAs, if it asks */
  gboolean needs_tls_1_3;   /* 1.2 is refused */
  gboolean trusts_system;   /* without @ca: the CAs of the system */
} KvsqlTlsFiles;

typedef enum
{
  KVSQL_TLS_VERIFY_FULL, /* the certificate is of a trusted CA, and for the name of the host */
  KVSQL_TLS_VERIFY_CA,   /* of a trusted CA */
  KVSQL_TLS_VERIFY_NONE, /* any certificate */
} KvsqlTlsVerify;

KvsqlTlsCredentials *kvsql_tls_credentials_load (const KvsqlTlsFiles *files,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
KvsqlTlsCredentials *kvsql_tls_credentials_ref (KvsqlTlsCredentials *self);
void kvsql_tls_credentials_unref (KvsqlTlsCredentials *self); /* accepts NULL */
/* The end of the certificate's validity, in seconds since 1970; 0: it has no certificate. */
gint64 kvsql_tls_credentials_get_end_s (const KvsqlTlsCredentials *self);

/* @protocol: of ALPN: a client that offers others only is refused. @asks: the client must have a
 * certificate of a CA of the credentials. Borrows the socket. */
KvsqlTls *kvsql_tls_new_server (KvsqlTlsCredentials *credentials, const gchar *protocol,
                                gboolean asks, gint fd);
/* @host: whose certificate is expected, and for messages */
KvsqlTls *kvsql_tls_new_client (KvsqlTlsCredentials *credentials, const gchar *protocol,
                                const gchar *host, KvsqlTlsVerify verify, gint fd);
/* Tells the peer that no more bytes follow, if that does not block. Accepts NULL. */
void kvsql_tls_free (KvsqlTls *self);

/* The next three never block. Before a handshake is over, receiving and sending go on with it. */

/* FALSE without an error: wait for *out_wants of the socket, and call it again. */
gboolean _kvsql_tls_shake_hands (KvsqlTls *self, GIOCondition *out_wants,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The number of bytes, 0 at the end. -1 without an error: as above. Bytes may be there although the
 * socket has none: call it before the wait. */
gssize _kvsql_tls_receive (KvsqlTls *self, guint8 *room, gsize size, GIOCondition *out_wants,
                           GError **error);
/* After -1 without an error the next call is for the same bytes. */
gssize _kvsql_tls_send (KvsqlTls *self, const guint8 *data, gsize size, GIOCondition *out_wants,
                        GError **error);

gboolean kvsql_tls_is_established (const KvsqlTls *self);
/* The common name of the peer's certificate, which was verified (transfer full); NULL: it has no
 * certificate, no such name, more than one, or one that is no text. */
gchar *kvsql_tls_get_peer_name (const KvsqlTls *self);
/* The binding "tls-server-end-point" of RFC 5929: a hash of the server's certificate, which both
 * sides know. (transfer full); NULL: not defined for this certificate */
GBytes *kvsql_tls_get_end_point (const KvsqlTls *self);
/* "TLSv1.3 TLS_AES_256_GCM_SHA384". (transfer full) */
gchar *kvsql_tls_describe (const KvsqlTls *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlTlsCredentials, kvsql_tls_credentials_unref)

G_END_DECLS
