/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * password.c: see password.h.
 *
 * The terminal is /dev/tty, as standard input may be a script. A signal that ends the program while
 * it waits would leave the terminal without echo, so signals of the keyboard are switched off.
 */
#include "config.h"

#include "client/ctl/terminal/password.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define MAX_BYTES 4096

void
kvsqlctl_password_wipe (gchar *password)
{
  if (password != NULL)
    explicit_bzero (password, strlen (password));
}

gboolean
kvsqlctl_password_can_ask (void)
{
  gint terminal = open ("/dev/tty", O_RDWR | O_CLOEXEC);

  if (terminal >= 0)
    close (terminal);
  return terminal >= 0;
}

/* One line, byte by byte: what follows it may be for another reader. */
static gchar *
read_line (gint descriptor, GError **error)
{
  g_autoptr (GString) line = g_string_sized_new (MAX_BYTES);
  gchar byte;
  gssize n;

  while ((n = read (descriptor, &byte, 1)) == 1 && byte != '\n' && line->len < MAX_BYTES)
    g_string_append_c (line, byte);
  if (n < 0 || (n == 0 && line->len == 0))
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO, "no password could be read");
      return NULL;
    }
  if (line->len > 0 && line->str[line->len - 1] == '\r')
    g_string_truncate (line, line->len - 1);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

gchar *
kvsqlctl_password_read (const gchar *prompt, GError **error)
{
  gint terminal = open ("/dev/tty", O_RDWR | O_CLOEXEC);
  struct termios before, silent;
  gchar *password;

  if (terminal < 0 || tcgetattr (terminal, &before) != 0)
    {
      if (terminal >= 0)
        close (terminal);
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_IO,
                   "there is no terminal to ask for a password");
      return NULL;
    }
  silent = before;
  silent.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
  tcsetattr (terminal, TCSAFLUSH, &silent);
  dprintf (terminal, "%s", prompt);
  password = read_line (terminal, error);
  tcsetattr (terminal, TCSAFLUSH, &before);
  dprintf (terminal, "\n");
  close (terminal);
  return password;
}

gchar *
kvsqlctl_password_read_new (GError **error)
{
  g_autofree gchar *first = NULL, *second = NULL;

  if (!isatty (STDIN_FILENO))
    return read_line (STDIN_FILENO, error);
  first = kvsqlctl_password_read ("New password: ", error);
  if (first == NULL)
    return NULL;
  second = kvsqlctl_password_read ("The same again: ", error);
  if (second == NULL || strcmp (first, second) != 0)
    {
      if (second != NULL)
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "the two passwords differ");
      kvsqlctl_password_wipe (first);
      kvsqlctl_password_wipe (second);
      return NULL;
    }
  kvsqlctl_password_wipe (second);
  return g_steal_pointer (&first);
}
