/** A command of the user's that takes a message: JSON on its standard input, exit code 0 when it is delivered. */
import { spawn } from 'node:child_process';
import { codeText } from '../../base/error-code.ts';
import { registerChild } from '../../privileges/born.ts';
import type { AlertMessage } from './message.ts';
import type { Sent } from './senders.ts';

const TIMEOUT_MS = 30_000;
/** Characters kept of what it writes to standard error. */
const MOST_SAID = 200;

interface Run {
  /** An earlier attempt may have delivered it. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  /** What it reads on its standard input. */
  readonly input: string;
}

/** Rejects with what spawn throws. The process is killed at the time limit; what it started itself is not. */
export function runCommand(
  [program = '', ...words]: readonly string[],
  message: AlertMessage,
  { again, signal, input }: Run,
  timeoutMs = TIMEOUT_MS,
): Promise<Sent> {
  return new Promise((resolve) => {
    const programs = [program, process.execPath];
    const child = spawn(program, words, {
      cwd: '/',
      stdio: ['pipe', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '/usr/bin:/bin',
        LANG: process.env.LANG ?? 'C.UTF-8',
        DESK_ALERT_ID: message.id,
        DESK_ALERT_KIND: message.kind,
        DESK_ALERT_SEVERITY: message.severity ?? 'none',
        DESK_ALERT_AGAIN: again ? '1' : '0',
      },
    });
    const forget = child.pid === undefined ? () => undefined : registerChild(child.pid, programs);
    let said = '';
    let why = '';
    const stop = (reason: string): void => {
      why ||= reason;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(stop, timeoutMs, `it did not end within ${timeoutMs / 1000} s`);
    const leave = (): void => stop('the desk is stopping');
    signal.addEventListener('abort', leave);
    const end = (sent: Sent): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
      forget();
      resolve(sent);
    };
    // Neither exists where the process could not be made: that is the event `error`.
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, MOST_SAID);
    });
    // A command need not read its input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', (error) =>
      end({ ok: false, reason: `${program} cannot be started (${codeText(error)})`, unsure: false }),
    );
    child.on('exit', (code, killed) => {
      if (code === 0) return end({ ok: true, detail: 'exit code 0' });
      const words = said.replace(/\s+/g, ' ').trim();
      const how = why || (killed === null ? `it ended with exit code ${code}` : `it was ended by ${killed}`);
      end({ ok: false, reason: `${how}${words === '' ? '' : ` ("${words}")`}`, unsure: code === null });
    });
  });
}
