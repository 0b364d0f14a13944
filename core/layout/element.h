/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * element.h: the parts a layout is made of.
 *
 * A field of a schema (TABLE, ROW …) is a sequence of elements. Each kind of element is
 * one file with one KvsqlElementClass and one line in element.c's table; nothing else
 * knows the kinds. Compiled elements are immutable and shared by all threads.
 *
 * A class says six things about its bytes: how to write them, how to read them back,
 * where they may end, which byte ranges a constraint on the attributes allows, which automaton
 * accepts them (for the definition proof), and whether they sort as the values do.
 */
#pragma once

#include "core/base/vector.h"
#include "core/layout/constraint.h"
#include "core/layout/dfa.h"
#include "core/layout/nfa.h"

G_BEGIN_DECLS

typedef struct _KvsqlElement KvsqlElement;
typedef struct _KvsqlElementClass KvsqlElementClass;
typedef struct _KvsqlDecodePlan KvsqlDecodePlan;
typedef struct _KvsqlEncodePlan KvsqlEncodePlan;

typedef struct
{
  KvsqlElement **elements;
  guint n_elements;
  gssize fixed_size;            /* of the whole; -1: varies */
  gssize *tail_sizes;           /* [i]: size of all elements after i; -1: varies */
  guint n_attributes;           /* of the relation */
  KvsqlAttributeSet attributes; /* that its bytes depend on */
  gboolean is_constant;         /* its bytes are always @constant */
  KvsqlSlice constant;
  KvsqlAttributeSet derived_from; /* attributes that derived elements and parts in it depend on */
  const KvsqlDecodePlan *plan;    /* nullable: to read it without trying (decode-plan.h) */
  const KvsqlEncodePlan
      *encode_plan; /* nullable: to write it without reading it back (encode-plan.h) */
} KvsqlSequence;

struct _KvsqlElement
{
  const KvsqlElementClass *klass;
  KvsqlSpan span;          /* in the definition's text */
  gssize fixed_size;       /* -1: varies */
  gboolean is_open;        /* its own bytes don't tell where it ends */
  gboolean is_prefix_free; /* no form of a value begins the form of another */
  gboolean is_delimited;   /* ends at (or before) @separator */
  gboolean is_restricted;  /* the value may not contain @separator: set by the definition proof,
                              checked on write */
  KvsqlSlice separator;    /* suffix's own, or the constant that follows an open element */
  KvsqlSlice constant;     /* constants; prefix's bytes */
  KvsqlSlice null_form;    /* null */
  gint attribute;          /* leaves: index in the relation; else -1 */
  KvsqlType type;          /* of the attribute */
  gboolean is_address;     /* in TABLE, ROW, FAMILY or QUALIFIER: one value must have one form */
  gboolean holds_null;     /* NULL has a form here, and the attribute may be NULL */
  gboolean is_copy;        /* the attribute is read from another place */
  guint8 least_byte;       /* no byte of any value is below it */
  guint width;             /* size: bytes of the length; fixed, text: width */
  gint pad;                /* fixed: byte, or -1 */
  KvsqlDfa *dfa;           /* regexp */
  const gchar *pattern;    /* regexp, as written */
  KvsqlSequence *inner;    /* nullable */

  gboolean is_derived; /* holds no attribute, only what follows from others (derived.h) */
  gboolean is_part;    /* holds a part of @attribute */
  guint field;         /* derived elements and parts: where they stand */
  gint slot;           /* where a decoder keeps their bytes; -1: nowhere */
  guint mark_shift;    /* keeps the marks of an attribute's parts apart */
  guint n_parts;       /* a part: how many give @attribute back together; 0: only checked */
  gint64 step;         /* bucket, offset: width; salt: buckets */
  const gchar
      *demand;       /* a part: nullable; what values must be, if it gives @attribute back alone */
  gconstpointer own; /* what only its class knows */
};

/* ---- compiling */

typedef struct
{
  KvsqlArena *arena; /* owns the result */
  const KvsqlRelation *relation;
  gboolean is_address;
  KvsqlAttributeSet placed; /* attributes that some element holds, so far */
  guint field;              /* being compiled */
  gboolean is_apart;        /* inside of a derived element or a part */
  KvsqlType as_type;        /* of attributes, if not their own; KVSQL_TYPE_NULL: their own */
  KvsqlElement **slots;     /* KVSQL_MAX_SLOTS: derived elements and parts of the cell */
  guint n_slots;
} KvsqlLayoutCompiler;

