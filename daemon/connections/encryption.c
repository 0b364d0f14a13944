/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * encryption.c: see encryption.h.
 */
#include "config.h"

#include "daemon/connections/encryption.h"

static gboolean
refuse_role (const gchar *text, const gchar *reason, GError **error)
{
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "bad item \"%s\" of tls_roles: %s",
                   text, reason);
  return kvsql_error_hint (error, "Write the common name of a certificate, =, and a role: "
                                  "web1.example.com=web");
}

/* A common name may have "=" in it, the name of a role rarely has. */
static gboolean
add_role (GHashTable *roles, const gchar *text, GError **error)
{
  const gchar *equals = strrchr (text, '=');
  g_autofree gchar *name
      = equals != NULL ? g_strstrip (g_strndup (text, (gsize)(equals - text))) : NULL;
  g_autofree gchar *role = equals != NULL ? g_strstrip (g_strdup (equals + 1)) : NULL;

  if (equals == NULL || name[0] == '\0' || role[0] == '\0')
    return refuse_role (text, "it is not NAME=ROLE", error);
  if (g_hash_table_contains (roles, name))
    return refuse_role (text, "the name is there twice", error);
  g_hash_table_insert (roles, g_steal_pointer (&name), g_steal_pointer (&role));
  return TRUE;
}

static GHashTable *
read_roles (gchar **roles, GError **error)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; roles[i] != NULL; i++)
    if (!add_role (table, roles[i], error))
      return NULL;
  return g_steal_pointer (&table);
}

gboolean
kvsqld_encryption_check_roles (gchar **roles, GError **error)
{
  g_autoptr (GHashTable) table = read_roles (roles, error);

  return table != NULL;
}

KvsqldEncryption *
kvsqld_encryption_load (const KvsqlTlsFiles *files, gchar **roles, GError **error)
{
  g_autoptr (KvsqlTlsCredentials) credentials = kvsql_tls_credentials_load (files, error);
  g_autoptr (GHashTable) table = credentials != NULL ? read_roles (roles, error) : NULL;
  KvsqldEncryption *self;

  if (table == NULL)
    return NULL;
  self = g_new0 (KvsqldEncryption, 1);
  g_atomic_ref_count_init (&self->references);
  self->credentials = g_steal_pointer (&credentials);
  self->roles = g_steal_pointer (&table);
  return self;
}

KvsqldEncryption *
kvsqld_encryption_ref (KvsqldEncryption *self)
{
  if (self != NULL)
    g_atomic_ref_count_inc (&self->references);
  return self;
}

void
kvsqld_encryption_unref (KvsqldEncryption *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  kvsql_tls_credentials_unref (self->credentials);
  g_hash_table_unref (self->roles);
  g_free (self);
}

const gchar *
kvsqld_encryption_get_role (const KvsqldEncryption *self, const gchar *name)
{
  const gchar *role = g_hash_table_lookup (self->roles, name);

  return role != NULL ? role : name;
}
