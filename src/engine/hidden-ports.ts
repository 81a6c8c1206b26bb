/**
 * The scan for hidden ports: compares whether each port can be bound with the kernel's table of sockets. On demand only: each free port is
 * taken for some microseconds, and a program that starts on it just then fails. The desk's own listeners try again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import {
  type HiddenDeps,
  inShards,
  ROUND_GAP_MS,
  Stages,
  type StageTimes,
  type SweepOptions,
} from './hidden.ts';
import type { BoundTo, PortSight, PortVerdict } from './native/hidden-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';

const PORTS = 65_536;
/** Ports a shard binds, about 4 ms; a multiple of 8, so that no two shards write the same byte. */
const SHARD = 512;
const SHARDS = PORTS / SHARD;
const ROUNDS = 2;
const PROTOCOLS = ['tcp', 'udp'] as const;
const NUMBER = { tcp: 6, udp: 17 } as const;

interface HiddenPort {
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly port: number;
  /** Where it is bound, as far as binds can tell: `0.0.0.0`, `127.0.0.1`, `another IPv4 address`, likewise v6. */
  readonly addresses: readonly string[];
  readonly scope: 'loopback' | 'public';
}

export interface HiddenPortReport {
  readonly judged: boolean;
  readonly found: readonly HiddenPort[];
  /** Taken and in no table that this kernel shows, but perhaps only bound (see `blind`): not counted as found. */
  readonly unsure: readonly HiddenPort[];
  /** What could not be seen and what would cure it, `WHAT: CURE`. */
  readonly blind: readonly string[];
  readonly counts: {
    /** Binds tried, over both protocols, and those that found the port taken. */
    readonly tried: number;
    readonly taken: number;
    /** Taken ports that the table held neither before nor after the binds. */
    readonly suspects: number;
    /** Ports we may not bind: not judged. */
    readonly refused: number;
  };
  readonly us: StageTimes<'start' | 'table' | 'probe' | 'confirm'>;
  readonly rounds: number;
}

type Suspect = Pick<HiddenPort, 'protocol' | 'port'>;
type Bits = Uint8Array;
const bits = (): Bits => new Uint8Array(new SharedArrayBuffer(PORTS / 8));

export async function sweepHiddenPorts(
  deps: HiddenDeps,
  options: SweepOptions = {},
): Promise<HiddenPortReport> {
  const { signal } = options;
  const stages = new Stages();
  signal?.throwIfAborted();
  // The workers may have to start first.
  await stages.time('start', () => deps.pool.run('probePorts', 6, 1, 1, bits()));
  const sight = deps.native.hiddenPortSight();
  const before = await stages.time('table', () => dumpTables(deps, sight, signal));
  const probed = await stages.time('probe', () => probe(deps, options));
  const tables = [...before, ...(await stages.time('table', () => dumpTables(deps, sight, signal)))];
  const refusals = [...tables.flatMap(({ refusal }) => refusal ?? []), ...probed.refusals];
  const comparable = refusals.length === 0 && !(sight.v4 !== null && sight.v6 !== null);
  const suspects = PROTOCOLS.flatMap((protocol): readonly Suspect[] => {
    if (!comparable) return [];
    const listed = tables.filter((dump) => dump.protocol === protocol).map(({ table }) => table);
    return unexplained(probed.taken[protocol], listed).map((port) => ({ protocol, port }));
  });
  const confirmed = await stages.time('confirm', () => confirm(deps, suspects, signal));
  const certain = (port: HiddenPort): boolean => port.protocol === 'udp' || sight.bound === null;
  return {
    judged: comparable && confirmed.refusal === null,
    found: confirmed.found.filter(certain),
    unsure: confirmed.found.filter((port) => !certain(port)),
    blind: [
      ...new Set(refusals.map(({ code, source }) => `${source} is refused (${code}): ${cureOf(code)}`)),
      confirmed.refusal &&
        `${suspects.length} suspects could not be confirmed (${confirmed.refusal.code}): try again`,
      sight.bound &&
        `the socket table leaves out TCP sockets that are bound and no more (${sight.bound.code}): Linux 6.8 or later shows them`,
      ...probed.closed,
    ].filter((reason) => reason !== null),
    counts: { tried: probed.tried, taken: probed.held, suspects: suspects.length, refused: probed.refused },
    us: stages.us('start', 'table', 'probe', 'confirm'),
    rounds: ROUNDS,
  };
}

const cureOf = (code: string): string =>
  code === 'EMFILE' || code === 'ENFILE'
    ? 'raise the limit of open files'
    : code === 'EPERM' || code === 'EACCES'
      ? 'run outside the filter that refuses it'
      : 'a kernel with inet_diag, tcp_diag and udp_diag answers';

/** Taken ports that no table holds, ascending. Port 0 is none. */
export function unexplained(taken: Bits, tables: readonly Bits[]): number[] {
  const ports: number[] = [];
  for (let byte = 0; byte < taken.length; byte += 1) {
    let rest = taken[byte] as number;
    for (const table of tables) rest &= ~(table[byte] as number);
    for (let bit = 0; rest !== 0; bit += 1, rest >>= 1)
      if ((rest & 1) !== 0 && byte + bit > 0) ports.push(byte * 8 + bit);
  }
  return ports;
}

