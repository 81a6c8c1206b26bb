/** Server-sent events: order, resume, limits, and the end of streams. */
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/findings/finding.ts';
import { LIVE_LIMITS, LiveHub } from '../../src/http/live.ts';
import type { Severity } from '../../src/policy/severity.ts';
import { findingOf } from '../../src/records/finding.ts';
import { liveView } from '../../src/records/live.ts';
import type { DeskState } from '../../src/records/state.ts';
import { FakeDesk } from '../support/fake-desk.ts';
import { findingFrom } from '../support/state.ts';
import { type Service, startService } from './service.ts';

interface Event {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

class Stream {
  readonly events: Event[] = [];
  comments = 0;
  ended = false;
  #text = '';
  #wake: () => void = () => undefined;
  readonly response: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.#read(chunk));
    response.on('error', () => undefined);
    response.on('close', () => {
      this.ended = true;
      this.#wake();
    });
  }

  #read(chunk: string): void {
    this.#text += chunk;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) this.comments += 1;
      const of = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const [id, event, data] = [of('id'), of('event'), of('data')];
      if (id !== undefined && event !== undefined && data !== undefined)
        this.events.push({ id, event, data: JSON.parse(data) });
    }
    this.#wake();
  }

  /** Waits until the condition is true; the runner ends a test that waits forever. Fails when the stream ends before. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.ended) throw new Error('the stream has ended');
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  named(name: string): Event[] {
    return this.events.filter(({ event }) => event === name);
  }
}

const open = (service: Service, lastEventId?: string): Promise<Stream> =>
  new Promise((resolve, reject) => {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    get({ host: '127.0.0.1', port: service.port(), path: '/h7/live', agent: false, headers }, (response) =>
      resolve(new Stream(response)),
    ).on('error', reject);
  });

const numberOf = (id = ''): number => Number(id.split('-')[1]);
const ascending = (events: readonly Event[]): number[] =>
  events.map(({ id }) => numberOf(id)).sort((one, other) => one - other);
const missedIn = (events: readonly Event[]): number =>
  events
    .filter(({ event }) => event === 'missed')
    .reduce((sum, { data }) => sum + (data as { events: number }).events, 0);

async function withService(
  limits: Partial<typeof LIVE_LIMITS>,
  run: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService(new FakeDesk(), { live: { ...LIVE_LIMITS, snapshotMs: 0, ...limits } });
  service.desk.keepsState = true;
  service.desk.sweep();
  try {
    await run(service);
  } finally {
    await service.stop();
  }
}

test('the desk counts as watched from the first client to the last', async () => {
  await withService({}, async (service) => {
    assert.is(service.desk.watchers, 0);
    const [one, other] = [await open(service), await open(service)];
    assert.is(service.desk.watchers, 1);
    one.response.destroy();
    await one.until(() => one.ended);
    assert.is(service.desk.watchers, 1);
    other.response.destroy();
    while (service.desk.watchers > 0) await delay(1);
  });
});

test('a stream starts with the current snapshot and continues with every new one', () =>
  withService({}, async (service) => {
    const stream = await open(service);
    assert.is(stream.response.statusCode, 200);
    assert.match(stream.response.headers['content-type'] ?? '', 'text/event-stream');
    assert.is(stream.response.headers['cache-control'], 'no-store');
    await stream.until(() => stream.events.length === 1);
    service.desk.sweep();
    await stream.until(() => stream.events.length === 2);
    assert.equal(
      stream.events.map(({ event }) => event),
      ['snapshot', 'snapshot'],
    );
    for (const { data } of stream.events) liveView.schema.parse(data);
    const generations = stream.events.map(({ data }) => (data as { generation: number }).generation);
    assert.equal(generations, [1, 2]);
  }));

test('without text/event-stream in Accept the response is JSON', () =>
  withService({}, async (service) => {
    for (const accept of ['application/json', '*/*', 'application/json, text/event-stream'])
      liveView.schema.parse((await service.ask('/h7/live', { headers: { accept } })).json());
  }));

test('changes of findings, scars and ports are sent as events', () =>
  withService({}, async (service) => {
    const stream = await open(service);
    const finding = findingFrom();
    service.desk.tellFinding(finding, 'open');
    service.desk.parts = { findings: [finding], snapshot: { listeners: [{ port: 18772 }, { port: 4711 }] } };
    service.desk.sweep();
    service.desk.parts = { snapshot: { listeners: [{ port: 18772 }] } };
    service.desk.tellFinding(finding, 'closed');
    service.desk.sweep();
    await stream.until(() => stream.named('snapshot').length >= 3);
    assert.equal(
      stream.named('finding').map(({ data }) => (data as { event: string }).event),
      ['open', 'closed'],
    );
    const [first] = stream.named('finding');
    assert.equal(first?.data, { event: 'open', finding: findingOf(finding) });
    assert.equal(
      stream.named('scar').map(({ data }) => (data as { scar_count: number }).scar_count),
      [1, 0],
    );
    const ports = stream.named('port').map(({ data }) => data as { event: string; listener: string });
    assert.ok(ports.some(({ event, listener }) => event === 'open' && listener === 'tcp 127.0.0.1:4711'));
    assert.ok(ports.some(({ event, listener }) => event === 'closed' && listener === 'tcp 127.0.0.1:4711'));
  }));

