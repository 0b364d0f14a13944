/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * kvsqlctl.h: declarations that all commands of kvsqlctl share.
 *
 * A command is a constant in a file of commands/: name, texts, options and a function, which
 * returns the exit status. Results are written to stdout, everything else to stderr.
 */
#pragma once

#include <stdio.h>

#include "client/ctl/terminal/file-format.h"
#include "client/kvsql.h"

G_BEGIN_DECLS

typedef enum
{
  KVSQLCTL_DONE = 0,
  KVSQLCTL_FAILED = 1,
  KVSQLCTL_USAGE = 2,
  KVSQLCTL_UNREACHABLE = 3,
  /* of advise --verify */
  KVSQLCTL_NOT_BETTER = 4,
  KVSQLCTL_DIFFERS = 5,
} KvsqlctlStatus;

typedef struct
{
  KvsqlConnection *connection; /* not opened yet; NULL for commands that need none */
  GCancellable *cancellable;   /* nullable: of the running statement */
  KvsqlctlFormat format;
  gboolean is_file_format; /* @format is that of a file that is read or written: errors are shown as
                              text */
  gboolean is_read_only;
  gboolean is_verified; /* each SELECT is WITH VERIFIED */
  gboolean colour_out;  /* whether stdout and stderr may have colours */
  gboolean colour_error;
} Kvsqlctl;

typedef struct
{
  const gchar *name;
  const gchar *arguments; /* for the usage line */
  const gchar *summary;   /* one line */
  const gchar *description;
  const gchar *const *verbs;   /* nullable, NULL-terminated: what its first argument may be */
  const GOptionEntry *options; /* nullable; ends with a NULL entry */
  gboolean needs_connection;
  gboolean (*connects) (void); /* nullable: whether it does, with these options */
  gboolean has_file_format;    /* --format is the format of a file */
  gboolean is_hidden;
  KvsqlctlStatus (*run) (Kvsqlctl *ctl, gint argc, gchar **argv);
} KvsqlctlCommand;

extern const KvsqlctlCommand kvsqlctl_adopt, kvsqlctl_exec, kvsqlctl_shell, kvsqlctl_explain,
    kvsqlctl_encode, kvsqlctl_import, kvsqlctl_infer, kvsqlctl_export, kvsqlctl_backup,
    kvsqlctl_calibrate, kvsqlctl_status, kvsqlctl_top, kvsqlctl_schema, kvsqlctl_advise,
    kvsqlctl_workload, kvsqlctl_user, kvsqlctl_quotes, kvsqlctl_help, kvsqlctl_version,
    kvsqlctl_complete;

G_END_DECLS
