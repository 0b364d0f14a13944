/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * arena.c: a chain of blocks, each twice the size of the one before, up to a bound. A large
 * allocation gets a block of its own, which does not make later ones larger: an arena that holds
 * one text of a megabyte does not take a second megabyte for a few words.
 */
#include "config.h"

#include "core/base/arena.h"

#include <string.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

#include "core/base/account.h"
#include "core/base/interrupt.h"

#define ALIGNMENT 16
/* With its header at most the size that glibc's malloc() caches for each thread, as a statement has
 * several arenas, most of them small. */
#define FIRST_BLOCK (1024 - sizeof (Block))
#define SECOND_BLOCK (4 * 1024)
#define LARGEST_BLOCK (1024 * 1024)
#define LARGE_ALLOCATION                                                                           \
  (64 * 1024) /* gets a block of its own, if it is larger than the next one */
/* After the allocation of a block of this size, the statement's limits are checked soon. */
#define NOTICED_BLOCK (64 * 1024)

/* With AddressSanitizer, each allocation is followed by bytes that no reader may touch. */
#ifdef __SANITIZE_ADDRESS__
#define GAP ALIGNMENT
#define forbid(data, size) ASAN_POISON_MEMORY_REGION (data, size)
#define permit(data, size) ASAN_UNPOISON_MEMORY_REGION (data, size)
#else
#define GAP 0
#define forbid(data, size)
#define permit(data, size)
#endif

typedef struct _Block Block;
struct _Block
{
  Block *next;
  gsize size;
  gsize used;
  gsize padding; /* keeps data[] aligned */
  guint8 data[];
};

struct _KvsqlArena
{
  Block *blocks;         /* the current one first */
  KvsqlAccount *account; /* nullable */
  gsize last_size;       /* of the last block that is not for one allocation; 0: none */
  gsize handed_out;
  KvsqlArena *adopted; /* nullable: the last of the adopted arenas */
  KvsqlArena *elder;   /* in an adopted arena: the one adopted before it */
};

KvsqlArena *
kvsql_arena_new (void)
{
  KvsqlArena *self = g_new (KvsqlArena, 1);

  *self = (KvsqlArena){ .account = kvsql_account_ref (kvsql_account_get_current ()) };
  return self;
}

static void
free_block (KvsqlArena *self, Block *block)
{
  if (block == NULL)
    return;
  g_assert (block->used <= block->size);
  kvsql_account_add (self->account, -(gssize)(sizeof (Block) + block->size));
  permit (block->data, block->size);
  g_free (block);
}

static void
free_adopted (KvsqlArena *self)
{
  KvsqlArena *next;

  for (KvsqlArena *other = self->adopted; other != NULL; other = next)
    {
      next = other->elder;
      kvsql_arena_free (other);
    }
  self->adopted = NULL;
}

void
kvsql_arena_free (KvsqlArena *self)
{
  if (self == NULL)
    return;
  for (Block *block = self->blocks, *next; block != NULL; block = next)
    {
      next = block->next;
      free_block (self, block);
    }
  free_adopted (self);
  kvsql_account_unref (self->account);
  g_free (self);
}

void
kvsql_arena_adopt (KvsqlArena *self, KvsqlArena *other)
{
  g_assert (other != self
            && other->elder == NULL); /* adopted once, or the list would have a loop */
  self->handed_out += other->handed_out;
  other->elder = self->adopted;
  self->adopted = other;
}

void
kvsql_arena_reset (KvsqlArena *self)
{
  Block *kept = NULL;

  free_adopted (self);
  for (Block *block = self->blocks, *next; block != NULL; block = next)
    {
      next = block->next;
      if (kept == NULL || block->size > kept->size)
        {
          Block *smaller = kept;
          kept = block;
          block = smaller;
        }
      free_block (self, block);
    }
  if (kept != NULL)
    {
      kept->next = NULL;
      kept->used = 0;
      forbid (kept->data, kept->size);
    }
  self->blocks = kept;
  self->last_size = kept != NULL ? MIN (kept->size, LARGEST_BLOCK) : 0;
  self->handed_out = 0;
}

gsize
kvsql_arena_get_size (const KvsqlArena *self)
{
  return self->handed_out;
}

static Block *
new_block (KvsqlArena *self, gsize size)
{
  Block *block;

  g_assert (size <= G_MAXSSIZE / 2); /* not the difference of two sizes in the wrong order */
  block = g_malloc (sizeof (Block) + size);
  kvsql_account_add (self->account, (gssize)(sizeof (Block) + size));
  if (size >= NOTICED_BLOCK)
    kvsql_interrupt_check_soon ();
  block->size = size;
  block->used = 0;
  forbid (block->data, size);
  return block;
}

/* A block with room for @size. One that is for this allocation alone does not become the current
 * one, unless there is none. */
static Block *
add_block (KvsqlArena *self, gsize size)
{
  gsize next = self->last_size == 0 ? FIRST_BLOCK
                                    : CLAMP (self->last_size * 2, SECOND_BLOCK, LARGEST_BLOCK);
  Block *block = new_block (self, MAX (next, size));
  gboolean is_alone = size > next && size >= LARGE_ALLOCATION;

  if (is_alone && self->blocks != NULL)
    {
      block->next = self->blocks->next;
      self->blocks->next = block;
      return block;
    }
  if (!is_alone)
    self->last_size = MIN (block->size, LARGEST_BLOCK);
  block->next = self->blocks;
  self->blocks = block;
  return block;
}

gpointer
kvsql_arena_alloc (KvsqlArena *self, gsize wanted)
{
  gsize size = ((wanted + ALIGNMENT - 1) & ~(gsize)(ALIGNMENT - 1)) + GAP;
  Block *block = self->blocks;
  gpointer result;

  if (block == NULL || block->size - block->used < size)
    block = add_block (self, size);
  result = block->data + block->used;
  permit (result, wanted);
  block->used += size;
  self->handed_out += size - GAP;
  return result;
}

gpointer
kvsql_arena_grow (KvsqlArena *self, gpointer array, guint *n, gsize element_size)
{
  gsize size = *n;

  g_assert (size < G_MAXUINT); /* the count does not wrap to an array that is lost */
  /* The capacity is 4, 8, 16 …: the array is full when the count is one of these. */
  if (size == 0)
    array = kvsql_arena_alloc (self, 4 * element_size);
  else if (size >= 4 && (size & (size - 1)) == 0)
    array = memcpy (kvsql_arena_alloc (self, 2 * size * element_size), array, size * element_size);
  memset ((guint8 *)array + size * element_size, 0, element_size);
  *n = size + 1;
  return array;
}

gpointer
kvsql_arena_alloc0 (KvsqlArena *self, gsize size)
{
  return memset (kvsql_arena_alloc (self, size), 0, size);
}

gpointer
kvsql_arena_copy (KvsqlArena *self, gconstpointer data, gsize size)
{
  gpointer result = kvsql_arena_alloc (self, size);

  if (size > 0)
    memcpy (result, data, size);
  return result;
}

gchar *
kvsql_arena_strdup (KvsqlArena *self, const gchar *text)
{
  return text == NULL ? NULL : kvsql_arena_copy (self, text, strlen (text) + 1);
}

gchar *
kvsql_arena_strndup (KvsqlArena *self, const gchar *text, gsize size)
{
  gchar *result = kvsql_arena_alloc (self, size + 1);

  if (size > 0)
    memcpy (result, text, size);
  result[size] = '\0';
  return result;
}

gchar *
kvsql_arena_printf (KvsqlArena *self, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return kvsql_arena_strdup (self, text);
}
