/**
 * The sweep for hidden ports: what the kernel's own book of ports says (a bind is refused) against its table of sockets.
 * On demand only: for some microseconds each free port is taken, and a program that starts on it just then fails. The desk's
 * own ports are asked like any other; its listeners try again by themselves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type HiddenDeps, inLanes, ROUND_GAP_MS, Stages, type SweepOptions } from './hidden.ts';
import type { BoundTo, PortProtocol, PortSight, PortVerdict } from './native/hidden-types.ts';
import { isRefusal, type Refusal } from './native/types.ts';

const PORTS = 65_536;
/** Ports a shard binds, about 4 ms; a multiple of 8, so that no two shards write the same byte. */
const SHARD = 512;
const SHARDS = PORTS / SHARD;
const ROUNDS = 2;
const PROTOCOLS: readonly (readonly [name: 'tcp' | 'udp', number: PortProtocol])[] = [
  ['tcp', 6],
  ['udp', 17],
];

export interface HiddenPort {
  readonly protocol: 'tcp' | 'udp';
  readonly port: number;
  /** Where it is bound, as far as binds can tell: `0.0.0.0`, `127.0.0.1`, `another IPv4 address`, likewise v6. */
  readonly addresses: readonly string[];
  /** `public` = bound beyond loopback. */
  readonly scope: 'loopback' | 'public';
}

export interface HiddenPortReport {
  /** False: nothing could be compared here, and `blind` says why. */
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
    /** Taken ports that neither the first nor the second look into the table held. */
    readonly suspects: number;
    /** Ports we may not bind: not judged. */
    readonly refused: number;
  };
  /** Whole microseconds. */
  readonly us: {
    /** Until a worker answered. */
    readonly start: number;
    readonly table: number;
    readonly probe: number;
    readonly confirm: number;
    readonly total: number;
  };
  readonly rounds: number;
}

type Bits = Uint8Array;
const bits = (): Bits => new Uint8Array(new SharedArrayBuffer(PORTS / 8));

