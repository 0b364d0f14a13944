/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * oracle.h: a slow decoder of simple layouts, to check the proofs.
 *
 * A simple layout is a list of parts. The oracle tries each length for each part, and so finds all
 * readings of some bytes. It uses no automata.
 */
#pragma once

#include "core/layout/automata/nfa.h"

G_BEGIN_DECLS

#define ORACLE_MAX_PARTS 5

typedef enum
{
  PART_CONSTANT,
  PART_FIXED,
  PART_ANY,
  PART_SUFFIX, /* any text without the separator, and the separator */
  PART_SIZE,   /* one byte of length, then the value */
  PART_CLASS,  /* one or more bytes of a, b */
  PART_CHOICE, /* "a" or "a-" or "" */
  N_PARTS,
} PartKind;

typedef struct
{
  PartKind kind;
  const gchar *text;      /* constant or separator */
  const gchar *null_text; /* means that there is no value; or NULL */
  guint n;
} Part;

typedef struct
{
  guint n;
  Part parts[ORACLE_MAX_PARTS];
} Layout;

typedef struct
{
  gboolean is_present;
  KvsqlSlice bytes;
} Value;

/* The value of each part (constants have none). */
typedef struct
{
  Value values[ORACLE_MAX_PARTS];
} Reading;

Layout oracle_random_layout (GRand *rand);
gchar *oracle_describe (const Layout *layout);
/* Part i is attribute i. */
KvsqlNfaFragment oracle_build (KvsqlNfa *nfa, const Layout *layout);

gboolean oracle_accepts (const Layout *layout, KvsqlSlice bytes);
gboolean oracle_has_reading (const Layout *layout, KvsqlSlice bytes, const Reading *reading);
/* Whether there are two readings with different values. */
gboolean oracle_is_ambiguous (const Layout *layout, KvsqlSlice bytes);
gboolean oracle_reading_equal (const Layout *layout, const Reading *a, const Reading *b);

G_END_DECLS
