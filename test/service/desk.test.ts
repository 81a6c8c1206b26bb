import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DeskError } from '../../src/base/desk-error.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { Desk } from '../../src/desk/desk.ts';
import { STARTUP } from '../../src/desk/startup.ts';
import { THINK } from '../../src/desk/think.ts';
import { loadNative } from '../../src/engine/native/load.ts';
import { BASELINE } from '../../src/features/baseline/api.ts';
import { GATE } from '../../src/features/gate/api.ts';
import { HISTORY } from '../../src/features/history/api.ts';
import { QUARANTINE } from '../../src/features/quarantine/api.ts';
import { REMEDIES } from '../../src/features/remedies/api.ts';
import { SiteLines } from '../../src/features/site/site-lines.ts';
import { chargeReport } from '../../src/records/charge-report.ts';
import type { DeskState } from '../../src/records/state.ts';
import type { DeskOptions } from '../../src/service/desk-options.ts';
import { createDesk } from '../../src/service/desk-service.ts';
import { Residents } from '../../src/service/features.ts';
import { openStore } from '../../src/service/tables.ts';
import { openStateDir } from '../../src/state-folder/state-folder.ts';
import type { Store } from '../../src/store/store.ts';
import { until } from '../support/until.ts';

interface Context {
  folder: string;
  desks: Desk[];
  stores: Store[];
  residents: Residents[];
}

const test = suite<Context>('desk', { folder: '', desks: [], stores: [], residents: [] });

test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-test-'));
  context.desks = [];
  context.stores = [];
  context.residents = [];
});
test.after.each(async (context) => {
  for (const desk of context.desks) await desk.close();
  for (const residents of context.residents) await residents.close();
  for (const store of context.stores) store.close();
  rmSync(context.folder, { recursive: true });
});

async function start(
  context: Context,
  options: Partial<DeskOptions> = {},
  config: unknown = {},
): Promise<Desk> {
  const state = openStateDir(context.folder);
  const store = openStore(state.path);
  context.stores.push(store);
  const log = pino({ level: 'silent' });
  const parsed = configSchema.parse(config);
  const residents = await Residents.open({ folder: state.path, log, native: loadNative().addon });
  context.residents.push(residents);
  const desk = await createDesk({
    config: parsed,
    configDate: '',
    state,
    store,
    log,
    residents: residents.partsFor(parsed),
    loop: false,
    role: 'local',
    ...options,
  });
  context.desks.push(desk);
  return desk;
}

test('a hundred concurrent callers cost one sweep', async (context) => {
  const desk = await start(context);
  const before = desk.latest()?.snapshot.generation ?? 0;
  const published = await Promise.all(Array.from({ length: 100 }, () => desk.state({ maxAgeMs: 0 })));
  assert.is(new Set(published).size, 1);
  // A second sample is taken when a fail is new, never a third.
  assert.ok((published[0]?.snapshot.generation ?? 0) - before <= 2);
});

test('a recent snapshot is reused', async (context) => {
  const desk = await start(context);
  const latest = desk.latest();
  assert.is(await desk.state({ maxAgeMs: 60_000 }), latest);
  assert.is.not(await desk.state({ maxAgeMs: 0 }), latest);
});

test('the loop takes snapshots by itself and reports them', async (context) => {
  const desk = await start(
    context,
    { role: 'service', loop: true },
    { loop: { mode: 'poll', recheck_ms: 5 } },
  );
  const first = desk.latest()?.snapshot.generation ?? 0;
  while ((desk.latest()?.snapshot.generation ?? 0) < first + 3)
    await new Promise((resolve) => desk.events.once('state', resolve));
  const facts = desk.latest()?.desk;
  assert.equal([facts?.loop.on, facts?.loop.mode, facts?.loop.pid], [true, 'poll', process.pid]);
  assert.is(facts?.recheck.mode, 'forever');
});

