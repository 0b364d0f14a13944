/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * element.h: the elements of which a layout is made.
 *
 * A field of a schema (TABLE, ROW …) is a sequence of elements. Each kind of element is one file
 * with one KvsqlElementClass and a line in element-classes.[ch]; no other code knows the kinds.
 * Compiled elements are immutable and shared by all threads.
 *
 * A class defines six things: how bytes are written, how they are read, where they may end, which
 * byte ranges a constraint on the attributes allows, which automaton accepts the bytes (for the
 * definition proof), and whether the bytes sort as the values do.
 */
#pragma once

#include "core/layout/layout-types.h"

G_BEGIN_DECLS

typedef struct _KvsqlName KvsqlName; /* core/sql/ast-definition.h */

typedef struct _KvsqlElementClass KvsqlElementClass;
/* Only the classes need to know these (dfa.h, nfa.h). */
typedef struct _KvsqlDfa KvsqlDfa;
typedef struct _KvsqlNfa KvsqlNfa;
typedef struct _KvsqlNfaFragment KvsqlNfaFragment;
typedef struct _KvsqlLayoutNode KvsqlLayoutNode; /* core/sql/ast-definition.h */

struct _KvsqlElement
{
  const KvsqlElementClass *klass;
  KvsqlSpan span;          /* in the text of the definition */
  gssize fixed_size;       /* -1: variable */
  gboolean is_open;        /* its own bytes do not show where it ends */
  gboolean is_prefix_free; /* no form of a value is a prefix of another form */
  gboolean is_delimited;   /* ends at (or before) @separator */
  gboolean is_restricted;  /* the value may not contain @separator; set by the definition proof,
                              checked on write */
  KvsqlSlice separator;    /* that of suffix, or the constant after an open element, which is set
                              after compile() */
  gboolean may_end_field;  /* is_delimited: it also ends where the field ends */
  KvsqlSlice constant;     /* with which all bytes begin: of constants, and the bytes of prefix */
  KvsqlSlice front;        /* optional: with which all bytes begin, if there are any */
  KvsqlSlice null_form;    /* of null */
  gint attribute;          /* leaves: index in the relation; others: -1 */
  KvsqlType type;          /* of the attribute */
  gboolean is_cell_key;    /* in TABLE, ROW, FAMILY or QUALIFIER: a value has exactly one form */
  gboolean holds_null;     /* the attribute may be NULL, and the element has a form for NULL */
  gboolean is_copy;        /* the attribute is read from another element */
  guint8 least_byte;       /* no byte of a value is less than this */
  const gchar *loss; /* nullable: what others have written next to its values, and a write drops */
  gboolean is_never_empty; /* phoenix: '' has no form here (kvsql_phoenix_forbid_empty()) */
  guint width;          /* size: bytes of the length; fixed, text: width; phoenix_column: number */
  gint pad;             /* fixed: the byte, or -1 */
  KvsqlDfa *dfa;        /* regexp */
  const gchar *pattern; /* regexp: the source text */
  KvsqlSequence *inner; /* nullable */

  gboolean is_derived; /* holds no attribute: its bytes follow from attributes (derived.h) */
  gboolean is_part;    /* holds a part of @attribute */
  guint field;         /* of derived elements and parts */
  gint slot;           /* in which a decoder keeps its bytes; -1: none */
  guint mark_shift;    /* distinguishes the marks of the parts of one attribute */
  guint n_parts; /* parts: the number of parts that together give @attribute back; 0: the part is
                    only checked */
  gint64 step;   /* bucket, offset: width; salt: buckets */
  const gchar *demand; /* parts, nullable: the values that are allowed if the part alone gives
                          @attribute back */
  gconstpointer own;   /* private data of the class */
};

/* ---- classes */

struct _KvsqlElementClass
{
  const gchar *name;        /* in layouts; NULL: has no name */
  gboolean is_text;         /* the inner value as text for people */
  gboolean has_length;      /* counts bytes: its automaton cannot be transformed byte by byte */
  gboolean takes_attribute; /* applies to one attribute; if its inner layout is a changer, it moves
                               into it */
  gboolean takes_list;      /* with takes_attribute: also to one that is a list */
  gboolean takes_map;       /* the same for a map */
  gboolean is_changer;      /* passes a changed value of the attribute to its inner layout */

  /* Sets @self from @node. @self is zeroed, except klass and span; attribute, pad and fixed_size
   * are -1. */
  gboolean (*compile) (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                       const KvsqlLayoutNode *node, GError **error);
  /* NULL, or: the elements of a sequence with such an element become the inner sequence of @self,
   * which is all of the outer one. Sets @self, without @inner. */
  gboolean (*unite) (KvsqlElement *self, const KvsqlSequence *members,
                     KvsqlLayoutCompiler *compiler, GError **error);
  gboolean (*encode) (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out,
                      GError **error);
  /* Decodes exactly these bytes. */
  gboolean (*decode) (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder);
  /* The next length > @previous at which the element may end in @rest; -1: none. The first call has
   * @previous -1. NULL: the element is open. */
  gssize (*next_length) (const KvsqlElement *self, KvsqlSlice rest, gssize previous);
  void (*constrain) (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                     KvsqlDelimiter delimiter, KvsqlByteRanges *out);
  KvsqlNfaFragment (*automaton) (const KvsqlElement *self, KvsqlNfa *nfa);
  /* NULL: no order. */
  KvsqlByteOrder (*byte_order) (const KvsqlElement *self);

