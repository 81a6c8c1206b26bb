/** The part of the native boundary that reads facts of the host: those of every second, and those of the slow looks. */
import type { Refusal } from './types.ts';

/** /etc/ld.so.preload. */
export interface PreloadFile {
  /** What was read of it, at most 64 KiB; 0 for an empty file and for none. */
  readonly bytes: number;
  /** What the dynamic linker would load, as it stands there; lossy text. */
  readonly libraries: readonly string[];
}

export interface PacketSocket {
  readonly inode: number;
  /** Of its creator. */
  readonly uid: number;
  /** Ethernet protocol that it receives; 3 (ETH_P_ALL) = every one. */
  readonly protocol: number;
  /** 2 SOCK_DGRAM, 3 SOCK_RAW, 10 SOCK_PACKET. */
  readonly type: number;
  /** Number of the interface it is bound to; 0 = all. */
  readonly interface: number;
}

export interface PacketHolder {
  readonly inode: number;
  readonly pid: number;
  /** Clock ticks after boot, as text (64 bit). */
  readonly start: string;
  readonly fd: number;
}

export interface PacketSockets {
  readonly sockets: readonly PacketSocket[];
  readonly holders: readonly PacketHolder[];
  /** Every process could be searched: a socket without holder is held by none that can be seen. */
  readonly complete: boolean;
}

export interface PromiscuousInterface {
  readonly name: string;
  readonly index: number;
  /**
   * `bridge`, `port` (of a bridge, a bond or their like), `link` (one end of a pair, or on top of another interface), the
   * kernel's DEVTYPE (`wlan`, `vlan`, …), or `plain`.
   */
  readonly kind: string;
}

/** Something mounted over a process of the proc root. */
export interface ProcCover {
  readonly pid: number;
  /** Below the folder of the process: "" for the folder itself, `fd`. */
  readonly place: string;
  /** Asked around the mount; "" and "0" where that may not be asked. */
  readonly comm: string;
  readonly executable: string;
  readonly start: string;
}

export interface SensorResult {
  /** Milli-degrees Celsius, one per readable sensor. */
  readonly temperatures: Int32Array;
  readonly refusals: readonly Refusal[];
}

export interface CaptureResult {
  /** Null = refused. */
  readonly cameras: number | null;
  readonly captureDevices: number | null;
  readonly refusals: readonly Refusal[];
}

export interface HostResult {
  readonly preload: PreloadFile | Refusal;
  readonly packets: PacketSockets | Refusal;
  readonly promiscuous: readonly PromiscuousInterface[] | Refusal;
  readonly covers: readonly ProcCover[] | Refusal;
  /** Uids with a folder below /run/user, ascending. */
  readonly sessionUids: readonly number[] | Refusal;
}

/**
 * What became of an executable whose link ends in " (deleted)": no name leads to it, some other name does, another file
 * bears its name now in a folder of the system, or its own name ends so. The last two are told for our own mount namespace.
 */
export type ExecutableFate = 'unlinked' | 'linked' | 'replaced' | 'own name';

export interface ModuleViews {
  /** Live modules of /proc/modules that /sys/module does not show, and the other way round. */
  readonly onlyListed: readonly string[];
  readonly onlyInSys: readonly string[];
  /** Live ones that both show. */
  readonly both: number;
}

export interface StrangeNode {
  /** Below the folder that was walked. */
  readonly path: string;
  /** Character devices are unknown when no driver has their major number. */
  readonly kind: 'regular file' | 'unknown device';
  readonly bytes: number;
  readonly uid: number;
  readonly mode: number;
  readonly major: number;
  readonly minor: number;
}

export interface DeviceLook {
  /** At most 64; `strangeCount` is all of them. */
  readonly strange: readonly StrangeNode[];
  readonly strangeCount: number;
  /** Entries seen. */
  readonly entries: number;
  /** Folders that were not entered: other file systems, what lies too deep, what was refused; at most 64. */
  readonly unseen: readonly string[];
  /** There are more than 65,536 entries, and the rest was not seen. */
  readonly cut: boolean;
  /** Why character devices could not be judged; null when they were. */
  readonly majors: Refusal | null;
}

/**
 * Exports of the addon; `NativeAddon` has them all. Those that give a promise read on a thread of their own, and may never settle:
 * a file may lie with a server that does not answer. A pending one does not keep the process alive.
 */
export interface HostAddon {
  /** `sys` is `/sys` or a fixture folder. */
  sensors(sys: string): Promise<SensorResult>;
  captureDevices(root: number, sys: string): Promise<CaptureResult>;
  /** `sys` is `/sys` or a fixture folder; `top` the folder that etc and run are in, `/` for our own. */
  host(root: number, sys: string, top: string): Promise<HostResult>;
  executableFates(root: number, pids: Int32Array): Promise<readonly (ExecutableFate | Refusal)[]>;
  /** Bits of /proc/sys/kernel/tainted. */
  kernelTaint(root: number): bigint | Refusal;
  moduleViews(root: number, sys: string): ModuleViews | Refusal;
  /** Walks `dev` without following links or entering another file system. */
  strangeNodes(root: number, dev: string): Promise<DeviceLook | Refusal>;
}
