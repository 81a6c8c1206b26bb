/** `PASSES WARM-UP process|listener`: from a change on the machine to the state that shows it, loop on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { DeskState } from '../../src/records/state.ts';
import { compiled } from '../compiled.ts';
import { eventDesk } from './bench-desk.ts';
import { printRound } from './round.ts';

/** Longer than any plausible delay: the change was not seen. */
const NEVER_MS = 10_000;
/** Pause between two changes, so that the desk becomes idle. */
const REST_MS = 120;

await printRound(async () => {
  const [passes, warmUp] = process.argv.slice(2, 4).map(Number) as [number, number];
  const kind = process.argv[4] as 'process' | 'listener';
  const { desk, close } = await eventDesk();
  const changer = spawn(compiled('native/changer.cc'), { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = changer.stdout.setEncoding('utf8')[Symbol.asyncIterator]();
  const shows = ({ snapshot }: DeskState, subject: number): boolean =>
    kind === 'process'
      ? snapshot.processes.rowOf(subject) >= 0
      : snapshot.listeners.some(({ port }) => port === subject);
  const us: number[] = [];
  for (let pass = 0; pass < warmUp + passes; pass += 1) {
    await delay(REST_MS);
    // A state may be there before we read who was changed: all are kept with their time.
    const seen: { at: bigint; state: DeskState }[] = [];
    let wake: () => void = () => {};
    const onState = (state: DeskState): void => {
      seen.push({ at: process.hrtime.bigint(), state });
      wake();
    };
    desk.events.on('state', onState);
    changer.stdin.write(`${kind}\n`);
    const [subject, changed] = String((await lines.next()).value)
      .trim()
      .split(' ');
    const until = performance.now() + NEVER_MS;
    let found: bigint | undefined;
    for (let at = 0; found === undefined; ) {
      const next = seen[at];
      if (next === undefined) {
        if (performance.now() > until) throw new Error(`a new ${kind} was not seen within ${NEVER_MS} ms`);
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
          delay(NEVER_MS / 10),
        ]);
        continue;
      }
      at += 1;
      // Columns belong to the newest two snapshots: an older one would show a newer state.
      if (shows(next.state, Number(subject))) found = next.at;
    }
    desk.events.off('state', onState);
    if (pass >= warmUp) us.push(Math.max(0, Number(found - BigInt(changed as string)) / 1000));
  }
  const { engine } = (await desk.state()).snapshot;
  const polled = desk
    .facts()
    .loop.sources.filter(({ works }) => !works)
    .map(({ id }) => id);
  changer.stdin.end();
  await once(changer, 'exit');
  await close();
  return {
    us,
    facts: {
      backend: engine.backend,
      mark: engine.mark,
      loop: 'event',
      without: polled.join(', ') || 'nothing',
    },
  };
});
