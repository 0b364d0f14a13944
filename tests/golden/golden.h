/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * golden.h: files of cases with the output expected of each.
 *
 *   # comment, until the first case
 *   == name-of-the-case
 *   the input, one or more lines
 *   ----
 *   the expected output
 *
 * Each case is registered as a test /golden/<prefix>/<name>. With KVSQL_UPDATE_GOLDEN=1 the file is
 * rewritten with the actual output instead.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the output for an input (without its last newline), never NULL. */
typedef gchar *(*GoldenRender) (const gchar *input);

/* Appends the line of @text at the position of an error of KVSQL_ERROR, with carets below it, then
 * its code, message, detail and hint. */
void golden_append_error (GString *out, const gchar *text, const GError *error);

/* Registers the cases of tests/golden/@file; call it between g_test_init() and g_test_run(). */
void golden_register (const gchar *file, const gchar *prefix, GoldenRender render);

G_END_DECLS
