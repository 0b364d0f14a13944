/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * blind-statements.h: the statements that a relation WITH (writes = blind) allows.
 *
 * Blind writes put or delete whole tuples, and do not read what is stored. A statement whose effect
 * depends on the stored tuple would decide on one that another daemon may just replace.
 *
 * Each function checks the clauses of one statement: KVSQL_ERROR_INVALID with a position.
 */
#pragma once

#include "core/plan/predicate.h"
#include "core/sql/ast.h"

G_BEGIN_DECLS

gboolean kvsql_blind_check_insert (const KvsqlRelation *relation, const KvsqlInsert *statement,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_blind_check_update (const KvsqlRelation *relation, const KvsqlUpdate *statement,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* @predicate: of WHERE */
gboolean kvsql_blind_check_delete (const KvsqlRelation *relation, const KvsqlDelete *statement,
                                   const KvsqlPredicate *predicate,
                                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
