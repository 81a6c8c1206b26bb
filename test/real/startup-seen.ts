/** Run in an overlay (startup-seen.test.ts): a cron job is planted, seen, run and removed while a desk watches; prints what it says. */
import { spawn } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { STARTUP } from '../../src/desk/startup.ts';
import { write } from '../support/silent-package.ts';
import { withLearnedDesk } from './startup-learned.ts';

export interface Seen {
  /** Null: it was not. */
  readonly seenMs: number | null;
  readonly gone: boolean;
  /** Of the process that the job would start. */
  readonly returns: string | undefined;
  readonly startedBy: readonly string[] | undefined;
  /** Of the job: whether it names that process. */
  readonly runs: boolean | undefined;
}

const JOB = '/etc/cron.d/seen-at-once';
const PROGRAM = '/tmp/evil';
const MOST_MS = 60_000;

await withLearnedDesk(async (desk) => {
  const until = async (isSo: () => Promise<boolean> | boolean): Promise<number | null> => {
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < MOST_MS) {
      if (await isSo()) return Math.round(performance.now() - sinceMs);
      await delay(20);
    }
    return null;
  };
  const findings = () => desk.latest()?.judgement.findings ?? [];
  const ofJob = () => findings().find(({ summary }) => summary.includes(JOB));
  write(JOB, `* * * * * root ${PROGRAM}\n`);
  const seenMs = await until(() => ofJob() !== undefined);
  copyFileSync('/usr/bin/sleep', PROGRAM);
  const child = spawn(PROGRAM, ['120'], { stdio: 'ignore' });
  const ofProcess = () => findings().find(({ about }) => about?.pid === child.pid);
  await until(() => ofProcess()?.about?.executable === PROGRAM);
  const { snapshot } = await desk.state({ maxAgeMs: 0 });
  const links = (finding: ReturnType<typeof ofJob>) =>
    finding && desk.use(STARTUP).linksOf(finding, snapshot.processes);
  const ofChild = links(ofProcess());
  const runs = links(ofJob())?.running.some(({ pid }) => pid === child.pid);
  child.kill();
  rmSync(JOB);
  const gone = (await until(() => ofJob() === undefined)) !== null;
  const seen: Seen = {
    ...{ seenMs, gone, runs, returns: ofChild?.returns },
    startedBy: ofChild?.starts.map(({ path }) => path),
  };
  process.stdout.write(JSON.stringify(seen));
});
