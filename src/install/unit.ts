/**
 * The systemd unit of the service, as text: systemd.unit(5), systemd.service(5), systemd.exec(5), systemd.kill(5). Pure. What each
 * setting costs and why others are left out was measured: docs/install.md.
 */
import { NETWORK_VARIABLE } from '../config/local-only.ts';
import { NAMESPACES_UNITS } from './namespaces.ts';
import { commandLine, credentialPath, UNIT_MARKER, unitWord } from './unit-syntax.ts';

export interface UnitOptions {
  readonly manager: 'system' | 'user';
  /** Words of ExecStart; the first one is an absolute path. */
  readonly command: readonly string[];
  /** Name of an account. Has no effect for a user manager. */
  readonly user: string;
  /** Path of the file with the mail password, '' for none; becomes LoadCredential=mail.password:PATH */
  readonly passwordFile: string;
  /** Path of the configuration file; without it the service looks in its usual places. */
  readonly config?: string;
  /** 'localhost': the kernel drops all other traffic of the service (its listeners and outgoing connections); default 'any'. */
  readonly network?: 'any' | 'localhost';
}

export const UNIT_NAME = 'desk.service';

/** Capabilities of the service when a user of its own runs it, each with what is lost without it (measured: docs/install.md). */
export const UNIT_CAPABILITIES = {
  CAP_SYS_PTRACE: "executables, open files and namespaces of other users' processes",
  CAP_DAC_READ_SEARCH: 'files that only their owner may read: startup places, programs, preload files',
  CAP_BPF: 'the bpf backend and socket events',
  CAP_PERFMON: 'the same: its programs read kernel memory',
  CAP_KILL: 'shutting down a banned listener of another user',
} as const;

/**
 * What root keeps besides (CAP_NET_ADMIN: src/privileges/table.ts), and what it needs at the start only: the service gives these up, its
 * helpers get uids of their own.
 */
const ROOT_CAPABILITIES = [
  'CAP_NET_ADMIN',
  'CAP_SETUID',
  'CAP_SETGID',
  'CAP_SETPCAP',
  'CAP_CHOWN',
  'CAP_SYS_ADMIN',
  'CAP_NET_BIND_SERVICE',
] as const;

function privileges(user: string): readonly string[] {
  const kept = Object.keys(UNIT_CAPABILITIES);
  if (user === 'root')
    return [`CapabilityBoundingSet=${[...kept, ...ROOT_CAPABILITIES].join(' ')}`, 'RestrictNamespaces=net'];
  return [
    `User=${unitWord(user)}`,
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
      // Root has desk-start for that.
      ...(system && user !== 'root'
        ? [`Wants=${NAMESPACES_UNITS.socket}`, `After=${NAMESPACES_UNITS.socket}`]
        : []),
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
