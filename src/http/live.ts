/**
 * Server-sent events of `/h7/live` (HTML Living Standard, section 9.2): `snapshot`, `finding`, `scar` and `port`, numbered,
 * with a short memory so that a client that comes back with Last-Event-ID misses nothing recent.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { jsonText } from '../base/visible-text.ts';
import { endpointText } from '../checks/subjects.ts';
import type { Desk } from '../desk/desk.ts';
import { type Finding, isGrave } from '../findings/finding.ts';
import { findingOf } from '../records/finding.ts';
import { type Live, liveView } from '../records/live.ts';
import type { DeskState } from '../records/state.ts';
import { Problem } from './errors.ts';

export interface LiveLimits {
  readonly streams: number;
  readonly perCaller: number;
  /** Bytes a client may leave unread before it is dropped. */
  readonly bufferedBytes: number;
  readonly heartbeatMs: number;
  /** Shortest time between two snapshot events. */
  readonly snapshotMs: number;
  /** Events remembered for resuming, of each weight. */
  readonly memory: number;
}

export const LIVE_LIMITS: LiveLimits = {
  streams: 64,
  perCaller: 32,
  bufferedBytes: 256 * 1024,
  heartbeatMs: 15_000,
  snapshotMs: 100,
  memory: 256,
};

type LiveSource = Pick<Desk, 'events' | 'latest' | 'attend'>;

type EventName = 'snapshot' | 'finding' | 'scar' | 'port' | 'missed';
type Weight = 'grave' | 'findings' | 'ports';

interface Remembered {
  readonly number: number;
  readonly text: string;
}

/** Rates are taken over at least this long, so that a fast loop does not make them jump. */
const RATE_SPAN_MS = 1000;

/** The live view of a state, with rates against an earlier one. */
export class LiveViews {
  #base: DeskState['snapshot'] | null = null;
  #newest: DeskState['snapshot'] | null = null;

