/** The files of the law: their paths and contents. Refusals are values. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { codeText } from '../../base/error-code.ts';
import { CHECKS } from '../../checks/index.ts';
import { type Checked, checkDocument, type RefusedFile, readDocument } from '../../config/document.ts';
import { configPlaces, type LoadedConfig } from '../../config/load.ts';
import { type Config, configSchema } from '../../config/schema.ts';
import { bannedPorts } from '../../policy/banned.ts';
import { CAUSE_NAMES } from './causes.ts';
import { NO_FILES } from './law.ts';
import {
  type AcceptedDocument,
  acceptedSchema,
  type LawContext,
  type LawDocument,
  lawSchema,
} from './schema.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `T` with the file it was read from, null when there is none. */
type Loaded<T> =
  | { readonly ok: true; readonly document: T; readonly path: string | null }
  | ({ readonly ok: false } & RefusedFile);

export const contextOf = ({ banned }: Config, uidOf: LawContext['uidOf']): LawContext => ({
  checks: CHECKS.map(({ id }) => id),
  causes: CAUSE_NAMES,
  bannedPorts: bannedPorts(banned),
  uidOf,
});

/** `law.toml`. */
export const readLaw = (bytes: Uint8Array, context: LawContext): Checked<LawDocument> =>
  checkDocument(bytes, lawSchema(context));

/** `law.d/accepted.toml`. */
export const readAccepted = (bytes: Uint8Array, context: LawContext): Checked<AcceptedDocument> =>
  checkDocument(bytes, acceptedSchema(context));

/** Where `law.toml` may be: beside the configuration, or where that would be. The first that exists counts. */
export function lawPlaces({ config, path }: Omit<LoadedConfig, 'date'>, env: Environment): readonly string[] {
  const { file } = config.law;
  if (isAbsolute(file)) return [file];
  if (path !== null) return [resolve(dirname(path), file)];
  return configPlaces(env).map((place) => join(dirname(place), file));
}

/** In the state folder, which the desk can write; the configuration may be on a read-only file system. */
export const acceptedPath = (stateFolder: string): string => join(stateFolder, 'law.d', 'accepted.toml');

const usual = configSchema.shape.law.parse({}).file;

const named = 'does not exist; [law] file of the configuration names it. Create it, or take that key out';

/** `absent` is what to say of a file that does not exist; null when it need not, and then so is the answer. */
function load<T>(
  path: string,
  check: (bytes: Uint8Array, context: LawContext) => Checked<T>,
  config: Config,
  absent: string | null,
): Loaded<T> | null {
  const file = readDocument(path);
  if (file.ok) {
    const checked = check(file.bytes, contextOf(config, uidOf()));
    return checked.ok ? { ok: true, document: checked.value, path } : { ...checked, path };
  }
  if (file.absent && absent === null) return null;
  const message = (file.absent && absent) || file.problem.message;
  return { ok: false, path, problems: [{ ...file.problem, message }] };
}

/** A file that the configuration names must exist; the usual one need not. `absent` as `load` takes it. */
export function loadLaw(
  places: readonly string[],
  config: Config,
  absent: string | null = config.law.file === usual ? null : named,
): Loaded<LawDocument> {
  for (const path of places) {
    const loaded = load(path, readLaw, config, absent);
    if (loaded !== null) return loaded;
  }
  return { ok: true, document: NO_FILES.user, path: null };
}

export const loadAccepted = (path: string, config: Config): Loaded<AcceptedDocument> =>
  load(path, readAccepted, config, null) ?? { ok: true, document: NO_FILES.accepted, path: null };

/** Users by /etc/passwd (passwd(5)), read on first use. */
function uidOf(): (user: string) => number | undefined {
  let users: ReadonlyMap<string, number> | undefined;
  return (user) => {
    users ??= readUsers();
    return users.get(user);
  };
}

function readUsers(): ReadonlyMap<string, number> {
  let text = '';
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // Then no user is known, and each one named is a problem of the file.
  }
  const rows = text.split('\n').map((line) => line.split(':'));
  return new Map(rows.filter((row) => row.length >= 7).map(([name = '', , uid]) => [name, Number(uid)]));
}

/** Changes whenever one of the files does, appears or goes. */
export const signatureOf = (paths: readonly string[]): string =>
  paths
    .map((path) => {
      try {
        const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
        return [dev, ino, size, mode, mtimeNs, ctimeNs].join(' ');
      } catch (error) {
        return codeText(error);
      }
    })
    .join('\n');
