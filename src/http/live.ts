/**
 * Server-sent events of `/h7/live` (HTML Living Standard, section 9.2): `snapshot`, `finding`, `scar` and `port`, numbered.
 * The hub remembers the last events once for all clients. Each client has a cursor into that memory: one that reads slowly, or
 * comes back with Last-Event-ID, gets from there what it has not had.
 */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { jsonText } from '../base/visible-text.ts';
import { endpointText } from '../checks/subjects.ts';
import { ageMsOf } from '../desk/context.ts';
import type { Desk } from '../desk/desk.ts';
import { type Finding, isGrave } from '../findings/finding.ts';
import { findingOf } from '../records/finding.ts';
import { type Live, liveView } from '../records/live.ts';
import type { DeskState } from '../records/state.ts';
import { Problem } from './errors.ts';

export interface LiveLimits {
  readonly streams: number;
  readonly perCaller: number;
  /** Once a client has left this many bytes unread, nothing is written to it until it has read them; the last event may go beyond. */
  readonly bufferedBytes: number;
  /** A client with unread bytes that takes nothing for two heartbeats is dropped. */
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

/** An event as it is written, in UTF-8. */
interface Numbered {
  readonly number: number;
  readonly bytes: Buffer;
}

const RETRY = Buffer.from('retry: 2000\n\n');
const HEARTBEAT = Buffer.from(': here\n\n');
/** After this many heartbeats without progress a client is dropped. */
const IDLE_HEARTBEATS = 2;

/** One stream, and what it has had. Holds no events of its own beyond what its response buffers. */
class Client {
  readonly response: ServerResponse;
  readonly caller: string;
  /** Number of the last event written. */
  cursor: number;
  /** Of the events after the cursor, how many were reported as missed. */
  reported = 0;
  /** Whether a snapshot came that it has not had. */
  wantsSnapshot = true;
  readonly #bufferedBytes: number;
  #full = false;
  /** Unread bytes at the last heartbeat, and for how many heartbeats they have been the same. */
  #unread = 0;
  #idle = 0;

  constructor(response: ServerResponse, caller: string, cursor: number, bufferedBytes: number) {
    this.response = response;
    this.caller = caller;
    this.cursor = cursor;
    this.#bufferedBytes = bufferedBytes;
  }

  /** Whether it must read before more is written; the response emits `drain` then. */
  get full(): boolean {
    return this.#full;
  }

  write(bytes: Buffer): void {
    // Only after a write that returned false does `drain` follow.
    const more = this.response.write(bytes);
    this.#full = !more && this.response.writableLength >= this.#bufferedBytes;
  }

  /** To be called when the response emits `drain`. */
  drained(): void {
    this.#full = false;
    this.#idle = 0;
    this.#unread = 0;
  }

