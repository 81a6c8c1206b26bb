/**
 * Starts desk-peek and the mail process, each with its own privileges: directly, or through desk-start when this process has dropped
 * the right to change uids. In both cases they are children of this process, with one stream as the channel.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { codeText } from '../base/error-code.ts';
import { loadNative } from '../engine/native/load.ts';
import { type PrivilegeAddon, START } from '../engine/native/privilege-types.ts';
import { isRefusal } from '../engine/native/types.ts';
import { expectChild, registerChild } from './born.ts';
import { giveFolder, makeLedgerFolder, ownerOf } from './ledger-folder.ts';
import { holds, ownPrivileges } from './own.ts';
import { MAIL_CHANNEL, mailEnvironment, mailWords, PEEK_PROGRAM, START_PROGRAM } from './programs.ts';
import { type OwnUids, ownUids } from './uids.ts';

export interface Child {
  /** Undefined until it is started, and after a failed start. */
  readonly pid: number | undefined;
  /** Null when it could not be created. Data written before the start is kept in it. */
  readonly channel: Socket | null;
  /** Resolves when it is reaped or cannot be started: a signal, `exit code N`, or an error code. */
  readonly ended: Promise<string>;
  /** SIGKILL. Its pid is not reused before it is reaped. */
  kill(): void;
}

export interface StartedChild extends Child {
  /** Whether the start succeeded; resolves before `ended`. desk-start may take seconds to answer. */
  readonly started: Promise<boolean>;
}

/** Notes a child of this run; the returned function removes the note. */
export type Note = (pid: number) => () => void;

type Started = Omit<StartedChild, 'channel'>;

const failed = (reason: string): Started => ({
  pid: undefined,
  started: Promise.resolve(false),
  ended: Promise.resolve(reason),
  kill: () => undefined,
});

