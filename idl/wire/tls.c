/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tls.c: one session. See tls.h.
 */
#include "config.h"

#include <errno.h>
#include <gnutls/x509.h>
#include <sys/socket.h>

#include "idl/wire/tls-private.h"

/* The first byte of each record: an alert, or a message of a handshake. */
#define RECORD_ALERT 0x15
#define RECORD_HANDSHAKE 0x16
/* Of warnings and other messages without data, one after the other. */
#define MAX_EMPTY_RECORDS 16
/* Blocks of a client that speaks something else. */
#define MAX_DROPPED 16

#define HINT_CERTIFICATE                                                                           \
  "The server may want a certificate of the client: cert=FILE and key=FILE in the URI."

struct _KvsqlTls
{
  KvsqlTlsCredentials *credentials;
  gnutls_session_t session;
  gint fd;
  gboolean is_server, is_established, has_failed;
  gboolean has_unsent;     /* the last send was begun, and is not over */
  gboolean has_received;   /* data of the peer, after the handshake */
  gboolean has_first_byte; /* of the peer */
  gboolean is_foreign;     /* and that byte is not of TLS */
  gchar *host;             /* of a client */
  guint n_dropped;
  gnutls_typed_vdata_st expectations[2]; /* of the peer's certificate; GnuTLS keeps the address */
};

/* ---- the socket */

static gssize
pull (gnutls_transport_ptr_t data, void *room, size_t size)
{
  KvsqlTls *self = data;
  gssize n = recv (self->fd, room, size, MSG_DONTWAIT);

  if (n > 0 && !self->has_first_byte)
    {
      const guint8 first = *(const guint8 *)room;

      self->has_first_byte = TRUE;
      self->is_foreign = first != RECORD_HANDSHAKE && first != RECORD_ALERT;
    }
  if (n < 0)
    gnutls_transport_set_errno (self->session, errno == EWOULDBLOCK ? EAGAIN : errno);
  return n;
}

/* Never SIGPIPE. */
static gssize
push (gnutls_transport_ptr_t data, const giovec_t *parts, int n_parts)
{
  KvsqlTls *self = data;
  struct msghdr message = { .msg_iov = (struct iovec *)parts, .msg_iovlen = (size_t)n_parts };
  gssize n = sendmsg (self->fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);

  if (n < 0)
    gnutls_transport_set_errno (self->session, errno == EWOULDBLOCK ? EAGAIN : errno);
  return n;
}

/* ---- sessions */

static KvsqlTls *
tls_new (KvsqlTlsCredentials *credentials, const gchar *protocol, guint flags, gint fd)
{
  KvsqlTls *self = g_new0 (KvsqlTls, 1);
  const gnutls_datum_t name = { (guchar *)protocol, (guint)strlen (protocol) };

  self->credentials = kvsql_tls_credentials_ref (credentials);
  self->fd = fd;
  gnutls_init (&self->session, flags | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL | GNUTLS_NO_TICKETS);
  gnutls_priority_set (self->session, credentials->priority);
  gnutls_credentials_set (self->session, GNUTLS_CRD_CERTIFICATE, credentials->native);
  gnutls_alpn_set_protocols (self->session, &name, 1, GNUTLS_ALPN_MANDATORY);
  gnutls_transport_set_ptr (self->session, self);
  gnutls_transport_set_pull_function (self->session, pull);
  gnutls_transport_set_vec_push_function (self->session, push);
  return self;
}

static void
expect (KvsqlTls *self, const gchar *purpose, const gchar *host)
{
  self->expectations[0]
      = (gnutls_typed_vdata_st){ GNUTLS_DT_KEY_PURPOSE_OID, (guchar *)purpose, 0 };
  self->expectations[1] = (gnutls_typed_vdata_st){ GNUTLS_DT_DNS_HOSTNAME, (guchar *)host, 0 };
  gnutls_session_set_verify_cert2 (self->session, self->expectations, host != NULL ? 2 : 1, 0);
}

