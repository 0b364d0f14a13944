/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * startup.c: see startup.h.
 */
#include "config.h"

#include "daemon/postgres/startup.h"

#include "daemon/postgres/message.h"

#define LEAST_BYTES 8
#define MOST_BYTES 10000 /* PostgreSQL's limit */
#define CANCEL_BYTES 16
#define MAX_REQUESTS 2 /* SSLRequest and GSSENCRequest, each once */
#define MAX_EXTENSIONS 100

#define PROTOCOL(major, minor) ((guint32)(major) << 16 | (minor))
#define CANCEL_REQUEST PROTOCOL (1234, 5678)
#define SSL_REQUEST PROTOCOL (1234, 5679)
#define GSSENC_REQUEST PROTOCOL (1234, 5680)

#define PROTOCOL_EXTENSION "_pq_."

static KvsqldPgStartup
refuse (KvsqldPgSession *session, GError *error)
{
  kvsqld_pg_report_error (&session->output, "FATAL", error, NULL);
  return KVSQLD_PG_STARTUP_REFUSED;
}

/* ---- the parameters of a StartupMessage */

/* A word of PGOPTIONS; a backslash makes the next character part of it. */
static gchar *
take_option (const gchar **at)
{
  GString *word = g_string_new (NULL);

  while (g_ascii_isspace (**at))
    (*at)++;
  for (; **at != '\0' && !g_ascii_isspace (**at); (*at)++)
    {
      if (**at == '\\' && (*at)[1] != '\0')
        (*at)++;
      g_string_append_c (word, **at);
    }
  return g_string_free (word, FALSE);
}

/* "-c name=value", "-cname=value" and "--name=value" */
static gboolean
apply_options (KvsqldPgSession *session, const gchar *options, GError **error)
{
  while (TRUE)
    {
      g_autofree gchar *word = take_option (&options);
      g_autofree gchar *next = strcmp (word, "-c") == 0 ? take_option (&options) : NULL;
      gchar *name = next != NULL ? next : word + 2, *value;

      if (word[0] == '\0')
        return TRUE;
      if (!g_str_has_prefix (word, "-c") && !g_str_has_prefix (word, "--"))
        return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, KVSQL_SPAN_NONE,
                                "invalid command-line argument for server process: %s", word);
      value = strchr (name, '=');
      if (value == NULL)
        return kvsql_error_set (error, KVSQL_ERROR_SYNTAX, KVSQL_SPAN_NONE,
                                "option \"%s\" requires a value", name);
      *value++ = '\0';
      g_strdelimit (name, "-", '_');
      if (!kvsqld_pg_settings_set (session->settings, name, value, FALSE, error))
        return FALSE;
    }
}

/* Clients give the zone of their machine. Times have no zone here, so another one is no reason to
 * refuse the connection. */
static gboolean
apply_setting (KvsqldPgSession *session, const gchar *name, const gchar *value, GError **error)
{
  g_autoptr (GError) refusal = NULL;

  if (kvsqld_pg_settings_set (session->settings, name, value, FALSE, &refusal))
    return TRUE;
  if (g_ascii_strcasecmp (name, "TimeZone") == 0)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&refusal));
  return FALSE;
}

static void
replace_text (gchar **target, const gchar *value)
{
  g_free (*target);
  *target = g_strdup (value);
}

static gboolean
apply_parameter (KvsqldPgSession *session, const gchar *name, const gchar *value,
                 GPtrArray *extensions, GError **error)
{
  if (g_str_equal (name, "user"))
    replace_text (&session->user, value);
  else if (g_str_equal (name, "database"))
    replace_text (&session->database, value);
  else if (g_str_equal (name, "options"))
    return apply_options (session, value, error);
  else if (g_str_equal (name, "replication"))
    return g_str_equal (value, "false")
           || kvsql_error_set (error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                               "replication is not supported");
  else if (g_str_has_prefix (name, PROTOCOL_EXTENSION))
    {
      if (extensions->len < MAX_EXTENSIONS)
        g_ptr_array_add (extensions, g_strdup (name));
    }
  else
    return apply_setting (session, name, value, error);
  return TRUE;
}

static gboolean
is_text (const gchar *text)
{
  return g_utf8_validate (text, -1, NULL);
}

static gboolean
read_parameters (KvsqldPgSession *session, KvsqldPgMessage *packet, GPtrArray *extensions,
                 GError **error)
{
  while (TRUE)
    {
      const gchar *name = kvsqld_pg_get_text (packet), *value;

      if (packet->is_bad || name[0] == '\0')
        break;
      value = kvsqld_pg_get_text (packet);
      if (packet->is_bad || !is_text (name) || !is_text (value))
        break;
      if (!apply_parameter (session, name, value, extensions, error))
        return FALSE;
    }
  if (packet->is_bad || packet->at != packet->end)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "invalid startup packet layout: expected terminator as last byte");
  if (session->user == NULL || session->user[0] == '\0')
    {
      kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                       "no PostgreSQL user name specified in startup packet");
      return kvsql_error_sqlstate (error, "28000");
    }
  if (session->database == NULL || session->database[0] == '\0')
    replace_text (&session->database, session->user);
  replace_text (&session->identity->user, session->user);
  kvsqld_pg_settings_give (session->settings, "session_authorization", session->user);
  kvsqld_pg_settings_begin_session (session->settings);
  return TRUE;
}

