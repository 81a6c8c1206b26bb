/** What settings name on this machine, and is not there. */
import { existsSync, readFileSync } from 'node:fs';
import { defaultConfig, type LoadedConfig } from '../config/load.ts';
import { lawPlaces } from '../features/law/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Missing {
  readonly key: string;
  /** Follows the key in a sentence. */
  readonly message: string;
}

/** Settings whose group or file does not exist. */
export function missingPlaces(loaded: LoadedConfig, env: Environment): readonly Missing[] {
  const { config } = loaded;
  const files = [
    ['mail.password_file', config.mail.password_file],
    ['assistant.api_key_file', config.assistant.api_key_file],
    ...(config.law.file === defaultConfig().law.file
      ? []
      : lawPlaces(loaded, env).map((path) => ['law.file', path] as const)),
  ] as const;
  const { group } = config.access;
  return [
    ...(group !== '' && !groupExists(group)
      ? [{ key: 'access.group', message: `names a group that does not exist: ${group}` }]
      : []),
    ...files
      .filter(([, path]) => path !== '' && !existsSync(path))
      .map(([key, path]) => ({ key, message: `names a file that does not exist: ${path}` })),
  ];
}

/** By group(5), as the guard looks it up. */
function groupExists(name: string): boolean {
  try {
    return readFileSync('/etc/group', 'utf8')
      .split('\n')
      .some((line) => line.startsWith(`${name}:`));
  } catch {
    return false;
  }
}