test('a service samples its history: seconds while it runs, minutes also after it stops; a command does not', async (context) => {
  const desk = await start(
    context,
    { role: 'service', loop: true },
    { loop: { mode: 'poll', recheck_ms: 5 } },
  );
  await desk.settle();
  await new Promise((resolve) => desk.events.once('state', resolve));
  const [second] = desk.use(HISTORY).samples('15m');
  assert.ok((second?.pids ?? 0) > 0 && (second?.recheck_max_us ?? 0) >= (second?.recheck_us ?? 1));
  const allowSources = desk.allowSources(desk.latest() as DeskState);
  assert.is(allowSources.length, desk.latest()?.snapshot.listeners.length);
  await desk.close();
  const command = await start(context);
  await command.state({ maxAgeMs: 0 });
  assert.equal(command.use(HISTORY).samples('15m'), []);
  const minutes = command.use(HISTORY).samples('24h');
  assert.ok(minutes.length >= 1 && minutes[0]?.at === (second?.at ?? 0) - ((second?.at ?? 0) % 60));
});

test('a banned listener becomes a critical scar, fails the gate, and closes when it is gone', async (context) => {
  const banned = createServer();
  await new Promise<void>((resolve) => banned.listen(0, '127.0.0.1', resolve));
  const address = banned.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const desk = await start(context, {}, { banned: { also: [port] } });
  const changes: string[] = [];
  desk.events.on('finding', (finding, change) => changes.push(`${finding.check} ${change}`));

  const run = await desk.use(GATE).cook('cook');
  const scar = run.state.judgement.scars.find(({ check }) => check === 'banned-listener');
  assert.is(scar?.severity, 'critical');
  assert.is(run.state.desk.gate.state, 'fail');
  assert.equal(scar?.evidence.holders, String(process.pid));
  assert.ok(run.remedies.some(({ finding }) => finding === scar?.id));
  const refused = run.remedies.find(({ finding }) => finding === scar?.id)?.result ?? '';
  assert.match(refused, /^refused: the desk itself holds it/);

  await new Promise<void>((resolve) => banned.close(() => resolve()));
  const { state: deskState } = await desk.use(GATE).check();
  assert.not.ok(deskState.judgement.scars.some(({ id }) => id === scar?.id));
  assert.ok(changes.includes('banned-listener closed'));
  assert.equal(
    desk.finding(scar?.id ?? '')?.history.map(({ event }) => event),
    ['opened', `shutdown by command: ${refused}`, 'closed'],
  );
});

test('an open finding keeps firstSeen over a restart', async (context) => {
  const banned = createServer();
  await new Promise<void>((resolve) => banned.listen(0, '127.0.0.1', resolve));
  const address = banned.address();
  const config = { banned: { also: [typeof address === 'object' ? address?.port : undefined] } };
  const seen = (desk: Desk) =>
    desk.latest()?.judgement.scars.find(({ check }) => check === 'banned-listener')?.firstSeen;
  const first = await start(context, {}, config);
  const firstSeen = seen(first);
  await first.close();
  const second = await start(context, {}, config);
  assert.ok(firstSeen);
  assert.is(seen(second), firstSeen);
  await new Promise<void>((resolve) => banned.close(() => resolve()));
});

test('settling rechecks again, also while a recheck runs that may have missed the listeners', async (context) => {
  const desk = await start(context);
  const before = desk.state({ maxAgeMs: 0 });
  const late = createServer();
  await new Promise<void>((resolve) => late.listen(0, '127.0.0.1', resolve));
  const address = late.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  await desk.settle();
  assert.ok((await before).snapshot.generation < (desk.latest() as DeskState).snapshot.generation);
  assert.ok(desk.latest()?.snapshot.listeners.some((listener) => listener.port === port));
  await new Promise<void>((resolve) => late.close(() => resolve()));
});

test('improvements are not all known while something blind has no remedy', async (context) => {
  const knows = async () =>
    chargeReport.assemble((await start(context)).latest() as DeskState).system_run.knows_improvements;
  // At the first use nothing is learned yet, and no command can speed that up.
  assert.is(await knows(), false);
  for (const store of context.stores.splice(0)) store.close();
  rmSync(join(context.folder, 'desk.first-use'));
  assert.is(await knows(), true);
});

