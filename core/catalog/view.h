/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * view.h: views: named queries.
 *
 * A view is stored as canonical text, CREATE VIEW name …, as other definitions are. Its query is
 * the text that the user wrote. Which relations it reads is decided when it is used.
 *
 * Threads: views are immutable and reference-counted.
 */
#pragma once

#include "core/base/arena.h"

G_BEGIN_DECLS

typedef struct _KvsqlCreateView KvsqlCreateView; /* core/sql/ast.h */

typedef struct _KvsqlView
{
  gchar *text;
  KvsqlArena *arena;
  const KvsqlCreateView *definition; /* without positions: they would be those of another text */
  GPtrArray *uses;                   /* (element-type KvsqlName) what its FROM names, once each */
} KvsqlView;

/* NULL with an error. */
KvsqlView *kvsql_view_parse (const gchar *text, GError **error);
KvsqlView *kvsql_view_ref (KvsqlView *self);
void kvsql_view_unref (gpointer self); /* accepts NULL */

/* The canonical definition, without OR REPLACE. (transfer full) */
gchar *kvsql_view_print (const KvsqlCreateView *definition);

/* Whether its FROM, or that of a query in it, names the relation or view of this name. */
gboolean kvsql_view_names (const KvsqlView *self, const gchar *name, gboolean is_quoted);
/* Whether an expression or a USING of the view names an attribute like this one. */
gboolean kvsql_view_names_attribute (const KvsqlView *self, const gchar *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (KvsqlView, kvsql_view_unref)

G_END_DECLS
