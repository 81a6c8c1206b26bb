/**
 * What would let the desk see what the kernel keeps from it, by who the desk is: an ordinary user can become root, root has to look
 * elsewhere. Checks and probes name a cure by the text for an ordinary user; `cureFor` gives the text for the reader.
 */

const PTRACE = 'run as root or give CAP_SYS_PTRACE';
/** Only a container, a user namespace or a security module refuses root. */
const ON_HOST =
  'run the desk on the host, outside containers, and allow it ptrace reads in the security module (LSM)';

export const CURES = {
  /** So many processes hide something that a verdict covers a part of the machine only. */
  hidden: 'run the desk as a system service, as root',
  /** Files of /proc/PID that need ptrace access. */
  ptrace: PTRACE,
  /** The same, where more than one reason is possible. */
  facts: 'see desk doctor, or run as root on the host',
  holders: 'run as root on the host',
  namespaces: 'run as root on the host, or give CAP_SYS_ADMIN and CAP_SYS_PTRACE',
  readable: 'run as root, or make it readable for the desk',
  hidepid: 'run as root, or mount proc without hidepid',
  /** Of a sensor. */
  sensor: 'run as root or make it readable',
} as const;

const FOR_ROOT: Readonly<Record<string, string>> = {
  [CURES.hidden]: 'see which facts and why with desk doctor',
  [CURES.ptrace]: ON_HOST,
  [CURES.facts]: ON_HOST,
  [CURES.holders]: ON_HOST,
  [CURES.namespaces]: ON_HOST,
  [CURES.readable]:
    'make it readable for the desk: a mount, a container or a security module (LSM) refuses it to root',
  [CURES.sensor]: 'make it readable: a container or a security module (LSM) refuses it to root',
  [CURES.hidepid]: 'mount proc without hidepid, in the pid namespace of the host',
};

/** The cure for a desk of this effective uid. */
export const cureFor = (euid: number, cure: string): string => (euid === 0 ? (FOR_ROOT[cure] ?? cure) : cure);
