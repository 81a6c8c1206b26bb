/** The privileges that each process of the desk keeps when root starts it, with the reasons; source of docs/privileges.md. */

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
  PERFMON: 38,
  BPF: 39,
} as const;

export type Capability = keyof typeof CAPABILITY;

export interface ProcessPrivileges {
  readonly process: string;
  readonly uid: 'root' | 'its own';
  /** Each with what does not work without it. */
  readonly capabilities: Readonly<Partial<Record<Capability, string>>>;
}

export const PRIVILEGES = {
  service: {
    process: 'service: `desk boot`, every thread',
    uid: 'root',
    capabilities: {
      SYS_PTRACE:
        "`exe`, `fd` and `ns` of other users' processes: without it, facts of all of them are blind (58 of 59 processes when tried)",
      DAC_READ_SEARCH:
        "directories of other users: `/proc/PID/fd`, preload files, executables; without it, checks of other users' processes are blind (295 verdicts instead of 14 when tried)",
      BPF: 'the `bpf` backend and the socket tracepoint; without it, processes are read from `/proc` and listeners are polled',
      PERFMON: 'attaching these programs and reading kernel memory in them; without it, the same',
      KILL: 'remedies that end a listener of another user, and ending `desk-peek` and the mail process when they hang; without it, these keep the uid of the service',
      NET_ADMIN:
        'UDP events where the kernel does not let its UDP functions be traced (hooks of the root cgroup); an event buffer larger than `net.core.rmem_max` for the proc connector, so that fewer events are lost; before Linux 6.6 the connector itself',
    },
  },
  starter: {
    process: '`desk-start`: starts `desk-peek` and the mail process, as the service no longer can',
    uid: 'its own',
    capabilities: {
      SETUID: 'changing to the uid of the process that it starts',
      SETGID: 'changing to its gid, and dropping supplementary groups',
      SETPCAP: 'emptying the bounding set of that process',
      SYS_PTRACE: 'handed to `desk-peek`',
      DAC_READ_SEARCH: 'handed to `desk-peek` and to the mail process',
      SYS_ADMIN: 'setns(2): a sock_diag socket in another network namespace, to list its listeners',
      NET_BIND_SERVICE:
        'binding to ports below 1024: listeners of the service, and the scan for hidden ports',
    },
  },
  peek: {
    process:
      '`desk-peek`: reads `maps`, `environ`, `cmdline`, `fd`, `exe`, `cwd` and the socket tables of processes; one of its own reads the digest of a program, another one the files where something starts by itself',
    uid: 'its own',
    capabilities: {
      SYS_PTRACE: "`maps`, `environ`, `fd`, `exe` and `cwd` of other users' processes",
      DAC_READ_SEARCH:
        'the directories of these files, which belong to the user of the process, and programs that only their user may read',
    },
  },
  mail: {
    process: 'mail process: holds the mail password, reads mail, writes the ledger',
    uid: 'its own',
    capabilities: {
      DAC_READ_SEARCH:
        "reaching the ledger's folder in the state folder, which is closed to others, and reading the password file and mail folders of other users",
    },
  },
} as const satisfies Record<string, ProcessPrivileges>;

export const capabilitiesOf = ({ capabilities }: ProcessPrivileges): readonly number[] =>
  (Object.keys(capabilities) as Capability[]).map((name) => CAPABILITY[name]);
