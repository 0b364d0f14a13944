/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * readings.h: enumerates all ways to read a field.
 *
 * A decoder normally takes the first reading that succeeds. With KvsqlReadings, it takes a given
 * reading: each element whose end has to be searched has a choice, which is the number of the end
 * that it takes (0 is the first). kvsql_readings_next() increments the last choice, as in an
 * odometer.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define KVSQL_READINGS_MAX_CHOICES 16

struct _KvsqlReadings
{
  guint choices[KVSQL_READINGS_MAX_CHOICES];
  guint n_choices;
  guint n_used;         /* number of choices that the last reading used */
  gboolean is_past_end; /* the last choice was a number without an end */
};

typedef struct _KvsqlReadings KvsqlReadings;

/* The choice of the next element whose end is searched; -1: there are too many such elements. */
static inline gint
kvsql_readings_choose (KvsqlReadings *self)
{
  if (self->n_used == KVSQL_READINGS_MAX_CHOICES)
    return -1;
  if (self->n_used == self->n_choices)
    self->choices[self->n_choices++] = 0;
  return (gint)self->choices[self->n_used++];
}

/* Call this after each reading. FALSE: there are no further readings. */
static inline gboolean
kvsql_readings_next (KvsqlReadings *self)
{
  self->n_choices = self->n_used - (self->is_past_end != FALSE);
  self->n_used = 0;
  self->is_past_end = FALSE;
  if (self->n_choices == 0)
    return FALSE;
  self->choices[self->n_choices - 1]++;
  return TRUE;
}

G_END_DECLS