test('Last-Event-ID resumes the stream after that event', () =>
  withService({}, async (service) => {
    const first = await open(service);
    const ids = ['aa', 'bb', 'cc', 'dd'].map((id) => id.repeat(8));
    service.desk.tellFinding(findingFrom({ id: ids[0] as string }), 'open');
    service.desk.tellFinding(findingFrom({ id: ids[1] as string }), 'open');
    await first.until(() => first.named('finding').length === 2);
    const seen = first.named('finding')[0]?.id;
    first.response.destroy();
    service.desk.tellFinding(findingFrom({ id: ids[2] as string }), 'open');
    const again = await open(service, seen);
    await again.until(() => again.named('snapshot').length === 1);
    const missed = again.named('finding').map(({ data }) => (data as { finding: { id: string } }).finding.id);
    assert.equal(missed, [ids[1], ids[2]]);
    for (const foreign of ['00000000-1', 'nonsense', `${'9'.repeat(400)}`]) {
      const other = await open(service, foreign);
      await other.until(() => other.named('snapshot').length === 1);
      assert.is(other.named('finding').length, 0, foreign);
    }
  }));

test('the hub keeps a limited number of events', () =>
  withService({ memory: 2 }, async (service) => {
    const stream = await open(service);
    for (let at = 0; at < 5; at++) service.desk.tellFinding(findingFrom(), 'open');
    await stream.until(() => stream.named('finding').length === 5);
    const again = await open(service, stream.named('finding')[0]?.id);
    await again.until(() => again.named('snapshot').length === 1);
    assert.is(again.named('finding').length, 2);
  }));

test('a flood of port and low events does not displace a critical one, and missed events are counted', () =>
  withService({ memory: 4 }, async (service) => {
    const stream = await open(service);
    service.desk.tellFinding(findingFrom({ severity: 'low', id: 'aa'.repeat(8) }), 'open');
    await stream.until(() => stream.named('finding').length === 1);
    const seen = stream.named('finding')[0]?.id;
    service.desk.tellFinding(findingFrom({ severity: 'critical', id: 'bb'.repeat(8) }), 'open');
    for (let at = 0; at < 20; at++) service.desk.tellFinding(findingFrom({ severity: 'low' }), 'open');
    await stream.until(() => stream.named('finding').length === 22);
    const again = await open(service, seen);
    await again.until(() => again.named('snapshot').length === 1);
    const findings = again
      .named('finding')
      .map(({ data }) => (data as { finding: { severity: string } }).finding.severity);
    assert.equal(findings, ['critical', 'low', 'low', 'low', 'low']);
    assert.equal(again.events[0]?.data, { events: 16 });
    assert.is(again.events[0]?.event, 'missed');
  }));

test('fast snapshots are thinned out, and the newest is sent', () =>
  withService({ snapshotMs: 60 }, async (service) => {
    const stream = await open(service);
    await stream.until(() => stream.events.length === 1);
    for (let at = 0; at < 50; at++) service.desk.sweep();
    const newest = service.desk.sweeps;
    await stream.until(() =>
      stream.events.some(({ data }) => (data as { generation: number }).generation === newest),
    );
    assert.ok(stream.named('snapshot').length <= 4, `${stream.named('snapshot').length} snapshots`);
  }));

test('one user may open a limited share of the streams', () =>
  withService({ streams: 3, perCaller: 2 }, async (service) => {
    const streams = [await open(service), await open(service)];
    const refused = await open(service);
    assert.is(refused.response.statusCode, 503);
    for (const { response } of [...streams, refused]) response.destroy();
  }));

test('the number of streams is limited, and closing one makes room', () =>
  withService({ streams: 2 }, async (service) => {
    const [first] = [await open(service), await open(service)];
    const refused = await service.ask('/h7/live', { headers: { accept: 'text/event-stream' } });
    assert.is(refused.status, 503);
    assert.match(refused.headers['content-type'] ?? '', 'application/problem+json');
    assert.ok(Number(refused.headers['retry-after']) > 0);
    first?.response.destroy();
    let stream = await open(service);
    while (stream.response.statusCode === 503) stream = await open(service);
    assert.is(stream.response.statusCode, 200);
  }));