  of(state: DeskState): Live {
    const ageMs = performance.now() - state.snapshot.at.monotonicMs;
    return liveView.assemble({ state, ageMs, before: this.#base });
  }

  /** To be called with every state, asked for or not. */
  see({ snapshot }: DeskState): void {
    if (this.#newest === null || snapshot.at.monotonicMs - this.#newest.at.monotonicMs >= RATE_SPAN_MS) {
      this.#base = this.#newest;
      this.#newest = snapshot;
    }
  }
}

/** Listening places of a state: `tcp 127.0.0.1:80`. */
const placesOf = (state: DeskState): Set<string> => new Set(state.snapshot.listeners.map(endpointText));

export class LiveHub {
  readonly #source: LiveSource;
  readonly #snapshotOf: (state: DeskState) => unknown;
  readonly #findingOf: (finding: Finding) => unknown;
  readonly #limits: LiveLimits;
  /** Ids of another run of the service are not ours: they resume from the start. */
  readonly #run = randomBytes(4).toString('hex');
  /** Each stream with its caller. */
  readonly #clients = new Map<ServerResponse, string>();
  /** Apart by weight: a flood of ports or low findings pushes out no event of a high or critical one. */
  readonly #memory: Readonly<Record<Weight, Remembered[]>> = { grave: [], findings: [], ports: [] };
  #number = 0;
  #sent: DeskState | null = null;
  #sentAt = Number.NEGATIVE_INFINITY;
  #due: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  /** Set while there are clients; called when the last one leaves. */
  #leave: (() => void) | undefined;
  #closed = false;

  /** `snapshotOf` makes the data of a `snapshot` event, the same value that `/h7/live` answers as JSON; `shown` what a `finding` event shows. */
  constructor(
    source: LiveSource,
    snapshotOf: (state: DeskState) => unknown,
    limits: LiveLimits = LIVE_LIMITS,
    shown: (finding: Finding) => unknown = findingOf,
  ) {
    this.#source = source;
    this.#snapshotOf = snapshotOf;
    this.#findingOf = shown;
    this.#limits = limits;
    source.events.on('state', this.#onState);
    source.events.on('finding', this.#onFinding);
  }

  get streams(): number {
    return this.#clients.size;
  }

  /**
   * Takes over a response whose security headers are set and streams events into it until either side ends it.
   * @throws Problem 503 when there are too many streams, of this caller or in all, or the service is stopping.
   */
  attach(response: ServerResponse, lastEventId: string | undefined, caller: string): void {
    const { streams, perCaller } = this.#limits;
    const own = [...this.#clients.values()].filter((name) => name === caller).length;
    if (this.#closed || this.#clients.size >= streams || own >= perCaller)
      throw new Problem(
        'unavailable',
        `There are ${streams} live streams at most, ${perCaller} for each user. Close one and ask again.`,
        { headers: { 'Retry-After': '10' } },
      );
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.on('error', () => this.#drop(response));
    response.on('close', () => this.#drop(response));
    this.#clients.set(response, caller);
    this.#leave ??= this.#source.attend();
    this.#heartbeat ??= setInterval(() => this.#broadcast(': here\n\n'), this.#limits.heartbeatMs);
    this.#send(response, 'retry: 2000\n\n');
    const missed = this.#since(lastEventId);
    if (missed !== null) for (const { text } of missed) this.#send(response, text);
    const latest = this.#source.latest();
    if (latest !== null) this.#send(response, this.#text('snapshot', this.#snapshotOf(latest), this.#number));
  }

  /** Ends every stream; no further one is taken. */
  close(): void {
    this.#closed = true;
    this.#source.events.off('state', this.#onState);
    this.#source.events.off('finding', this.#onFinding);
    clearTimeout(this.#due);
    for (const client of this.#clients.keys()) client.end();
    this.#clients.clear();
    this.#rest();
  }

  readonly #onFinding = (finding: Finding, event: 'open' | 'closed'): void => {
    this.#emit(
      'finding',
      { event, finding: this.#findingOf(finding) },
      isGrave(finding) ? 'grave' : 'findings',
    );
  };

  readonly #onState = (): void => {
    if (this.#due !== undefined) return;
    const wait = this.#sentAt + this.#limits.snapshotMs - performance.now();
    if (wait <= 0) this.#publish();
    else this.#due = setTimeout(() => this.#publish(), wait).unref();
  };

  /** Sends the newest state and what changed since the last one sent. */
  #publish(): void {
    this.#due = undefined;
    this.#sentAt = performance.now();
    const state = this.#source.latest();
    if (state === null) return;
    const before = this.#sent;
    this.#sent = state;
    if (before !== null) this.#emitChanges(before, state);
    if (this.#clients.size > 0)
      this.#broadcast(this.#text('snapshot', this.#snapshotOf(state), this.#number));
  }

  #emitChanges(before: DeskState, state: DeskState): void {
    const generation = state.snapshot.generation;
    const scars = state.judgement.scars.length;
    if (scars !== before.judgement.scars.length)
      this.#emit('scar', { generation, scar_count: scars, gate: state.desk.gate.state }, 'findings');
    if (state.snapshot.listeners === before.snapshot.listeners) return;
    const [were, are] = [placesOf(before), placesOf(state)];
    for (const place of are)
      if (!were.has(place)) this.#emit('port', { generation, event: 'open', listener: place }, 'ports');
    for (const place of were)
      if (!are.has(place)) this.#emit('port', { generation, event: 'closed', listener: place }, 'ports');
  }

  /** A remembered event. Snapshots are not: a new client gets the newest one. */
  #emit(name: EventName, data: unknown, weight: Weight): void {
    this.#number += 1;
    const text = this.#text(name, data, this.#number);
    const memory = this.#memory[weight];
    memory.push({ number: this.#number, text });
    if (memory.length > this.#limits.memory) memory.shift();
    this.#broadcast(text);
  }

  #text(name: EventName, data: unknown, number: number): string {
    // JSON text without an indent has no line feeds, so one data line holds it.
    return `id: ${this.#run}-${number}\nevent: ${name}\ndata: ${jsonText(data)}\n\n`;
  }

  /** Events after `id`; null when the id is not of this run. */
  #since(id: string | undefined): readonly { readonly text: string }[] | null {
    const [, run, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id ?? '') ?? [];
    if (run !== this.#run) return null;
    const after = Number(number);
    const kept = Object.values(this.#memory)
      .flat()
      .filter((event) => event.number > after)
      .sort((one, other) => one.number - other.number);
    // Every number was one event.
    const missed = Math.max(0, this.#number - after) - kept.length;
    return missed > 0 ? [{ text: this.#text('missed', { events: missed }, after) }, ...kept] : kept;
  }

  #broadcast(text: string): void {
    for (const client of this.#clients.keys()) this.#send(client, text);
  }

  #send(client: ServerResponse, text: string): void {
    client.write(text);
    if (client.writableLength > this.#limits.bufferedBytes) client.destroy();
  }

  #drop(client: ServerResponse): void {
    this.#clients.delete(client);
    if (this.#clients.size === 0) this.#rest();
  }

  /** After the last client has left. */
  #rest(): void {
    clearInterval(this.#heartbeat);
    this.#heartbeat = undefined;
    this.#leave?.();
    this.#leave = undefined;
  }
}
