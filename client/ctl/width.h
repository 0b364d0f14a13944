/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * width.h: text on a terminal: how wide it is, and how to keep it harmless.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Columns that a line of UTF-8 takes. */
guint kvsqlctl_width (const gchar *text);

/* As it is, but control characters as \n, \t, \xNN and invalid UTF-8 as \xNN: data must not steer a
 * terminal. */
void kvsqlctl_append_printable (GString *out, const gchar *text, gsize size);
/* The same, but line ends stay. */
void kvsqlctl_append_printable_lines (GString *out, const gchar *text, gsize size);

/* Cut text to a number of columns, at its end or its start; "…" stands for what is gone. */
void kvsqlctl_keep_start (GString *text, guint columns);
void kvsqlctl_keep_end (GString *text, guint columns);

G_END_DECLS
