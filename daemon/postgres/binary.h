/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * binary.h: what the binary formats of PostgreSQL count from, and their versions.
 */
#pragma once

#define KVSQLD_PG_JSONB_VERSION 1    /* the byte before the text of a jsonb */
#define KVSQLD_PG_EPOCH_DAYS 10957LL /* 2000-01-01, in days since 1970-01-01 */
