/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * transport.c: tries one transport after the other.
 *
 * A server closes the connection at once if it gets the first bytes of another transport, with one
 * exception: an unframed binary one takes a frame's length for that of a name, and waits for the
 * rest. So unframed binary is tried first, and a server that does not answer in time is not asked
 * again. A server that uses HTTP or TLS reveals it in its answer, and is then asked with that only:
 * a server whose certificate is not accepted is not asked without TLS.
 */
#include "config.h"

#include "daemon/stores/hbase/transport.h"

static const KvsqldT2Transport in_order[] = {
  { .is_framed = FALSE, .is_compact = FALSE },
  { .is_framed = TRUE, .is_compact = FALSE },
  { .is_framed = FALSE, .is_compact = TRUE },
  { .is_framed = TRUE, .is_compact = TRUE },
  { .carrier = KVSQLD_T2_HTTPS },
  { .carrier = KVSQLD_T2_HTTP },
};

guint
kvsqld_t2_transport_bit (KvsqldT2Transport transport)
{
  if (transport.carrier != KVSQLD_T2_SOCKET)
    return transport.carrier == KVSQLD_T2_HTTP ? 1u << 4 : 1u << 5;
  return 1u << ((transport.is_framed ? 1 : 0) + (transport.is_compact ? 2 : 0));
}

KvsqldT2Transport
kvsqld_t2_transport_first (guint candidates)
{
  for (guint i = 0; i < G_N_ELEMENTS (in_order); i++)
    if ((candidates & kvsqld_t2_transport_bit (in_order[i])) != 0)
      return in_order[i];
  g_assert_not_reached ();
}

gchar *
kvsqld_t2_transport_print (KvsqldT2Transport transport)
{
  if (transport.carrier != KVSQLD_T2_SOCKET)
    return g_strdup (transport.carrier == KVSQLD_T2_HTTP ? "transport=http" : "transport=https");
  return g_strdup_printf ("framed=%s&protocol=%s", transport.is_framed ? "true" : "false",
                          transport.is_compact ? "compact" : "binary");
}

/* One attempt; NULL with @error and *@out_result. */
static KvsqldT2Connection *
try (const KvsqldT2Endpoint *endpoint, const KvsqldT2Settings *settings, const KvsqlCall *call,
     KvsqldT2ProbeResult *out_result, GError **error)
{
  g_autoptr (KvsqldT2Connection) connection
      = kvsqld_t2_connection_open (endpoint, settings, call, error);

  *out_result = connection != NULL ? kvsqld_t2_connection_probe (connection, call, error)
                                   : KVSQLD_T2_PROBE_FAILED;
  return *out_result == KVSQLD_T2_PROBE_PASSED ? g_steal_pointer (&connection) : NULL;
}

/* Returns the transports that are left to try after @failure. */
static guint
narrow (guint candidates, KvsqldT2ProbeResult result, const GError *failure)
{
  static const KvsqldT2Transport http = { .carrier = KVSQLD_T2_HTTP };
  static const KvsqldT2Transport https = { .carrier = KVSQLD_T2_HTTPS };

  if (!g_error_matches (failure, KVSQL_ERROR, KVSQL_ERROR_UNAVAILABLE)
      || result == KVSQLD_T2_PROBE_FAILED)
    return 0;
  if (result == KVSQLD_T2_PROBE_HTTP)
    return candidates & kvsqld_t2_transport_bit (http);
  if (result == KVSQLD_T2_PROBE_TLS)
    return candidates & kvsqld_t2_transport_bit (https);
  return candidates & ~kvsqld_t2_transport_bit (http);
}

static void
fail_for_all (const KvsqldT2Endpoint *endpoint, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_UNAVAILABLE, KVSQL_SPAN_NONE,
                   "the server at %s does not understand any request: it closes the connection",
                   endpoint->address);
  kvsql_error_hint (error, "Is it a Thrift2 server of HBase (hbase thrift2 start), without SASL? "
                           "Its log says why it closes connections.");
}

KvsqldT2Connection *
kvsqld_t2_detect (const KvsqldT2Endpoint *endpoint, const KvsqldT2Settings *settings,
                  guint candidates, const KvsqlCall *call, KvsqldT2Transport *out_transport,
                  GError **error)
{
  KvsqldT2Settings tried = *settings;
  gboolean is_recognised = FALSE;

  while (candidates != 0)
    {
      g_autoptr (GError) failure = NULL;
      KvsqldT2ProbeResult result;
      KvsqldT2Connection *connection;

      tried.transport = kvsqld_t2_transport_first (candidates);
      candidates &= ~kvsqld_t2_transport_bit (tried.transport);
      connection = try (endpoint, &tried, call, &result, &failure);
      if (connection != NULL || is_recognised)
        *out_transport = tried.transport;
      if (connection != NULL)
        return connection;
      candidates = narrow (candidates, result, failure);
      if (candidates == 0 && (is_recognised || result != KVSQLD_T2_PROBE_CLOSED))
        {
          g_propagate_error (error, g_steal_pointer (&failure));
          return NULL;
        }
      is_recognised = result == KVSQLD_T2_PROBE_HTTP || result == KVSQLD_T2_PROBE_TLS;
    }
  fail_for_all (endpoint, error);
  return NULL;
}
