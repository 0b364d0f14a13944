#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""attack.py HOST PORT [--pid PID] [--max-rss MB] [--rounds N]: bytes that a Thrift server must survive.

Sends every payload on a new connection, and then calls hello() in all four formats. A payload
passes if the server closes the connection or answers in time, still answers hello(), and (with
--pid) has not grown beyond the limit. With several rounds, the memory of the server after the last
round may exceed that after the second one by --max-growth. The first two rounds fill its caches
and the pools of its allocator.
"""
import argparse
import random
import socket
import struct
import sys
import time

BOOL, I32, I64, STRING, STRUCT, MAP, SET, LIST = 2, 8, 10, 11, 12, 13, 14, 15
CALL, REPLY, EXCEPTION, ONEWAY = 1, 2, 3, 4


def be32(n):
    return struct.pack('>I', n & 0xffffffff)


def field(kind, number):
    return bytes([kind]) + struct.pack('>h', number)


def text(data):
    return be32(len(data)) + data


def binary(method, body, kind=CALL):
    return b'\x80\x01\x00' + bytes([kind]) + text(method) + be32(7) + body


def varint(n):
    out = b''
    while n >= 0x80:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def compact(method, body, kind=CALL):
    return b'\x82' + bytes([kind << 5 | 1]) + b'\x07' + varint(len(method)) + method + body


def frame(data):
    return be32(len(data)) + data


def noise(size, seed):
    return random.Random(seed).randbytes(size)


HUGE = be32(0x7fffffff)
VARINT_HUGE = varint(0x7fffffff)

# name, bytes. Methods and field ids are those of kvsql.thrift.
PAYLOADS = [
    ('frame of 2 GB', HUGE + b'x' * 100),
    ('frame of -1', be32(-1) + b'x' * 100),
    ('frame of 16 MB, no data', be32(16000000)),
    ('frame of 16 MB, a header', be32(16000000) + binary(b'prepare', field(STRING, 1))),
    ('half a frame', frame(binary(b'prepare', field(STRING, 1) + text(b'SELECT 1') + b'\0'))[:-4]),
    ('empty frame', be32(0)),
    ('header that is not strict', frame(text(b'prepare') + b'\x01' + be32(0) + b'\0')),
    ('bad version', frame(b'\x80\x7f\x00\x01' + text(b'prepare') + be32(0) + b'\0')),
    ('noise, framed', frame(noise(65536, 1))),
    ('string of 2 GB', frame(binary(b'prepare', field(STRING, 1) + HUGE + b'abc'))),
    ('string of -1', frame(binary(b'prepare', field(STRING, 1) + be32(-1) + b'abc\0'))),
    ('string with NUL', frame(binary(b'prepare', field(STRING, 1) + text(b'a\0b') + b'\0'))),
    ('string that is not UTF-8', frame(binary(b'prepare', field(STRING, 1) + text(b'\xff\xfe') + b'\0'))),
    ('binary of 2 GB', frame(binary(b'closeCursor', field(STRING, 1) + HUGE + b'abc'))),
    ('binary of -1', frame(binary(b'closeCursor', field(STRING, 1) + be32(-1) + b'\0'))),
    ('method name of 2 GB', frame(b'\x80\x01\x00\x01' + HUGE + b'prepare')),
    ('method name of 1 MB', frame(binary(b'm' * 1000000, b'\0'))),
    ('binary field twice', frame(binary(b'closeCursor', (field(STRING, 1) + text(b'abc')) * 2 + b'\0'))),
    ('string field twice', frame(binary(b'prepare', (field(STRING, 1) + text(b'abc')) * 2 + b'\0'))),
    ('list field twice', frame(binary(b'query', (field(LIST, 2) + bytes([STRUCT]) + be32(0)) * 2 + b'\0'))),
    ('a million structs deep', frame(binary(b'prepare', field(STRUCT, 9) * 1000000))),
    ('a million lists deep', frame(binary(b'prepare', field(LIST, 9) + (bytes([LIST]) + be32(1)) * 1000000))),
    ('unknown field, length cut', frame(binary(b'prepare', field(STRING, 9) + b'\0\0'))),
    ('unknown list of STOP', frame(binary(b'prepare', field(LIST, 9) + b'\0' + HUGE))),
    ('unknown list of structs, no data', frame(binary(b'prepare', field(LIST, 9) + bytes([STRUCT]) + HUGE))),
    ('unknown list, count overflows', frame(binary(b'prepare', field(LIST, 9) + bytes([I32]) + be32(0x40000001)))),
    ('list of -1', frame(binary(b'insertRows', field(LIST, 2) + bytes([STRING]) + be32(-1) + b'\0'))),
    ('list of another type', frame(binary(b'query', field(LIST, 2) + bytes([I64]) + be32(2) + b'\0' * 17))),
    ('list of columns, 2 G', frame(binary(b'insertRows', field(LIST, 4) + bytes([STRUCT]) + HUGE))),
    ('a million empty values', frame(binary(b'query', field(LIST, 2) + bytes([STRUCT]) + be32(1000000) + b'\0' * 1000001))),
    ('a million empty columns', frame(binary(b'insertRows', field(LIST, 4) + bytes([STRUCT]) + be32(1000000) + b'\0' * 1000001))),
    ('ten million booleans', frame(binary(b'insertRows', field(LIST, 4) + bytes([STRUCT]) + be32(1) + field(LIST, 2)
                                          + bytes([BOOL]) + be32(10000000) + b'\1' * 10000000 + b'\0\0'))),
    ('value with two members', frame(binary(b'query', field(LIST, 2) + bytes([STRUCT]) + be32(1) + field(BOOL, 1) + b'\1'
                                            + field(I64, 2) + b'\0' * 8 + b'\0\0'))),
    ('no arguments at all', frame(binary(b'query', b'\0'))),
    ('more rows than data', frame(binary(b'insertRows', field(I32, 3) + HUGE + b'\0'))),
    ('negative rows', frame(binary(b'insertRows', field(I32, 3) + be32(-1) + b'\0'))),
    ('string across the frame', frame(binary(b'prepare', field(STRING, 1) + be32(200) + b'A' * 100)) + frame(b'B' * 100 + b'\0')),
    ('string across the frame, 4 MB', frame(binary(b'prepare', field(STRING, 1) + be32(8000000) + b'A' * 4000000)) + frame(b'B' * 4000000 + b'\0')),
    ('bytes after the message', frame(binary(b'nosuch', b'\0') + b'junk')),
    ('unknown method', frame(binary(b'nosuch', b'\0'))),
    ('unknown method, garbage', frame(binary(b'nosuch', noise(1000, 4)))),
    ('message of type reply', frame(binary(b'prepare', b'\0', REPLY))),
    ('message of type oneway', frame(binary(b'prepare', b'\0', ONEWAY))),
    ('message of type 9', frame(binary(b'prepare', b'\0', 9))),
    ('map of 2 G', frame(binary(b'prepare', field(MAP, 9) + bytes([STRING, STRING]) + HUGE))),
    ('set of 2 G', frame(binary(b'prepare', field(SET, 9) + bytes([I32]) + HUGE))),
    ('compact: noise', frame(b'\x82' + noise(65536, 2))),
    ('compact: binary of 2 GB', frame(compact(b'closeCursor', b'\x18' + VARINT_HUGE + b'abc'))),
    ('compact: binary of -1', frame(compact(b'closeCursor', b'\x18' + varint(0xffffffff) + b'\0'))),
    ('compact: binary twice', frame(compact(b'closeCursor', b'\x18\x03abc' + b'\x08\x02\x03abc' + b'\0'))),
    ('compact: a million lists deep', frame(compact(b'prepare', b'\x9c' + b'\x1c' * 1000000))),
    ('compact: string of 2 GB', frame(compact(b'prepare', b'\x18' + VARINT_HUGE + b'abc'))),
    ('compact: integer without end', frame(compact(b'closeStatement', b'\x16' + b'\xff' * 1000))),
    ('compact: header cut', frame(b'\x82')),
    ('compact: a million empty values', frame(compact(b'query', b'\x29\xfc' + varint(1000000) + b'\0' * 1000001))),
    ('unframed: noise', b'\x80\x01' + noise(65536, 3)),
    ('unframed: string of 2 GB', binary(b'prepare', field(STRING, 1) + HUGE + b'abc')),
    ('unframed: string of 90 MB, no data', binary(b'prepare', field(STRING, 1) + be32(90000000) + b'abc')),
    ('unframed: string of 15 MB, no data', binary(b'prepare', field(STRING, 1) + be32(15000000) + b'abc')),
    ('unframed: a request without end', binary(b'prepare', (field(STRING, 99) + text(b'x' * 100000)) * 400)),
    ('unframed: compact noise', b'\x82\x21' + noise(65536, 5)),
    ('HTTP', b'GET / HTTP/1.0\r\n\r\n'),
    ('TLS', b'\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03' + noise(500, 6)),
    ('nothing', b''),
    ('one byte', b'\x80'),
]

HELLO = {
    'binary': binary(b'hello', field(I32, 1) + be32(1) + field(STRING, 2) + text(b'attack') + b'\0'),
    'compact': compact(b'hello', b'\x15\x02\x18\x06attack\0'),
}
HELLO['framed binary'] = frame(HELLO['binary'])
HELLO['framed compact'] = frame(HELLO['compact'])


def hello(host, port, name, timeout):
    """None, or the error in the answer."""
    with socket.create_connection((host, port), timeout=timeout) as s:
        s.sendall(HELLO[name])
        answer = b''
        want = 4 if name.startswith('framed') else 0
        while len(answer) < want + 4:
            data = s.recv(65536)
            if not data:
                return 'no answer to hello in ' + name
            answer += data
        head = answer[want:want + 4]
        kind = head[1] >> 5 if name.endswith('compact') else head[3]
        return None if kind == REPLY else 'hello in %s was answered with message type %d' % (name, kind)


def attack(host, port, payload, timeout):
    """The error, or None. Half of the connections shut down their sending side."""
    with socket.create_connection((host, port), timeout=timeout) as s:
        try:
            s.sendall(payload)
            if len(payload) % 2:
                s.shutdown(socket.SHUT_WR)
            s.recv(65536)
        except socket.timeout:
            return 'neither an answer nor an end within %g s' % timeout
        except OSError:
            pass  # reset: the server closed
    return None


def rss_mb(pid):
    with open('/proc/%d/status' % pid) as status:
        return next(int(line.split()[1]) // 1024 for line in status if line.startswith('VmRSS:'))


def run(options, payload):
    problem = attack(options.host, options.port, payload, options.timeout)
    for name in HELLO:
        problem = problem or hello(options.host, options.port, name, options.timeout)
    if options.pid and not problem and rss_mb(options.pid) > options.max_rss:
        problem = 'server holds %d MB' % rss_mb(options.pid)
    return problem


def play(options, number):
    """Runs one round, with payloads numbered from @number. Returns how many failed."""
    failed = 0
    for name, payload in PAYLOADS:
        number += 1
        begin = time.monotonic()
        try:
            problem = run(options, payload)
        except (OSError, StopIteration) as e:
            problem = 'server is gone: %s' % e
        failed += problem is not None
        memory = ', %d MB' % rss_mb(options.pid) if options.pid and not problem else ''
        print('%s %d - %s (%.2f s%s)%s' % ('not ok' if problem else 'ok', number, name, time.monotonic() - begin,
                                           memory, ': ' + problem if problem else ''), flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('host')
    parser.add_argument('port', type=int)
    parser.add_argument('--pid', type=int, help='the server, to watch its memory')
    parser.add_argument('--max-rss', type=int, default=600, help='MB')
    parser.add_argument('--rounds', type=int, default=1)
    parser.add_argument('--max-growth', type=int, default=16, help='MB, from the second round to the last')
    parser.add_argument('--timeout', type=float, default=40,
                        help='seconds; longer than the time that the server gives a request')
    options = parser.parse_args()
    has_growth = bool(options.pid) and options.rounds > 2
    tests = len(PAYLOADS) * options.rounds + has_growth
    failed = 0
    held = []
    print('1..%d' % tests)
    for done in range(options.rounds):
        failed += play(options, done * len(PAYLOADS))
        if options.pid:
            held.append(rss_mb(options.pid))
    if has_growth:
        has_grown = held[-1] > held[1] + options.max_growth
        failed += has_grown
        print('%s %d - memory after each round: %s MB' % ('not ok' if has_grown else 'ok', tests, ', '.join(map(str, held))))
    print('# %d passed, %d failed' % (tests - failed, failed))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
