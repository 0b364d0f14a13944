/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * random-writer.h: words, names and literals of random statements, and what their parts share.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define PICK(self, array) ((array)[pick ((self), G_N_ELEMENTS (array))])

typedef struct
{
  GRand *random;
  GString *out;
  gint parameters;        /* 0: ?, 1: :name, 2: none, 3: $n */
  gboolean has_windows;   /* the clause WINDOW follows */
  gboolean is_definition; /* double quotes are text in a definition, and a name elsewhere */
} RandomWriter;

guint pick (RandomWriter *self, guint n);
gboolean chance (RandomWriter *self, guint percent);
void put (RandomWriter *self, const gchar *text);
void put_exactly (RandomWriter *self, const gchar *text);
void put_name (RandomWriter *self);
void put_literal (RandomWriter *self);
void put_parameter (RandomWriter *self);
void put_names (RandomWriter *self, guint n);

G_END_DECLS