test('a failing store is reported and affects nothing else', async (context) => {
  const desk = await start(context);
  for (const store of context.stores) store.close();
  const deskState = await desk.state({ maxAgeMs: 0 });
  assert.is(deskState.desk.duties.learning_security.healthy, false);
  assert.not.ok(desk.readiness().parts.store?.ok);
  assert.ok(deskState.snapshot.counts.processes > 0);
  const { steps } = await desk.use(GATE).check();
  assert.is(steps.length, 5);
  assert.is(steps[2]?.ok, false);
  assert.match(steps.at(-1)?.detail ?? '', /; not recorded, the store fails$/);
});

test('field clear quarantines our own stale files, and nothing else', async (context) => {
  const old = new Date(Date.now() - 60_000);
  const stale = ['control.token.4194000.tmp', 'mail.token.4194001.tmp'];
  const kept = ['notes.tmp', 'control.token.bak'];
  for (const name of [...stale, ...kept]) {
    writeFileSync(join(context.folder, name), name, { mode: 0o600 });
    utimesSync(join(context.folder, name), old, old);
  }
  const desk = await start(context);
  const found = desk.latest()?.judgement.findings.filter(({ check }) => check === 'stale-runtime-file');
  assert.equal(
    found?.map(({ subject, severity }) => [subject.kind === 'file' && subject.path, severity]).sort(),
    stale.map((name) => [join(context.folder, name), 'low']),
  );
  assert.is(desk.latest()?.desk.service.fieldDirt, 2);
  const dry = await desk.use(GATE).cook('check');
  assert.equal(
    dry.remedies.filter(({ remedy }) => remedy.includes(context.folder)),
    [],
    'a stale file is a note, not a scar: cook-off leaves it',
  );

  const run = await desk.use(REMEDIES).fieldClear('soft');
  assert.equal(
    run.steps.map(({ step }) => step),
    ['cook', 'scar-check', 'gate', 'cook-off', 'scar-recheck'],
  );
  assert.ok(run.remedies.length === 2 && run.remedies.every(({ result }) => /^set aside as/.test(result)));
  assert.equal(
    readdirSync(context.folder).filter((name) => name.endsWith('.tmp') || name.endsWith('.bak')),
    [...kept].sort(),
  );
  assert.equal([run.state.desk.service.fieldDirt, desk.use(QUARANTINE).list().length], [0, 2]);
  const id = found?.[0]?.id ?? '';
  assert.match(
    desk
      .finding(id)
      ?.history.map(({ event }) => event)
      .join(' · ') ?? '',
    /opened · set aside as .* · closed/,
  );
  assert.equal((await desk.use(REMEDIES).fieldClear('soft')).remedies, []);

  const [entry] = desk.use(QUARANTINE).list();
  desk.use(QUARANTINE).restore(entry?.id ?? '');
  assert.is(readFileSync(join(context.folder, entry?.name ?? ''), 'utf8'), entry?.name);
});

test('a full antivirus pass inspects every process again, as a dry run does', async (context) => {
  const desk = await start(context);
  const peeks = async () => Number(/^desk_peeks_total (\d+)$/m.exec((await desk.metrics()).text)?.[1]);
  for (const asked of ['check', 'cook'] as const) {
    const before = await peeks();
    const { mode, state: deskState } = await desk.use(REMEDIES).avClose(asked);
    assert.is(mode, asked);
    assert.ok((await peeks()) - before >= deskState.snapshot.counts.userSpace / 2);
  }
  // Rechecks, inspections and scheduled scans each count their runs and time.
  const { text } = await desk.metrics();
  for (const check of ['batch', 'traced', 'preload-file', 'writable-code', 'kernel-taint']) {
    const total = (name: string) =>
      Number(new RegExp(`^desk_check_${name}_total{check="${check}"} (\\S+)$`, 'm').exec(text)?.[1]);
    assert.ok(total('runs') > 0 && total('seconds') > 0, check);
    if (check !== 'batch') assert.is(total('errors'), 0);
  }
});