/** Started and reaped by Node. Closes `channel`, the child's end, after the start. */
function direct(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: readonly (number | 'ignore')[],
  channel: number,
): Started {
  try {
    const child = spawn(program, words, { cwd: '/', env, stdio: [...stdio] });
    const ended = new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
      child.on('error', (error) => (child.pid === undefined ? resolve(codeText(error)) : undefined));
    });
    child.unref();
    const started = Promise.resolve(child.pid !== undefined);
    return { pid: child.pid, started, ended, kill: () => void child.kill('SIGKILL') };
  } catch (error) {
    return failed(codeText(error));
  } finally {
    closeSync(channel);
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

interface StarterHandle {
  readonly fd: number;
  readonly pid: number;
  /** Pids of other children from before this process executed itself again. */
  readonly inherited: readonly number[];
}

const STARTER_ERRORS: Readonly<Record<string, string>> = {
  ENOTCONN: 'desk-start has ended: restart the service',
  ETIMEDOUT: 'desk-start did not answer',
};

/** Children started by desk-start: Node does not know them, so they are reaped here. */
class Starter {
  readonly #native: PrivilegeAddon;
  readonly #living = new Map<number, (how: string) => void>();
  /** One request at a time, so that a slow answer blocks one thread of the pool only. */
  #queue: Promise<unknown> = Promise.resolve();
  /** Why no child can be started; "" while desk-start runs. */
  trouble = '';
  /** Resolves with `trouble` when desk-start ends. */
  readonly end: Promise<string>;

  constructor(native: PrivilegeAddon, { fd, pid, inherited }: StarterHandle) {
    this.#native = native;
    const forget = registerChild(pid, [START_PROGRAM, process.execPath]);
    for (const child of inherited) this.#living.set(child, () => undefined);
    this.end = new Promise((resolve) =>
      this.#living.set(pid, (how) => {
        forget();
        this.trouble = `desk-start has ended (${how}), restart the service: until then desk-peek and the mail process are not started again, and other network namespaces are not seen`;
        resolve(this.trouble);
      }),
    );
    native.useStarter(fd);
    process.on('SIGCHLD', () => this.#reap());
    this.#reap();
  }

  /** Closes `channel`, the child's end, after the request. */
  start(what: keyof typeof START, reads: boolean, channel: number): Started {
    let pid: number | undefined;
    let killed = false;
    let begun: (started: boolean) => void = () => undefined;
    let end: (how: string) => void = () => undefined;
    const started = new Promise<boolean>((resolve) => {
      begun = resolve;
    });
    const ended = new Promise<string>((resolve) => {
      end = resolve;
    });
    const finish = (how: string): void => {
      begun(false);
      end(how);
    };
    this.#next(() => this.#native.startChild(START[what], reads ? 1 : 0, channel))
      .then((answer) => {
        // SIGCHLD may have come before this answer.
        setImmediate(() => this.#reap());
        if (isRefusal(answer)) return finish(STARTER_ERRORS[answer.code] ?? answer.code);
        pid = answer;
        this.#living.set(pid, end);
        if (killed) this.#native.killChild(pid);
        begun(true);
      })
      .catch((error) => finish(codeText(error)))
      .finally(() => closeSync(channel));
    return {
      get pid() {
        return pid;
      },
      started,
      ended,
      kill: () => {
        if (pid === undefined) {
          // `ended` does not wait for the start.
          killed = true;
          finish('SIGKILL');
        } else if (this.#living.has(pid)) this.#native.killChild(pid);
      },
    };
  }

  async bind(address: string, port: number): Promise<number | string> {
    const bound = await this.#next(() => this.#native.bindPort(address, port));
    return isRefusal(bound) ? bound.code : bound;
  }

  #next<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#queue.then(ask);
    this.#queue = answer.catch(() => undefined);
    return answer;
  }

  #reap(): void {
    for (const pid of this.#native.lateChildren()) this.#living.set(pid, () => undefined);
    for (const [pid, resolve] of this.#living) {
      const how = this.#native.reapChild(pid);
      if (how === null) continue;
      this.#living.delete(pid);
      if (isRefusal(how)) resolve(how.code);
      else resolve(how.signal === 0 ? `exit code ${how.code}` : (signalNames.get(how.signal) ?? 'a signal'));
    }
  }
}

let starter: Starter | null = null;

/** Children are started through this desk-start from now on. */
export function takeStarter(native: PrivilegeAddon, place: StarterHandle): void {
  starter = new Starter(native, place);
}

/** Whether children are started through desk-start, which may have ended since. */
export const hasStarter = (): boolean => starter !== null;

/** Why desk-start cannot start children; "" while it runs or is not used. */
export const starterTrouble = (): string => starter?.trouble ?? '';

/** Resolves with that trouble when desk-start has ended; never where it is not used. */
export const starterEnd = (): Promise<string> => starter?.end ?? new Promise(() => undefined);

/** A socket bound by desk-start to a port of an IP address or `localhost`, or the error code; null without desk-start. */
export async function bindPort(address: string, port: number): Promise<number | string | null> {
  return starter?.bind(address === 'localhost' ? '127.0.0.1' : address, port) ?? null;
}

/** Uids for children started directly; null when this process may not change uids. */
function uidsToTake(kept: number | null): OwnUids | null {
  const own = ownPrivileges();
  return own?.uid === 0 && holds(own, 'SETUID', 'SETGID', 'CHOWN', 'KILL') ? ownUids(kept) : null;
}

/** Undefined: not determined yet. */
let peekUid: number | null | undefined;

/** `start` closes its end of the channel when the child has it. */
function overChannel(note: Note, program: string, start: (theirs: number) => Started): StartedChild {
  const pair = loadNative().addon.channelPair();
  if (isRefusal(pair)) return { ...failed(pair.code), channel: null };
  const [ours, theirs] = pair;
  // Between fork and exec it runs the program of its parent: this one or desk-start.
  const programs = [program, START_PROGRAM, process.execPath];
  const expected = expectChild(programs);
  let child: Started;
  try {
    child = start(theirs);
  } catch (error) {
    // For example, /proc or the folder of the ledger cannot be read: tried again later.
    for (const end of pair) closeSync(end);
    expected();
    return { ...failed(codeText(error)), channel: null };
  }
  const channel = new Socket({ fd: ours });
  // An error is reported by the end of the child.
  channel.on('error', () => undefined);
  const forget: (() => void)[] = [];
  void child.started.then(() => {
    if (child.pid !== undefined) forget.push(registerChild(child.pid, programs), note(child.pid));
    expected();
  });
  return {
    get pid() {
      return child.pid;
    },
    channel,
    started: child.started,
    ended: child.ended.then((how) => {
      for (const one of forget) one();
      return how;
    }),
    kill: () => child.kill(),
  };
}

export const withoutNote: Note = () => () => undefined;

/** `program`: for tests. */
export function startPeek(program = PEEK_PROGRAM, note = withoutNote): StartedChild {
  return overChannel(note, program, (channel) => {
    if (starter !== null && program === PEEK_PROGRAM) return starter.start('peek', false, channel);
    if (peekUid === undefined) peekUid = uidsToTake(null)?.peek ?? null;
    const words = peekUid === null ? [] : [String(peekUid)];
    // No environment: it may hold secrets or preload a library.
    return direct(program, words, {}, [channel, channel, 'ignore'], channel);
  });
}

/** `folder`: that of the ledger, which the mail process gets to own. */
export function startMail(folder: string, note = withoutNote): StartedChild {
  try {
    makeLedgerFolder(dirname(folder));
  } catch {
    // For example, a full disk: the mail process reports it, and is started again later.
  }
  return overChannel(note, process.execPath, (channel) => {
    if (starter !== null) return starter.start('mail', true, channel);
    const uid = uidsToTake(ownerOf(folder))?.mail ?? null;
    if (uid !== null && ownerOf(folder) !== null) giveFolder(folder, uid);
    const words = ['mail', uid === null ? '-' : String(uid), '1', ...mailWords()];
    const places = Array.from({ length: MAIL_CHANNEL }, () => 'ignore' as const);
    return direct(START_PROGRAM, words, mailEnvironment(), [...places, channel], channel);
  });
}