static void
negotiate (KvsqldPgOutput *out, const GPtrArray *extensions)
{
  kvsqld_pg_output_begin (out, KVSQLD_PG_NEGOTIATE_VERSION);
  kvsqld_pg_put_int32 (&out->buffer, PROTOCOL (3, 0));
  kvsqld_pg_put_int32 (&out->buffer, extensions->len);
  for (guint i = 0; i < extensions->len; i++)
    kvsqld_pg_put_text (&out->buffer, extensions->pdata[i]);
  kvsqld_pg_output_end (out);
}

static KvsqldPgStartup
read_startup (KvsqldPgSession *session, guint32 version, KvsqldPgMessage *packet)
{
  g_autoptr (GPtrArray) extensions = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;

  if (version >> 16 != 3)
    {
      kvsql_error_set (&error, KVSQL_ERROR_UNSUPPORTED, KVSQL_SPAN_NONE,
                       "unsupported frontend protocol %u.%u: server supports 3.0 to 3.0",
                       version >> 16, version & 0xffff);
      return refuse (session, error);
    }
  if (!read_parameters (session, packet, extensions, &error))
    return refuse (session, error);
  if (version > PROTOCOL (3, 0) || extensions->len > 0)
    negotiate (&session->output, extensions);
  return KVSQLD_PG_STARTUP_DONE;
}

/* ---- packets */

/* A packet stays in the buffer of the transport until its .size is skipped. */
static gboolean
read_packet (KvsqlTransport *transport, KvsqldPgMessage *out, GError **error)
{
  KvsqlSlice bytes;
  guint32 length;

  if (!kvsql_transport_peek (transport, 4, &bytes, error))
    return FALSE;
  length = kvsql_get_be32 (bytes.data);
  if (length < LEAST_BYTES || length > MOST_BYTES)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "invalid length of startup packet: %u", length);
  if (!kvsql_transport_peek (transport, length, &bytes, error))
    return FALSE;
  *out = (KvsqldPgMessage){ .size = length, .at = bytes.data + 4, .end = bytes.data + length };
  return TRUE;
}

/* 'S': the next byte is of TLS; 'N': there is none. What has come with the request was sent before
 * the client knew that: perhaps another program has inserted it. */
static gboolean
answer_request (KvsqldPgSession *session, gchar answer, GError **error)
{
  if (kvsql_transport_get_received (session->output.transport).size > 0)
    return kvsql_error_set (error, KVSQL_ERROR_PROTOCOL, KVSQL_SPAN_NONE,
                            "received unencrypted data after a request for encryption");
  return kvsql_transport_send (session->output.transport, kvsql_slice (&answer, 1), NULL, error);
}

static KvsqldPgStartup
refuse_plain (KvsqldPgSession *session)
{
  g_autoptr (GError) error = NULL;

  kvsql_error_set (&error, KVSQL_ERROR_AUTHENTICATION, KVSQL_SPAN_NONE,
                   "this address of kvsqld requires TLS");
  kvsql_error_hint (&error, "Connect with sslmode=require, or verify-full and sslrootcert.");
  return refuse (session, error);
}

/* A request to cancel is served without TLS, too, as libpq sends it so. */
KvsqldPgStartup
kvsqld_pg_startup_read (KvsqldPgSession *session, KvsqldConnection *connection,
                        KvsqldPgCancels *cancels, GError **error)
{
  KvsqlTransport *transport = session->output.transport;
  KvsqldPgMessage packet;

  for (guint n_requests = 0; read_packet (transport, &packet, error); n_requests++)
    {
      guint32 code = kvsqld_pg_get_int32 (&packet);
      KvsqldPgStartup startup;

      if (code == CANCEL_REQUEST && packet.size == CANCEL_BYTES)
        {
          guint32 process_id = kvsqld_pg_get_int32 (&packet);

          kvsqld_pg_cancels_fire (cancels, process_id, kvsqld_pg_get_int32 (&packet));
          return KVSQLD_PG_STARTUP_CANCEL;
        }
      if ((code == SSL_REQUEST || code == GSSENC_REQUEST) && n_requests < MAX_REQUESTS)
        {
          gboolean is_granted = code == SSL_REQUEST && connection->tls != KVSQLD_TLS_OFF
                                && !kvsqld_connection_is_encrypted (connection);

          kvsql_transport_skip (transport, packet.size);
          if (!answer_request (session, is_granted ? 'S' : 'N', error))
            return KVSQLD_PG_STARTUP_FAILED;
          if (!is_granted)
            continue;
          kvsqld_connection_encrypt (connection);
          return KVSQLD_PG_STARTUP_ENCRYPTED;
        }
      startup
          = connection->tls == KVSQLD_TLS_REQUIRED && !kvsqld_connection_is_encrypted (connection)
                ? refuse_plain (session)
                : read_startup (session, code, &packet);
      kvsql_transport_skip (transport, packet.size);
      return startup;
    }
  return KVSQLD_PG_STARTUP_FAILED;
}

void
kvsqld_pg_startup_answer (KvsqldPgSession *session)
{
  KvsqldPgOutput *out = &session->output;

  kvsqld_pg_output_begin (out, KVSQLD_PG_AUTHENTICATION);
  kvsqld_pg_put_int32 (&out->buffer, 0); /* ok */
  kvsqld_pg_output_end (out);
  kvsqld_pg_settings_report (session->settings, TRUE, out);
  kvsqld_pg_output_begin (out, KVSQLD_PG_BACKEND_KEY_DATA);
  kvsqld_pg_put_int32 (&out->buffer, session->cancel.process_id);
  kvsqld_pg_put_int32 (&out->buffer, session->cancel.key);
  kvsqld_pg_output_end (out);
  kvsqld_pg_session_put_ready (session);
}
