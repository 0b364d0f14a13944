/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ycsb-choose.h: the choice of records in YCSB's core workloads: B. Cooper et al., "Benchmarking
 * Cloud Serving Systems with YCSB", SoCC 2010. Constants and steps are those of YCSB's own
 * generators, so that results can be compared with others.
 *
 * A chooser belongs to one thread. Threads share the number of records, which inserts increase.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  YCSB_UNIFORM,
  YCSB_ZIPFIAN, /* scrambled: popular records are distributed over the table */
  YCSB_LATEST,  /* the newest records are the most popular ones */
} YcsbDistribution;

typedef struct
{
  guint64 items, counted; /* @counted: those in the sum of zeta */
  gdouble zeta, zeta_of_two, eta;
} YcsbZipfian;

typedef struct
{
  YcsbDistribution distribution;
  guint64 n_expected; /* the number of records at the end of the run, and some more */
  guint64 state;      /* of the random numbers */
  YcsbZipfian zipfian;
} YcsbChooser;

/* @n_new: an estimate of the records that the run inserts. */
void ycsb_chooser_init (YcsbChooser *self, YcsbDistribution distribution, guint64 n_records,
                        guint64 n_new, guint64 seed);

/* One of the records 0 … @n_records - 1. */
guint64 ycsb_chooser_next (YcsbChooser *self, guint64 n_records);

/* In [0, 1), and in [0, n). */
gdouble ycsb_chooser_share (YcsbChooser *self);
guint64 ycsb_chooser_below (YcsbChooser *self, guint64 n);

/* FNV-1a of the number's bytes, without a sign. */
guint64 ycsb_hash (guint64 number);

/* The key of a record: "user" and the hash of its number. 32 bytes are enough. */
void ycsb_key (guint64 record, gchar *out);

G_END_DECLS
