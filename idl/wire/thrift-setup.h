/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * thrift-setup.h: what must happen before generated Thrift code is used.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * kvsql_thrift_setup:
 *
 * Registers every generated type, as their get_type functions race between threads, and cures
 * their finalize functions, which never chain up: each struct would leak. The daemon and the
 * client call it before anything else of Thrift; more calls do nothing.
 *
 * Threads: may be called from any.
 */
void kvsql_thrift_setup (void);

G_END_DECLS
