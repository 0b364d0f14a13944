/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * uri.h: where kvsqld is, taken apart.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  gchar *uri;       /* as given */
  GPtrArray *hosts; /* GSocketConnectable, in the order to be tried */
  GPtrArray *names; /* gchar: each of them for people */
  gboolean is_compact;
  gboolean is_framed;
  guint spin_us;
} KvsqlUri;

/* Returns: (nullable): %NULL with KVSQL_CLIENT_ERROR_INVALID for what is not one of our URIs */
KvsqlUri *_kvsql_uri_parse (const gchar *text, GError **error);
void _kvsql_uri_free (KvsqlUri *self); /* accepts NULL */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlUri, _kvsql_uri_free)

G_END_DECLS
