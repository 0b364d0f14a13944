/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * registry.c: the table of the kinds of registry, and snapshots.
 *
 * A new kind is one new file and one line in the table.
 */
#include "config.h"

#include "daemon/registry/registry.h"

#include <string.h>

#include "daemon/registry/registry-private.h"

static const struct
{
  const gchar *prefix;
  KvsqldRegistry *(*open) (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                           GError **error);
} schemes[] = {
  { "local:", _kvsqld_local_registry_open },
  { "zookeeper:", _kvsqld_zookeeper_registry_open },
};

KvsqldRegistry *
kvsqld_registry_open (const gchar *url, KvsqldRegistryWatch watch, gpointer user_data,
                      GError **error)
{
  g_return_val_if_fail (url != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_str_has_prefix (url, schemes[i].prefix))
      return schemes[i].open (url, watch, user_data, error);

  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "registry \"%s\" is of no known kind", url);
  kvsql_error_hint (error, "Write local:///directory or zookeeper://host:port/path.");
  return NULL;
}

void
kvsqld_registry_close (KvsqldRegistry *self)
{
  if (self != NULL)
    self->klass->close (self);
}
