/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * apply.h: writes a list of mutations to the store.
 */
#pragma once

#include "core/write/storage.h"
#include "core/write/mutations.h"

G_BEGIN_DECLS

/* Makes the tables and families that the list writes to. */
gboolean kvsql_mutation_list_ensure_tables (const KvsqlMutationList *list, KvsqlStorage *storage,
                                            const KvsqlCall *call,
                                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether the store would take the mutations from index @first on, as far as that is known without
 * a request. For writes that other daemons finish: nothing that is known to fail may be decided. */
gboolean kvsql_mutation_list_check (const KvsqlMutationList *list, guint first,
                                    const KvsqlStorage *storage,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Makes the tables of a list, then applies the list in one call. */
gboolean kvsql_mutation_list_apply (KvsqlMutationList *list, KvsqlStorage *storage,
                                    const KvsqlCall *call,
                                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