/** The local ports of all sockets in all states, by protocol and family. */
async function dumpTables({ pool }: HiddenDeps, sight: PortSight, signal: AbortSignal | undefined) {
  const families = ([4, 6] as const).filter((family) => (family === 4 ? sight.v4 : sight.v6) === null);
  const dumps = PROTOCOLS.flatMap((protocol) =>
    families.map((family) => ({ protocol, family, table: bits(), refusal: null as Refusal | null })),
  );
  await inShards({ pool, signal }, [dumps.length, 1], async (index) => {
    const dump = dumps[index] as (typeof dumps)[number];
    dump.refusal = await pool.run('portTable', NUMBER[dump.protocol], dump.family, dump.table);
  });
  return dumps;
}

async function probe({ pool }: HiddenDeps, { signal, onProgress }: SweepOptions) {
  const taken = { tcp: bits(), udp: bits() };
  const refusals: Refusal[] = [];
  const none = { count: 0, lowest: PORTS, highest: 0, code: '' };
  const refused = { tcp: { ...none }, udp: { ...none } };
  const sum = { tried: 0, held: 0, done: 0 };
  const total = PROTOCOLS.length * (PORTS - 1);
  await inShards({ pool, signal }, [PROTOCOLS.length * SHARDS, 1], async (index) => {
    const protocol = index < SHARDS ? 'tcp' : 'udp';
    const start = (index % SHARDS) * SHARD;
    const [from, to] = [Math.max(1, start), start + SHARD];
    const result = await pool.run('probePorts', NUMBER[protocol], from, to, taken[protocol]);
    if (result.refusal !== null) refusals.push(result.refusal);
    sum.tried += result.tried;
    sum.held += result.taken;
    if (result.refused > 0) {
      const closed = refused[protocol];
      closed.count += result.refused;
      closed.code ||= result.refusedBy?.code ?? '';
      closed.lowest = Math.min(closed.lowest, result.lowestRefused);
      closed.highest = Math.max(closed.highest, result.highestRefused);
    }
    sum.done += to - from;
    onProgress?.({ done: sum.done, total, stage: 'binding' });
  });
  const closed = PROTOCOLS.flatMap((protocol) => {
    const { count, lowest, highest, code } = refused[protocol];
    if (count === 0) return [];
    const range = lowest === highest ? `port ${lowest}` : `${count} ports from ${lowest} to ${highest}`;
    return [`${protocol} ${range} ${closedBy(code)}`];
  });
  return { ...sum, taken, refusals, refused: refused.tcp.count + refused.udp.count, closed };
}

function closedBy(code: string): string {
  if (code === 'ENOTCONN') return 'were not bound, since desk-start has ended: restart the service';
  if (code === 'ETIMEDOUT') return 'were not bound, since desk-start did not answer: try again';
  return process.geteuid?.() === 0
    ? 'may not be bound without CAP_NET_BIND_SERVICE: "desk hidden port" sees them in a shell of root that has it'
    : 'may not be bound by this user: run as root or give CAP_NET_BIND_SERVICE';
}

async function confirm({ pool }: HiddenDeps, suspects: readonly Suspect[], signal: AbortSignal | undefined) {
  let asked: readonly Suspect[] = suspects;
  let found: HiddenPort[] = [];
  let refusal = null as Refusal | null;
  for (let round = 0; round < ROUNDS && asked.length > 0; round += 1) {
    if (round > 0) await pause(ROUND_GAP_MS);
    const [these, hidden]: [readonly Suspect[], HiddenPort[]] = [asked, []];
    await inShards({ pool, signal }, [these.length, 1], async (index) => {
      const { protocol, port } = these[index] as Suspect;
      const verdict = await pool.run('confirmPort', NUMBER[protocol], port);
      if (isRefusal(verdict)) refusal = verdict;
      else if (verdict.kind === 'hidden') hidden.push(portOf(protocol, port, verdict));
    });
    asked = found = hidden;
  }
  found.sort((one, other) => one.protocol.localeCompare(other.protocol) || one.port - other.port);
  return { found, refusal };
}

const ADDRESSES: Readonly<Record<4 | 6, Readonly<Record<BoundTo, string>>>> = {
  4: { nothing: '', wildcard: '0.0.0.0', loopback: '127.0.0.1', other: 'another IPv4 address' },
  6: { nothing: '', wildcard: '::', loopback: '::1', other: 'another IPv6 address' },
};

function portOf(protocol: HiddenPort['protocol'], port: number, { v4, v6 }: PortVerdict): HiddenPort {
  const beyond = [v4, v6].some((bound) => bound === 'wildcard' || bound === 'other');
  return {
    protocol,
    port,
    addresses: [ADDRESSES[4][v4], ADDRESSES[6][v6]].filter((address) => address !== ''),
    scope: beyond ? 'public' : 'loopback',
  };
}
