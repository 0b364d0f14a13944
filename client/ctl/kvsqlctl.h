/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsqlctl.h: what the commands of kvsqlctl share.
 *
 * A command is a constant of its cmd-*.c: name, texts, options and a function. The
 * function returns the exit status. Results go to stdout, all else to stderr.
 */
#pragma once

#include <stdio.h>

#include "client/kvsql.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_DONE = 0,
  KVSQLCTL_FAILED = 1,
  KVSQLCTL_USAGE = 2,
  KVSQLCTL_UNREACHABLE = 3,
} KvsqlctlStatus;

typedef enum
{
  KVSQLCTL_FORMAT_TABLE,
  KVSQLCTL_FORMAT_CSV,
  KVSQLCTL_FORMAT_TSV,
  KVSQLCTL_FORMAT_JSON,
  KVSQLCTL_FORMAT_NDJSON,
  KVSQLCTL_FORMAT_VERTICAL,
} KvsqlctlFormat;

#define KVSQLCTL_N_FORMATS 6

typedef struct
{
  KvsqlConnection *connection; /* not open yet; NULL for commands that need none */
  GCancellable *cancellable;   /* nullable: of the statement that runs */
  KvsqlctlFormat format;
  gboolean is_read_only;
  gboolean colour_out; /* whether stdout, stderr may be coloured */
  gboolean colour_error;
} Kvsqlctl;

typedef struct
{
  const gchar *name;
  const gchar *arguments; /* for the usage line */
  const gchar *summary;   /* one line */
  const gchar *description;
  const GOptionEntry *options; /* nullable, ends with a NULL entry */
  gboolean needs_connection;
  gboolean is_hidden;
  KvsqlctlStatus (*run) (Kvsqlctl *ctl, gint argc, gchar **argv);
} KvsqlctlCommand;

extern const KvsqlctlCommand kvsqlctl_exec, kvsqlctl_shell, kvsqlctl_explain, kvsqlctl_encode,
    kvsqlctl_import, kvsqlctl_export, kvsqlctl_backup, kvsqlctl_status, kvsqlctl_top,
    kvsqlctl_schema, kvsqlctl_help, kvsqlctl_version, kvsqlctl_complete;

/* All commands, ending with NULL. */
const KvsqlctlCommand *const *kvsqlctl_get_commands (void);
const KvsqlctlCommand *kvsqlctl_find_command (const gchar *name); /* nullable */
/* The options that every command has, ending with a NULL entry. */
const GOptionEntry *kvsqlctl_get_global_options (void);

const gchar *kvsqlctl_format_get_name (KvsqlctlFormat format);
gboolean kvsqlctl_format_from_name (const gchar *name, KvsqlctlFormat *out);

/* The help of one command, or of the whole program for NULL; free it. */
gchar *kvsqlctl_help_text (const KvsqlctlCommand *command);

/* "kvsqlctl: MESSAGE" on stderr, and where to read on. Returns KVSQLCTL_USAGE. */
KvsqlctlStatus kvsqlctl_usage_error (const KvsqlctlCommand *command, const gchar *format, ...)
    G_GNUC_PRINTF (2, 3);

G_END_DECLS
