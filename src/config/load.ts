/** Finds, reads and checks the configuration file. A refusal is a value: printed at start; on reload the old configuration stays active. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { conflictsOf } from './conflicts.ts';
import { type Checked, checkDocument, type RefusedFile, readDocument } from './document.ts';
import { type Config, configSchema } from './schema.ts';

export { describeProblems, firstProblem } from './document.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** The file read, null for the defaults. */
  readonly path: string | null;
  /** Local date of the file's last change, `YYYY-MM-DD`; "" without a file. */
  readonly date: string;
}

type ConfigResult = ({ readonly ok: true } & LoadedConfig) | ({ readonly ok: false } & RefusedFile);

type Environment = Readonly<Record<string, string | undefined>>;

/** The paths tried, in order. `DESK_CONFIG` alone counts when it is set. */
export function configPlaces(env: Environment): readonly string[] {
  if (env.DESK_CONFIG) return [env.DESK_CONFIG];
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return [join(home, 'desk', 'desk.toml'), '/etc/desk/desk.toml'];
}

const localDate = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The first file that exists, else the defaults. A missing `DESK_CONFIG` is a problem, and so is a file that cannot be read. */
export function loadConfig(env: Environment = process.env): ConfigResult {
  for (const path of configPlaces(env)) {
    const file = readDocument(path);
    if (!file.ok) {
      if (file.absent && !env.DESK_CONFIG) continue;
      const message =
        'does not exist; DESK_CONFIG names it. Create it, or unset DESK_CONFIG to use the defaults';
      return { ok: false, path, problems: [file.absent ? { ...file.problem, message } : file.problem] };
    }
    const checked = checkConfig(file.bytes);
    return checked.ok
      ? { ok: true, config: checked.value, path, date: localDate(file.changed) }
      : { ok: false, path, problems: checked.problems };
  }
  return { ok: true, config: defaultConfig(), path: null, date: '' };
}

export const defaultConfig = (): Config => configSchema.parse({});

/** Parses and validates the bytes of a configuration file. Never throws. */
export const checkConfig = (bytes: Uint8Array): Checked<Config> =>
  checkDocument(bytes, configSchema, conflictsOf);
