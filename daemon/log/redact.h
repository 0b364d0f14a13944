/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * redact.h: keeps passwords out of logs, errors and status.
 *
 * Threads: any.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * kvsqld_redact_urls:
 * @text: a URL, or a message that may quote some
 *
 * Returns: (transfer full): @text with the passwords of user infos and the values of secret-looking
 * parameters masked
 */
gchar *kvsqld_redact_urls (const gchar *text);

G_END_DECLS
