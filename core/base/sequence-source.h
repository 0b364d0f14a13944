/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence-source.h: where nextval () and its like get numbers.
 *
 * Threads: each thread has its own source, as it has its own interrupt (core/base/interrupt.h). A
 * thread that has entered none has no sequences.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  /* The names are those in the registry. FALSE with an error. */
  gboolean (*next) (gpointer data, const gchar *name, gint64 *out, GError **error);
  /* The number that nextval () gave last in this session. @name: (nullable): of any sequence */
  gboolean (*current) (gpointer data, const gchar *name, gint64 *out, GError **error);
  gboolean (*set) (gpointer data, const gchar *name, gint64 value, gboolean is_called,
                   GError **error);
  gchar *(*fold) (const gchar *argument); /* (transfer full): the name that an argument means */
  gpointer data;
} KvsqlSequenceSource;

/* Sets the source of this thread, which is borrowed; NULL: none. Returns the one before it. */
const KvsqlSequenceSource *kvsql_sequence_source_enter (const KvsqlSequenceSource *source);
const KvsqlSequenceSource *kvsql_sequence_source_get (void);

G_END_DECLS
