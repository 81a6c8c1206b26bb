/** A whole `desk` in a private network: its command, its service, their output. */
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordOf } from '../../src/records/define.ts';
import type { deskHygiene } from '../../src/records/desk-hygiene.ts';
import { readToken } from '../../src/state-folder/files.ts';
import { until } from '../real/running.ts';
import { deskWords } from './entry.ts';
import { putMachineLaw } from './machine-law.ts';
import type { Namespace } from './namespace.ts';

export interface BootedDesk {
  readonly pid: number;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly stop: () => Promise<number | null>;
  readonly stdout: () => string;
  readonly stderr: () => string;
}

export interface NamespacedDesk {
  readonly env: Readonly<Record<string, string>>;
  /** Path of the state folder. */
  readonly state: string;
  /** Runs `desk WORDS` there. */
  run(words: readonly string[]): ReturnType<Namespace['run']>;
  /** `GET /av` of the service: it has no separate command. */
  hygiene(): Promise<RecordOf<typeof deskHygiene>>;
  /** Starts `desk boot`; resolves when it has reported that it is ready. */
  boot(): Promise<BootedDesk>;
}

/** `sections` is the configuration without its listeners; it is written to `folder`, as is the state folder. The desk runs as `uid`. */
export function deskIn(
  namespace: Namespace,
  folder: string,
  sections: string,
  more: Readonly<Record<string, string>> = {},
  shutDown: 'auto' | 'never' = 'never',
  uid = 0,
): NamespacedDesk {
  const config = join(folder, 'desk.toml');
  const state = join(folder, 'state');
  writeFileSync(config, `[banned]\nshut_down = "${shutDown}"\n${sections}`);
  putMachineLaw(folder);
  mkdirSync(state, { mode: 0o700 });
  chownSync(state, uid, uid);
  const env = { DESK_CONFIG: config, DESK_STATE: state, HOME: folder, TMPDIR: folder, ...more };
  const as = uid === 0 ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
  const wordsOf = (words: readonly string[]) => [...as, process.execPath, ...deskWords(), ...words];
  return {
    env,
    state,
    run: (words) => namespace.run(wordsOf(words), { env }),
    hygiene: async () => {
      const { stdout, stderr } = await namespace.run([
        process.execPath,
        '-e',
        'fetch("http://127.0.0.1:18772/av", { headers: { Authorization: process.argv[1] } }).then(async (answer) => console.log(await answer.text()))',
        `Bearer ${readToken(state, 'control.token')}`,
      ]);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as RecordOf<typeof deskHygiene>;
    },
    boot: async () => {
      const child = namespace.spawn(wordsOf(['boot']), { env });
      const output = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => {
          output[name] += text;
        });
      const closed = once(child, 'close') as Promise<[number | null]>;
      await until(async () => {
        if (child.exitCode !== null) throw new Error(`the service ended: ${output.stderr}`);
        return output.stdout !== '';
      }, 'the start report');
      return {
        pid: child.pid as number,
        signal: (name) => namespace.signal(child, name),
        stop: async () => {
          namespace.signal(child, 'SIGTERM');
          return (await closed)[0];
        },
        stdout: () => output.stdout,
        stderr: () => output.stderr,
      };
    },
  };
}