  /* Parts only. Chooses from @all parts of an attribute those that together with @all[first]
   * determine its value. Returns how much of the value they determine; 0: not all of it. */
  guint (*choose) (KvsqlElement *const *all, guint n, guint first, KvsqlElement **out_chosen,
                   guint *out_n);
  /* The range of numbers around @number in which the bytes of the part are constant, or only count
   * up. NULL or FALSE: there is none. */
  gboolean (*unit) (const KvsqlElement *self, gint64 number, gint64 *out_first, gint64 *out_last);
  /* Computes the value from the chosen parts; FALSE if there is none. */
  gboolean (*join) (KvsqlElement *const *chosen, guint n, const KvsqlSlot *slots, gint64 *out);
};

/* Adds the attributes on which the bytes of @self depend. */
void kvsql_sequence_collect_attributes (const KvsqlSequence *self, KvsqlAttributeSet *out);

/* ---- for classes */

/* The value of the element's attribute. If it is NULL: returns NULL and an error with a hint. */
const KvsqlValue *kvsql_encoder_get_value (const KvsqlEncoder *encoder, const KvsqlElement *element,
                                           GError **error);
/* Sets KVSQL_ERROR_VALUE with the names of the attribute and the schema. */
gboolean kvsql_encode_error (const KvsqlEncoder *encoder, const KvsqlElement *element,
                             GError **error, const gchar *format, ...) G_GNUC_PRINTF (4, 5);
/* What is written for the value has the separator of @element at byte @at. Returns: FALSE */
gboolean kvsql_encode_separator_error (const KvsqlEncoder *encoder, const KvsqlElement *element,
                                       GError **error, gsize at);

/* Stores the value of the element's attribute, which may be NULL, if the attribute is read here and
 * wanted. Returns: %TRUE */
gboolean kvsql_decoder_set (KvsqlDecoder *decoder, const KvsqlElement *element,
                            const KvsqlValue *value);
/* Removes the NULL that an abandoned reading may have left, before the inner layout of the element
 * stores a value. */
void kvsql_decoder_clear_null (KvsqlDecoder *decoder, const KvsqlElement *element);

/* The order of an element that holds one attribute; NONE for all others. */
KvsqlByteOrder kvsql_element_byte_order (const KvsqlElement *self);

/* Sets @inner and the members of the element that follow from it. */
void kvsql_element_set_inner (KvsqlElement *self, KvsqlSequence *inner);
/* Checks the number of arguments and that there is an inner layout; used by compile(). */
gboolean kvsql_element_expect (const KvsqlLayoutNode *node, guint min_arguments,
                               guint max_arguments, gboolean has_inner,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* A constant argument: non-empty text or bytes. */
gboolean kvsql_element_bytes_argument (const KvsqlLayoutNode *node, guint index, KvsqlArena *arena,
                                       KvsqlSlice *out, GError **error) G_GNUC_WARN_UNUSED_RESULT;
gboolean kvsql_element_integer_argument (const KvsqlLayoutNode *node, guint index, gint64 min,
                                         gint64 max, guint *out,
                                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* For numbers that may need 64 bits. */
gboolean kvsql_element_wide_argument (const KvsqlLayoutNode *node, guint index, gint64 min,
                                      gint64 max, gint64 *out,
                                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The mark of the attribute; KVSQL_NFA_NO_MARK if the attribute is not read here. */
guint32 kvsql_element_get_mark (const KvsqlElement *self);
/* Where an open element of at least @from bytes ends: before its separator, or anywhere. -1: it
 * does not fit */
gssize kvsql_element_find_end (const KvsqlElement *self, KvsqlSlice rest, gsize from);
/* The next_length() of an open element. */
gssize kvsql_element_next_open_length (const KvsqlElement *self, KvsqlSlice rest, gssize previous);
/* Whether @bytes of a restricted open element contain its separator. Decoders check this also where
 * the end of the field delimits the element, since the definition proof relies on it. */
gboolean kvsql_element_is_forbidden (const KvsqlElement *self, KvsqlSlice bytes);
/* Accepts any value of the open element before @separator. */
KvsqlNfaFragment kvsql_element_any_without (const KvsqlElement *self, KvsqlNfa *nfa,
                                            KvsqlSlice separator);
/* Accepts any value of the element, limited by its size or its separator. */
KvsqlNfaFragment kvsql_element_any_value (const KvsqlElement *self, KvsqlNfa *nfa);
/* The automaton() of an element that unite() has made: any value. It belongs to all inner elements;
 * one mark shows where it ends. */
KvsqlNfaFragment kvsql_element_any_united (const KvsqlElement *self, KvsqlNfa *nfa);
/* The constrain() of an element whose bytes no constraint limits. */
void kvsql_element_constrain_nothing (const KvsqlElement *self, const KvsqlConstrainer *constrainer,
                                      KvsqlDelimiter delimiter, KvsqlByteRanges *out);
/* Marks the bytes of @value as those of the element's attribute, if the attribute is read here. */
KvsqlNfaFragment kvsql_element_mark (const KvsqlElement *self, KvsqlNfa *nfa,
                                     KvsqlNfaFragment value);
gboolean kvsql_element_bind_attribute (KvsqlElement *self, KvsqlLayoutCompiler *compiler,
                                       const KvsqlName *name,
                                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

G_END_DECLS
