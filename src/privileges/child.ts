/**
 * Starts the desk's other processes, desk-peek and the mail process, each with the privileges that are its own: directly, or
 * through desk-start when this process has given up the right to change uids. Either way they are children of this process,
 * with one stream to talk over.
 */
import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import { dirname } from 'node:path';
import { codeText } from '../base/error-code.ts';
import { loadNative } from '../native/load.ts';
import { type PrivilegeAddon, START } from '../native/privilege-types.ts';
import { isRefusal } from '../native/types.ts';
import { bearing, born } from './born.ts';
import { channelOver } from './channel.ts';
import { giveFolder, makeLedgerFolder, ownerOf } from './ledger-folder.ts';
import { holds, ownPrivileges } from './own.ts';
import { MAIL_CHANNEL, mailEnvironment, mailWords, PEEK_PROGRAM, START_PROGRAM } from './programs.ts';
import { type OwnUids, ownUids } from './uids.ts';

export interface Child {
  /** Undefined until it is started, and for good when it cannot be. */
  readonly pid: number | undefined;
  /** Null when it could not be made. What is written before it is started waits in it. */
  readonly channel: Socket | null;
  /** Resolves when it is reaped, or cannot be started: a signal, `exit code N`, or an error code. */
  readonly ended: Promise<string>;
  /** SIGKILL. It is ours until it is reaped, so no other process can be hit. */
  kill(): void;
}

export interface StartedChild extends Child {
  /** Whether it could be started; resolves before `ended`. Desk-start may take seconds to answer. */
  readonly started: Promise<boolean>;
}

/** Notes a child of this run; what it returns takes the note away. */
export type Note = (pid: number) => () => void;

type Started = Omit<StartedChild, 'channel'>;

const failed = (reason: string): Started => ({
  pid: undefined,
  started: Promise.resolve(false),
  ended: Promise.resolve(reason),
  kill: () => undefined,
});

/** Started by node, which also reaps it. */
function direct(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  stdio: readonly (number | 'ignore')[],
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
  }
}

const signalNames = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

interface StarterPlace {
  /** The socket of desk-start, and its pid. */
  readonly fd: number;
  readonly pid: number;
  /** Pids of other children that this process had before it executed itself again. */
  readonly inherited: readonly number[];
}

const STARTER_ERRORS: Readonly<Record<string, string>> = {
  ENOTCONN: 'desk-start has ended: restart the service',
  ETIMEDOUT: 'desk-start did not answer',
};

/** Children that desk-start has started: node does not know them, so they are reaped here. */
class Starter {
  readonly #native: PrivilegeAddon;
  readonly #living = new Map<number, (how: string) => void>();
  /** One question at a time, so that a slow answer takes one thread of the pool and not all of them. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Why nothing can be started any more; "" while desk-start runs. */
  trouble = '';
  /** Resolves with that when it ends. */
  readonly end: Promise<string>;

  constructor(native: PrivilegeAddon, { fd, pid, inherited }: StarterPlace) {
    this.#native = native;
    const forget = born(pid, [START_PROGRAM, process.execPath]);
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

  /** Closes `channel`, that of the child, when it was handed over. */
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
        // SIGCHLD may have come before.
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
        if (pid !== undefined) {
          if (this.#living.has(pid)) this.#native.killChild(pid);
          return;
        }
        // Whoever wants its end need not wait for its start.
        killed = true;
        finish('SIGKILL');
      },
    };
  }

  async bind(address: string, port: number): Promise<number | string> {
    const bound = await this.#next(() => this.#native.bindPort(address, port));
    return isRefusal(bound) ? bound.code : bound;
  }

  #next<T>(ask: () => Promise<T>): Promise<T> {
    const answer = this.#turn.then(ask);
    this.#turn = answer.catch(() => undefined);
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

/** From now on children are started through desk-start, whose socket this is. */
export function takeStarter(native: PrivilegeAddon, place: StarterPlace): void {
  starter = new Starter(native, place);
}

