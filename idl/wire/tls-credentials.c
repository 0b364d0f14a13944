/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tls-credentials.c: reads certificates and keys. See tls.h.
 */
#include "config.h"

#include "idl/wire/tls-private.h"

#include <glib/gstdio.h>
#include <gnutls/x509.h>
#include <sys/stat.h>

static gboolean
read_file (const gchar *what, const gchar *path, gchar **out, gsize *out_size, GError **error)
{
  g_autoptr (GError) cause = NULL;

  return g_file_get_contents (path, out, out_size, &cause)
         || kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE, "could not read %s: %s",
                             what, cause->message);
}

static gboolean
refuse_file (const gchar *what, const gchar *path, gint code, GError **error)
{
  return kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                          "could not use %s \"%s\": %s", what, path, gnutls_strerror (code));
}

/* A program that reads the key can pass for the server. */
static gboolean
check_permissions (const gchar *path, GError **error)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0 || (status.st_mode & S_IRWXO) == 0)
    return TRUE; /* reading it gives the reason */
  kvsql_error_set (error, KVSQL_ERROR_INVALID, KVSQL_SPAN_NONE,
                   "the private key \"%s\" may be read or written by every user", path);
  return kvsql_error_hint (error, "chmod o= %s", path);
}

static gboolean
load_key (const gchar *path, gnutls_x509_privkey_t *out, GError **error)
{
  g_autofree gchar *text = NULL;
  gsize size = 0;
  gint code;

  if (!check_permissions (path, error) || !read_file ("the private key", path, &text, &size, error))
    return FALSE;
  gnutls_x509_privkey_init (out);
  code = gnutls_x509_privkey_import2 (*out, &(gnutls_datum_t){ (guchar *)text, (guint)size },
                                      GNUTLS_X509_FMT_PEM, NULL, 0);
  explicit_bzero (text, size);
  if (code >= 0)
    return TRUE;
  gnutls_x509_privkey_deinit (*out);
  refuse_file ("the private key", path, code, error);
  return kvsql_error_hint (error, "It is a PEM file, and its key is not encrypted.");
}

static gboolean
load_list (const gchar *path, gnutls_x509_crt_t **out, guint *out_n, GError **error)
{
  g_autofree gchar *text = NULL;
  gsize size = 0;
  gint code;

  if (!read_file ("the certificate", path, &text, &size, error))
    return FALSE;
  code = gnutls_x509_crt_list_import2 (out, out_n, &(gnutls_datum_t){ (guchar *)text, (guint)size },
                                       GNUTLS_X509_FMT_PEM, 0);
  if (code >= 0)
    return TRUE;
  refuse_file ("the certificate", path, code, error);
  return kvsql_error_hint (error, "It is a PEM file: first the certificate itself, then those of "
                                  "the CAs between it and the root.");
}

static gboolean
load_own (KvsqlTlsCredentials *self, const gchar *certificate, const gchar *key, GError **error)
{
  gnutls_x509_crt_t *list = NULL;
  gnutls_x509_privkey_t private_key;
  guint n = 0;
  gint code;

  if (!load_list (certificate, &list, &n, error))
    return FALSE;
  if (!load_key (key != NULL ? key : certificate, &private_key, error))
    code = GNUTLS_E_FILE_ERROR;
  else
    {
      code = gnutls_certificate_set_x509_key (self->native, list, (gint)n, private_key);
      if (code < 0)
        refuse_file ("the certificate", certificate, code, error);
      gnutls_x509_privkey_deinit (private_key);
    }
  self->end_s = gnutls_x509_crt_get_expiration_time (list[0]);
  for (guint i = 0; i < n; i++)
    gnutls_x509_crt_deinit (list[i]);
  gnutls_free (list);
  return code >= 0;
}

static gboolean
load_trust (KvsqlTlsCredentials *self, const gchar *path, GError **error)
{
  g_autofree gchar *text = NULL;
  gsize size = 0;
  gint n;

  if (!read_file ("the CA certificates", path, &text, &size, error))
    return FALSE;
  n = gnutls_certificate_set_x509_trust_mem (
      self->native, &(gnutls_datum_t){ (guchar *)text, (guint)size }, GNUTLS_X509_FMT_PEM);
  if (n > 0)
    return TRUE;
  refuse_file ("the CA certificates", path, n < 0 ? n : GNUTLS_E_NO_CERTIFICATE_FOUND, error);
  return kvsql_error_hint (error, "It is a PEM file.");
}

KvsqlTlsCredentials *
kvsql_tls_credentials_load (const KvsqlTlsFiles *files, GError **error)
{
  g_autoptr (KvsqlTlsCredentials) self = g_new0 (KvsqlTlsCredentials, 1);

  g_atomic_ref_count_init (&self->references);
  gnutls_certificate_allocate_credentials (&self->native);
  /* the system's policy, and no version that is older */
  gnutls_priority_init2 (&self->priority,
                         files->needs_tls_1_3 ? "-VERS-ALL:+VERS-TLS1.3"
                                              : "-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2",
                         NULL, GNUTLS_PRIORITY_INIT_DEF_APPEND);
  if (files->certificate != NULL && !load_own (self, files->certificate, files->key, error))
    return NULL;
  if (files->ca != NULL && !load_trust (self, files->ca, error))
    return NULL;
  if (files->ca == NULL && files->trusts_system)
    gnutls_certificate_set_x509_system_trust (self->native);
  return g_steal_pointer (&self);
}

KvsqlTlsCredentials *
kvsql_tls_credentials_ref (KvsqlTlsCredentials *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
kvsql_tls_credentials_unref (KvsqlTlsCredentials *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  gnutls_certificate_free_credentials (self->native);
  if (self->priority != NULL)
    gnutls_priority_deinit (self->priority);
  g_free (self);
}

gint64
kvsql_tls_credentials_get_end_s (const KvsqlTlsCredentials *self)
{
  return self->end_s;
}
