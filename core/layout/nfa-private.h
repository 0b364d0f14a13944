/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nfa-private.h: the nodes of an automaton, for the code of this folder that walks them.
 *
 * Thompson's construction: a node reads one symbol and has one successor, or reads nothing
 * and has up to two. The last node of a fragment is always one that reads nothing.
 */
#pragma once

#include "core/layout/nfa.h"

G_BEGIN_DECLS

#define NFA_NO_NODE G_MAXUINT32
#define NFA_NODES_PER_CHUNK 256

typedef enum
{
  NFA_NODE_EPSILON,   /* reads nothing */
  NFA_NODE_ENTER,     /* reads nothing; here begins the value of an attribute */
  NFA_NODE_BYTES,     /* reads a byte of the set */
  NFA_NODE_FIELD_END, /* reads the symbol between fields */
} NfaNodeKind;

/* What a node that reads bytes does for a value whose length is more than 255. */
typedef enum
{
  NFA_ROLE_PLAIN,
  NFA_ROLE_LONG_LENGTH, /* the last byte of such a length */
  NFA_ROLE_LONG_BODY,   /* all of the value: loops */
} NfaNodeRole;

typedef struct
{
  guint8 kind;
  guint8 role;
  guint8 n_length_bytes; /* of LONG_LENGTH */
  guint32 mark;          /* BYTES: whose value the byte is in; ENTER: whose value begins */
  guint32 out[2];
  KvsqlByteSet set;
} NfaNode;

struct _KvsqlNfa
{
  KvsqlArena *arena;
  guint32 n_nodes;
  gboolean is_too_large;
  NfaNode *chunks[KVSQL_NFA_MAX_NODES / NFA_NODES_PER_CHUNK];
};

static inline NfaNode *
nfa_node (const KvsqlNfa *self, guint32 index)
{
  return &self->chunks[index / NFA_NODES_PER_CHUNK][index % NFA_NODES_PER_CHUNK];
}

G_END_DECLS