KvsqlSequence *kvsql_sequence_compile (KvsqlLayoutCompiler *compiler,
                                       const KvsqlLayoutSequence *layout, GError **error);

/* Adds the attributes that its bytes depend on. */
void kvsql_sequence_collect_attributes (const KvsqlSequence *self, KvsqlAttributeSet *out);

/* ---- writing */

typedef struct
{
  const KvsqlRelation *relation;
  const gchar *schema;
  const KvsqlValue *tuple; /* by attribute */
} KvsqlEncoder;

gboolean kvsql_sequence_encode (const KvsqlSequence *self, const KvsqlEncoder *encoder,
                                KvsqlBuffer *out, GError **error);
/* The value of the element's attribute; NULL and an error with the way out if it is NULL. */
const KvsqlValue *kvsql_encoder_get_value (const KvsqlEncoder *encoder, const KvsqlElement *element,
                                           GError **error);
/* KVSQL_ERROR_VALUE that names the attribute and the schema. */
gboolean kvsql_encode_error (const KvsqlEncoder *encoder, const KvsqlElement *element,
                             GError **error, const gchar *format, ...) G_GNUC_PRINTF (4, 5);

/* ---- reading */

#define KVSQL_MAX_SLOTS 32

/* Bytes of a derived element or a part, kept until all fields of the cell are read. */
typedef struct
{
  KvsqlSlice bytes;
  gint64 number; /* that a part stands for */
} KvsqlSlot;

typedef struct
{
  KvsqlBatch *batch; /* columns by attribute; those nobody asked for are left out; NULL: of
                        constants only */
  guint row;
  KvsqlArena *arena; /* for values whose bytes are not in the store's own */
  guint steps;       /* spent on backtracking in this field */
  KvsqlSlot *slots;  /* nullable; of the cell: filled by its fields, then see derived.h */
} KvsqlDecoder;

/* Stores the attribute of @element, NULL too, if it is read there and wanted. Returns: %TRUE */
gboolean kvsql_decoder_set (KvsqlDecoder *decoder, const KvsqlElement *element,
                            const KvsqlValue *value);
/* TRUE if @bytes are a value of this sequence; its attributes are then in the batch. */
gboolean kvsql_sequence_decode (const KvsqlSequence *self, KvsqlSlice bytes, KvsqlDecoder *decoder);

/* ---- constraints to byte ranges */

/* What comes right after an element: it decides how far "less than v" reaches. */
typedef enum
{
  KVSQL_FOLLOW_END,   /* nothing */
  KVSQL_FOLLOW_BYTES, /* these bytes */
  KVSQL_FOLLOW_FIXED, /* anything, but all values have the same length */
  KVSQL_FOLLOW_UNKNOWN,
} KvsqlFollowKind;

typedef struct
{
  KvsqlFollowKind kind;
  KvsqlSlice bytes; /* BYTES */
  gsize size;       /* FIXED: that length */
  guint8 least;     /* BYTES: no byte of a value is below this one; 0: not known */
} KvsqlFollow;

/* A point is all bytes of an element; a range bounds the element's bytes and all that follow them.
 */
typedef struct
{
  gboolean is_point;
  gboolean
      is_exact;   /* everything in it satisfies the constraint, as far as this element can tell */
  KvsqlSlice low; /* the point, or the inclusive lower bound */
  gboolean has_high;
  KvsqlSlice high; /* exclusive */
} KvsqlPiece;

typedef struct _KvsqlPieces KvsqlPieces;
struct _KvsqlPieces
{
  gboolean is_open;    /* nothing is known: every byte string */
  gboolean is_fan_out; /* nothing is known either, but these points are all there are */
  KvsqlPiece *pieces;
  guint n_pieces;
  guint n_fixed;          /* elements that are points in front: the paper's score */
  KvsqlPieces *as_points; /* nullable: the same values as points, for a range of few */
};

#define KVSQL_MAX_PIECES 4096
/* Of as_points: the days of a year, and some. */
#define KVSQL_MAX_STEPS_AS_POINTS 400

typedef struct
{
  const KvsqlConstraint *constraints; /* by attribute */
  KvsqlArena *arena;
  gboolean wants_points; /* ranges are of no use to who asks: as_points where there are such */
} KvsqlConstrainer;

void kvsql_sequence_constrain (const KvsqlSequence *self, const KvsqlConstrainer *constrainer,
                               KvsqlFollow follow, KvsqlPieces *out);
/* Ranges of values held as their own bytes (STRING, BYTES, or any text form that sorts as its
 * values). */
