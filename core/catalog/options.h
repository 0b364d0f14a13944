/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * options.h: DEFINE SCHEMA … WITH (…).
 */
#pragma once

#include "core/catalog/schema.h"

G_BEGIN_DECLS

/* Parses the options into @out, whose bytes live in @arena. */
gboolean kvsql_schema_options_read (const KvsqlDefineSchema *definition, KvsqlArena *arena,
                                    KvsqlSchemaOptions *out,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