test('a command learns only on request, and the next desk on the folder knows what was learned', async (context) => {
  const desk = await start(context);
  assert.equal([desk.latest()?.desk.baseline.generation, desk.latest()?.desk.baseline.runningKnown], [0, 0]);
  const scars = desk.latest()?.judgement.scars ?? [];
  const first = await desk
    .use(BASELINE)
    .learn()
    .catch((error: unknown) => error as DeskError);
  if (first instanceof DeskError) {
    // On a machine with scars nothing is learned: that is reported, and all that this test can check.
    assert.is(first.code, 'refused');
    assert.ok(scars.length > 0 || (desk.latest()?.judgement.scars.length ?? 0) > 0);
    return;
  }
  assert.is(first.generation, 1);
  const { baseline, gate } = desk.latest()?.desk ?? {};
  assert.ok((baseline?.runningKnown ?? 0) > 0 && (baseline?.identities ?? 0) > 0);
  assert.is(gate?.god, 1);
  await desk.close();
  const again = await start(context);
  assert.is(again.latest()?.desk.baseline.generation, 1);
  assert.ok((again.latest()?.desk.baseline.runningKnown ?? 0) > 0);
});

test('a desk that is closed during a scan begins no other one, and has learned nothing', async (context) => {
  const desk = await start(context, { role: 'service', loop: true });
  const scans: (() => void)[] = [];
  const settledFor = () =>
    new Promise((resolve) => {
      scans.push(() => resolve({ entries: [], unread: [], packages: '', busy: false }));
    });
  Object.assign(desk.use(STARTUP), { settledFor });
  await until(() => scans.length > 0, 'the first scan of what starts by itself');
  const closed = desk.close();
  for (const end of scans) end();
  await closed;
  assert.is(scans.length, 1);
  const next = await start(context);
  assert.is(next.latest()?.desk.baseline.generation, 0);
});

test('the hostess gives evidence for every value she states', async (context) => {
  const desk = await start(context);
  const { answer, grounds, suggestions } = await desk.use(THINK)('is the desk well?');
  assert.ok(answer.length > 0 && suggestions.length > 0);
  assert.ok(grounds.some(({ path }) => path === 'status.grade'));
});

test('a closed desk refuses to recheck and closes once', async (context) => {
  const desk = await start(context);
  await desk.close();
  await desk.close();
  try {
    await desk.state({ maxAgeMs: 0 });
    assert.unreachable();
  } catch (error) {
    assert.is((error as DeskError).code, 'unavailable');
  }
});

test('runs of the gate can be read, newest first', async (context) => {
  const desk = await start(context);
  await desk.use(GATE).check();
  await desk.use(GATE).cook('check', []);
  assert.equal(
    desk
      .use(GATE)
      .runs(2)
      .map(({ mode, god }) => [mode, god]),
    [
      ['check', 1],
      ['scar', 1],
    ],
  );
  assert.is(desk.use(GATE).runs(1).length, 1);
});

test('a desk that is closed while it probes the site records no failure of the site', async (context) => {
  const server = createServer();
  const connected = once(server, 'connection') as Promise<[Socket]>;
  server.listen(0);
  await once(server, 'listening');
  const place = `localhost:${(server.address() as AddressInfo).port}`;
  try {
    const desk = await start(
      context,
      { role: 'service' },
      { site: { public_url: `http://${place}/` }, egress: { allow: [place], private: [place] } },
    );
    const settled = desk.settle().catch(() => undefined);
    const [socket] = await connected;
    await desk.close();
    await settled;
    socket.destroy();
    assert.equal(new SiteLines(context.stores.at(-1) as Store).list(9), []);
  } finally {
    server.close();
  }
});

test.run();
