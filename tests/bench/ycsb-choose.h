/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ycsb-choose.h: which records YCSB's core workloads ask for: B. Cooper et al., "Benchmarking Cloud
 * Serving Systems with YCSB", SoCC 2010, with the constants and the order of steps of its own
 * generators, so that figures may be laid beside others'.
 *
 * A chooser belongs to one thread. How many records there are is shared: inserts make more.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  YCSB_UNIFORM,
  YCSB_ZIPFIAN, /* scrambled: the popular records lie all over the table */
  YCSB_LATEST,  /* the newest are the popular ones */
} YcsbDistribution;

typedef struct
{
  guint64 items, counted; /* of them zeta's sum holds */
  gdouble zeta, zeta_of_two, eta;
} YcsbZipfian;

typedef struct
{
  YcsbDistribution distribution;
  guint64 n_expected; /* records at the end of the run, and some more */
  guint64 state;      /* of random numbers */
  YcsbZipfian zipfian;
} YcsbChooser;

/* @n_new: records that the run is thought to insert. */
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