  /** To be called with every heartbeat. False when the client has taken nothing for too long. */
  heartbeat(): boolean {
    const unread = this.response.writableLength;
    this.#idle = this.#full && unread === this.#unread ? this.#idle + 1 : 0;
    this.#unread = unread;
    if (this.#idle >= IDLE_HEARTBEATS) return false;
    if (!this.#full) this.write(HEARTBEAT);
    return true;
  }
}

/** Rates are taken over at least this long, so that a fast loop does not make them jump. */
const RATE_SPAN_MS = 1000;

/** The live view of a state, with rates against an earlier one. */
export class LiveViews {
  #base: DeskState['snapshot'] | null = null;
  #newest: DeskState['snapshot'] | null = null;

  of(state: DeskState): Live {
    return liveView.assemble({ state, ageMs: ageMsOf(state), before: this.#base });
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
  readonly #clients = new Set<Client>();
  /** Apart by weight: a flood of ports or low findings pushes out no event of a high or critical one. */
  readonly #memory: Readonly<Record<Weight, Numbered[]>> = { grave: [], findings: [], ports: [] };
  #number = 0;
  /** The newest snapshot as JSON, and as an event with the number that the last event has. */
  #snapshot: { readonly json: string; event: Numbered } | null = null;
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
    const { streams, perCaller, bufferedBytes, heartbeatMs } = this.#limits;
    const own = [...this.#clients].filter((client) => client.caller === caller).length;
    if (this.#closed || this.#clients.size >= streams || own >= perCaller)
      throw new Problem(
        'unavailable',
        `There are ${streams} live streams at most, ${perCaller} for each user. Close one and ask again.`,
        { headers: { 'Retry-After': '10' } },
      );
    const client = new Client(response, caller, this.#cursorOf(lastEventId), bufferedBytes);
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.on('error', () => this.#drop(client));
    response.on('close', () => this.#drop(client));
    response.on('drain', () => {
      client.drained();
      this.#continue(client);
    });
    this.#clients.add(client);
    this.#leave ??= this.#source.attend();
    this.#heartbeat ??= setInterval(() => this.#beat(), heartbeatMs);
    client.write(RETRY);
    const latest = this.#source.latest();
    if (latest !== null) this.#renewSnapshot(latest);
    this.#continue(client);
  }

  /** Ends every stream; no further one is taken. */
  close(): void {
    this.#closed = true;
    this.#source.events.off('state', this.#onState);
    this.#source.events.off('finding', this.#onFinding);
    clearTimeout(this.#due);
    for (const { response } of this.#clients) response.end();
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
    if (this.#clients.size === 0) return;
    this.#renewSnapshot(state);
    for (const client of this.#clients) {
      client.wantsSnapshot = true;
      this.#continue(client);
    }
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

  /** A remembered event. Snapshots are not: a client gets the newest one. */
  #emit(name: EventName, data: unknown, weight: Weight): void {
    this.#number += 1;
    const memory = this.#memory[weight];
    memory.push(this.#event(name, jsonText(data), this.#number));
    if (memory.length > this.#limits.memory) memory.shift();
    for (const client of this.#clients) this.#continue(client);
  }

  #event(name: EventName, json: string, number: number): Numbered {
    // JSON text without an indent has no line feeds, so one data line holds it.
    const text = `id: ${this.#run}-${number}\nevent: ${name}\ndata: ${json}\n\n`;
    return { number, bytes: Buffer.from(text) };
  }

  #renewSnapshot(state: DeskState): void {
    const json = jsonText(this.#snapshotOf(state));
    this.#snapshot = { json, event: this.#event('snapshot', json, this.#number) };
  }

  /** Where a client that had the event `id` continues: with the next event if the id is not of this run. */
  #cursorOf(id: string | undefined): number {
    const [, run, number] = /^([0-9a-f]{8})-(\d{1,15})$/.exec(id ?? '') ?? [];
    return run === this.#run ? Math.min(Number(number), this.#number) : this.#number;
  }

  /** Remembered events with a higher number, in order. */
  #after(cursor: number): readonly Numbered[] {
    return Object.values(this.#memory)
      .flatMap((events) => events.slice(events.findLastIndex(({ number }) => number <= cursor) + 1))
      .sort((one, other) => one.number - other.number);
  }

  /** Writes what the client has not had, until it can take no more: how many events it missed, the others in order, the newest snapshot. */
  #continue(client: Client): void {
    if (client.full) return;
    const events = this.#after(client.cursor);
    // Every number was one event.
    const missed = this.#number - client.cursor - events.length - client.reported;
    if (missed > 0) {
      client.reported += missed;
      client.write(this.#event('missed', jsonText({ events: missed }), client.cursor).bytes);
    }
    for (const { number, bytes } of events) {
      if (client.full) return;
      client.reported -= number - client.cursor - 1;
      client.cursor = number;
      client.write(bytes);
    }
    if (client.full || !client.wantsSnapshot || this.#snapshot === null) return;
    // The id of a snapshot written late is not lower than those of the events before it.
    if (this.#snapshot.event.number !== this.#number)
      this.#snapshot.event = this.#event('snapshot', this.#snapshot.json, this.#number);
    client.wantsSnapshot = false;
    client.write(this.#snapshot.event.bytes);
  }

  #beat(): void {
    for (const client of this.#clients)
      if (!client.heartbeat()) {
        client.response.destroy();
        // A response that waits behind another one of its connection emits no `close` then.
        this.#drop(client);
      }
  }

  #drop(client: Client): void {
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
