/**
 * The seeds of the fuzz targets, native/fuzz/corpus/TARGET/NAME: made from the fixture roots and from the texts and messages
 * below, with the same bytes on every run. `node --import tsx test/native/fuzz-seeds.ts` writes them again. Inputs that a fuzzer
 * found are kept beside them under the name `found-…` and are not touched here.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeRoot } from '../fixtures/proc/roots.ts';
import { projectRoot } from '../support/require.ts';
import { packageSeeds } from './package-seeds.ts';

export const corpusFolder = join(projectRoot, 'native/fuzz/corpus');

/** Seed name to bytes, for one target. */
export type Seeds = Record<string, Buffer>;

const MOST_BYTES = 4096;

const little = (bytes: number, value: bigint | number): Buffer => {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  return buffer.subarray(0, bytes);
};
const bytes = (...parts: (string | number | Buffer)[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'number' ? Buffer.of(part) : typeof part === 'string' ? Buffer.from(part) : part,
    ),
  );

/** What `take` reads of every process folder of a root, without duplicates and long inputs. */
function perProcess(folder: string, root: string, into: Seeds, take: (process: string) => Buffer): void {
  const known = new Set(Object.values(into).map((seed) => seed.toString('latin1')));
  for (const pid of readdirSync(folder)) {
    if (!/^\d+$/.test(pid)) continue;
    let seed: Buffer;
    try {
      seed = take(join(folder, pid));
    } catch {
      continue; // a fixture process may lack the file
    }
    const content = seed.toString('latin1');
    if (seed.length > MOST_BYTES || known.has(content)) continue;
    known.add(content);
    into[`${root}-${pid}`] = seed;
  }
}

