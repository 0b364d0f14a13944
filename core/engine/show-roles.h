/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * show-roles.h: SHOW ROLES: the roles by name, without their verifiers.
 */
#pragma once

#include "core/engine/execution.h"
#include "core/engine/result-page.h"

G_BEGIN_DECLS

KvsqlResultPage *kvsql_execute_show_roles (const KvsqlExecution *execution, GError **error);

G_END_DECLS