test('a burst of findings ends no stream: a reader gets all that the buffer and the memory hold, and the number of the rest', () =>
  withService({}, async (service) => {
    const stream = await open(service);
    await stream.until(() => stream.events.length === 1);
    const { bufferedBytes, memory } = LIVE_LIMITS;
    for (const [round, bytes] of [2_000, 20_000].entries()) {
      const before = stream.events.length;
      const finding = findingFrom({ severity: 'low', summary: 'x'.repeat(bytes) });
      for (let at = 0; at < 300; at++) service.desk.tellFinding(finding, 'open');
      const last = 300 * (round + 1);
      await stream.until(() => stream.named('finding').some(({ id }) => numberOf(id) === last));
      const events = stream.events.slice(before);
      const findings = events.filter(({ event }) => event === 'finding');
      const size = JSON.stringify(findings[0]?.data).length + 100;
      const least = Math.min(300, memory + Math.floor(bufferedBytes / size));
      assert.ok(findings.length >= least, `${findings.length} findings of ${bytes} bytes`);
      assert.is(findings.length + missedIn(events), 300);
      assert.is(missedIn(events) > 0, least < 300);
      assert.equal(
        ascending(findings),
        findings.map(({ id }) => numberOf(id)),
      );
    }
    assert.not(stream.ended);
  }));

