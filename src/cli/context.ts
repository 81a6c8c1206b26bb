/** Makes the context a command runs in: configuration, state folder, service or local desk, each only when it is needed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedConfig } from '../config/load.ts';
import { exit, Failure, usage } from '../desk/failure.ts';
import type { NativeAddon } from '../engine/native/types.ts';
import type { Client } from './client.ts';
import type { CliContext, Environment } from './command.ts';

interface ContextOptions extends Pick<CliContext, 'out' | 'err' | 'env' | 'json' | 'local'> {
  /** Whether the command takes `--local`. */
  readonly orLocal: boolean;
}

const answerWithinMs = 15_000;
/** State folder of a service that "desk install" or a package has installed. */
const MACHINE_STATE = '/var/lib/desk';

export function contextOf(options: ContextOptions): CliContext {
  const { env, out, json, local, orLocal } = options;
  let loaded: Promise<LoadedConfig> | undefined;
  const config: CliContext['config'] = () => (loaded ??= readConfig(env));
  const stateDir: CliContext['stateDir'] = async () =>
    (await import('../state-folder/state-folder.ts')).stateDirPath(env);
  const serviceDir: CliContext['serviceDir'] = async () => {
    const { folderOwner, readToken } = await import('../state-folder/state-folder.ts');
    const own = await stateDir();
    const named = Boolean(env.DESK_STATE) || readToken(own, 'control.token') !== undefined;
    return named || folderOwner(MACHINE_STATE) === undefined ? own : MACHINE_STATE;
  };
  const client: CliContext['client'] = async ({
    timeoutMs = answerWithinMs,
    anonymous = false,
  } = {}): Promise<Client> => {
    const [{ Client, controlAddress }, { folderOwner, readToken }] = await Promise.all([
      import('./client.ts'),
      import('../state-folder/state-folder.ts'),
    ]);
    const address = controlAddress((await config()).config);
    const folder = await serviceDir();
    const token = anonymous ? undefined : readToken(folder, 'control.token');
    return new Client({ ...address, token, folder, owner: folderOwner(folder), timeoutMs, orLocal });
  };
  const withDesk: CliContext['withDesk'] = async (work) => {
    const { desk, store, residents, beside } = await localDesk(await config(), await stateDir(), env);
    try {
      return await work(desk, beside);
    } finally {
      await desk.close();
      await residents.close();
      store.close();
    }
  };
  return {
    ...options,
    ...(out.isTerminal && process.stdin.isTTY === true && { ask }),
    answer(record, print, well = true) {
      if (json) out.json(record);
      else out.together((whole) => print(whole, record));
      return well ? exit.ok : exit.findings;
    },
    config,
    stateDir,
    serviceDir,
    client,
    withDesk,
    async withStore(read, none) {
      const folder = await serviceDir();
      const [{ folderOwner, openStateDir }, { openStore, tablesOf }] = await Promise.all([
        import('../state-folder/state-folder.ts'),
        import('../service/tables.ts'),
      ]);
      const owner = folderOwner(folder);
      const uid = process.geteuid?.();
      if (folder === MACHINE_STATE && owner !== uid && uid !== 0)
        throw new Failure(
          exit.refused,
          `The state of the service is in ${folder}.`,
          'Only the user of the service and root may read it.',
          'Run the command with sudo.',
        );
      if (!existsSync(join(folder, 'desk.db'))) {
        if (none !== undefined) return none;
        const remedy = 'Start the service (desk boot), or set DESK_STATE to its state folder.';
        throw new Failure(exit.findings, `There is no store in ${folder}.`, '', remedy);
      }
      // Root reads the store of the machine's service as its user: files that SQLite makes beside it belong to that user.
      const asOwner = folder === MACHINE_STATE && uid === 0 && owner !== undefined && owner !== 0;
      if (asOwner) process.seteuid?.(owner);
      try {
        const store = openStore(openStateDir(folder).path, { recover: false });
        try {
          return read(tablesOf(store));
        } finally {
          store.close();
        }
      } finally {
        if (asOwner) process.seteuid?.(0);
      }
    },
    async withSource(work, patience) {
      if (!local) return work(await client(patience));
      const { localSource } = await import('./source.ts');
      return withDesk((desk, beside) => work(localSource(desk, beside, () => client(patience))));
    },
  };
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

async function readConfig(env: Environment): Promise<LoadedConfig> {
  const { describeProblems, loadConfig } = await import('../config/load.ts');
  const result = loadConfig(env);
  if (result.ok) return result;
  const { length } = result.problems;
  throw usage(
    `The configuration ${result.path} has ${length === 1 ? 'a problem' : `${length} problems`}.`,
    'Correct the file, then try "desk config check".',
    describeProblems(result).join('\n'),
  );
}

/** A desk without listeners and loop. */
async function localDesk(loaded: LoadedConfig, folder: string, env: Environment) {
  const [{ lockPid, openStateDir }, { openStore }, { createLogger, logLevel }, { lawPlaces }, { Residents }] =
    await Promise.all([
      import('../state-folder/state-folder.ts'),
      import('../service/tables.ts'),
      import('../base/log.ts'),
      import('../features/law/index.ts'),
      import('../service/features.ts'),
    ]);
  const native = await nativeAddon();
  const log = createLogger(env.DESK_LOG_LEVEL ? logLevel(env) : 'error');
  const state = openStateDir(folder);
  const beside = state.lockHolders() > 0 ? lockPid(state.path) : null;
  const store = openStore(state.path, { recover: false });
  const residents = await Residents.open({ folder: state.path, log, native });
  try {
    const [{ createDesk }, { withOfficePortOfService }, { statusAt }] = await Promise.all([
      import('../service/desk-service.ts'),
      import('../service/office-port.ts'),
      import('./client.ts'),
    ]);
    const config = beside === null ? loaded.config : await withOfficePortOfService(loaded.config);
    const desk = await createDesk({
      config,
      configDate: loaded.date,
      lawPlaces: lawPlaces(loaded, env),
      state,
      store,
      log,
      loop: false,
      role: 'local',
      beside,
      residents: residents.partsFor(config),
      probeSite: () => statusAt(loaded.config.listen.public),
    });
    return { desk, store, residents, beside };
  } catch (error) {
    await residents.close();
    store.close();
    throw error;
  }
}

/** Calls a loader of the native build, whose error message names file and remedy. */
export function nativeOrFailure<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw new Failure(exit.refused, (error as Error).message);
  }
}

export async function nativeAddon(): Promise<NativeAddon> {
  const { loadNative } = await import('../engine/native/load.ts');
  return nativeOrFailure(loadNative).addon;
}
