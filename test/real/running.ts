/** A real `desk` as a child process, with its own ports, state folder and configuration; all removed at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deskWords, type Entry } from '../support/entry.ts';
import { freePorts } from '../support/free-ports.ts';
import { putMachineLaw } from '../support/machine-law.ts';
import { projectRoot } from '../support/require.ts';
import { patientMs } from '../support/time-limit.ts';
import { until } from '../support/until.ts';

/** A configuration in which no recheck happens between two requests of a test. */
export const calm = '[loop]\nmode = "poll"\nperiod_ms = 600000\n';

/** A temporary folder that only its owner may enter, with a configuration file; removed with `using`. */
export interface Home extends Disposable {
  readonly folder: string;
  readonly state: string;
  readonly config: string;
  readonly ports: {
    readonly control: number;
    readonly office: number;
    readonly public: number;
    readonly themed: number;
  };
}

/**
 * `sections` is TOML after the listeners; for a section named in `without` it has the definition. `used`: the state folder is not
 * new, so that nothing is learned automatically.
 */
export async function makeHome(
  sections = '',
  { without = [] as readonly string[], uid = process.geteuid?.() ?? 0, used = false } = {},
): Promise<Home> {
  const folder = mkdtempSync(join(tmpdir(), 'desk-real-'));
  const [control = 0, office = 0, open = 0, themed = 0] = await freePorts(4);
  const ports = { control, office, public: open, themed };
  const listeners = Object.entries(ports)
    .filter(([role]) => role !== 'themed' && !without.includes(role))
    .map(([role, port]) => `[listen.${role}]\nport = ${port}\n`);
  const config = join(folder, 'desk.toml');
  writeFileSync(config, `${listeners.join('')}${sections}`);
  putMachineLaw(folder);
  const home = {
    folder,
    state: join(folder, 'state'),
    config,
    ports,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
  const other = uid !== process.geteuid?.();
  if (used || other) mkdirSync(home.state, { mode: 0o700 });
  if (used) writeFileSync(join(home.state, 'desk.lock'), '');
  if (other) for (const path of [folder, home.state, config]) chownSync(path, uid, uid);
  return home;
}

export interface RunOptions {
  readonly entry?: Entry;
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly cwd?: string;
  /** Words before the command, e.g. a program that starts it. */
  readonly before?: readonly string[];
  /** Time limit until it is ready; default 20 s. */
  readonly withinMs?: number;
}

/** Starts `desk ARGS` with the home's configuration and state. */
export function startDesk(
  home: Home,
  args: readonly string[],
  { entry, env = {}, user, cwd = projectRoot, before = [] }: RunOptions = {},
) {
  const [command = '', ...words] = [...before, process.execPath, ...deskWords(entry), ...args];
  const child = spawn(command, words, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: home.folder,
      TMPDIR: home.folder,
      DESK_CONFIG: home.config,
      DESK_STATE: home.state,
      NO_COLOR: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  return { child, output };
}

/** Runs `desk ARGS` to its end; `code` is null when it was killed after 20 s. */
export async function runDesk(home: Home, args: readonly string[], options: RunOptions = {}) {
  const { child, output } = startDesk(home, args, options);
  const timer = setTimeout(() => child.kill('SIGKILL'), patientMs(20_000));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, ...output };
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read the bodies
  readonly json: any;
}

export interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request on a separate connection. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', body, headers = {} }: Asked = {},
): Promise<Answer> {
  const timeout = patientMs(20_000);
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { ...type, ...headers },
        agent: false,
        timeout,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const isJson = /json/.test(response.headers['content-type'] ?? '');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: isJson && text ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer on ${path} within ${timeout / 1000} s`)));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** An issue of an ordinary user's service about processes that it cannot read; root's service never has it. */
export const isHidden = (issue: string): boolean =>
  process.geteuid?.() !== 0 && /^\d+ of \d+ processes are hidden from this user;/.test(issue);

/** The grade of a desk that has no other problems than these issues. */
export const gradeIfWell = (issues: readonly string[]): string => (issues.some(isHidden) ? 'silver' : 'gold');

export { until };

export interface Service extends AsyncDisposable {
  readonly home: Home;
  readonly child: ChildProcess;
  readonly output: { readonly stdout: string; readonly stderr: string };
  readonly token: string;
  get(path: string, asked?: Asked): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Bearer header of the control token. */
  readonly bearer: Readonly<Record<string, string>>;
  alive(): Promise<boolean>;
  /** Sends SIGTERM; returns the exit code. */
  stop(): Promise<number | null>;
}

/** Starts `desk boot` and waits for its start report and an answer of its control listener. The home is removed with the service. */
export async function startService(
  home: Home,
  options: RunOptions = {},
  args: readonly string[] = [],
): Promise<Service> {
  const { child, output } = startDesk(home, ['boot', ...args], options);
  const closed = once(child, 'close') as Promise<[number | null]>;
  let ended = false;
  closed.then(() => {
    ended = true;
  });
  const control = home.ports.control;
  const healthy = () =>
    ask(control, '/healthz').then(
      ({ status }) => status === 200,
      () => false,
    );
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patientMs(15_000));
    const [code] = await closed;
    clearTimeout(timer);
    return code;
  };
  const dispose = async () => {
    if (!ended) await stop();
    home[Symbol.dispose]();
  };
  try {
    await until(
      async () => {
        if (ended) throw new Error(`the service ended: ${output.stderr}${output.stdout}`);
        // The start report is printed when all ports that can be bound are bound.
        return output.stdout !== '' && (await healthy());
      },
      `the service on port ${control}`,
      options.withinMs,
    );
    const token = readFileSync(join(home.state, 'control.token'), 'utf8').trim();
    const bearer = { Authorization: `Bearer ${token}` };
    return {
      home,
      child,
      output,
      token,
      bearer,
      get: (path, asked) => ask(control, path, asked),
      post: (path, body, headers = {}) =>
        ask(control, path, {
          method: 'POST',
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          headers,
        }),
      alive: async () => !ended && (await healthy()),
      stop,
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** The desk status after a recheck has seen the last change of the test. */
export const statusWith = (
  service: Service,
  seen: (status: { ports_up: number; ports_n: number }) => boolean,
) =>
  until(
    async () => {
      const { json } = await service.get('/status');
      return seen(json) && json;
    },
    'a status that knows the ports',
    8_000,
  );

/** What accepting a finding would cover now, as POST /accept requires it. */
export const shownOf = async (service: Pick<Service, 'get'>, finding: string): Promise<string> =>
  (await service.get(`/findings/${finding}`)).json.accept.id;
