/** Tasks of the sweeps for hidden processes and ports: one native stage over one piece each, a few milliseconds long. */

import type {
  PidDescription,
  PidProbe,
  PortProbe,
  PortProtocol,
  PortVerdict,
} from '../native/hidden-types.ts';
import type { NativeAddon, Refusal } from '../native/types.ts';

/** Probes the numbers [from, to) that are not listed. */
interface ProbePidsTask {
  readonly kind: 'hidden probe pids';
  /** Over a SharedArrayBuffer, so that no shard copies it. */
  readonly listed: Int32Array;
  readonly from: number;
  readonly to: number;
}

/** Looks which of the listed processes are covered by a mount. */
interface CoveredPidsTask {
  readonly kind: 'hidden covered pids';
  readonly root: number;
  readonly pids: Int32Array;
}

interface ConfirmPidsTask {
  readonly kind: 'hidden confirm pids';
  readonly root: number;
  readonly suspects: Int32Array;
  readonly elsewhere: Int32Array;
}

interface DescribePidsTask {
  readonly kind: 'hidden describe pids';
  readonly root: number;
  readonly pids: readonly number[];
}

/** Dumps the sockets of one protocol and family into shared bits. */
interface PortTableTask {
  readonly kind: 'hidden port table';
  readonly protocol: PortProtocol;
  readonly family: 4 | 6;
  readonly table: Uint8Array;
}

/** Binds the ports [from, to). `taken` are the bits of this shard alone: two workers must not write the same byte. */
interface ProbePortsTask {
  readonly kind: 'hidden probe ports';
  readonly protocol: PortProtocol;
  readonly from: number;
  readonly to: number;
  readonly taken: Uint8Array;
}

interface ConfirmPortTask {
  readonly kind: 'hidden confirm port';
  readonly protocol: PortProtocol;
  readonly port: number;
}

export type HiddenTask =
  | ProbePidsTask
  | CoveredPidsTask
  | ConfirmPidsTask
  | DescribePidsTask
  | PortTableTask
  | ProbePortsTask
  | ConfirmPortTask;

interface Results {
  readonly 'hidden probe pids': PidProbe;
  readonly 'hidden covered pids': Int32Array | Refusal;
  readonly 'hidden confirm pids': Uint8Array | Refusal;
  readonly 'hidden describe pids': readonly (PidDescription | Refusal)[];
  readonly 'hidden port table': Refusal | null;
  readonly 'hidden probe ports': PortProbe;
  readonly 'hidden confirm port': PortVerdict | Refusal;
}

export type HiddenResultOf<T extends HiddenTask> = Results[T['kind']];

export function isHidden(task: { readonly kind: string }): task is HiddenTask {
  return task.kind.startsWith('hidden ');
}

export function performHidden(native: NativeAddon, task: HiddenTask): HiddenResultOf<HiddenTask> {
  switch (task.kind) {
    case 'hidden probe pids':
      return native.probePids(task.listed, task.from, task.to);
    case 'hidden covered pids':
      return native.coveredPids(task.root, task.pids);
    case 'hidden confirm pids':
      return native.confirmPids(task.root, task.suspects, task.elsewhere);
    case 'hidden describe pids':
      return task.pids.map((pid) => native.describePid(task.root, pid));
    case 'hidden port table':
      return native.portTable(task.protocol, task.family, task.table);
    case 'hidden probe ports':
      return native.probePorts(task.protocol, task.from, task.to, task.taken);
    case 'hidden confirm port':
      return native.confirmPort(task.protocol, task.port);
  }
}