test('a reader that pauses gets what it missed when it continues', () =>
  withService({ memory: 1_000 }, async (service) => {
    const stream = await open(service);
    await stream.until(() => stream.events.length === 1);
    stream.response.pause();
    const finding = findingFrom({ severity: 'low', summary: 'x'.repeat(50_000) });
    for (let at = 0; at < 600; at++) {
      service.desk.tellFinding(finding, 'open');
      if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.is(service.desk.watchers, 1);
    stream.response.resume();
    await stream.until(() => stream.named('finding').length === 600);
    assert.equal(
      ascending(stream.named('finding')),
      Array.from({ length: 600 }, (_, at) => at + 1),
    );
    assert.is(stream.named('missed').length, 0);
    service.desk.sweep();
    await stream.until(() => stream.named('snapshot').length === 2);
  }));

test('a client that does not read is disconnected', () =>
  withService({ bufferedBytes: 64 * 1024, heartbeatMs: 50 }, async (service) => {
    const reader = await open(service);
    const socket = connect(service.port(), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `GET /h7/live HTTP/1.1\r\nHost: 127.0.0.1:${service.port()}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.pause();
    let gone = false;
    socket.on('close', () => {
      gone = true;
    });
    // Far more than kernel buffers hold.
    const big = findingFrom({ summary: 'x'.repeat(100_000) });
    for (let at = 0; at < 400; at++) {
      service.desk.tellFinding(big, 'open');
      if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    reader.response.destroy();
    // The service ends it while it does not read: the last one watching has left.
    while (service.desk.watchers > 0) await delay(5);
    socket.resume();
    while (!gone) await delay(5);
    assert.is((await service.ask('/healthz')).status, 200);
  }));

/** A client that takes what is written only when the test says so. */
class SlowResponse extends Writable {
  #take: (() => void)[] = [];
  #taken = '';

  constructor() {
    super({ highWaterMark: 16 * 1024 });
  }

  writeHead(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#take.push(() => {
      this.#taken += chunk;
      done();
    });
  }

  /** Takes all that is buffered now, and what is written then as long as `more` says so. */
  async take(more = () => true): Promise<void> {
    do {
      this.#take.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#take.length > 0 && more());
  }

  /** Events taken so far. */
  get events(): Event[] {
    return this.#taken.split('\n\n').flatMap((block): Event[] => {
      const [, id = '', event = '', data = ''] = /^id: (.*)\nevent: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return id === '' ? [] : [{ id, event, data: JSON.parse(data) }];
    });
  }
}

/** A hub without a server, and clients of it. */
function hubOf(limits: Partial<typeof LIVE_LIMITS> = {}) {
  const desk = new FakeDesk();
  desk.keepsState = true;
  desk.sweep();
  let made = 0;
  const snapshotOf = ({ snapshot }: DeskState) => {
    made += 1;
    return { generation: snapshot.generation };
  };
  const hub = new LiveHub(desk, snapshotOf, { ...LIVE_LIMITS, snapshotMs: 0, ...limits });
  const attach = (lastEventId?: string): SlowResponse => {
    const response = new SlowResponse();
    hub.attach(response as unknown as ServerResponse, lastEventId, 'caller');
    return response;
  };
  const tell = (bytes: number, severity: Severity = 'low') =>
    desk.tellFinding(findingFrom({ severity, summary: 'x'.repeat(bytes) }), 'open');
  return { desk, hub, attach, tell, made: () => made };
}

test('a client buffers the limit and one event, even if that event is larger than the limit', async () => {
  const { hub, attach, tell } = hubOf({ bufferedBytes: 64 * 1024 });
  const [client, other] = [attach(), attach()];
  const event = 3_000;
  for (let at = 0; at < 1_000; at++) {
    tell(event);
    assert.ok(client.writableLength < 64 * 1024 + event + 2_000, `${client.writableLength} bytes`);
  }
  await client.take();
  tell(500_000);
  await client.take();
  const findings = client.events.filter(({ event }) => event === 'finding');
  assert.is(numberOf(findings.at(-1)?.id), 1_001, 'the large one has come');
  assert.is(findings.length + missedIn(client.events), 1_001);
  assert.is(hub.streams, 2);
  assert.ok(other.writableLength < 64 * 1024 + event + 2_000, 'the other one has taken nothing');
  hub.close();
});

test('a client that was full gets the events in order, then only the newest snapshot, and each missed event is counted once', async () => {
  const { desk, hub, attach, tell, made } = hubOf({ bufferedBytes: 20_000, memory: 10 });
  const client = attach();
  const lines: number[] = [];
  for (let round = 0; round < 5; round++) {
    tell(1_000, 'critical');
    for (let at = 0; at < 40; at++) tell(1_000);
    const before = made();
    for (let at = 0; at < 7; at++) desk.sweep();
    assert.is(made() - before, 7, 'a snapshot is made once, whoever has it');
    lines.push(desk.sweeps);
    // Not all of it: events are dropped from the memory while part of what was kept is still to come.
    let writes = 0;
    await client.take(() => writes++ < 12);
  }
  await client.take();
  const { events } = client;
  const findings = events.filter(({ event }) => event === 'finding');
  assert.is(findings.length + missedIn(events), 5 * 41);
  assert.ok(missedIn(events) > 0);
  assert.equal(
    ascending(findings),
    findings.map(({ id }) => numberOf(id)),
  );
  const critical = findings.filter(
    ({ data }) => (data as { finding: Finding }).finding.severity === 'critical',
  );
  assert.is(critical.length, 5, 'low findings do not displace a critical one');
  const all = events.map(({ id }) => numberOf(id));
  assert.equal(
    all,
    [...all].sort((one, other) => one - other),
    'no id is lower than one before it',
  );
  assert.is(events.at(-1)?.event, 'snapshot');
  assert.equal(events.at(-1)?.data, { generation: lines.at(-1) });
  const snapshots = events.filter(({ event }) => event === 'snapshot');
  assert.ok(snapshots.length <= 1 + 5, `${snapshots.length} snapshots`);
  // The ids of a slow client are good to resume with.
  const again = attach(events.at(-1)?.id);
  await again.take();
  assert.equal(
    again.events.map(({ event }) => event),
    ['snapshot'],
  );
  hub.close();
});

test('an event is made once for all clients', () => {
  const { hub, attach, tell } = hubOf();
  const clients = Array.from({ length: 20 }, () => attach());
  const write = Writable.prototype.write;
  const written = new Set<unknown>();
  for (const client of clients)
    client.write = function (this: SlowResponse, ...args: unknown[]) {
      written.add(args[0]);
      return write.apply(this, args as never);
    } as never;
  tell(10);
  assert.is(written.size, 1);
  hub.close();
});

test('a client that takes nothing is dropped after some heartbeats, one that takes something or has nothing to read is not', async () => {
  const { desk, hub, attach, tell } = hubOf({ bufferedBytes: 20_000, heartbeatMs: 500 });
  const [idle, slow, quiet] = [attach(), attach(), attach()];
  for (let at = 0; at < 100; at++) tell(1_000);
  await quiet.take();
  while (!idle.destroyed) {
    // One event at a time.
    await slow.take(() => false);
    await quiet.take();
    if (slow.writableLength < 18_000) for (let at = 0; at < 30; at++) tell(1_000);
    await delay(1);
  }
  assert.is(hub.streams, 2);
  assert.not(slow.destroyed);
  assert.not(quiet.destroyed);
  assert.is(desk.watchers, 1);
  slow.destroy();
  quiet.destroy();
  while (hub.streams > 0) await delay(1);
  assert.is(desk.watchers, 0);
  hub.close();
});

test('a quiet stream has heartbeats', () =>
  withService({ heartbeatMs: 10 }, async (service) => {
    const stream = await open(service);
    await stream.until(() => stream.comments >= 2);
    assert.ok(stream.comments >= 2);
  }));

test('stopping the service ends the streams', async () => {
  const service = await startService();
  const stream = await open(service);
  await service.stop();
  await stream.until(() => stream.ended);
  assert.ok(stream.response.complete);
});

test.run();
