/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-json-path.h: json('$.a.b'){x}: members of one JSON text.
 *
 * Such elements of a sequence are the members of one text. So after they are compiled, they are the
 * inner sequence of one element, the document.
 */
#pragma once

#include "core/layout/element.h"

G_BEGIN_DECLS

/* The compile() of json with a path. Changes the class of @self. */
gboolean kvsql_json_member_compile (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                    const KvsqlLayoutNode *node,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
