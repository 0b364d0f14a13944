/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * full-disk.c: simulates a full disk, for LD_PRELOAD.
 *
 * While the file KVSQL_FULL_DISK_SWITCH exists, the number in it is the free space of the disk of
 * the folder KVSQL_FULL_DISK_FOLDER, in bytes. With 0, nothing can be written to files in the
 * folder.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* -1: no simulation. */
static long long
bytes_free (void)
{
  const char *path = getenv ("KVSQL_FULL_DISK_SWITCH");
  char text[32] = "";
  int fd = path != NULL ? open (path, O_RDONLY | O_CLOEXEC) : -1;

  if (fd < 0)
    return -1;
  if (read (fd, text, sizeof text - 1) < 0)
    text[0] = '\0';
  close (fd);
  return atoll (text);
}

static int
is_full (int fd)
{
  const char *folder = getenv ("KVSQL_FULL_DISK_FOLDER");
  char name[64], path[PATH_MAX] = "";

  if (folder == NULL || bytes_free () != 0)
    return 0;
  snprintf (name, sizeof name, "/proc/self/fd/%d", fd);
  if (readlink (name, path, sizeof path - 1) < 0 || strncmp (path, folder, strlen (folder)) != 0)
    return 0;
  errno = ENOSPC;
  return 1;
}

ssize_t
write (int fd, const void *data, size_t size)
{
  static ssize_t (*real) (int, const void *, size_t);

  if (real == NULL)
    *(void **)&real = dlsym (RTLD_NEXT, "write");
  return is_full (fd) ? -1 : real (fd, data, size);
}

ssize_t
pwrite (int fd, const void *data, size_t size, off_t offset)
{
  static ssize_t (*real) (int, const void *, size_t, off_t);

  if (real == NULL)
    *(void **)&real = dlsym (RTLD_NEXT, "pwrite");
  return is_full (fd) ? -1 : real (fd, data, size, offset);
}

int
fallocate (int fd, int mode, off_t offset, off_t size)
{
  static int (*real) (int, int, off_t, off_t);

  if (real == NULL)
    *(void **)&real = dlsym (RTLD_NEXT, "fallocate");
  return is_full (fd) ? -1 : real (fd, mode, offset, size);
}

int
statvfs (const char *path, struct statvfs *disk)
{
  static int (*real) (const char *, struct statvfs *);
  long long left = bytes_free ();
  int status;

  if (real == NULL)
    *(void **)&real = dlsym (RTLD_NEXT, "statvfs");
  status = real (path, disk);
  if (status == 0 && left >= 0)
    disk->f_bavail = disk->f_bfree = (unsigned long)left / disk->f_frsize;
  return status;
}
