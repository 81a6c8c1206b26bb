/** Where an installation puts its files, for the system manager and for that of one user. */
import { isAbsolute, join } from 'node:path';
import { usage } from '../desk/failure.ts';
import { NAMESPACES_UNITS } from './namespaces.ts';
import { UNIT_NAME } from './unit.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Places {
  readonly manager: 'system' | 'user';
  readonly unit: string;
  /** The units of desk-namespaces; null for a user manager, which has no capability to give them. */
  readonly namespaces: { readonly socket: string; readonly service: string } | null;
  readonly config: string;
  /** File of sysusers.d(5) that makes the account; "" for a user manager. */
  readonly account: string;
  /** Folders in which a unit of the same name would be one of a package. */
  readonly packaged: readonly string[];
  /** There while systemd is the service manager: sd_booted(3). */
  readonly booted: string;
  readonly passwd: string;
}

/** `root`: "/" unless a test has a folder for it. */
export function placesOf(manager: Places['manager'], env: Environment, root = '/'): Places {
  const at = (path: string): string => join(root, path);
  const common = { manager, booted: at('run/systemd/system'), passwd: at('etc/passwd') } as const;
  if (manager === 'system')
    return {
      ...common,
      unit: at(`etc/systemd/system/${UNIT_NAME}`),
      namespaces: {
        socket: at(`etc/systemd/system/${NAMESPACES_UNITS.socket}`),
        service: at(`etc/systemd/system/${NAMESPACES_UNITS.service}`),
      },
      config: at('etc/desk/desk.toml'),
      account: at('etc/sysusers.d/desk.conf'),
      packaged: [at(`usr/lib/systemd/system/${UNIT_NAME}`), at(`lib/systemd/system/${UNIT_NAME}`)],
    };
  // XDG Base Directory Specification: a relative path is invalid and ignored.
  const given = env.XDG_CONFIG_HOME ?? '';
  const home = env.HOME ?? '';
  if (!isAbsolute(given) && !isAbsolute(home))
    throw usage('Your home folder is unknown.', 'Set HOME to its absolute path.');
  const config = isAbsolute(given) ? given : join(home, '.config');
  return {
    ...common,
    unit: join(config, 'systemd/user', UNIT_NAME),
    namespaces: null,
    config: join(config, 'desk/desk.toml'),
    account: '',
    packaged: [at(`usr/lib/systemd/user/${UNIT_NAME}`)],
  };
}
