/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * schema-text.h: a design as the text of DEFINE SCHEMA, and its proof.
 */
#pragma once

#include "core/advisor/design.h"
#include "core/catalog/schema.h"

G_BEGIN_DECLS

/* Without a ';' at the end. A primary must be whole. (transfer full) */
gchar *kvsql_design_to_text (const KvsqlDesign *design, const KvsqlRelation *relation,
                             const gchar *name, gboolean is_primary);

/* Compiles the definition, and proves it (core/catalog/compile-schema.h). (transfer full) */
KvsqlSchema *kvsql_design_prove (const gchar *text, KvsqlRelation *relation, GError **error);

G_END_DECLS
