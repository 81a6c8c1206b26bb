/**
 * Run by `found.test.ts` in namespaces of its own: makes one thing that a check looks for, rechecks, and prints the findings
 * with the pid of what was made as JSON. `SCENARIO CHECK [WHERE]`.
 */
import { copyFileSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { startActors } from '../support/actor.ts';
import { recheckOnce } from '../support/recheck.ts';
import { startSleeper } from '../support/sleeper.ts';

const [scenario = '', check = '', where = ''] = process.argv.slice(2);
const checks = [check];

/** Whether an ordinary reader, through the C library, sees the preload file. */
const seenByReaders = (): boolean => {
  try {
    return readFileSync('/etc/ld.so.preload').length > 0;
  } catch {
    return false;
  }
};

const scenarios: Readonly<Record<string, () => Promise<object>>> = {
  /** Whatever is there. */
  async quiet() {
    return recheckOnce({ checks, engine: where === '' ? {} : { sys: where } });
  },
  async packet() {
    await using actors = await startActors(['packet']);
    return { pid: actors.pid(0), ...(await recheckOnce({ checks })) };
  },
  async promiscuous() {
    await using actors = await startActors(['promiscuous']);
    return { pid: actors.pid(0), ...(await recheckOnce({ checks, engine: { sys: where } })) };
  },
  /** Over a proc of our own, on whose processes something is mounted. */
  async covered() {
    return recheckOnce({ checks, engine: { root: where } });
  },
  async preload() {
    return { seenByReaders: seenByReaders(), ...(await recheckOnce({ checks })) };
  },
  /** A program of the system that is replaced while it runs. */
  async replaced() {
    const program = join(where, 'sleeper');
    copyFileSync('/bin/sleep', program);
    await using sleeper = await startSleeper(program);
    copyFileSync('/bin/sleep', `${program}.new`);
    renameSync(`${program}.new`, program);
    return { pid: sleeper.pid, ...(await recheckOnce({ checks })) };
  },
};

const made = await scenarios[scenario]?.();
if (made === undefined) throw new Error(`there is no scenario "${scenario}"`);
process.stdout.write(JSON.stringify(made));