KvsqlTls *
kvsql_tls_new_server (KvsqlTlsCredentials *credentials, const gchar *protocol, gboolean asks,
                      gint fd)
{
  KvsqlTls *self = tls_new (credentials, protocol, GNUTLS_SERVER, fd);

  self->is_server = TRUE;
  if (asks)
    expect (self, GNUTLS_KP_TLS_WWW_CLIENT, NULL);
  gnutls_certificate_server_set_request (self->session,
                                         asks ? GNUTLS_CERT_REQUIRE : GNUTLS_CERT_IGNORE);
  return self;
}

KvsqlTls *
kvsql_tls_new_client (KvsqlTlsCredentials *credentials, const gchar *protocol, const gchar *host,
                      KvsqlTlsVerify verify, gint fd)
{
  KvsqlTls *self = tls_new (credentials, protocol, GNUTLS_CLIENT, fd);

  self->host = g_strdup (host);
  if (verify != KVSQL_TLS_VERIFY_NONE)
    expect (self, GNUTLS_KP_TLS_WWW_SERVER, verify == KVSQL_TLS_VERIFY_FULL ? self->host : NULL);
  if (!g_hostname_is_ip_address (host))
    gnutls_server_name_set (self->session, GNUTLS_NAME_DNS, host, strlen (host));
  return self;
}

void
kvsql_tls_free (KvsqlTls *self)
{
  if (self == NULL)
    return;
  if (self->is_established && !self->has_failed && !self->has_unsent)
    gnutls_bye (self->session, GNUTLS_SHUT_WR);
  gnutls_deinit (self->session);
  kvsql_tls_credentials_unref (self->credentials);
  g_free (self->host);
  g_free (self);
}

/* ---- failures */

static gboolean
set_failure (GError **error, const gchar *reason)
{
  return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE, "TLS failed: %s",
                          reason);
}

/* The peer may read the alert only if nothing of its bytes is left when the socket is closed. */
static void
refuse_foreign (KvsqlTls *self)
{
  guint8 dropped[4096];

  while (recv (self->fd, dropped, sizeof dropped, MSG_DONTWAIT) == (gssize)sizeof dropped)
    if (++self->n_dropped >= MAX_DROPPED)
      break;
  gnutls_alert_send (self->session, GNUTLS_AL_FATAL, GNUTLS_A_PROTOCOL_VERSION);
}

static gboolean
explain_foreign (const KvsqlTls *self, GError **error)
{
  if (self->is_server)
    return set_failure (error, "the client does not speak TLS");
  set_failure (error, "the server does not speak TLS");
  return kvsql_error_hint (error, "Without TLS the URI begins with kvsql://. Is it the right "
                                  "port?");
}

/* A server that expects something else, or refuses the client after its side of the handshake, may
 * close without a word. */
static gboolean
explain_end (const KvsqlTls *self, const gchar *reason, GError **error)
{
  set_failure (error, reason);
  if (self->is_server)
    return FALSE;
  if (self->is_established && !self->has_received)
    return kvsql_error_hint (error, HINT_CERTIFICATE);
  if (self->has_first_byte)
    return FALSE;
  return kvsql_error_hint (error, "Perhaps the server does not speak TLS: then the URI begins with "
                                  "kvsql://.");
}

/* What is wrong with the peer's certificate. */
static gboolean
explain_certificate (const KvsqlTls *self, GError **error)
{
  const gchar *of = self->is_server ? "the client's certificate" : "the server's certificate";
  const guint status = gnutls_session_get_verify_cert_status (self->session);
  g_autofree gchar *reason = NULL;
  const gchar *hint = NULL;

  if (status & GNUTLS_CERT_UNEXPECTED_OWNER)
    {
      reason = g_strdup_printf ("%s is not for host \"%s\"", of, self->host);
      hint = "Write the host as the certificate does, or verify=ca if each host that has a "
             "certificate of this CA is as good.";
    }
  else if (status & GNUTLS_CERT_EXPIRED)
    reason = g_strdup_printf ("%s has expired", of);
  else if (status & GNUTLS_CERT_NOT_ACTIVATED)
    reason = g_strdup_printf ("%s is not valid yet", of);
  else if (status & (GNUTLS_CERT_SIGNER_NOT_FOUND | GNUTLS_CERT_SIGNER_NOT_CA))
    {
      reason = g_strdup_printf ("%s is of an unknown authority", of);
      hint = "ca=FILE in the URI names the certificate of the authority.";
    }
  else if (status & GNUTLS_CERT_PURPOSE_MISMATCH)
    reason = g_strdup_printf ("%s is for another purpose", of);
  else if (status & GNUTLS_CERT_REVOKED)
    reason = g_strdup_printf ("%s was revoked", of);
  else
    reason = g_strdup_printf ("%s is not trusted (status %x)", of, status);
  set_failure (error, reason);
  return hint != NULL && !self->is_server ? kvsql_error_hint (error, "%s", hint) : FALSE;
}

