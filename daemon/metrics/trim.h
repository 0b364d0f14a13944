/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trim.h: returns memory that statements have freed to the system.
 *
 * glibc keeps freed memory between blocks that are in use, until malloc_trim() is called: after one
 * large statement a daemon held a gigabyte for days. That call takes milliseconds, so it is made
 * now and then, and only if enough memory is free.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean is_begun;
  gssize excess; /* free memory in RAM: its lowest value since the last trim */
} KvsqldTrim;

/* Makes malloc() return large blocks at once, and use few heaps. Called once, when the process
 * starts. */
void kvsqld_trim_configure (void);

/* Returns memory to the system if much more is free in RAM than after the last time. The first call
 * only measures. Returns TRUE if it did. */
gboolean kvsqld_trim_if_worth (KvsqldTrim *self);

G_END_DECLS
