/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * width.h: text on a terminal: its width, and escapes for control characters.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The number of columns of UTF-8 text. */
guint kvsqlctl_width (const gchar *text);

/* Appends the text with control characters as \n, \t, \xNN and invalid UTF-8 as \xNN: data must not
 * control a terminal. */
void kvsqlctl_append_printable (GString *out, const gchar *text, gsize size);
/* The same, but line ends are kept. */
void kvsqlctl_append_printable_lines (GString *out, const gchar *text, gsize size);

/* Cut text to a number of columns, at its end or its start; "…" marks the cut. */
void kvsqlctl_keep_start (GString *text, guint columns);
void kvsqlctl_keep_end (GString *text, guint columns);

G_END_DECLS
