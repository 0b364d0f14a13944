/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * usage.h: the commands and their options, for help texts, completion and errors of usage.
 */
#pragma once

#include "client/ctl/kvsqlctl.h"

G_BEGIN_DECLS

/* Call it before the other functions. @commands ends with NULL, @global_options with a NULL entry;
 * both must live on. */
void kvsqlctl_set_usage (const KvsqlctlCommand *const *commands,
                         const GOptionEntry *global_options);

/* All commands, NULL-terminated. */
const KvsqlctlCommand *const *kvsqlctl_get_commands (void);
const KvsqlctlCommand *kvsqlctl_find_command (const gchar *name); /* nullable */
/* The options of all commands; ends with a NULL entry. */
const GOptionEntry *kvsqlctl_get_global_options (void);

/* The help of one command; NULL: of the program. Free it. */
gchar *kvsqlctl_help_text (const KvsqlctlCommand *command);

/* Reports an error (kvsqlctl_report_own()) and where to find help. Returns KVSQLCTL_USAGE. */
KvsqlctlStatus kvsqlctl_usage_error (const KvsqlctlCommand *command, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);
KvsqlctlStatus kvsqlctl_usage_failure (const KvsqlctlCommand *command, const GError *error);
/* The same for a command that does not exist, with the one that was probably meant. */
KvsqlctlStatus kvsqlctl_unknown_command (const gchar *name);
/* The same for a first argument that is none of the command's verbs. */
KvsqlctlStatus kvsqlctl_unknown_verb (const KvsqlctlCommand *command, const gchar *word);

/* A time of an option: "30", "30s", "500ms", "2m". */
gboolean kvsqlctl_parse_time (const gchar *text, guint *out_ms) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
