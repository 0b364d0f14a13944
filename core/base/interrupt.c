/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * interrupt.c: see the header.
 */
#include "config.h"

#include "core/base/interrupt.h"

_Thread_local gint kvsql_interrupt_ticks_left;
static _Thread_local KvsqlInterrupt *current;

void
kvsql_interrupt_enter (KvsqlInterrupt *self, KvsqlInterruptCheck check, gconstpointer data)
{
  g_assert (self != current); /* else it would be its own outer check, for ever */
  *self = (KvsqlInterrupt){ .check = check, .data = data, .outer = current };
  current = self;
  kvsql_interrupt_ticks_left = KVSQL_INTERRUPT_TICKS;
}

void
kvsql_interrupt_leave (KvsqlInterrupt *self)
{
  g_return_if_fail (self == current);
  current = self->outer;
  g_clear_error (&self->error);
  kvsql_interrupt_ticks_left = 0;
}

gboolean
kvsql_interrupt_ask (void)
{
  if (current == NULL || current->check == NULL
      || (current->error == NULL && current->check (current->data, &current->error)))
    {
      kvsql_interrupt_ticks_left = KVSQL_INTERRUPT_TICKS;
      return TRUE;
    }
  g_assert (current->error != NULL);
  kvsql_interrupt_ticks_left = 0; /* so that every tick calls this function */
  return FALSE;
}

gboolean
kvsql_interrupt_check (GError **error)
{
  if (kvsql_interrupt_ask ())
    return TRUE;
  if (error != NULL && *error == NULL)
    *error = g_error_copy (current->error);
  return FALSE;
}

void
kvsql_interrupt_check_soon (void)
{
  kvsql_interrupt_ticks_left = 0;
}