/* An alert is what the peer says of this side. */
static gboolean
explain_alert (const KvsqlTls *self, GError **error)
{
  const gnutls_alert_description_t alert = gnutls_alert_get (self->session);
  const gchar *name = gnutls_alert_get_name (alert);
  g_autofree gchar *reason
      = g_strdup_printf ("the %s refused: %s", self->is_server ? "client" : "server",
                         name != NULL ? name : "an unknown alert");

  set_failure (error, reason);
  if (self->is_server)
    return FALSE;
  if (alert == GNUTLS_A_CERTIFICATE_REQUIRED || alert == GNUTLS_A_HANDSHAKE_FAILURE)
    return kvsql_error_hint (error, HINT_CERTIFICATE);
  return FALSE;
}

/* Returns FALSE. */
static gboolean
fail (KvsqlTls *self, gint code, GError **error)
{
  const gboolean was_established = self->is_established;

  self->has_failed = TRUE;
  if (code == GNUTLS_E_FATAL_ALERT_RECEIVED)
    return explain_alert (self, error);
  if (code == GNUTLS_E_PULL_ERROR || code == GNUTLS_E_PUSH_ERROR)
    return explain_end (self, "the connection was lost", error);
  if (self->is_foreign)
    refuse_foreign (self);
  else if (!was_established)
    gnutls_alert_send_appropriate (self->session, code);
  if (self->is_foreign)
    return explain_foreign (self, error);
  switch (code)
    {
    case GNUTLS_E_CERTIFICATE_VERIFICATION_ERROR:
      return explain_certificate (self, error);
    case GNUTLS_E_NO_CERTIFICATE_FOUND:
    case GNUTLS_E_CERTIFICATE_REQUIRED:
      return set_failure (error, self->is_server ? "the client has no certificate"
                                                 : "the server has no certificate");
    case GNUTLS_E_PREMATURE_TERMINATION:
      return explain_end (self,
                          self->is_server ? "the client closed the connection"
                                          : "the server closed the connection",
                          error);
    case GNUTLS_E_REHANDSHAKE:
      return set_failure (error, "another handshake is not allowed");
    default:
      return set_failure (error, gnutls_strerror (code));
    }
}

static gboolean
must_wait (const KvsqlTls *self, gint code, GIOCondition *out_wants)
{
  if (code != GNUTLS_E_AGAIN && code != GNUTLS_E_INTERRUPTED)
    return FALSE;
  *out_wants = gnutls_record_get_direction (self->session) == 1 ? G_IO_OUT : G_IO_IN;
  return TRUE;
}

/* ---- bytes */

gboolean
_kvsql_tls_shake_hands (KvsqlTls *self, GIOCondition *out_wants, GError **error)
{
  gint code;

  if (self->is_established)
    return TRUE;
  if (self->has_failed)
    return set_failure (error, "the handshake has failed");
  do
    code = gnutls_handshake (self->session);
  while (code < 0 && code != GNUTLS_E_AGAIN && code != GNUTLS_E_INTERRUPTED
         && !gnutls_error_is_fatal (code) && !self->is_foreign);
  if (code == GNUTLS_E_SUCCESS)
    self->is_established = TRUE;
  else if (self->is_foreign || !must_wait (self, code, out_wants))
    fail (self, code, error);
  return self->is_established;
}