void kvsql_pieces_from_slices (const KvsqlConstraint *constraint,
                               const KvsqlConstrainer *constrainer, KvsqlFollow follow,
                               KvsqlPieces *out);
void kvsql_pieces_add_point (KvsqlPieces *self, KvsqlSlice bytes);
void kvsql_pieces_add_range (KvsqlPieces *self, KvsqlSlice low, gboolean has_high, KvsqlSlice high,
                             gboolean is_exact);
/* What follows the values inside an element of @size bytes, as far as they can tell. */
KvsqlFollow kvsql_sequence_follow_fixed (const KvsqlSequence *inner, gsize size);
/* For an element of exactly @size bytes: a bound that is longer says nothing of what follows it. */
void kvsql_piece_cut (KvsqlPiece *self, gsize size, const KvsqlConstrainer *constrainer);
/* Room for @n pieces. */
void kvsql_pieces_init (KvsqlPieces *self, const KvsqlConstrainer *constrainer, guint n);

/* ---- the automaton */

KvsqlNfaFragment kvsql_sequence_automaton (const KvsqlSequence *self, KvsqlNfa *nfa);

/* ---- order */

typedef enum
{
  KVSQL_ORDER_NONE,
  KVSQL_ORDER_ASCENDING,
  KVSQL_ORDER_DESCENDING,
} KvsqlOrder;

/* How the bytes of an element sort. With an order, a greater value has greater (DESCENDING:
 * smaller) bytes whatever follows them in the field; NULL, where the element has a form for it,
 * sorts at the end that @nulls_first says. */
typedef struct
{
  KvsqlOrder order;
  KvsqlOrder order_by_sign; /* with order NONE: among values >= 0, and among those < 0, which have
                               the greater bytes */
  gboolean nulls_first;     /* in the order of the bytes */
  gboolean is_last_only;    /* holds only where the element ends its field */
  gboolean is_loose; /* equal values may have different bytes (-0 and 0): what follows is then not
                        sorted within equal values */
} KvsqlByteOrder;

#define KVSQL_BYTE_ORDER_NONE ((KvsqlByteOrder){ .order = KVSQL_ORDER_NONE })

/* Of a part of a layout that holds one attribute; NONE for all others. */
KvsqlByteOrder kvsql_element_byte_order (const KvsqlElement *self);
/* Of element @index of a field, with regard to what follows it there. A constant has none: it is
 * the same in every row and may be passed over. */
KvsqlByteOrder kvsql_sequence_byte_order (const KvsqlSequence *self, guint index);
/* The order of the one element in @self (NONE if there are several): what an element around it that
 * adds the same bytes to every value has too. */
KvsqlByteOrder kvsql_sequence_inner_order (const KvsqlSequence *self);

/* ---- classes */

struct _KvsqlElementClass
{
  const gchar *name;        /* as written; NULL: not written by a name */
  gboolean is_text;         /* of what is inside, as people read it */
  gboolean has_length;      /* counts bytes: their automaton cannot be rewritten byte by byte */
  gboolean takes_attribute; /* applies to one attribute; written around a changer, it goes inside */
  gboolean is_changer;      /* hands another value of the attribute to the layout inside */

  /* Fills @self (zeroed but for klass, span, attribute -1, pad -1, fixed_size -1) from @node. */
  gboolean (*compile) (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                       const KvsqlLayoutNode *node, GError **error);
  gboolean (*encode) (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out,
                      GError **error);
  /* Exactly these bytes. */
  gboolean (*decode) (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder);
  /* The next length > @previous at which the element may end in @rest; -1: none. @previous is -1 at
   * first. NULL: open. */
  gssize (*next_length) (const KvsqlElement *self, KvsqlSlice rest, gssize previous);
  void (*constrain) (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                     KvsqlFollow follow, KvsqlPieces *out);
  KvsqlNfaFragment (*automaton) (const KvsqlElement *self, KvsqlNfa *nfa);
  /* NULL: none. */
  KvsqlByteOrder (*byte_order) (const KvsqlElement *self);

  /* Parts only. Chooses from @all parts of an attribute those that with @all[first] give its value;
   * returns how much of the value they give (0: they do not). */
  guint (*choose) (KvsqlElement *const *all, guint n, guint first, KvsqlElement **out_chosen,
                   guint *out_n);
  /* The numbers around @number between which the part's bytes stay the same, or only count up; NULL
   * or FALSE: there is no such span. */
  gboolean (*unit) (const KvsqlElement *self, gint64 number, gint64 *out_first, gint64 *out_last);
  /* The value of the chosen ones; FALSE if there is none. */
  gboolean (*join) (KvsqlElement *const *chosen, guint n, const KvsqlSlot *slots, gint64 *out);
};

