/** Makes the context a command runs in: configuration, state folder, service or local desk, each only when asked for. */

import type { Terminal } from '../base/terminal.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Client, ClientOptions } from './client.ts';
import type { Context } from './command.ts';
import { exit, Failure } from './failure.ts';

interface ContextOptions {
  readonly out: Terminal;
  readonly err: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly local: boolean;
  /** Whether the command knows `--local`. */
  readonly orLocal: boolean;
}

const answerWithinMs = 15_000;

export function contextOf(options: ContextOptions): Context {
  const { env } = options;
  let loaded: Promise<LoadedConfig> | undefined;
  const config = (): Promise<LoadedConfig> => {
    loaded ??= readConfig(env);
    return loaded;
  };
  const stateDir = async (): Promise<string> =>
    (await import('../state-folder/state-folder.ts')).stateDirPath(env);
  const client = async ({ timeoutMs = answerWithinMs }: Partial<ClientOptions> = {}): Promise<Client> => {
    const [{ Client, controlAddress }, { folderOwner, readToken }] = await Promise.all([
      import('./client.ts'),
      import('../state-folder/state-folder.ts'),
    ]);
    const address = controlAddress((await config()).config);
    const folder = await stateDir();
    const token = readToken(folder, 'control.token');
    return new Client({
      ...address,
      token,
      folder,
      owner: folderOwner(folder),
      timeoutMs,
      orLocal: options.orLocal,
    });
  };
  const withDesk: Context['withDesk'] = async (work) => {
    const { desk, store, mail, beside } = await localDesk(await config(), await stateDir(), env);
    try {
      return await work(desk, beside);
    } finally {
      await desk.close();
      await mail.close();
      store.close();
    }
  };
  const withSource: Context['withSource'] = async (work, wanted = {}) => {
    if (!options.local) return work(await client(wanted));
    const { localSource } = await import('./source.ts');
    return withDesk((desk, beside) => work(localSource(desk, beside, () => client(wanted))));
  };
  const canAsk = options.out.isTerminal && process.stdin.isTTY === true;
  return { ...options, ...(canAsk && { ask }), config, stateDir, client, withDesk, withSource };
}

/** Anything but a yes is a no. */
async function ask(question: string): Promise<boolean> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await lines.question(question)).trim());
  } finally {
    lines.close();
  }
}

async function readConfig(env: ContextOptions['env']): Promise<LoadedConfig> {
  const { describeProblems, loadConfig } = await import('../config/load.ts');
  const result = loadConfig(env);
  if (result.ok) return result;
  const { length } = result.problems;
  throw new Failure(
    exit.usage,
    `The configuration ${result.path} has ${length === 1 ? 'a problem' : `${length} problems`}.`,
    describeProblems(result).join('\n'),
    'Correct the file, then try "desk config check".',
  );
}

/** A desk without listeners and loop. A missing or impossible native build is a `Failure` with its own remedy. */
async function localDesk(loaded: LoadedConfig, folder: string, env: ContextOptions['env']) {
  const [
    { loadNative },
    { lockPid, openStateDir },
    { openStore },
    { createLogger, logLevel },
    { lawPlaces },
    { StandingMail },
  ] = await Promise.all([
    import('../engine/native/load.ts'),
    import('../state-folder/state-folder.ts'),
    import('../service/tables.ts'),
    import('../base/log.ts'),
    import('../features/law/index.ts'),
    import('../features/mail/index.ts'),
  ]);
  const { addon: native } = nativeOrFailure(loadNative);
  const log = createLogger(env.DESK_LOG_LEVEL ? logLevel(env) : 'error');
  const state = openStateDir(folder);
  const beside = state.lockHolders() > 0 ? lockPid(state.path) : null;
  const store = openStore(state.path, { recover: false });
  const mail = new StandingMail({ folder: state.path, log, native });
  try {
    const [{ createDesk }, { statusAt }] = await Promise.all([
      import('../service/desk-service.ts'),
      import('./client.ts'),
    ]);
    const desk = await createDesk({
      config: loaded.config,
      configDate: loaded.date,
      lawPlaces: lawPlaces(loaded, env),
      state,
      store,
      log,
      loop: false,
      role: 'local',
      beside,
      mail: mail.partsFor(loaded.config),
      probeSite: () => statusAt(loaded.config.listen.public),
    });
    return { desk, store, mail, beside };
  } catch (error) {
    await mail.close();
    store.close();
    throw error;
  }
}

/** Calls the loader; its error message already names file and remedy. */
export function nativeOrFailure<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw new Failure(exit.refused, (error as Error).message, '', '');
  }
}
