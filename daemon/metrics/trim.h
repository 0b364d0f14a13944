/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * trim.h: returns memory that statements have freed to the system.
 *
 * glibc keeps freed memory between blocks that are in use, until malloc_trim() is called: after one
 * large statement a daemon held a gigabyte for days. That call takes milliseconds, so it is made
 * now and then, and only if enough memory is free.
 *
 * Threads: any thread may call these functions.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex mutex;
  gboolean is_begun;
  gssize excess; /* free memory in RAM: its lowest value since the last trim */
  guint64 freed; /* at the last trim */
} KvsqldTrim;

void kvsqld_trim_init (KvsqldTrim *self);
void kvsqld_trim_clear (KvsqldTrim *self);

/* Makes malloc() return large blocks at once, and use few heaps. Called once, when the process
 * starts. */
void kvsqld_trim_configure (void);

/* Returns memory to the system if much more is free in RAM than after the last time. The first call
 * only measures. Returns TRUE if it did. */
gboolean kvsqld_trim_if_worth (KvsqldTrim *self);

/* The same, if much was freed since the last time. @freed: bytes since the process started */
void kvsqld_trim_after_free (KvsqldTrim *self, guint64 freed);

G_END_DECLS
