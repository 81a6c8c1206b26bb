/** Run in an overlay (startup-seen.test.ts): a cron job is planted, seen, run and removed while a desk watches; prints what it says. */
import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { STARTUP } from '../../src/desk/startup.ts';
import { write } from '../support/silent-package.ts';
import { withLearnedDesk } from './startup-learned.ts';

export interface Seen {
  /** Null: it was not. */
  readonly seenMs: number | null;
  /** Of each item of `LATER`; null: it was not. */
  readonly laterMs: Readonly<Record<string, number | null>>;
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
/** After a pass over all places of 1.5 s or more, the next one comes later than this. */
const SOON_MS = 30_000;
const HOME = '/home/late';
const DESKTOP = `[Desktop Entry]\nType=Application\nExec=${PROGRAM}\n`;
/** What is planted, one after another, and the file that a finding names. */
const LATER = [
  [
    'file of a new account',
    `${HOME}/.config/autostart/first.desktop`,
    (path: string) => {
      write(path, DESKTOP);
      appendFileSync('/etc/passwd', `late:x:4321:4321::${HOME}:/bin/sh\n`);
    },
  ],
  [
    'later file of that account',
    `${HOME}/.config/autostart/second.desktop`,
    (path: string) => write(path, DESKTOP),
  ],
  [
    'home that is given to a known account',
    '/home/moved/.config/autostart/first.desktop',
    (path: string) => {
      write(path, DESKTOP);
      writeFileSync('/etc/passwd', readFileSync('/etc/passwd', 'utf8').replace(`:${HOME}:`, ':/home/moved:'));
    },
  ],
  [
    'target of a link',
    '/etc/cron.d/linked',
    async (path: string) => {
      symlinkSync('/srv/late', path);
      // The link is read, and its target watched.
      await delay(2_000);
      write('/srv/late', `* * * * * root ${PROGRAM}\n`);
    },
  ],
] as const;

await withLearnedDesk(async (desk) => {
  const until = async (isSo: () => boolean, mostMs = MOST_MS): Promise<number | null> => {
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < mostMs) {
      if (isSo()) return Math.round(performance.now() - sinceMs);
      await delay(20);
    }
    return null;
  };
  const findings = () => desk.latest()?.judgement.findings ?? [];
  const naming = (path: string) => findings().find(({ summary }) => summary.includes(path));
  const ofJob = () => naming(JOB);
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
  const laterMs: Record<string, number | null> = {};
  for (const [name, path, plant] of LATER) {
    await plant(path);
    laterMs[name] = await until(() => naming(path) !== undefined, SOON_MS);
  }
  const seen: Seen = {
    ...{ seenMs, laterMs, gone, runs, returns: ofChild?.returns },
    startedBy: ofChild?.starts.map(({ path }) => path),
  };
  process.stdout.write(JSON.stringify(seen));
});
