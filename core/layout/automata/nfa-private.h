/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * nfa-private.h: the nodes of an automaton, for the files of this folder that traverse them.
 *
 * Thompson's construction: a node reads one symbol and has one successor, or reads nothing and has
 * up to two successors. The last node of a fragment always reads nothing.
 */
#pragma once

#include "core/layout/automata/nfa.h"

G_BEGIN_DECLS

#define NFA_NO_NODE G_MAXUINT32
#define NFA_NODES_PER_CHUNK 256

typedef enum
{
  NFA_NODE_EPSILON,   /* reads nothing */
  NFA_NODE_ENTER,     /* reads nothing; the value of an attribute begins here */
  NFA_NODE_BYTES,     /* reads a byte of the set */
  NFA_NODE_FIELD_END, /* reads the symbol between fields */
} NfaNodeKind;

/* Length-prefixed values come in three sizes. Tiny values (up to NFA_TINY_LENGTH bytes) are counted
 * down. Medium values (up to 255 bytes) have two sets of nodes: one counts down, which is exact but
 * needs a state for each byte; the other is one state that loops, which accepts too much. Long
 * values only have the loop. Each question chooses among them: see NfaMode. */
#define NFA_TINY_LENGTH 15

typedef enum
{
  NFA_ROLE_PLAIN,
  NFA_ROLE_MEDIUM_COUNT, /* the last byte of a length, before a value that is counted down */
  NFA_ROLE_LOOP_LENGTH,  /* the last byte of a length, before a value that loops */
  NFA_ROLE_MEDIUM_LOOP,  /* the bytes of a medium value */
  NFA_ROLE_LONG_LOOP,    /* the bytes of a long value */
} NfaNodeRole;

/* Which nodes for medium and long length-prefixed values are used. */
typedef enum
{
  NFA_MODE_TINY = 0,                    /* accepts too little */
  NFA_MODE_COUNT = 1,                   /* accepts too little, if there are long values */
  NFA_MODE_LOOP = 2 | 4,                /* accepts too much */
  NFA_MODE_COUNT_AND_LOOP_LONG = 1 | 4, /* accepts too much, if there are long values */
} NfaMode;

#define NFA_MODE_HAS_MEDIUM_COUNT 1
#define NFA_MODE_HAS_MEDIUM_LOOP 2
#define NFA_MODE_HAS_LONG_LOOP 4

typedef struct
{
  guint8 kind;
  guint8 role;
  guint8 n_length_bytes; /* of LOOP_LENGTH */
  guint32 mark; /* BYTES: the attribute of the byte; ENTER: the attribute whose value begins */
  guint32 out[2];
  guint32 list; /* the last list of nodes that has the node, and its place there: see nfa.c */
  guint32 place;
  KvsqlByteSet set;
} NfaNode;

struct _KvsqlNfa
{
  KvsqlArena *arena;
  guint32 n_nodes;
  guint32 n_lists; /* of nodes that were made */
  gboolean is_too_large;
  NfaNode *chunks[KVSQL_NFA_MAX_NODES / NFA_NODES_PER_CHUNK];
};

static inline NfaNode *
nfa_node (const KvsqlNfa *self, guint32 index)
{
  return &self->chunks[index / NFA_NODES_PER_CHUNK][index % NFA_NODES_PER_CHUNK];
}

/* Whether the fragment is one of this automaton. */
static inline gboolean
nfa_has_fragment (const KvsqlNfa *self, KvsqlNfaFragment fragment)
{
  return fragment.start < self->n_nodes && fragment.end < self->n_nodes;
}

static inline gboolean
nfa_node_is_loop (const NfaNode *node)
{
  return node->role == NFA_ROLE_MEDIUM_LOOP || node->role == NFA_ROLE_LONG_LOOP;
}

G_END_DECLS