export async function sweepHiddenPorts(
  deps: HiddenDeps,
  options: SweepOptions = {},
): Promise<HiddenPortReport> {
  const { signal } = options;
  const stages = new Stages();
  signal?.throwIfAborted();
  // The workers may have to start first; that is not the work of a stage.
  await stages.time('start', () =>
    deps.pool.run({ kind: 'hidden probe ports', protocol: 6, from: 1, to: 1, taken: bits() }),
  );
  const sight = deps.native.hiddenPortSight();
  const before = await stages.time('table', () => tables(deps, sight, signal));
  const probed = await stages.time('probe', () => probe(deps, options));
  const after = await stages.time('table', () => tables(deps, sight, signal));
  const refusals = [...before.refusals, ...after.refusals, ...probed.refusals];
  const comparable = refusals.length === 0 && !(sight.v4 !== null && sight.v6 !== null);
  const suspects = comparable
    ? PROTOCOLS.flatMap(([name], at) =>
        unexplained(probed.taken[at] as Bits, [before.tables[at] as Bits, after.tables[at] as Bits]).map(
          (port) => ({ name, port }),
        ),
      )
    : [];
  const confirmed = await stages.time('confirm', () => confirm(deps, suspects, signal));
  const certain = (port: HiddenPort): boolean => port.protocol === 'udp' || sight.bound === null;
  return {
    judged: comparable && confirmed.refusal === null,
    found: confirmed.found.filter(certain),
    unsure: confirmed.found.filter((port) => !certain(port)),
    blind: [
      ...new Set(refusals.map(({ code, source }) => `${source} is refused (${code}): ${cureOf(code)}`)),
      ...(confirmed.refusal === null
        ? []
        : [`${suspects.length} suspects could not be confirmed (${confirmed.refusal.code}): try again`]),
      ...(sight.bound === null
        ? []
        : [
            `the socket table leaves out TCP sockets that are bound and no more (${sight.bound.code}): Linux 6.8 or later shows them`,
          ]),
      ...probed.closed,
    ],
    counts: {
      tried: probed.tried,
      taken: probed.held,
      suspects: suspects.length,
      refused: probed.refused,
    },
    us: {
      start: stages.of('start'),
      table: stages.of('table'),
      probe: stages.of('probe'),
      confirm: stages.of('confirm'),
      total: stages.total(),
    },
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

/** The local ports of all sockets in all states: one set of bits per protocol, both families in it. */
async function tables(
  { pool }: HiddenDeps,
  sight: PortSight,
  signal: AbortSignal | undefined,
): Promise<{ readonly tables: readonly Bits[]; readonly refusals: readonly Refusal[] }> {
  const families = ([4, 6] as const).filter((family) => (family === 4 ? sight.v4 : sight.v6) === null);
  const dumps = PROTOCOLS.flatMap(([, protocol], at) =>
    families.map((family) => ({ at, protocol, family, table: bits() })),
  );
  const refusals: Refusal[] = [];
  await inLanes(pool, dumps.length, signal, async (index) => {
    const { protocol, family, table } = dumps[index] as (typeof dumps)[number];
    const refusal = await pool.run({ kind: 'hidden port table', protocol, family, table });
    if (refusal !== null) refusals.push(refusal);
  });
  const joined = PROTOCOLS.map((_, at) => {
    const whole = bits();
    for (const { table } of dumps.filter((dump) => dump.at === at))
      table.forEach((byte, index) => {
        whole[index] = (whole[index] as number) | byte;
      });
    return whole;
  });
  return { tables: joined, refusals };
}

async function probe({ pool }: HiddenDeps, { signal, onProgress }: SweepOptions) {
  const taken = PROTOCOLS.map(bits);
  const refusals: Refusal[] = [];
  const refusedPorts = PROTOCOLS.map(() => ({ count: 0, lowest: PORTS, highest: 0, code: '' }));
  const sum = { tried: 0, held: 0, done: 0 };
  const total = PROTOCOLS.length * (PORTS - 1);
  await inLanes(pool, PROTOCOLS.length * SHARDS, signal, async (index) => {
    const at = Math.floor(index / SHARDS);
    const [, protocol] = PROTOCOLS[at] as (typeof PROTOCOLS)[number];
    const start = (index % SHARDS) * SHARD;
    const [from, to] = [Math.max(1, start), start + SHARD];
    const result = await pool.run({
      kind: 'hidden probe ports',
      protocol,
      from,
      to,
      taken: taken[at] as Bits,
    });
    if (result.refusal !== null) refusals.push(result.refusal);
    sum.tried += result.tried;
    sum.held += result.taken;
    const closed = refusedPorts[at] as (typeof refusedPorts)[number];
    if (result.refused > 0) {
      closed.count += result.refused;
      closed.code ||= result.refusedBy?.code ?? '';
      closed.lowest = Math.min(closed.lowest, result.lowestRefused);
      closed.highest = Math.max(closed.highest, result.highestRefused);
    }
    sum.done += to - from;
    onProgress?.({ done: sum.done, total, stage: 'binding' });
  });
  return {
    taken,
    refusals,
    tried: sum.tried,
    held: sum.held,
    refused: refusedPorts.reduce((all, { count }) => all + count, 0),
    closed: PROTOCOLS.flatMap(([name], at) => {
      const { count, lowest, highest, code } = refusedPorts[at] as (typeof refusedPorts)[number];
      if (count === 0) return [];
      const range = lowest === highest ? `port ${lowest}` : `${count} ports from ${lowest} to ${highest}`;
      return [`${name} ${range} ${closedBy(code)}`];
    }),
  };
}

function closedBy(code: string): string {
  if (code === 'ENOTCONN') return 'were not bound, since desk-start has ended: restart the service';
  if (code === 'ETIMEDOUT') return 'were not bound, since desk-start did not answer: try again';
  return process.geteuid?.() === 0
    ? 'may not be bound without CAP_NET_BIND_SERVICE: "desk hidden port" sees them in a shell of root that has it'
    : 'may not be bound by this user: run as root or give CAP_NET_BIND_SERVICE';
}

/** Those that are hidden in every round. */
async function confirm(
  { pool }: HiddenDeps,
  suspects: readonly { readonly name: 'tcp' | 'udp'; readonly port: number }[],
  signal: AbortSignal | undefined,
): Promise<{ readonly found: readonly HiddenPort[]; readonly refusal: Refusal | null }> {
  let left = suspects;
  let found: HiddenPort[] = [];
  let refusal: Refusal | null = null;
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    if (round > 0) await pause(ROUND_GAP_MS);
    const asked = left;
    found = [];
    await inLanes(pool, asked.length, signal, async (index) => {
      const { name, port } = asked[index] as (typeof suspects)[number];
      const protocol = name === 'tcp' ? 6 : 17;
      const verdict = await pool.run({ kind: 'hidden confirm port', protocol, port });
      if (isRefusal(verdict)) refusal = verdict;
      else if (verdict.kind === 'hidden') found.push(portOf(name, port, verdict));
    });
    left = found.map(({ protocol, port }) => ({ name: protocol, port }));
  }
  found.sort((one, other) => one.protocol.localeCompare(other.protocol) || one.port - other.port);
  return { found, refusal };
}

const ADDRESSES: Readonly<Record<4 | 6, Readonly<Record<BoundTo, string>>>> = {
  4: { nothing: '', wildcard: '0.0.0.0', loopback: '127.0.0.1', other: 'another IPv4 address' },
  6: { nothing: '', wildcard: '::', loopback: '::1', other: 'another IPv6 address' },
};

function portOf(protocol: 'tcp' | 'udp', port: number, { v4, v6 }: PortVerdict): HiddenPort {
  const beyond = [v4, v6].some((bound) => bound === 'wildcard' || bound === 'other');
  return {
    protocol,
    port,
    addresses: [ADDRESSES[4][v4], ADDRESSES[6][v6]].filter((address) => address !== ''),
    scope: beyond ? 'public' : 'loopback',
  };
}