extern const KvsqlElementClass kvsql_element_constant;
extern const KvsqlElementClass kvsql_element_attribute;
extern const KvsqlElementClass kvsql_element_suffix;
extern const KvsqlElementClass kvsql_element_prefix;
extern const KvsqlElementClass kvsql_element_size;
extern const KvsqlElementClass kvsql_element_fixed;
extern const KvsqlElementClass kvsql_element_regexp;
extern const KvsqlElementClass kvsql_element_text;
extern const KvsqlElementClass kvsql_element_hash;
extern const KvsqlElementClass kvsql_element_salt;
extern const KvsqlElementClass kvsql_element_bucket;
extern const KvsqlElementClass kvsql_element_offset;
extern const KvsqlElementClass kvsql_element_format;
extern const KvsqlElementClass kvsql_element_json;
extern const KvsqlElementClass kvsql_element_ordered;
extern const KvsqlElementClass kvsql_element_desc;
extern const KvsqlElementClass kvsql_element_null;
extern const KvsqlElementClass kvsql_element_hex;
extern const KvsqlElementClass kvsql_element_base64;
extern const KvsqlElementClass kvsql_element_unsigned;
extern const KvsqlElementClass kvsql_element_flipped;
extern const KvsqlElementClass kvsql_element_phoenix;

/* The class of `name (…){…}`; NULL if there is none. */
const KvsqlElementClass *kvsql_element_class_find (const gchar *name);
/* Names of all classes, NULL-terminated; also attr_name, attr_value, map_key and map_value, which
 * cells expand. */
const gchar *const *kvsql_element_class_list (void);

/* Checks "name takes N arguments / an inner layout"; used by compile(). */
gboolean kvsql_element_expect (const KvsqlLayoutNode *node, guint min_arguments,
                               guint max_arguments, gboolean has_inner, GError **error);
/* A constant argument: non-empty text or bytes. */
gboolean kvsql_element_bytes_argument (const KvsqlLayoutNode *node, guint index, KvsqlArena *arena,
                                       KvsqlSlice *out, GError **error);
gboolean kvsql_element_integer_argument (const KvsqlLayoutNode *node, guint index, gint64 min,
                                         gint64 max, guint *out, GError **error);
/* Not-so-small numbers. */
gboolean kvsql_element_wide_argument (const KvsqlLayoutNode *node, guint index, gint64 min,
                                      gint64 max, gint64 *out, GError **error);
/* The sequence in `name{…}`, and what follows from it for the element. */
gboolean kvsql_element_compile_inner (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                      const KvsqlLayoutNode *node, GError **error);
/* The mark of its attribute's bytes; KVSQL_NFA_NO_MARK if they are not read here. */
guint32 kvsql_element_get_mark (const KvsqlElement *self);
/* Where an open element may end: before its separator, or anywhere; as next_length(). */
gssize kvsql_element_next_open_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous);
/* Whether @bytes of a restricted open element hold its separator: what is delimited by the end of
 * the field must keep what the definition proof relies on all the same. */
gboolean kvsql_element_is_forbidden (const KvsqlElement *self, KvsqlSlice bytes);
/* FALSE and an error if something in @self counts the bytes of a value. */
gboolean kvsql_element_refuse_lengths (const KvsqlElement *self, const KvsqlLayoutNode *node,
                                       GError **error);
/* Length of the value in @inner that @bytes begin with, if its own bytes tell (is_prefix_free);
 * else -1. */
gssize kvsql_sequence_get_own_length (const KvsqlSequence *inner, KvsqlSlice bytes);
/* Any value of the element, by its size or by what it may not contain. */
KvsqlNfaFragment kvsql_element_any_value (const KvsqlElement *self, KvsqlNfa *nfa);
/* The bytes of @value are those of the element's attribute, if it is read here. */
KvsqlNfaFragment kvsql_element_mark (const KvsqlElement *self, KvsqlNfa *nfa,
                                     KvsqlNfaFragment value);
gboolean kvsql_element_bind_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                       const KvsqlName *name, GError **error);
/* The same for `name{attribute}`, which takes nothing else. */
gboolean kvsql_element_bind_inner_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                             const KvsqlLayoutNode *node, GError **error);

G_END_DECLS
