/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * write-mode.h: ALTER RELATION … WITH (writes = plain | checked | blind).
 *
 * Plain and blind writes do not know anchors, and plain writes log no intents, so no daemon may
 * make writes of one mode while another makes those of another. On a store that several daemons may
 * write to, the statement first pauses the writes of the relation. Daemons that know that make
 * none: they wait for the next definition. When all daemons know it, and no statement uses an older
 * definition, the relation gets its new mode. A mode of checked or blind writes has a new id,
 * because anchors and intents of an earlier one are outdated.
 */
#pragma once

#include "core/engine/definitions.h"

G_BEGIN_DECLS

/* The mode that the statement wants. */
gboolean kvsql_alter_read_mode (const KvsqlAlter *alter, KvsqlWriteMode *out,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * kvsql_decide_write_mode:
 * @pause: KvsqlRelation.pause, after which all daemons know that writes are paused
 * @mode: the new one, or the former one if the writes cannot get it
 *
 * The second step. KVSQL_ERROR_CONFLICT: another statement has ended this pause.
 */
gboolean kvsql_decide_write_mode (KvsqlDecision *self, const KvsqlName *relation, guint64 pause,
                                  KvsqlWriteMode mode, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* The statement that would end a pause with the former mode. (transfer full) */
gchar *kvsql_print_former_mode (const KvsqlRelation *relation);

/* The relation that the statement writes, if its writes are paused. (nullable) */
const KvsqlRelation *kvsql_statement_find_paused (const KvsqlCatalog *catalog,
                                                  const KvsqlAstStatement *statement);
/* KVSQL_ERROR_UNAVAILABLE */
gboolean kvsql_fail_paused (const KvsqlRelation *relation, GError **error);

G_END_DECLS
