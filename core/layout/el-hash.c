/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * el-hash.c: hash(n){…} and salt(buckets){…}: bytes that distribute keys.
 *
 * The input of the hash is the bytes of the layout in the braces, one element after another without
 * separators; a comma and a colon mean the same there. These elements hold no attribute: they are
 * computed from the tuple when it is written, and checked when it is read (derived.h).
 *
 * If all attributes of the input are fixed, the bytes are known. Otherwise a hash gives no ranges.
 * A salt has few values, so all of them are tried, and the elements after it can bound the keys.
 */
#include "config.h"

#include "core/layout/derived.h"
#include "core/layout/encoding/digest.h"
#include "core/layout/sequence.h"
#include "core/layout/constrain.h"
#include "core/layout/element-classes.h"
#include "core/layout/automata/nfa.h"
#include "core/sql/ast-definition.h"

#define MAX_BUCKETS 256

static KvsqlDigest
digest_of (const KvsqlElement *self)
{
  return (KvsqlDigest)GPOINTER_TO_UINT (self->own);
}

/* ---- compiling */

/* The name at @index of the arguments; md5 if it is absent. */
static gboolean
read_digest (KvsqlElement *self, const KvsqlLayoutNode *node, gint index, GError **error)
{
  const KvsqlLayoutArgument *argument;
  KvsqlDigest digest = KVSQL_DIGEST_MD5;
  const gchar *near;

  if (index >= 0)
    {
      argument = &node->arguments[index];
      if (argument->kind != KVSQL_ARGUMENT_NAME)
        return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, argument->span,
                                "%s needs the name of a hash function here", node->name.text);
      if (!kvsql_digest_find (argument->name.text, &digest))
        {
          kvsql_error_set (error, KVSQL_ERROR_UNKNOWN_NAME, argument->span,
                           "hash function \"%s\" does not exist", argument->name.text);
          near = kvsql_suggest (argument->name.text, kvsql_digest_list (),
                                g_strv_length ((gchar **)kvsql_digest_list ()));
          if (near != NULL)
            return kvsql_error_hint (error, "Did you mean \"%s\"?", near);
          return kvsql_error_hint (error,
                                   "There are md5, sha1, sha256, sha512, crc32, murmur3, java, "
                                   "java_string and java_mask.");
        }
    }
  self->own = GUINT_TO_POINTER (digest);
  return TRUE;
}

static gboolean
expect (const KvsqlLayoutNode *node, GError **error)
{
  KvsqlLayoutNode joined = *node;

  joined.inner.is_list = FALSE;
  if (kvsql_element_expect (&joined, 1, 2, TRUE, error))
    return TRUE;
  if (node->n_arguments == 0)
    kvsql_error_hint (error, "Write it as %s, the hash function being md5 if none is named.",
                      g_ascii_strcasecmp (node->name.text, "hash") == 0
                          ? "hash(2){attribute} or hash(sha1, 2){attribute}"
                          : "salt(16){attribute} or salt(16, crc32){attribute}");
  return FALSE;
}

static gboolean
check_inner (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
             GError **error)
{
  KvsqlAttributeSet sources = { 0 }, none = { 0 };

  if (!kvsql_element_compile_apart (self, compiler, node, error))
    return FALSE;
  kvsql_sequence_collect_attributes (self->inner, &sources);
  if (!kvsql_attribute_set_contains (&none, &sources))
    return TRUE;
  return kvsql_error_set (error, KVSQL_ERROR_DEFINITION, node->inner.span,
                          "%s needs an attribute in { }", node->name.text);
}

static gboolean
compile_hash (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
              GError **error)
{
  guint last = node->n_arguments - 1;

  if (!expect (node, error) || !read_digest (self, node, node->n_arguments == 2 ? 0 : -1, error))
    return FALSE;
  if (!kvsql_element_integer_argument (node, last, 1, kvsql_digest_get_size (digest_of (self)),
                                       &self->width, error))
    return node->arguments[last].kind == KVSQL_ARGUMENT_NAME
           && kvsql_error_hint (error, "How many bytes it has comes last: hash(4){…}, or "
                                       "hash(crc32, 4){…}.");
  self->fixed_size = self->width;
  return check_inner (self, compiler, node, error);
}

