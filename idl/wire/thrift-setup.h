/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * thrift-setup.h: prepares GLib's type system for generated Thrift code.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * kvsql_thrift_setup:
 *
 * Registers every generated type, because concurrent calls of their get_type functions race.
 * Repairs their finalize functions, which never chain up: without that each struct would leak. The
 * daemon and the client call it before any other function of Thrift. Further calls have no effect.
 *
 * Threads: any.
 */
void kvsql_thrift_setup (void);

G_END_DECLS
