/**
 * Finds, reads and checks the configuration file. A refusal is a value: at start the command prints it, on reload the old
 * configuration stays.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { conflictsOf } from './conflicts.ts';
import { checkDocument, type Problem, type RefusedFile, readDocument } from './document.ts';
import { type Config, configSchema } from './schema.ts';

export { describeProblems, firstProblem } from './document.ts';

export interface LoadedConfig {
  readonly config: Config;
  /** The file read, null when the defaults stand alone. */
  readonly path: string | null;
  /** Local date of the file's last change, `YYYY-MM-DD`; "" without a file. */
  readonly date: string;
}

type ConfigResult = ({ readonly ok: true } & LoadedConfig) | ({ readonly ok: false } & RefusedFile);

type Environment = Readonly<Record<string, string | undefined>>;

/** The places looked at, in order. `DESK_CONFIG` alone counts when it is set. */
export function configPlaces(env: Environment): readonly string[] {
  if (env.DESK_CONFIG) return [env.DESK_CONFIG];
  const home = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  return [join(home, 'desk', 'desk.toml'), '/etc/desk/desk.toml'];
}

const localDate = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/**
 * Loads the first file that exists, else the defaults. A `DESK_CONFIG` that is missing is a problem; so is a file that
 * exists but cannot be read: falling through to another one would silently ignore what the user wrote.
 */
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
      ? { ok: true, config: checked.config, path, date: localDate(file.changed) }
      : { ok: false, path, problems: checked.problems };
  }
  return { ok: true, config: defaultConfig(), path: null, date: '' };
}

export const defaultConfig = (): Config => configSchema.parse({});

type CheckedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Parses and validates the bytes of a configuration file. Never throws. */
export function checkConfig(bytes: Uint8Array): CheckedConfig {
  const checked = checkDocument(bytes, configSchema, conflictsOf);
  return checked.ok ? { ok: true, config: checked.value } : checked;
}
