/** Server-sent events: order, resume, limits, and the end of streams. */
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { LIVE_LIMITS } from '../../src/http/live.ts';
import { findingOf } from '../../src/records/finding.ts';
import { liveView } from '../../src/records/live.ts';
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

  /** Waits until the condition is true; the runner ends a test that waits forever. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (this.#wake = resolve));
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

test('a client that does not read is disconnected', () =>
  withService({ bufferedBytes: 64 * 1024 }, async (service) => {
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
    const big = findingFrom({ summary: 'x'.repeat(100_000) });
    // Far more than kernel buffers hold; the hub must stop keeping it.
    for (let at = 0; at < 400; at++) {
      service.desk.tellFinding(big, 'open');
      if (at % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    socket.resume();
    while (!gone) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.is((await service.ask('/healthz')).status, 200);
  }));

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
