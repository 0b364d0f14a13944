/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * sequence-source.c: see the header.
 */
#include "config.h"

#include "core/base/sequence-source.h"

static _Thread_local const KvsqlSequenceSource *entered;

const KvsqlSequenceSource *
kvsql_sequence_source_enter (const KvsqlSequenceSource *source)
{
  const KvsqlSequenceSource *before = entered;

  entered = source;
  return before;
}

const KvsqlSequenceSource *
kvsql_sequence_source_get (void)
{
  return entered;
}
