/**
 * The seeds of the fuzz targets, native/fuzz/corpus/TARGET/NAME: made from the fixture roots and from the few texts and
 * messages below, the same bytes on every run. `node --import tsx test/native/fuzz-seeds.ts` writes them anew. What a
 * fuzzer once found is kept beside them under the name `found-…`, and is left alone here.
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

export const corpusFolder = join(projectRoot, 'native/fuzz/corpus');

/** Seed name by bytes, of one target. */
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

/** What `take` reads of every process folder of a root, without repetitions and without what is long. */
function perProcess(folder: string, root: string, into: Seeds, take: (process: string) => Buffer): void {
  const known = new Set(Object.values(into).map((seed) => seed.toString('latin1')));
  for (const pid of readdirSync(folder)) {
    if (!/^\d+$/.test(pid)) continue;
    let seed: Buffer;
    try {
      seed = take(join(folder, pid));
    } catch {
      continue; // this process lacks the file: a fixture may
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

/** struct nlmsghdr and payload, netlink(7); the sequence is the one that the fuzz target asks for. */
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
