/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-roles.h: SHOW ROLES: the roles by name, without their verifiers. SHOW GRANTS.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

KvsqlResultPage *kvsql_execute_show_roles (const KvsqlExecution *execution, GError **error);
KvsqlResultPage *kvsql_execute_show_grants (const KvsqlExecution *execution, const KvsqlShow *show,
                                            GError **error);

/* (element-type KvsqlRole) (transfer container): by name */
GPtrArray *kvsql_list_roles (const KvsqlCatalog *catalog);

G_END_DECLS
