/** Every privilege that each process of the desk keeps when root starts it, with the reason: docs/privileges.md is made of it. */

/** Bit numbers of capabilities(7). */
export const CAPABILITY = {
  CHOWN: 0,
  DAC_READ_SEARCH: 2,
  KILL: 5,
  SETGID: 6,
  SETUID: 7,
  SETPCAP: 8,
  NET_BIND_SERVICE: 10,
  NET_ADMIN: 12,
  SYS_PTRACE: 19,
  SYS_ADMIN: 21,
  SYSLOG: 34,
  PERFMON: 38,
  BPF: 39,
} as const;

export type Capability = keyof typeof CAPABILITY;

export interface ProcessPrivileges {
  /** What it is, for people. */
  readonly process: string;
  /** Whose uid it has. */
  readonly uid: 'root' | 'its own';
  /** Each with what does not work without it. */
  readonly capabilities: Readonly<Partial<Record<Capability, string>>>;
  /** Those it has only where the reason says so. */
  readonly sometimes: readonly Capability[];
}

export const PRIVILEGES = {
  service: {
    process: 'service: `desk boot` with all of its threads',
    uid: 'root',
    capabilities: {
      SYS_PTRACE:
        "links and namespaces of other users' processes below `/proc/PID` (`exe`, `fd`, `ns`): who holds a socket, what a process runs",
      DAC_READ_SEARCH:
        "folders and files of other users: preload files, the mail process's ledger, `/proc/PID/fd`",
      BPF: 'loading the task iterator and the socket tracepoints (Linux 5.8 or newer)',
      PERFMON: 'attaching them to the kernel, and reading kernel memory in them',
      KILL: 'ending a listener of another user by a remedy, and the two processes below when they hang',
      NET_ADMIN: 'the proc connector before Linux 6.6, and packet sockets in sock_diag',
      SYSLOG: 'addresses in `/proc/modules` and `/proc/kallsyms`, by which hidden modules are found',
    },
    sometimes: [],
  },
  starter: {
    process: '`desk-start`: starts the two processes below for the service',
    uid: 'its own',
    capabilities: {
      SETUID: 'changing to the uid of the process that it starts',
      SETGID: 'changing to its gid, without supplementary groups',
      SETPCAP: 'emptying its bounding set',
      SYS_PTRACE: 'handed to `desk-peek`',
      DAC_READ_SEARCH: 'handed to `desk-peek` and to the mail process',
      SYS_ADMIN: 'setns(2): a sock_diag socket in another network namespace, for its listeners',
      NET_BIND_SERVICE: 'binding a listener of the service to a port below 1024',
    },
    sometimes: [],
  },
  peek: {
    process: '`desk-peek`: reads `maps`, `environ`, `cmdline` and `fd` of processes',
    uid: 'its own',
    capabilities: {
      SYS_PTRACE: "`maps`, `environ` and `fd` of other users' processes",
      DAC_READ_SEARCH: 'the folders of those files belong to the users of the processes',
    },
    sometimes: [],
  },
  mail: {
    process: 'mail process: holds the mail password, reads mail, writes the ledger',
    uid: 'its own',
    capabilities: {
      DAC_READ_SEARCH: '',
    },
    sometimes: ['DAC_READ_SEARCH'],
  },
} as const satisfies Record<string, ProcessPrivileges>;

/** Bit numbers of the capabilities of a process. */
export const capabilitiesOf = ({ capabilities }: ProcessPrivileges): readonly number[] =>
  (Object.keys(capabilities) as Capability[]).map((name) => CAPABILITY[name]);
