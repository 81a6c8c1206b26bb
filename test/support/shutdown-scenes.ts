/**
 * Scenes of a shutdown in which something happens at one exact point, run within a separate stage: `stage -- node …
 * shutdown-scenes.ts SCENE`. Prints the result as JSON.
 */
import { bannedListener } from '../../src/checks/banned-listener.ts';
import { listenerSubject } from '../../src/checks/subjects.ts';
import { SIGNAL } from '../../src/engine/native/act-types.ts';
import { isRefusal, type NativeAddon } from '../../src/engine/native/types.ts';
import { Engine } from '../../src/engine/sweep.ts';
import { liveMachine, type Machine } from '../../src/features/remedies/machine.ts';
import { type ShutdownOutcome, type ShutdownParts, shutDown } from '../../src/features/remedies/shutdown.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { memberId } from '../../src/findings/finding-id.ts';
import type { DeskState } from '../../src/records/state.ts';
import { askStage } from './stage.ts';
import { findingFrom } from './state.ts';

const PORT = 8766;
const engine = new Engine({ workers: 1 });
const machine = liveMachine(engine.native);

async function takeState(): Promise<DeskState> {
  const snapshot = await engine.sweep(null);
  const findings = snapshot.listeners
    .filter(({ port }) => port === PORT)
    .map((listener) => {
      const subject = listenerSubject(listener);
      const id = memberId({ check: bannedListener, subject });
      return findingFrom({ id, check: bannedListener.id, severity: 'critical', subject });
    });
  return { snapshot, judgement: { findings, unconfirmed: [] } } as unknown as DeskState;
}

/** The calls of the addon, with an event injected once just before one of them. */
function interrupted(
  call: 'holdProcess' | 'signalHolder',
  happens: () => void,
  nth = 1,
): Pick<Machine, 'native'> {
  let calls = 0;
  const native = Object.create(engine.native) as NativeAddon;
  const real = engine.native[call] as (...args: unknown[]) => unknown;
  const once = (...args: unknown[]): unknown => {
    calls++;
    if (calls === nth) happens();
    return real(...args);
  };
  Object.defineProperty(native, call, { value: once });
  return { native };
}

const parts: ShutdownParts = {
  machine,
  law: () => ({ bannedPorts: new Set([PORT]), suppressions: [] }),
  sweep: takeState,
};
const changed = (changes: Partial<Machine>): ShutdownParts => ({
  ...parts,
  machine: { ...machine, ...changes },
});

/** Without delays: what would take seconds is over at the next scan. */
function hasty(): Pick<Machine, 'pause' | 'clockMs'> {
  let now = 0;
  return {
    pause: async () => undefined,
    clockMs: () => {
      now += 1_000;
      return now;
    },
  };
}

async function onlyFinding(): Promise<Finding> {
  const { findings } = (await takeState()).judgement;
  if (findings.length !== 1) throw new Error(`${findings.length} listeners on port ${PORT}`);
  return findings[0] as Finding;
}

/** Ends every process that the scene put on the banned port. */
const end = (...pids: readonly number[]): void => {
  for (const pid of pids) askStage(`end ${pid}`);
};

/** Pid 1 of a namespace holds the socket, alone and with a child, as a service manager does; then the child alone. */
async function init(): Promise<unknown> {
  askStage(`own ${PORT}`);
  const alone = await shutDown(await onlyFinding(), parts);
  const service = Number(askStage('idle'));
  askStage(`share 0 ${service}`);
  const beside = await shutDown(await onlyFinding(), parts);
  const before = askStage('dead');
  askStage('disown');
  const child = await shutDown(await onlyFinding(), parts);
  return { alone, beside, before, service, child, after: askStage('dead') };
}

/** The holder passes its socket on between the plan and the signal. */
async function handOver(): Promise<unknown> {
  const from = Number(askStage(`listen ${PORT}`));
  const to = Number(askStage('idle'));
  const outcome = await shutDown(
    await onlyFinding(),
    changed(interrupted('signalHolder', () => askStage(`pass ${from} ${to}`))),
  );
  return { from, to, outcome, dead: askStage('dead') };
}

/** Another user's listener is planted on a bystander, before the plan and between plan and signal. */
async function planted(): Promise<unknown> {
  const from = Number(askStage(`listen ${PORT} uid=65534`));
  const bystander = Number(askStage('idle'));
  const finding = await onlyFinding();
  const late = await shutDown(
    finding,
    changed(interrupted('signalHolder', () => askStage(`pass ${from} ${bystander}`))),
  );
  const [listener] = (await takeState()).snapshot.listeners.filter(({ port }) => port === PORT);
  const held = engine.native.holdProcess(bystander);
  if (listener === undefined || isRefusal(held)) throw new Error('the bystander does not hold the listener');
  const { inode, family } = listener;
  const asked = [SIGNAL.term, SIGNAL.kill].map(
    (signal) =>
      engine.native.signalHolder(held.handle, signal, { protocol: 6, family, port: PORT, inode }).outcome,
  );
  engine.native.releaseProcess(held.handle);
  const early = await shutDown(await onlyFinding(), parts);
  return { bystander, late, early, asked, dead: askStage('dead') };
}

const POINTS = ['hold', 'hold, listening', 'signal', 'signal, listening', 'kill', 'never'] as const;

/** Pids are reused at every point between plan and signal; no process except the victims of `never` may be signalled. */
async function churn(rounds: number): Promise<unknown> {
  const bystanders = Array.from({ length: 20 }, () => Number(askStage('idle')));
  const counts = { swaps: 0, shutDown: 0, bystanders: 0 };
  const wrong: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const point = POINTS[round % POINTS.length] as (typeof POINTS)[number];
    const victim = Number(askStage(`listen ${PORT}${point === 'kill' ? ' stubborn' : ''}`));
    const finding = await onlyFinding();
    const swap = (): void => {
      counts.swaps++;
      askStage(`swap ${victim}${point.endsWith('listening') ? ` ${PORT}` : ''}`);
    };
    const hooks = {
      hold: () => interrupted('holdProcess', swap),
      signal: () => interrupted('signalHolder', swap),
      kill: () => ({ ...interrupted('signalHolder', swap, 2), ...hasty() }),
      never: () => ({}),
    };
    const name = point.replace(', listening', '') as keyof typeof hooks;
    const outcome: ShutdownOutcome = await shutDown(finding, changed(hooks[name]()));
    const dead = askStage('dead');
    const expected = point === 'never' ? `${victim}:15` : 'none';
    if (dead !== expected) wrong.push(`round ${round} (${point}): ${dead}, ${JSON.stringify(outcome)}`);
    if (point === 'never') counts.shutDown += outcome.result === 'closed' ? 1 : 0;
    else end(victim);
  }
  counts.bystanders = bystanders.length;
  end(...bystanders);
  return { ...counts, wrong };
}

const [scene = '', number = '0'] = process.argv.slice(2);
const scenes: Readonly<Record<string, () => Promise<unknown>>> = {
  init,
  'hand-over': handOver,
  planted,
  churn: () => churn(Number(number)),
};
try {
  const result = await scenes[scene]?.();
  process.stdout.write(`${JSON.stringify(result)}\n`);
} finally {
  await machine.close();
  await engine.close();
}
