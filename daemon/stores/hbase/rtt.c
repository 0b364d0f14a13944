/* SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * rtt.c: see rtt.h. A separate file, because <linux/tcp.h>, whose structure has the minimum,
 * conflicts with <netinet/tcp.h>.
 */
#include "config.h"

#include "daemon/stores/hbase/rtt.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

gint64
kvsqld_t2_min_rtt (gint fd)
{
  struct tcp_info info = { 0 };
  socklen_t size = sizeof info;

  if (getsockopt (fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0
      || size < offsetof (struct tcp_info, tcpi_min_rtt) + sizeof info.tcpi_min_rtt
      || info.tcpi_min_rtt == G_MAXUINT32)
    return 0;
  return info.tcpi_min_rtt;
}
