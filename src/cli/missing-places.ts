/** Settings that name a group or file of this machine that does not exist. */
import { existsSync, readFileSync } from 'node:fs';
import { defaultConfig, type LoadedConfig } from '../config/load.ts';
import { lawPlaces } from '../features/law/index.ts';
import type { Environment } from './command.ts';

/** `message` follows the key in a sentence. */
export function missingPlaces(loaded: LoadedConfig, env: Environment): { key: string; message: string }[] {
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
