/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * text-error.h: what is wrong in a text of another program, and where.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef struct
{
  gchar *message;
  gchar *hint;    /* nullable */
  gsize position; /* in bytes */
  gsize length;
} KvsqlctlTextError;

void kvsqlctl_text_error_clear (KvsqlctlTextError *self);
/* The first error stays. @hint: nullable. Returns: FALSE */
gboolean kvsqlctl_text_error_set (KvsqlctlTextError *self, gsize position, gsize length,
                                  const gchar *hint, const gchar *format, ...) G_GNUC_PRINTF (5, 6);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (KvsqlctlTextError, kvsqlctl_text_error_clear)

G_END_DECLS
