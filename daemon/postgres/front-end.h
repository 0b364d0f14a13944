/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * front-end.h: PostgreSQL's protocol as a front end of the server.
 */
#pragma once

#include "daemon/connections/connection.h"
#include "daemon/service/service.h"

G_BEGIN_DECLS

/* @service: outlives the front end. Free the front end after the server. */
KvsqldFrontEnd *kvsqld_pg_front_end_new (KvsqldService *service);
void kvsqld_pg_front_end_free (KvsqldFrontEnd *front_end); /* accepts NULL */

G_END_DECLS