gssize
_kvsql_tls_receive (KvsqlTls *self, guint8 *room, gsize size, GIOCondition *out_wants,
                    GError **error)
{
  gssize n = GNUTLS_E_AGAIN;

  if (!_kvsql_tls_shake_hands (self, out_wants, error))
    return -1;
  for (guint i = 0; i < MAX_EMPTY_RECORDS; i++)
    {
      n = gnutls_record_recv (self->session, room, size);
      if (n >= 0)
        {
          self->has_received |= n > 0;
          return n;
        }
      if (n == GNUTLS_E_PREMATURE_TERMINATION) /* our messages say where they end */
        return 0;
      if (must_wait (self, (gint)n, out_wants))
        return -1;
      if (gnutls_error_is_fatal ((gint)n) || n == GNUTLS_E_REHANDSHAKE)
        break;
    }
  fail (self, (gint)n, error);
  return -1;
}

/* The peer may have said why it does not read any more. */
static gint
find_alert (KvsqlTls *self, gint code)
{
  guint8 dropped[1024];
  gssize n = gnutls_record_recv (self->session, dropped, sizeof dropped);

  return n == GNUTLS_E_FATAL_ALERT_RECEIVED ? (gint)n : code;
}

gssize
_kvsql_tls_send (KvsqlTls *self, const guint8 *data, gsize size, GIOCondition *out_wants,
                 GError **error)
{
  gssize n;

  if (!_kvsql_tls_shake_hands (self, out_wants, error))
    return -1;
  /* what was begun is encrypted already */
  n = self->has_unsent ? gnutls_record_send (self->session, NULL, 0)
                       : gnutls_record_send (self->session, data, size);
  self->has_unsent = n < 0 && must_wait (self, (gint)n, out_wants);
  if (n < 0 && !self->has_unsent)
    fail (self, find_alert (self, (gint)n), error);
  return n < 0 ? -1 : n;
}

/* ---- what is known of the peer */

gboolean
kvsql_tls_is_established (const KvsqlTls *self)
{
  return self->is_established;
}

static gchar *
take_common_name (gnutls_x509_crt_t certificate)
{
  gchar name[256], other[256];
  size_t size = sizeof name, other_size = sizeof other;

  if (gnutls_x509_crt_get_dn_by_oid (certificate, GNUTLS_OID_X520_COMMON_NAME, 0, 0, name, &size)
          < 0
      || gnutls_x509_crt_get_dn_by_oid (certificate, GNUTLS_OID_X520_COMMON_NAME, 1, 0, other,
                                        &other_size)
             != GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE)
    return NULL;
  if (size == 0 || strlen (name) != size || !g_utf8_validate (name, -1, NULL))
    return NULL;
  return g_strdup (name);
}

gchar *
kvsql_tls_get_peer_name (const KvsqlTls *self)
{
  gnutls_x509_crt_t certificate;
  guint n = 0;
  const gnutls_datum_t *list
      = self->is_established ? gnutls_certificate_get_peers (self->session, &n) : NULL;
  gchar *name = NULL;

  if (list == NULL || n == 0)
    return NULL;
  gnutls_x509_crt_init (&certificate);
  if (gnutls_x509_crt_import (certificate, &list[0], GNUTLS_X509_FMT_DER) >= 0)
    name = take_common_name (certificate);
  gnutls_x509_crt_deinit (certificate);
  return name;
}

GBytes *
kvsql_tls_get_end_point (const KvsqlTls *self)
{
  gnutls_datum_t hash = { NULL, 0 };
  GBytes *bytes;

  if (!self->is_established
      || gnutls_session_channel_binding (self->session, GNUTLS_CB_TLS_SERVER_END_POINT, &hash) < 0)
    return NULL;
  bytes = g_bytes_new (hash.data, hash.size);
  gnutls_free (hash.data);
  return bytes;
}

gchar *
kvsql_tls_describe (const KvsqlTls *self)
{
  return g_strdup_printf ("%s %s",
                          gnutls_protocol_get_name (gnutls_protocol_get_version (self->session)),
                          gnutls_ciphersuite_get (self->session) ?: "");
}
