/** What a program may do beyond its user: mode bits and file capabilities (execve(2), capabilities(7)). */
import type { ScannedFile } from './scanned-file.ts';

const SET_USER = 0o4000;
const SET_GROUP = 0o2010;

/** By number (include/uapi/linux/capability.h). */
const NAMES = (
  'chown dac_override dac_read_search fowner fsetid kill setgid setuid setpcap linux_immutable net_bind_service net_broadcast ' +
  'net_admin net_raw ipc_lock ipc_owner sys_module sys_rawio sys_chroot sys_ptrace sys_pacct sys_admin sys_boot sys_nice ' +
  'sys_resource sys_time sys_tty_config mknod lease audit_write audit_control setfcap mac_override mac_admin syslog wake_alarm ' +
  'block_suspend audit_read perfmon bpf checkpoint_restore'
).split(' ');

/** Capabilities of the stored form (struct vfs_ns_cap_data): 32-bit words of low byte first, magic, then permitted and inheritable. */
export function capabilityNames(hex: string): string[] {
  const bytes = Buffer.from(hex, 'hex');
  // Revision 3 with a root of its own: they count within that user namespace alone.
  if (bytes.length >= 24 && bytes.readUInt32LE(20) !== 0) return [];
  const word = (at: number): number => (bytes.length >= at + 4 ? bytes.readUInt32LE(at) : 0);
  const has = (bit: number): boolean => {
    const at = bit < 32 ? 4 : 12;
    return (((word(at) | word(at + 4)) >>> (bit % 32)) & 1) === 1;
  };
  return Array.from({ length: 64 }, (_, bit) => bit)
    .filter(has)
    .map((bit) => NAMES[bit] ?? `capability ${bit}`);
}

export const setsUser = ({ mode }: ScannedFile): boolean => (mode & SET_USER) !== 0;

export const setsGroup = ({ mode }: ScannedFile): boolean => (mode & SET_GROUP) === SET_GROUP;

/** As a phrase, for example "set-user-ID" or "net_raw, net_admin"; "" without any. */
export function rightsOf(file: ScannedFile): string {
  const { gid, capabilities = '' } = file;
  return [
    ...(setsUser(file) ? ['set-user-ID'] : []),
    ...(setsGroup(file) ? [`set-group-ID ${gid}`] : []),
    ...capabilityNames(capabilities),
  ].join(', ');
}