static gboolean
compile_salt (KvsqlElement *self, KvsqlLayoutCompiler *compiler, const KvsqlLayoutNode *node,
              GError **error)
{
  if (!expect (node, error)
      || !kvsql_element_integer_argument (node, 0, 2, MAX_BUCKETS, &self->width, error)
      || !read_digest (self, node, node->n_arguments == 2 ? 1 : -1, error))
    return FALSE;
  self->fixed_size = 1;
  return check_inner (self, compiler, node, error);
}

/* ---- bytes */

/* Computes the bytes of the element from the input @bytes of the hash; returns their size. */
static gsize
digest (const KvsqlElement *self, KvsqlSlice bytes, guint8 *out)
{
  guint8 hash[KVSQL_DIGEST_MAX_SIZE];

  kvsql_digest_compute (digest_of (self), bytes, hash);
  if (self->klass == &kvsql_element_hash)
    memcpy (out, hash, self->width);
  else
    out[0] = kvsql_digest_reduce (digest_of (self), hash, self->width);
  return self->fixed_size;
}

static gboolean
encode (const KvsqlElement *self, const KvsqlEncoder *encoder, KvsqlBuffer *out, GError **error)
{
  guint8 bytes[KVSQL_DIGEST_MAX_SIZE];
  gsize start = out->size, size;

  if (!kvsql_sequence_encode (self->inner, encoder, out, error))
    return FALSE;
  size = digest (self, kvsql_slice (out->data + start, out->size - start), bytes);
  out->size = start;
  kvsql_buffer_append (out, bytes, size);
  return TRUE;
}

static gboolean
decode (const KvsqlElement *self, KvsqlSlice bytes, KvsqlDecoder *decoder)
{
  if (bytes.size != (gsize)self->fixed_size
      || (self->klass == &kvsql_element_salt && bytes.data[0] >= self->width))
    return FALSE;
  if (self->slot >= 0 && decoder->slots != NULL)
    decoder->slots[self->slot].bytes = bytes;
  return TRUE;
}

/* ---- ranges */

static gboolean
all_points (const KvsqlByteRanges *ranges)
{
  for (guint i = 0; i < ranges->n_ranges; i++)
    if (!ranges->ranges[i].is_point)
      return FALSE;
  return !ranges->is_open;
}

static void
add_buckets (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlByteRanges *out)
{
  guint8 *bytes = kvsql_arena_alloc (constrainer->arena, self->width);

  kvsql_byte_ranges_init (out, constrainer, self->width);
  for (guint i = 0; i < self->width; i++)
    {
      bytes[i] = i;
      kvsql_byte_ranges_add_point (out, kvsql_slice (bytes + i, 1));
    }
  out->is_fan_out = TRUE;
}

static void
constrain (const KvsqlElement *self, const KvsqlConstrainer *constrainer, KvsqlDelimiter delimiter,
           KvsqlByteRanges *out)
{
  KvsqlConstrainer inside = *constrainer;
  KvsqlByteRanges sources;

  inside.wants_points = TRUE;
  kvsql_sequence_constrain (self->inner, &inside, (KvsqlDelimiter){ .kind = KVSQL_DELIMITER_END },
                            &sources);
  if (!all_points (&sources))
    {
      if (self->klass == &kvsql_element_salt)
        add_buckets (self, constrainer, out);
      else
        *out = (KvsqlByteRanges){ .is_open = TRUE };
      return;
    }
  kvsql_byte_ranges_init (out, constrainer, sources.n_ranges);
  for (guint i = 0; i < sources.n_ranges; i++)
    {
      guint8 *bytes = kvsql_arena_alloc (constrainer->arena, self->fixed_size);
      kvsql_byte_ranges_add_point (
          out, kvsql_slice (bytes, digest (self, sources.ranges[i].low, bytes)));
    }
  kvsql_byte_ranges_sort (out);
}

/* ---- automaton */

static KvsqlNfaFragment
automaton (const KvsqlElement *self, KvsqlNfa *nfa)
{
  KvsqlByteSet buckets;

  if (self->klass == &kvsql_element_hash)
    return kvsql_nfa_any_bytes (nfa, self->width);
  buckets = kvsql_byte_set_range (0, self->width - 1);
  return kvsql_nfa_byte_set (nfa, &buckets);
}

const KvsqlElementClass kvsql_element_hash = {
  .name = "hash",
  .compile = compile_hash,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
};

const KvsqlElementClass kvsql_element_salt = {
  .name = "salt",
  .compile = compile_salt,
  .encode = encode,
  .decode = decode,
  .constrain = constrain,
  .automaton = automaton,
};
