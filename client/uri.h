/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uri.h: parses the URI of a kvsqld.
 */
#pragma once

#include <gio/gio.h>

#include "idl/wire/tls.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *uri;       /* as the caller wrote it */
  gchar *shown;     /* for messages: without the password */
  gchar *user;      /* nullable: logs in */
  gchar *password;  /* nullable: from the URI, or set later */
  GPtrArray *hosts; /* GSocketConnectable, in the order in which they are tried */
  GPtrArray *names; /* gchar: a name of each host for messages */
  gboolean is_compact;
  gboolean is_framed;
  guint spin_us;
  gboolean has_tls;
  gchar *ca, *certificate, *key; /* nullable: files */
  KvsqlTlsVerify verify;
  gboolean says_verify; /* the URI does */
} KvsqlUri;

/* Returns: (nullable): %NULL with KVSQL_CLIENT_ERROR_INVALID if @text is not a valid URI */
KvsqlUri *_kvsql_uri_parse (const gchar *text, GError **error);
void _kvsql_uri_free (KvsqlUri *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlUri, _kvsql_uri_free)

G_END_DECLS
