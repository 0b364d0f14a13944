/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * password.h: reads a password from the terminal, without echo.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether there is a terminal to ask. */
gboolean kvsqlctl_password_can_ask (void);
/* NULL with an error of G_FILE_ERROR if nothing could be read. (transfer full) */
gchar *kvsqlctl_password_read (const gchar *prompt, GError **error);
/* A new password: asked for twice on a terminal, else one line of standard input. (transfer
 * full) */
gchar *kvsqlctl_password_read_new (GError **error);
/* Overwrites it. The caller frees it. */
void kvsqlctl_password_wipe (gchar *password);

G_END_DECLS
