/**
 * The systemd unit of the service, as text: systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.kill(5). Pure. What each
 * setting costs and why others are left out was measured: docs/install.md.
 */
import { NETWORK_VARIABLE } from '../config/local-only.ts';

export interface UnitOptions {
  readonly manager: 'system' | 'user';
  /** Words of ExecStart; the first one is an absolute path. */
  readonly command: readonly string[];
  /** 'dynamic', or the name of an account that exists. Has no effect for a user manager. */
  readonly user: string;
  /** Path of the file with the mail password, '' for none; becomes LoadCredential=mail.password:PATH */
  readonly passwordFile: string;
  /** Path of the configuration file; without it the service looks in its usual places. */
  readonly config?: string;
  /** 'localhost': the kernel drops all other traffic of the service (its listeners and outgoing connections); default 'any'. */
  readonly network?: 'any' | 'localhost';
}

/** First line of each unit that `desk install` may replace and `desk uninstall` may remove. */
export const UNIT_MARKER =
  '# Written by "desk install", which replaces it: put changes into "systemctl edit desk".';

export const UNIT_NAME = 'desk.service';

/** Capabilities of the service when a user of its own runs it, each with what is lost without it (measured: docs/install.md). */
export const UNIT_CAPABILITIES = {
  CAP_SYS_PTRACE: "executables, open files and namespaces of other users' processes",
  CAP_DAC_READ_SEARCH: 'files that only their owner may read: startup places, programs, preload files',
  CAP_BPF: 'the bpf backend and socket events',
  CAP_PERFMON: 'the same: its programs read kernel memory',
  CAP_NET_ADMIN: 'process events before Linux 6.6, and a large buffer for them after',
  CAP_KILL: 'shutting down a banned listener of another user',
} as const;

/** What root needs besides, at the start only: the service gives these up (src/privileges), its helpers get uids of their own. */
const START_CAPABILITIES = [
  'CAP_SETUID',
  'CAP_SETGID',
  'CAP_SETPCAP',
  'CAP_CHOWN',
  'CAP_SYS_ADMIN',
  'CAP_NET_BIND_SERVICE',
] as const;

/** One character beyond those that need no quotes: systemd.syntax(7), "Quoting". */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** Text that cannot be written into a unit file: it has no form for NUL, and a line that is not UTF-8 is ignored. */
function refuseUnwritable(text: string): void {
  if (/[\0\ud800-\udfff]/u.test(text))
    throw new RangeError('a unit file cannot hold a NUL byte or text that is not Unicode');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '"': '\\"',
  '\\': '\\\\',
};

