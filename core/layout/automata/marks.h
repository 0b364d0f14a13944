/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * marks.h: where the values of attributes begin in a fragment; private to this folder.
 */
#pragma once

#include "core/layout/automata/nfa-private.h"

G_BEGIN_DECLS

/* The marks of @fragment, ascending, as a GArray of guint32. */
GArray *kvsql_marks_list (const KvsqlNfa *nfa, KvsqlNfaFragment fragment);

/* Whether one string can pass @mark twice. */
gboolean kvsql_marks_repeats (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 mark);

/* Whether @mark can have an empty value and can also be absent. Only then may two paths differ in
 * nothing but this mark. */
gboolean kvsql_marks_is_elusive (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 mark);

/**
 * kvsql_marks_collect:
 * @from: a node of @fragment
 * @to: a node that can be reached from @from without reading a symbol
 * @tracked: a mark that the path passes an odd number of times if @parity, else an even number
 *
 * Appends the marks on one such path to @marks.
 */
void kvsql_marks_collect (const KvsqlNfa *nfa, KvsqlNfaFragment fragment, guint32 from, guint32 to,
                          guint32 tracked, guint parity, GArray *marks);

G_END_DECLS
