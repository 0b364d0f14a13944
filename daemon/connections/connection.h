/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * connection.h: one peer, independent of its protocol: who it is, its limits, its wait for the next
 * request; and the front end that reads its requests.
 *
 * Threads: a connection belongs to its thread. While it is idle, it has none: it is an entry of the
 * idle poller.
 */
#pragma once

#include "daemon/connections/connection-set.h"
#include "daemon/connections/encryption.h"
#include "daemon/connections/idle-poller.h"
#include "daemon/identity/identity.h"

G_BEGIN_DECLS

typedef struct _KvsqldFrontEnd KvsqldFrontEnd;

/* What a listener says of its connections. */
typedef struct
{
  KvsqldAuth auth;
  KvsqldTlsMode tls;
  gboolean asks_certificate;
  KvsqldEncryption *encryption; /* NULL: tls is off */
} KvsqldEntrance;

/* The first member of the struct of a front end's connections. */
typedef struct
{
  KvsqldFrontEnd *front_end; /* borrowed, as the set: they live longer */
  KvsqldConnectionSet *set;
  KvsqldConnectionEntry entry;
  KvsqldIdentity identity;
  gchar *peer;                   /* key under which the peer's connections are counted */
  KvsqldConnectionLimits limits; /* those at the time of the accept */
  KvsqldTlsMode tls;
  gboolean asks_certificate;
  KvsqldEncryption *encryption; /* nullable; owned */
  gint64 handshake_deadline_us; /* for all up to the end of the log-in */
  gboolean is_established;      /* the handshake is over; set by the front end */
  KvsqldIdleEntry idle_entry;   /* for the idle poller; deadline_us is 0 unless the connection waits
                                   for a request */
} KvsqldConnection;

typedef enum
{
  KVSQLD_CONNECTION_ENDED,
  KVSQLD_CONNECTION_FAILED, /* ended by an error */
  KVSQLD_CONNECTION_IDLE /* no request for some time; .idle_entry contains the deadline of the next
                            one */
} KvsqldConnectionOutcome;

/* A protocol of clients. The functions run in the thread of the connection. */
struct _KvsqldFrontEnd
{
  const gchar *alpn;     /* the name of the protocol for TLS */
  gboolean begins_plain; /* a client asks for TLS: kvsqld_connection_encrypt(). FALSE: where there
                            is TLS, it begins with the first byte. */
  gsize connection_size; /* of the struct that begins with a KvsqldConnection; zeroed at first */
  /* Serves the connection until it ends or becomes idle. */
  KvsqldConnectionOutcome (*serve) (KvsqldConnection *connection, GError **error);
  /* Tells the peer why it gets no place (kvsqld_connection_explain_refusal()). */
  void (*refuse) (KvsqldConnection *connection);
  /* Frees what the front end has added. The session still exists. */
  void (*end) (KvsqldConnection *connection);
};

/* @budget: for the buffers of all connections. Borrowed. */
KvsqldConnection *kvsqld_connection_new (KvsqldFrontEnd *front_end, GSocket *socket,
                                         const KvsqldEntrance *entrance, KvsqldConnectionSet *set,
                                         const KvsqldConnectionLimits *limits,
                                         KvsqlByteBudget *budget);
/* Closes the socket. */
void kvsqld_connection_free (KvsqldConnection *self);

/* Notes that the handshake is over, if the client has logged in where it has to. Before that, its
 * messages are short: what it may send then costs no memory. */
void kvsqld_connection_note_handshake (KvsqldConnection *self);

/* Whether TLS was started. */
gboolean kvsqld_connection_is_encrypted (const KvsqldConnection *self);
/* Starts TLS, where the listener has it. Its handshake is part of the next wait. */
void kvsqld_connection_encrypt (KvsqldConnection *self);

/* Waits for the first byte of the next request, or of the handshake. Sets the role of a
 * certificate. A slow handshake becomes idle between its messages, so it has no thread while it
 * waits. FALSE: there is none, and *out_outcome is set; @error only if that is
 * KVSQLD_CONNECTION_FAILED. */
gboolean kvsqld_connection_wait (KvsqldConnection *self, KvsqldConnectionOutcome *out_outcome,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The rest of the request has to arrive within @timeout_ms; before the end of the log-in, by the
 * deadline of that, too. */
void kvsqld_connection_start_clock (KvsqldConnection *self, gint64 timeout_ms);
/* Prepares the answer to a refused connection: there is only the time that is left for it, and a
 * write does not wait. */
void kvsqld_connection_begin_refusal (KvsqldConnection *self);
/* Sets the error of a connection that gets no place. */
void kvsqld_connection_explain_refusal (const KvsqldConnection *self, GError **error);

G_END_DECLS
