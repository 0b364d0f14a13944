/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * http-errors.c: a table for HTTP's statuses and one for libcurl's results.
 */
#include "config.h"

#include "daemon/stores/hbase/http-errors.h"

#include "core/base/error.h"

static const struct
{
  glong status;
  const gchar *name;
  const gchar *hint;
} statuses[] = {
  { 400, "Bad Request", "Its log says why." },
  { 401, "Unauthorized",
    "It requires a login. Put a proxy's into the file of auth_file=FILE in the store's URL. "
    "Kerberos (SPNEGO) is not supported: run a gateway without it on kvsqld's host, on the "
    "loopback address." },
  { 403, "Forbidden", "The login in auth_file= of the store's URL may not use it." },
  { 404, "Not Found",
    "Is it a Thrift2 server of HBase? Behind a proxy, say where it is with path=/PATH in the "
    "store's URL." },
  { 405, "Method Not Allowed",
    "It takes no POST: is it a Thrift2 server of HBase? Behind a proxy, say where it is with "
    "path=/PATH in the store's URL." },
  { 407, "Proxy Authentication Required", "It is a proxy for clients, not a gateway." },
  { 413, "Content Too Large", "Raise the limit of the proxy in front of the gateway." },
  { 429, "Too Many Requests",
    "Raise the limit of the proxy, or give the store's URL a smaller "
    "pool=." },
  { 500, "Internal Server Error", "The gateway's log says why." },
  { 502, "Bad Gateway", "The proxy does not reach the gateway: its log says why." },
  { 503, "Service Unavailable",
    "The gateway or the proxy before it is overloaded or being "
    "started." },
  { 504, "Gateway Timeout",
    "The proxy gave up waiting for the gateway: let it wait for longer "
    "than timeout_ms of the store's URL." },
};

static gboolean
fail_for_status (const KvsqldT2HttpFailure *failure, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    if (statuses[i].status == failure->status)
      {
        kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                         "HBase's Thrift server at %s answers HTTP %ld (%s)", failure->address,
                         failure->status, statuses[i].name);
        return kvsql_error_hint (error, "%s", statuses[i].hint);
      }
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "HBase's Thrift server at %s answers HTTP %ld", failure->address,
                   failure->status);
  return kvsql_error_hint (error, "Is it a Thrift2 server of HBase?");
}

static const gchar *
hint_for_certificate (const gchar *reason)
{
  if (strstr (reason, "subject name") != NULL || strstr (reason, "does not match") != NULL)
    return "The store's URL must name the host as the certificate does; with tls_verify=ca any "
           "host with a certificate of a known CA is accepted.";
  if (strstr (reason, "expired") != NULL || strstr (reason, "not yet valid") != NULL)
    return "Give the gateway a certificate that is valid now, and check both clocks.";
  return "Name the CA that signed it with tls_ca=FILE (PEM) in the store's URL.";
}

static gboolean
fail_for_certificate (const KvsqldT2HttpFailure *failure, const gchar *reason, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "the certificate of HBase's Thrift server at %s is not accepted: %s",
                   failure->address, reason);
  return kvsql_error_hint (error, "%s", hint_for_certificate (reason));
}

static gboolean
fail_for_file (const KvsqldT2HttpFailure *failure, const gchar *what, const gchar *reason,
               GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "no TLS with HBase's Thrift server at %s: %s", failure->address, reason);
  return kvsql_error_hint (error, "%s in the store's URL must name PEM files that kvsqld can read.",
                           what);
}

static gboolean
fail_for_text (const KvsqldT2HttpFailure *failure, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "the server at %s answers with a page of text, not with Thrift",
                   failure->address);
  return kvsql_error_hint (error, "Is it a Thrift2 server of HBase? Behind a proxy, say where it "
                                  "is with path=/PATH in the store's URL.");
}

static gboolean
fail_for_result (const KvsqldT2HttpFailure *failure, const gchar *reason, GError **error)
{
  switch (failure->result)
    {
    case CURLE_PEER_FAILED_VERIFICATION:
      return fail_for_certificate (failure, reason, error);
    case CURLE_SSL_CACERT_BADFILE:
      return fail_for_file (failure, "tls_ca", reason, error);
    case CURLE_SSL_CERTPROBLEM:
      return fail_for_file (failure, "tls_cert and tls_key", reason, error);
    case CURLE_SSL_CONNECT_ERROR:
      return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                              "no TLS with HBase's Thrift server at %s: %s", failure->address,
                              reason);
    default:
      return kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                              "lost the connection to HBase's Thrift server at %s: %s",
                              failure->address, reason);
    }
}

gboolean
kvsqld_t2_http_fail (const KvsqldT2HttpFailure *failure, GError **error)
{
  const gchar *reason
      = *failure->reason != '\0' ? failure->reason : curl_easy_strerror (failure->result);

  if (failure->status != 0 && failure->status != 200)
    return fail_for_status (failure, error);
  if (failure->is_text)
    return fail_for_text (failure, error);
  if (failure->is_too_long)
    reason = "the answer is too long";
  else if (failure->result == CURLE_OPERATION_TIMEDOUT)
    reason = "no answer in time";
  else if (failure->result == CURLE_OK)
    reason = "the answer ends too early";
  else if (failure->result == CURLE_GOT_NOTHING || failure->result == CURLE_COULDNT_CONNECT
           || failure->result == CURLE_SEND_FAIL_REWIND)
    reason = "it closed the connection";
  else if (failure->result == CURLE_UNSUPPORTED_PROTOCOL
           || failure->result == CURLE_WEIRD_SERVER_REPLY)
    reason = "it does not answer in HTTP";
  return fail_for_result (failure, reason, error);
}

gboolean
kvsqld_t2_http_is_other_language (CURLcode result)
{
  switch (result)
    {
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_SEND_FAIL_REWIND:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return TRUE;
    default:
      return FALSE;
    }
}