function fromRoots(): Record<string, Seeds> {
  const seeds: Record<string, Seeds> = { proc_stat: {}, proc_status: {}, proc_cgroup: {}, proc_attr: {} };
  const links: Seeds = {};
  const executables: Seeds = {};
  const folder = mkdtempSync(join(tmpdir(), 'desk-seeds-'));
  try {
    for (const root of ['damaged', 'hostile', 'container'] as const) {
      const at = writeRoot(folder, root);
      perProcess(at, root, seeds.proc_stat as Seeds, (process) => readFileSync(join(process, 'stat')));
      perProcess(at, root, seeds.proc_cgroup as Seeds, (process) => readFileSync(join(process, 'cgroup')));
      perProcess(at, root, links, (process) => Buffer.from(readlinkSync(join(process, 'ns/user'))));
      perProcess(at, root, executables, (process) =>
        bytes(1, little(4, 1000), 4, 'name', readlinkSync(join(process, 'exe'), 'buffer')),
      );
      if (root !== 'hostile')
        perProcess(at, root, seeds.proc_status as Seeds, (process) => readFileSync(join(process, 'status')));
    }
    const bare = writeRoot(folder, 'bare');
    perProcess(bare, 'bare', seeds.proc_attr as Seeds, (process) =>
      readFileSync(join(process, 'attr/current')),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...seeds, links, identity: executables };
}

/** struct nlmsghdr and payload, netlink(7); the sequence number is the one that the fuzz target expects. */
const message = (type: number, flags: number, payload: Buffer, sequence = 7) =>
  bytes(
    little(4, 16 + payload.length),
    little(2, type),
    little(2, flags),
    little(4, sequence),
    little(4, 0),
    payload,
  );

/** struct inet_diag_msg, linux/inet_diag.h, and attributes. */
const socket = (family: number, state: number, attributes = Buffer.alloc(0)) =>
  bytes(
    family,
    state,
    0,
    0,
    Buffer.from('1f90c350', 'hex'),
    Buffer.alloc(16, 127),
    Buffer.alloc(16, 1),
    Buffer.alloc(28),
    little(4, 1000),
    little(4, 12001),
    attributes,
  );

const BY_FAMILY = 20;
const MULTI = 2;
const done = message(3, MULTI, little(4, 0));
const v6only = Buffer.from('05000b0001000000', 'hex');

/** One entry of getdents64(2). */
function entry(name: string): Buffer {
  const length = Math.ceil((19 + name.length + 1) / 8) * 8;
  return bytes(
    little(8, 1),
    little(8, 2),
    little(2, length),
    4,
    name,
    Buffer.alloc(length - 19 - name.length),
  );
}

const SNMP = `Ip: Forwarding DefaultTTL
Ip: 1 64
Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails
Tcp: 1 200 120000 -1 311 42 7
Udp: InDatagrams NoPorts
Udp: 18 2
`;
const LOCKS = `1: FLOCK  ADVISORY  WRITE 708 00:13:16798 0 EOF
1: -> FLOCK  ADVISORY  WRITE 709 00:13:16798 0 EOF
2: POSIX  ADVISORY  WRITE 1113 fe:01:1310727 0 EOF
3: FLOCK  ADVISORY  READ 12 fe:01:1310727 0 EOF
`;

/** A complete BTF of seven types: int, struct task with pid, a pointer and an anonymous member, an array, typedef, function. */
function smallBtf(): Buffer {
  const names = ['', 'int', 'task', 'pid', 'next', 'list', 'arr'];
  const strings = bytes(...names.flatMap((name) => [name, 0]));
  const at = (name: string) => little(4, strings.indexOf(`\0${name}\0`) + (name === '' ? 0 : 1));
  const type = (name: string, kind: number, members: number, size: number, ...rest: Buffer[]) =>
    bytes(at(name), little(4, kind * 2 ** 24 + members), little(4, size), ...rest);
  const member = (name: string, of: number, bit: number) => bytes(at(name), little(4, of), little(4, bit));
  const types = bytes(
    type('int', 1, 0, 4, little(4, 32)),
    type('task', 4, 3, 24, member('pid', 1, 0), member('next', 3, 64), member('', 4, 128)),
    type('', 2, 0, 2),
    type('', 4, 1, 8, member('arr', 5, 0)),
    type('', 3, 0, 0, little(4, 1), little(4, 1), little(4, 2)),
    type('list', 8, 0, 2),
    type('list', 12, 0, 0),
  );
  const sizes = [0, types.length, types.length, strings.length].map((size) => little(4, size));
  return bytes(little(2, 0xeb9f), 1, 0, little(4, 24), ...sizes, types, strings);
}

/** A BTF query: kind and name to find, path to resolve. */
const btfSeed = (kind: number, name: string, path: string, btf: Buffer) =>
  bytes(kind, name.length, name, path.length, path, btf);

/** One datagram of the proc connector: nlmsghdr, cn_msg, proc_event (linux/cn_proc.h). */
const procEvent = (what: number, cpu: number, sequence: number, data: readonly number[]) =>
  message(
    3,
    0,
    bytes(
      ...[1, 1, sequence, 0].map((word) => little(4, word)),
      ...[little(2, 40), little(2, 0), little(4, what), little(4, cpu), little(8, 123456789)],
      ...[0, 1, 2, 3, 4, 5].map((i) => little(4, data[i] ?? 0)),
    ),
  );

const MOUNTS = `22 1 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw,hidepid=invisible
23 1 0:22 / /mnt rw master:2 propagate_from:1 - proc none rw,gid=27,hidepid=4,subset=pid
24 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
`;

const CGROUPS = `32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:4 - cgroup cgroup rw,cpu
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate
60 31 0:38 /machine.slice /mnt ro master:2 propagate_from:1 - cgroup2 cgroup2 rw
`;

const COVERS = `22 1 0:21 / /proc rw,nosuid shared:13 - proc proc rw
30 22 0:30 / /proc/77 rw - tmpfs tmpfs rw
31 22 0:30 / /proc/78/fd ro master:3 - ext4 /dev/sda1 rw
32 22 0:30 / /proc/79//deleted rw - tmpfs tmpfs rw
33 22 0:31 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw
34 30 0:30 / /proc/77 rw - tmpfs tmpfs rw
`;
const PACKETS = `sk               RefCnt Type Proto  Iface R Rmem   User   Inode
0000000000000000 3      3    0003   2     1 0      0      17523 
00000000a1b2c3d4 3      2    88cc   0     1 1280   998    4294967295 
`;
const MODULES = `snd 126976 2 snd_pcm,snd_timer, Live 0x0000000000000000
nvidia 62767104 1 - Live 0xffffffffc0000000 (POE)
coming 16384 1 - Loading 0x0000000000000000
`;
const DEVICES = 'Character devices:\n  1 mem\n  4 /dev/vc/0\n 10 misc\n\nBlock devices:\n  8 sd\n';
const MAPS = `00400000-00401000 r--p 00000000 fe:01 11                 /usr/bin/a b
00401000-00402000 rwxp 00000000 00:00 0                  [heap]
7f0000000000-7f0000001000 r-xp 00000000 00:00 0
7f0000002000-7f0000003000 r-xs 00000000 00:05 7          /memfd:code (deleted)
7f0000004000-7f0000005000 r-xp 00000000 fe:01 12         /usr/lib/old.so (deleted)
7f0000006000-7f0000007000 r-xp 00000000 00:05 12         /dev/zero (deleted)
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0  [vsyscall]
`;

/** One record of the task iterator (struct TaskRecord); the target maps pids outside its range to small ones. */
const taskRecord = (pid: number, tgid: number, threads: number, exitState = 0, flags = 0) =>
  bytes(
    ...[5e9, 0x1ff_ffff_ffff, 0x1ff_ffff_ffff, pid, 7].map((long) => little(8, long)),
    'a name'.padEnd(16, '\0'),
    ...[pid, tgid, 1, 1000, 1000, flags, 0x8800003, threads, 0, 1, exitState].map((word) => little(4, word)),
    ...[0xefff_fffd, 0, 0xefff_fff9, 0xefff_fff8].map((inode) => little(4, inode)),
    ...[2, 1, 0, 0],
  );
/** A sweep: rows, text, facts (stat, status, all namespaces), pids listed, records. */
const taskRows = (processes: number, text: number, listed: number[], ...records: Buffer[]) =>
  bytes(
    processes,
    little(2, text),
    little(2, 0x7b),
    listed.length,
    ...listed.map((pid) => little(4, pid)),
    ...records,
  );
const FDINFO = 'pos:\t0\nflags:\t02100000\nmnt_id:\t24\nino:\t16798\nlock:\t1: FLOCK\n';

/** All seeds by target. */
export function makeSeeds(): Record<string, Seeds> {
  const text = (...texts: string[]): Seeds =>
    Object.fromEntries(texts.map((one, i) => [`text-${i}`, Buffer.from(one, 'latin1')]));
  const roots = fromRoots();
  return {
    ...roots,
    links: {
      ...roots.links,
      ...text(
        'socket:[700]',
        'socket:[0700]',
        'socket:[4294967295]',
        'socket:[]',
        'pipe:[7]',
        'net:[0]',
        'mnt:[4026531841]',
      ),
    },
    identity: {
      ...roots.identity,
      nameless: bytes(2, little(4, 0), 3, ') \n'),
      'container-python': bytes(3, little(4, 0), 6, 'worker', '/usr/bin/python3.11 (deleted)'),
    },
    proc_attr: {
      ...roots.proc_attr,
      ...text(
        'system_u:system_r:sshd_t:s0-s0:c0.c1023\0',
        'unconfined_u:unconfined_r:unconfined_t:s0\n',
        'kernel_t',
        'a:b:initrc_t:s0',
        '::\n',
      ),
    },
    proc_cgroup: {
      ...roots.proc_cgroup,
      ...text('1:name=systemd:/a\n0::/b:c\n', '0:x:/no\n', '0::relative\n'),
    },
    directory: {
      ...text('1/2/400/self/net/4194304/99999999999/-5/+6/007/', '123'),
      entries: bytes(entry('.'), entry('..'), entry('1'), entry('4194304'), entry('self')),
      'no-length': bytes(little(8, 1), little(8, 2), little(2, 0), 4, '77', Buffer.alloc(8)),
      'long-length': bytes(little(8, 1), little(8, 2), little(2, 65535), 4, '77\0\0\0\0\0'),
    },
    sock_diag: {
      dump: bytes(
        message(BY_FAMILY, MULTI, socket(2, 10)),
        message(BY_FAMILY, MULTI, socket(10, 10, v6only)),
        done,
      ),
      interrupted: bytes(message(BY_FAMILY, MULTI | 16, socket(2, 1)), done),
      exact: message(BY_FAMILY, 0, socket(10, 1)),
      refused: message(2, 0, little(4, -1)),
      'other-sequence': bytes(message(BY_FAMILY, MULTI, socket(2, 10), 6), done),
      'short-message': message(BY_FAMILY, MULTI, socket(2, 10).subarray(0, 71)),
      'short-attribute': message(BY_FAMILY, MULTI, socket(10, 10, Buffer.from('03000b0001000000', 'hex'))),
      'long-attribute': message(BY_FAMILY, MULTI, socket(10, 10, Buffer.from('ff0f0b0001000000', 'hex'))),
      'endless-header': bytes(little(4, 0xffff_ffff), done.subarray(4)),
    },
    net_snmp: text(
      SNMP,
      'Tcp: ActiveOpens PassiveOpens\nTcp: 18446744073709551615 0',
      'Tcp: PassiveOpens\nTcp: 5\n',
      'Tcp:\nTcp:\n',
    ),
    sockstat: text(
      'sockets: used 93\nTCP: inuse 5 orphan 0 tw 2 alloc 9 mem 1\nUDP: inuse 3 mem 0\nUDPLITE: inuse 0\nRAW: inuse 0\nFRAG: inuse 0 memory 0\n',
      'TCP6: inuse 2\nUDP6: inuse 1\nUDPLITE6: inuse 0\nRAW6: inuse 1\nFRAG6: inuse 0 memory 0\n',
      'TCP: inuse 4294967296\nUDP: inuse -1\n',
      'UDP: mem 0 inuse 3\nTCP:inuse 5',
    ),
    port_range: text('32768\t60999\n', '1024 65535', '60999\t32768\n', '0\t1\n', '1\t65536\n'),
    thermal: text('45000\n', '-273150', '-273151\n', '1000000\n', '\t 42 \n', '+5\n'),
    sound: text(
      '00-00: ALC295 Analog : ALC295 Analog : playback 1 : capture 1\n00-03: HDMI 0 : HDMI 0 : playback 1\n',
      '01-00: capture 1 : x : capture x\n',
    ),
    locks: {
      held: bytes(0, 0x13, little(4, 16798), LOCKS),
      other: bytes(0xfe, 1, little(4, 1310727), LOCKS),
      cut: bytes(0, 0x13, little(4, 16798), LOCKS.slice(0, 40)),
    },
    file_key: {
      usual: bytes(FDINFO.length, FDINFO, MOUNTS),
      'no-inode': bytes(22, 'pos:\t0\nmnt_id:\t24\nin:'.slice(0, 22), MOUNTS),
      'no-device': bytes(FDINFO.length, FDINFO, '24 1 8: / / rw,relatime\n'),
    },
    task_rows: {
      processes: taskRows(
        8,
        4096,
        [16, 1, 2],
        taskRecord(16, 16, 1),
        taskRecord(17, 17, 1),
        taskRecord(2, 2, 1),
      ),
      threads: taskRows(8, 4096, [], taskRecord(1, 1, 3), taskRecord(16, 1, 3), taskRecord(3, 1, 3)),
      headless: taskRows(8, 64, [5], taskRecord(3, 16, 2), taskRecord(4, 1, 2, 16), taskRecord(6, 6, 1, 32)),
      leaving: taskRows(
        8,
        64,
        [],
        taskRecord(16, 16, 2, 32),
        taskRecord(2, 16, 2),
        taskRecord(3, 3, 1, 0, 4),
      ),
      full: taskRows(1, 0, [1], taskRecord(16, 16, 1), taskRecord(2, 2, 1)),
    },
    text: text(
      '4294967295',
      '-2147483648',
      '18446744073709551616',
      '000001ffffffffff',
      ' a  b\tc ',
      '+1',
      '0x10',
      '-',
    ),
    proc_path: {
      usual: bytes(little(4, 123), little(4, 456), 4, 'stat', 6, 'status', 12, 'attr/current'),
      lowest: bytes(little(4, -2147483648), little(4, -2147483648), 24, 'ns/a-name-of-24-letters!'),
    },
    siphash: {
      short: bytes(Buffer.alloc(16, 3), 'abc'),
      blocks: bytes(Buffer.alloc(16, 5), 'x'.repeat(64)),
      empty: Buffer.alloc(16),
    },
    wrap: {
      free: bytes(0xbf, 1, 1, 1, 1, little(8, 0xff), 0x10, little(8, 0xff), 1, 1, 1, 1),
      bounded: bytes(0xbf, 1, 1, 1, 1, little(8, 0xff), 0x14, little(8, 0x0f), 1, 1, 1, 1),
      wrapped: bytes(0xff, 1, 1, 1, 1, little(8, 0xff), 0x22, little(8, 0), 2, 2, 2, 2),
      nothing: bytes(0),
    },
    columns: {
      small: bytes(3, 2, 1, little(2, 40), 1, 4, 'exe1', 4, 'exe1', 3, 'cgr', 60, 'x'.repeat(60)),
      empty: bytes(0, 0, 0, little(2, 0), 0),
      most: bytes(255, 255, 255, little(2, 0xfff), 15, 10, 'abcdefghij'),
    },
    btf: {
      member: btfSeed(4, 'task', 'next.pid', smallBtf()),
      element: btfSeed(12, 'list', 'arr[1]', smallBtf()),
      typedef: btfSeed(8, 'list', 'next.next.arr[0]', smallBtf()),
      cut: btfSeed(4, 'task', 'pid', smallBtf().subarray(0, 90)),
    },
    ring_buffer: {
      records: bytes(little(8, 0), little(2, 40), little(8, 8), 'record 1', little(8, 12), 'record 2 is '),
      wrapped: bytes(little(8, 240), little(2, 32), 'x'.repeat(232), little(8, 0), little(8, 8), 'over end'),
      busy: bytes(little(8, 0), little(2, 16), little(4, 0x8000_0008), little(4, 0), 'unwritten'.slice(0, 8)),
      discarded: bytes(
        little(8, 0),
        little(2, 32),
        little(8, 0x4000_0008),
        'unwanted',
        little(8, 8),
        'a record',
      ),
      'too-long': bytes(little(8, 0), little(2, 16), little(8, 0xffff), 'x'.repeat(8)),
    },
    connector: {
      fork: procEvent(1, 0, 5, [100, 100, 200, 200]),
      exec: procEvent(2, 1, 6, [200, 200]),
      exit: procEvent(0x8000_0000, 0, 7, [200, 200, 0, 17, 100, 100]),
      acknowledgement: procEvent(0, 0xffff_ffff, 8, [0]),
      two: bytes(procEvent(4, 0, 9, [200, 200, 1000, 0]), procEvent(0x200, 0, 10, [200, 200])),
      cut: procEvent(1, 0, 5, [100, 100, 200, 200]).subarray(0, 50),
    },
    cgroup_mounts: text(
      CGROUPS,
      CGROUPS.slice(0, 150),
      '1 0 0:9 / /a\\040b\\134 rw - cgroup2 none rw\n',
      '1 0 0:9 / relative rw - cgroup2\n',
    ),
    proc_covers: {
      some: bytes(22, COVERS),
      'second-floor': bytes(30, COVERS),
      none: bytes(25, COVERS),
      top: bytes(1, '1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 0:5 / /7 rw - proc proc rw\n'),
    },
    packet_table: text(PACKETS, PACKETS.slice(0, 100), 'sk \n', `${PACKETS}0 0 256 0003 0 0 0 0 1\n`),
    preload_file: text('/lib/a.so\n', ' /a.so:/b.so\t/c.so # /d.so\n/e.so', '#\n\n::', '/lib/$PLATFORM/x.so'),
    modules: text(MODULES, MODULES.slice(0, 60), '\n', 'a 18446744073709551616 0 - Live 0\n'),
    device_majors: text(
      DEVICES,
      'Block devices:\n  8 sd\n',
      'Character devices:\n 4294967296 x\n',
      'Character devices:\n',
    ),
    header_fields: text(
      'From: a@b\nTo: c@d,\n e@f\nto : g@h\nSubject: x\n\nbody\n',
      'received: by x; Mon\r\n\t, 1 Jan\r\nDate:\r\n\r\n',
      'List-Id\nPrecedence: bulk\r',
      'X-Long-Name-Of-A-Field: a\n from: no\ncc:\n\n',
      ' from: no\nMESSAGE-ID:<1@x>\n\r\n',
    ),
    address_parts: text(
      'a@b , "Doe, Jane" <j@x>,,c@d (e, f)',
      '=?utf-8?q?Doe,_Jane?= <j@x>, "=?x?b?QQ==?=, k" <k@x>',
      'a, =?x y?q?z?=, b',
      'G: a@b, c@d;',
      'a, "b, \\"c',
      '(a (b), c), d',
    ),
    message_columns: {
      usual: bytes(
        Buffer.alloc(16, 7),
        'Received: by x; Tue, 1 Jul 2003 10:52:37 +0200\nFrom: a@b\nTo: c@d,\n e@f\nMessage-ID: <1@x>\n\n',
      ),
      nameless: bytes(
        Buffer.alloc(16),
        'Date: 1 Jan 2020 00:00:00 EST\nSubject: a\n b\nBcc: "x, y" <z@x>\nList-Id: x\nPrecedence: bulk\n',
      ),
      program: bytes(little(8, 1), little(8, 2), 'Return-Path: <>\r\nAuto-Submitted: no\r\nCc: ,\r\n'),
    },
    message_date: text(
      'Fri, 21 Nov 1997 09:55:06 -0600',
      '1 january 70 1:23 EDT x',
      '9 29 FEB 2000\t23:59:60+1400',
      '31 Dec 0099 00:00 Z',
      '1 Foo 2020 10:00',
    ),
    peek_environment: {
      loader: bytes(7, 'A=b', 0, 'LD_PRELOAD=/x.so', 0, 'LD_AUDIT=', 0, 'LD_LIBRARY_PATH=/a:/b', 0),
      twice: bytes(0, 'LD_PRELOAD=one', 0, 'LD_PRELOAD=two', 0, 'LD_PRELOAD=', 0),
      lookalikes: bytes(255, 'LD_PRELOADED=no', 0, 'XLD_PRELOAD=no', 0, 'LD_PRELOAD', 0, '=', 0, 0),
    },
    peek_maps: {
      usual: bytes(40, little(4, 0x401000), MAPS),
      small: bytes(0, little(4, 0), MAPS),
      malformed: bytes(9, little(4, 1), '00400000-00401000 r-xq 0 0:0 0\n-\n'),
    },
    ...packageSeeds,
    peek_json: text(
      'plain',
      'a"b\\c\n\x00\x1f\x7f',
      '\xff\xe2\x82"\xf0\x9f\x92\xa9',
      '/dev/input/event7',
      'socket:[1]',
      'TCPv6',
    ),
    proc_mount: {
      hidden: bytes(22, MOUNTS),
      subset: bytes(23, MOUNTS),
      'other-type': bytes(24, MOUNTS),
      none: bytes(25, MOUNTS),
    },
    utf8: {
      ...text('plain', '\xff\xfe\xc3\x28', '\xe2\x82', '\xf0\x9f\x92\xa9\xed\xa0\x80\xc0\x80', 'kworker/0:1'),
      executable: bytes('python3'.padEnd(15), '/memfd:payload (deleted)'),
      hidden: bytes('[kworker/0:0]  ', '/tmp/.x/kworker'),
    },
    program: {
      processes: bytes(
        ...[0, 3, 0, 2, 5, 20, 7, 0, 1, 0, 1, 8, 1, 0, 0, 2, 9, 2, 1, 0, 0, 4, 3, 0, 1, 0],
        ...[3, 1, 1, 200, 4, 1, 2, 3, 4, 2, 80, 81, 2, 0, 3, 0, 4, 2, 130, 'the rows of it'],
      ),
      listeners: bytes(
        ...[1, 2, 3, 4, 15, 10, 0, 0, 0, 0, 0, 11, 1, 1, 0, 0, 6, 2, 0, 1, 0, 0, 0],
        ...[2, 22, 80, 1, 2, 0, 3, 1, 64, 'ports and inodes'],
      ),
    },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [target, seeds] of Object.entries(makeSeeds())) {
    const folder = join(corpusFolder, target);
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (!name.startsWith('found-')) rmSync(join(folder, name));
    for (const [name, seed] of Object.entries(seeds)) writeFileSync(join(folder, name), seed);
  }
}
