/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tls-private.h: credentials, for the sessions that use them.
 */
#pragma once

#include <gnutls/gnutls.h>

#include "idl/wire/tls.h"

struct _KvsqlTlsCredentials
{
  gatomicrefcount references;
  gnutls_certificate_credentials_t native;
  gnutls_priority_t priority; /* versions and ciphers */
  gint64 end_s;
};
