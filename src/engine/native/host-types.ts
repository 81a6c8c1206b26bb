/** The part of the native boundary that reads facts of the host: those of every second, and those of scheduled scans. */
import type { Refusal } from './types.ts';

interface PreloadFile {
  readonly bytes: number;
  /** What the dynamic linker would load; lossy text. */
  readonly libraries: readonly string[];
}

export interface PacketSocket {
  readonly inode: number;
  readonly uid: number;
  /** Ethernet protocol; 3 (ETH_P_ALL) = all. */
  readonly protocol: number;
  /** 2 SOCK_DGRAM, 3 SOCK_RAW, 10 SOCK_PACKET. */
  readonly type: number;
  /** Index of the interface; 0 = all. */
  readonly interface: number;
}

interface PacketHolder {
  readonly inode: number;
  readonly pid: number;
  /** Clock ticks after boot, as text (64 bit). */
  readonly start: string;
  readonly fd: number;
}

interface PacketSockets {
  readonly sockets: readonly PacketSocket[];
  readonly holders: readonly PacketHolder[];
  /** Every process could be searched. */
  readonly complete: boolean;
}

export interface PromiscuousInterface {
  readonly name: string;
  readonly index: number;
  /** `bridge`, `port` (of a bridge or bond), `link` (of a pair, or on top of another), the kernel's DEVTYPE (`wlan`, `vlan`, …), or `plain`. */
  readonly kind: string;
}

/** Something mounted over a process of the proc root. */
export interface ProcCover {
  readonly pid: number;
  /** Below the folder of the process, for example `fd`; "" for the folder itself. */
  readonly place: string;
  /** Read around the mount; "" and "0" when refused. */
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

/** Of an executable whose link ends in " (deleted)". `replaced` (in a folder of the system) and `own name`: in our mount namespace only. */
export type ExecutableFate = 'unlinked' | 'linked' | 'replaced' | 'own name';

export interface ModuleViews {
  /** Live modules of /proc/modules that /sys/module does not show, and the other way round. */
  readonly onlyListed: readonly string[];
  readonly onlyInSys: readonly string[];
  readonly both: number;
}

export interface StrangeNode {
  readonly path: string;
  /** Character devices are unknown when no driver has their major number. */
  readonly kind: 'regular file' | 'unknown device';
  readonly bytes: number;
  readonly uid: number;
  readonly mode: number;
  readonly major: number;
  readonly minor: number;
}

export interface DeviceScan {
  /** At most 64; `strangeCount` is all of them. */
  readonly strange: readonly StrangeNode[];
  readonly strangeCount: number;
  readonly entries: number;
  /** Folders that were not entered (other file systems, too deep, refused); at most 64. */
  readonly unseen: readonly string[];
  /** More than 65,536 entries: the rest was not seen. */
  readonly cut: boolean;
  /** Why character devices could not be judged; null when they were. */
  readonly majors: Refusal | null;
}

/**
 * Promises read on a thread of their own and may never settle (for example, a file on a server that does not answer); a pending one
 * does not keep the process running.
 */
export interface HostAddon {
  /** `sys` is `/sys` or a fixture folder. */
  sensors(sys: string): Promise<SensorResult>;
  captureDevices(root: number, sys: string): Promise<CaptureResult>;
  /** `top`: the folder that etc and run are in, `/` for our own. */
  host(root: number, sys: string, top: string): Promise<HostResult>;
  executableFates(root: number, pids: Int32Array): Promise<readonly (ExecutableFate | Refusal)[]>;
  kernelTaint(root: number): bigint | Refusal;
  moduleViews(root: number, sys: string): ModuleViews | Refusal;
  /** Walks `dev` without following links or entering another file system. */
  strangeNodes(root: number, dev: string): Promise<DeviceScan | Refusal>;
}
