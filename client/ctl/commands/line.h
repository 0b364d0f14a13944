/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * line.h: reads lines: interactively, with editing, history and completion; or from a pipe.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_LINE_READ,
  KVSQLCTL_LINE_END,
  KVSQLCTL_LINE_INTERRUPTED, /* Ctrl-C */
} KvsqlctlLine;

/* Reads the history. @ctl is used to query names for completion. */
void kvsqlctl_line_begin (Kvsqlctl *ctl);
void kvsqlctl_line_end (void);

/* @out: (out): the line without its end; free it */
KvsqlctlLine kvsqlctl_line_read (const gchar *prompt, gchar **out);
/* Adds a statement to the history and saves it, unless it may have a password. */
void kvsqlctl_line_remember (const gchar *text);
/* Call it after names have changed. */
void kvsqlctl_line_forget_names (void);

gboolean kvsqlctl_line_is_interactive (void);

G_END_DECLS
