/** What would let the desk see more, for an ordinary user and for root. Checks name the text for an ordinary user. */

/** Only a container, a user namespace or a security module refuses root. */
const ON_HOST =
  'run the desk on the host, outside containers, and allow it ptrace reads in the security module (LSM)';
const REFUSED_TO_ROOT = 'a container or a security module (LSM) refuses it to root';

const TABLE = {
  /** So many processes hide something that a verdict covers only part of the machine. */
  hidden: ['run the desk as a system service, as root', 'see which facts and why with desk doctor'],
  /** Files of /proc/PID that need ptrace access. */
  ptrace: ['run as root or give CAP_SYS_PTRACE', ON_HOST],
  /** The same, when more than one reason is possible. */
  facts: ['see desk doctor, or run as root on the host', ON_HOST],
  holders: ['run as root on the host', ON_HOST],
  namespaces: [
    'start desk-namespaces.socket ("desk install" and the package have it), run as root on the host, or give CAP_SYS_ADMIN and CAP_SYS_PTRACE',
    ON_HOST,
  ],
  readable: [
    'run as root, or make it readable for the desk',
    `make it readable for the desk: a mount, ${REFUSED_TO_ROOT}`,
  ],
  hidepid: [
    'run as root, or mount proc without hidepid',
    'mount proc without hidepid, in the pid namespace of the host',
  ],
  sensor: ['run as root or make it readable', `make it readable: ${REFUSED_TO_ROOT}`],
} as const;

export const CURES = Object.fromEntries(Object.entries(TABLE).map(([name, [cure]]) => [name, cure])) as {
  readonly [Name in keyof typeof TABLE]: (typeof TABLE)[Name][0];
};

const FOR_ROOT: ReadonlyMap<string, string> = new Map(Object.values(TABLE));

/** The cure for a desk of this effective uid. */
export const cureFor = (euid: number, cure: string): string =>
  euid === 0 ? (FOR_ROOT.get(cure) ?? cure) : cure;