/** A word in a list of words: quoted where needed, specifiers off. */
function unitWord(text: string): string {
  refuseUnwritable(text);
  const safe = text.replaceAll('%', '%%');
  if (PLAIN.test(safe)) return safe;
  const inner = safe.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be escaped
    /[\u0000-\u001f\u007f"\\]/g,
    (one) => ESCAPES[one] ?? `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${inner}"`;
}

/** Words of a command line. `$` begins a variable in all but the program (systemd.service(5), "COMMAND LINES"). */
export function commandLine([program = '', ...words]: readonly string[]): string {
  if (!program.startsWith('/'))
    throw new RangeError(`the program of a unit is not an absolute path: ${program}`);
  return [unitWord(program), ...words.map((word) => unitWord(word.replaceAll('$', '$$$$')))].join(' ');
}

/** The path of a credential is taken as it is, to the end of the line, without quotes. */
function credentialPath(path: string): string {
  refuseUnwritable(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what cannot be written
  if (!path.startsWith('/') || /[\u0000-\u001f\u007f]|[\s\\]$/.test(path))
    throw new RangeError(`a unit file cannot name this path of a credential: ${JSON.stringify(path)}`);
  return path.replaceAll('%', '%%');
}

function privileges(user: string): readonly string[] {
  const kept = Object.keys(UNIT_CAPABILITIES);
  if (user === 'root')
    return [`CapabilityBoundingSet=${[...kept, ...START_CAPABILITIES].join(' ')}`, 'RestrictNamespaces=net'];
  return [
    ...(user === 'dynamic' ? ['DynamicUser=yes', 'User=desk'] : [`User=${unitWord(user)}`]),
    `AmbientCapabilities=${kept.join(' ')}`,
    `CapabilityBoundingSet=${kept.join(' ')}`,
    'RestrictNamespaces=yes',
  ];
}

/** `@privileged` would allow changing uids and owners too: root needs that at its start. */
const systemCalls = (user: string): readonly string[] =>
  user === 'root'
    ? ['SystemCallFilter=@system-service bpf']
    : [
        'SystemCallFilter=@system-service',
        'SystemCallFilter=~@privileged @resources',
        'SystemCallFilter=bpf capset',
      ];

/** Only a system manager can apply these. */
const sandbox = (user: string, network: UnitOptions['network']): readonly string[] => [
  ...privileges(user),
  ...systemCalls(user),
  'SystemCallArchitectures=native',
  'SystemCallErrorNumber=EPERM',
  'RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK',
  ...(network === 'localhost' ? ['IPAddressDeny=any', 'IPAddressAllow=localhost'] : []),
  'ProtectSystem=strict',
  'ProtectHome=read-only',
  'PrivateMounts=yes',
  'PrivateDevices=yes',
  'DevicePolicy=closed',
  'ProtectProc=invisible',
  'ProtectClock=yes',
  'ProtectHostname=yes',
  'ProtectControlGroups=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'RestrictRealtime=yes',
  'RemoveIPC=yes',
  'KeyringMode=private',
];

/** The unit file. @throws RangeError for words and paths that no unit file can hold, and a program without an absolute path. */
export function unitText(options: UnitOptions): string {
  const { manager, command, user, passwordFile, config = '', network } = options;
  const system = manager === 'system';
  const environment = [
    ...(system ? ['DESK_STATE=%S/desk'] : []),
    ...(config === '' ? [] : [unitWord(`DESK_CONFIG=${config}`)]),
    ...(system && network === 'localhost' ? [`${NETWORK_VARIABLE}=localhost`] : []),
  ];
  const sections = [
    [
      UNIT_MARKER,
      '[Unit]',
      'Description=Hostess Desk: watches this machine and reports what should not be running',
      'Documentation=man:desk(1)',
      ...(system ? ['After=network.target nss-lookup.target'] : []),
      // A service that watches is always tried again; a mistake in the configuration (exit code 2) is not cured by that.
      'StartLimitIntervalSec=0',
    ],
    [
      '[Service]',
      'Type=notify',
      'NotifyAccess=main',
      `ExecStart=${commandLine(command)}`,
      // Not /bin/kill: a small Debian does not have procps.
      'ExecReload=/bin/sh -c "kill -HUP $MAINPID"',
      ...environment.map((one) => `Environment=${one}`),
      ...(passwordFile === '' ? [] : [`LoadCredential=mail.password:${credentialPath(passwordFile)}`]),
      'Restart=always',
      'RestartSec=2',
      'RestartPreventExitStatus=2',
      'TimeoutStartSec=90',
      // The service itself ends within 10 s.
      'TimeoutStopSec=15',
      'KillMode=mixed',
      'WatchdogSec=30',
      // It holds secrets: no core dump of a service that hangs.
      'WatchdogSignal=SIGKILL',
      'LimitCORE=0',
      // A helper that is killed for its memory is started again by the service.
      'OOMPolicy=continue',
      'UMask=0077',
      'NoNewPrivileges=yes',
      'LockPersonality=yes',
      ...(system ? ['StateDirectory=desk', 'StateDirectoryMode=0700', 'ConfigurationDirectory=desk'] : []),
      ...(system ? sandbox(user, network) : []),
    ],
    ['[Install]', `WantedBy=${system ? 'multi-user.target' : 'default.target'}`],
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