/** Why desk-start can start nothing any more; "" while it runs, and where there is none. */
export const starterTrouble = (): string => starter?.trouble ?? '';

/** Resolves with that trouble once desk-start has ended; never where there is none. */
export const starterEnd = (): Promise<string> => starter?.end ?? new Promise(() => undefined);

/**
 * A socket of this process, bound by desk-start to a port of an IP address or `localhost`; the error code where it cannot be
 * bound; null without desk-start.
 */
export async function bindPort(address: string, port: number): Promise<number | string | null> {
  return starter?.bind(address === 'localhost' ? '127.0.0.1' : address, port) ?? null;
}

/** Uids for what this process starts by itself; null when it may not change uids. */
function uidsToTake(kept: number | null): OwnUids | null {
  const own = ownPrivileges();
  return own !== null && own.uid === 0 && holds(own, 'SETUID', 'SETGID', 'CHOWN', 'KILL')
    ? ownUids(kept)
    : null;
}

/** Undefined: it was not looked for yet. */
let peekUid: number | null | undefined;

/** `start` closes the end that it is given when the child has it. */
function overChannel(note: Note, program: string, start: (theirs: number) => Started): StartedChild {
  const pair = loadNative().addon.channelPair();
  if (isRefusal(pair)) return { ...failed(pair.code), channel: null };
  const [ours, theirs] = pair;
  // Before it runs its program it is a fork of this one, or of desk-start.
  const programs = [program, START_PROGRAM, process.execPath];
  const bore = bearing(programs);
  let child: Started;
  try {
    child = start(theirs);
  } catch (error) {
    // As when /proc or the folder of the ledger cannot be read: it is tried again later.
    for (const end of pair) closeSync(end);
    bore();
    return { ...failed(codeText(error)), channel: null };
  }
  const forget: (() => void)[] = [];
  void child.started.then(() => {
    if (child.pid !== undefined) forget.push(born(child.pid, programs), note(child.pid));
    bore();
  });
  return {
    get pid() {
      return child.pid;
    },
    channel: channelOver(ours),
    started: child.started,
    ended: child.ended.then((how) => {
      for (const one of forget) one();
      return how;
    }),
    kill: () => child.kill(),
  };
}

/** As `direct`, over this channel, which is closed here. */
function directOver(channel: number, start: () => Started): Started {
  const child = start();
  closeSync(channel);
  return child;
}

const withoutNote: Note = () => () => undefined;

/** `program`: another one than desk-peek, for tests. */
export function startPeek(program = PEEK_PROGRAM, note = withoutNote): StartedChild {
  return overChannel(note, program, (channel) => {
    if (starter !== null && program === PEEK_PROGRAM) return starter.start('peek', false, channel);
    if (peekUid === undefined) peekUid = uidsToTake(null)?.peek ?? null;
    const words = peekUid === null ? [] : [String(peekUid)];
    // Nothing is inherited: the environment may hold secrets, and a preloaded library has no business there.
    return directOver(channel, () => direct(program, words, {}, [channel, channel, 'ignore']));
  });
}

/** `folder`: that of the ledger, which the mail process is to own. */
export function startMail(folder: string, note = withoutNote): StartedChild {
  try {
    makeLedgerFolder(dirname(folder));
  } catch {
    // As on a full disk: the mail process reports it, and is started again later.
  }
  return overChannel(note, process.execPath, (channel) => {
    if (starter !== null) return starter.start('mail', true, channel);
    const uid = uidsToTake(ownerOf(folder))?.mail ?? null;
    if (uid !== null && ownerOf(folder) !== null) giveFolder(folder, uid);
    const words = ['mail', uid === null ? '-' : String(uid), '1', ...mailWords()];
    const places = Array.from({ length: MAIL_CHANNEL }, () => 'ignore' as const);
    return directOver(channel, () => direct(START_PROGRAM, words, mailEnvironment(), [...places, channel]));
  });
}
