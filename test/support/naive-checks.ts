/**
 * The checks as they judge row by row, one `if` after the other: what the compiled ones are tested against. Nothing here is
 * shared with them but the keys of listeners and the age of a process.
 */
import type { CheckContext } from '../../src/checks/check.ts';
import { ageSec, listenerKey } from '../../src/checks/subjects.ts';
import { textOf } from '../../src/engine/bytes.ts';
import { isService } from '../../src/engine/listeners.ts';
import { FACT, PF_KTHREAD } from '../../src/engine/native/types.ts';
import type { Listener, Snapshot } from '../../src/engine/snapshot.ts';

export interface NaiveVerdicts {
  pass: number;
  blind: number;
  /** Rows. */
  readonly fails: number[];
  /** Blind subjects by reason. */
  readonly reasons: Record<string, number>;
}

interface Ruling {
  pass(): void;
  fail(row: number): void;
  blind(reason: string, subjects?: number): void;
}

const KERNEL_NAME =
  /^(\[.+|(kworker|ksoftirqd|migration|rcu_|kthreadd|kswapd|khugepaged|cpuhp)(\/|$|\d).*)$/s;

const isKernelThread = ({ processes }: Snapshot, row: number): boolean =>
  ((processes.columns.flags[row] ?? 0) & PF_KTHREAD) !== 0;
const isFried = ({ processes }: Snapshot, row: number): boolean =>
  'ZXx'.includes(String.fromCharCode(processes.columns.state[row] ?? 0));
const isUserSpace = (snapshot: Snapshot, row: number): boolean =>
  !isKernelThread(snapshot, row) && !isFried(snapshot, row);
const age = (snapshot: Snapshot, row: number): number | null =>
  ageSec(snapshot, Number(snapshot.processes.columns.start[row] ?? 0n));

function eachProcess(snapshot: Snapshot, ruling: Ruling, needs: number, visit: (row: number) => void): void {
  const table = snapshot.processes;
  const proc = snapshot.probes.find(({ id }) => id === 'proc');
  if (table.count === 0 && proc !== undefined && !proc.works)
    ruling.blind('the process list could not be read');
  if (table.count > 0 && proc !== undefined && !proc.works)
    ruling.blind('processes of other users are hidden');
  for (let row = 0; row < table.count; row++) {
    if (table.columns.state[row] === 0) continue;
    if (((table.columns.seen[row] ?? 0) & needs) === needs) visit(row);
    else ruling.blind('some processes hide facts this check needs');
  }
}

function eachListener(
  snapshot: Snapshot,
  ruling: Ruling,
  visit: (listener: Listener, row: number) => void,
): void {
  snapshot.listeners.forEach(visit);
  for (const { id, works } of snapshot.probes) {
    const dump = /^sock_diag (?<protocol>tcp|udp)(?<family>[46])$/.exec(id)?.groups;
    if (works || dump === undefined) continue;
    ruling.blind(`the ${dump.protocol} sockets of IPv${dump.family} could not be listed`);
  }
}

const BOOT_CLOCK = 'the boot clock could not be read';

function unlearned(
  { snapshot, law, known }: CheckContext,
  ruling: Ruling,
  applies: (listener: Listener) => boolean,
): void {
  const own = snapshot.engine.deskPids;
  eachListener(snapshot, ruling, (listener, row) => {
    if (!applies(listener) || law.bannedPorts.has(listener.port)) return;
    const { epochMs } = snapshot.at;
    const allowed = law.allowedListeners.some(
      (one) =>
        one.ports.includes(listener.port) &&
        one.protocol === listener.protocol &&
        (one.scope === 'any' || one.scope === listener.scope) &&
        (one.executable === '' ||
          (listener.owner !== 'ownerless' && one.executable === listener.executable)) &&
        (one.expiresMs === null || epochMs < one.expiresMs),
    );
    const ours = listener.holders.length > 0 && listener.holders.every(({ pid }) => own.includes(pid));
    if (ours || allowed || known?.listeners.has(listenerKey(snapshot, listener))) ruling.pass();
    else if (known === null) ruling.blind('nothing has been learned yet, so no such listener is known good');
    else ruling.fail(row);
  });
}

const TEMPORARY = ['/dev/shm/', '/tmp/', '/var/tmp/', '/run/'];
const INTERPRETER = /^(bash|dash|node|perl|python|ruby|sh|zsh)[\d.-]*$/;

/** The path as it was before it was deleted, and whether it was. */
function pathOf({ processes }: Snapshot, row: number) {
  const link = textOf(processes.exe(row));
  const deleted = link.endsWith(' (deleted)');
  const path = deleted ? link.slice(0, -' (deleted)'.length) : link;
  return { path, deleted, memfd: deleted && path.startsWith('/memfd:'), name: path.split('/').at(-1) ?? '' };
}

/** Of processes of user space whose executable is not refused. */
function eachExecutable(
  snapshot: Snapshot,
  ruling: Ruling,
  fails: (at: ReturnType<typeof pathOf>, row: number) => boolean,
): void {
  eachProcess(snapshot, ruling, FACT.stat, (row) => {
    if (!isUserSpace(snapshot, row)) return;
    if (((snapshot.processes.columns.refused[row] ?? 0) & FACT.exe) !== 0)
      return ruling.blind('some processes hide facts this check needs');
    const at = pathOf(snapshot, row);
    if (at.path !== '' && fails(at, row)) ruling.fail(row);
    else ruling.pass();
  });
}

const NAIVE: Readonly<Record<string, (context: CheckContext, ruling: Ruling) => void>> = {
  'orphan-parent'({ snapshot, law }, ruling) {
    const table = snapshot.processes;
    const proc = snapshot.probes.find(({ id }) => id === 'proc');
    if (proc !== undefined && !proc.works)
      return ruling.blind(
        'only a part of the processes can be seen, so any parent may be missing',
        Math.max(1, table.count),
      );
    eachProcess(snapshot, ruling, FACT.stat, (row) => {
      const parent = table.columns.ppid[row] ?? 0;
      if (parent === 0 || table.rowOf(parent) >= 0) return ruling.pass();
      const old = age(snapshot, row);
      if (old === null) return ruling.blind(BOOT_CLOCK);
      if (old < law.orphanSec) return ruling.pass();
      ruling.fail(row);
    });
  },
  'kernel-thread-impostor'({ snapshot }, ruling) {
    const table = snapshot.processes;
    const kthreadd = table.rowOf(2) >= 0 && isKernelThread(snapshot, table.rowOf(2)) ? 2 : 0;
    eachProcess(snapshot, ruling, FACT.stat, (row) => {
      if (!isUserSpace(snapshot, row)) return;
      const childOfKernel = kthreadd !== 0 && table.columns.ppid[row] === kthreadd;
      if (!KERNEL_NAME.test(textOf(table.comm(row))) && !childOfKernel) return ruling.pass();
      ruling.fail(row);
    });
  },
  'deleted-executable'({ snapshot }, ruling) {
    eachExecutable(snapshot, ruling, ({ deleted, memfd }) => deleted && !memfd);
  },
  'memfd-executable'({ snapshot }, ruling) {
    eachExecutable(snapshot, ruling, ({ memfd }) => memfd);
  },
  'odd-executable-path'({ snapshot }, ruling) {
    eachExecutable(
      snapshot,
      ruling,
      ({ path }) =>
        TEMPORARY.some((folder) => path.startsWith(folder)) ||
        path
          .split('/')
          .slice(0, -1)
          .some((folder) => folder.startsWith('.')),
    );
  },
  'name-mismatch'({ snapshot }, ruling) {
    eachExecutable(
      snapshot,
      ruling,
      ({ memfd, name }, row) =>
        !memfd && !INTERPRETER.test(name) && textOf(snapshot.processes.comm(row)) !== name.slice(0, 15),
    );
  },
  traced({ snapshot }, ruling) {
    eachProcess(snapshot, ruling, FACT.stat | FACT.status, (row) => {
      if (!isUserSpace(snapshot, row)) return;
      if (snapshot.processes.columns.tracer[row] === 0) return ruling.pass();
      ruling.fail(row);
    });
  },
  'fried-process'({ snapshot, law }, ruling) {
    eachProcess(snapshot, ruling, FACT.stat, (row) => {
      if (!isFried(snapshot, row)) return ruling.pass();
      const old = age(snapshot, row);
      if (old === null) return ruling.blind(BOOT_CLOCK);
      if (old < law.zombieSec) return ruling.pass();
      ruling.fail(row);
    });
  },
  'unlearned-process'({ snapshot, known }, ruling) {
    eachProcess(snapshot, ruling, FACT.stat, (row) => {
      if (!isUserSpace(snapshot, row)) return;
      const { seen, refused } = snapshot.processes.columns;
      if ((((seen[row] ?? 0) | (refused[row] ?? 0)) & FACT.exe) === 0) return;
      if (known === null) return ruling.blind('nothing has been learned yet, so no program is known good');
      if (known.identities.has(snapshot.processes.columns.identity[row] ?? 0n)) return ruling.pass();
      ruling.fail(row);
    });
  },
  'public-listener'(context, ruling) {
    const { ephemeral } = context.snapshot.machine;
    unlearned(context, ruling, (one) => one.scope === 'public' && isService(one, ephemeral));
  },
  'unknown-local-listener'(context, ruling) {
    unlearned(context, ruling, ({ scope }) => scope === 'loopback');
  },
  'banned-listener'({ snapshot, law }, ruling) {
    eachListener(snapshot, ruling, (listener, row) => {
      if (!law.bannedPorts.has(listener.port)) return ruling.pass();
      ruling.fail(row);
    });
  },
  'lost-sight'({ snapshot, known }, ruling) {
    eachProcess(snapshot, ruling, FACT.stat, (row) => {
      if (!isUserSpace(snapshot, row)) return;
      const identity = snapshot.processes.columns.identity[row] ?? 0n;
      const refused = ((snapshot.processes.columns.refused[row] ?? 0) & FACT.exe) !== 0;
      if (refused && known?.lost?.has(identity) && !known.identities.has(identity)) ruling.fail(row);
      else ruling.pass();
    });
  },
  'ownerless-socket'({ snapshot, known }, ruling) {
    eachListener(snapshot, ruling, (listener, row) => {
      if (listener.owner === 'held') ruling.pass();
      else if (listener.owner === 'blind')
        ruling.blind(
          'the descriptors of some processes could not be read, so the holder of a socket is unknown',
        );
      else if (known?.listeners.has(listenerKey(snapshot, listener))) ruling.pass();
      else ruling.fail(row);
    });
  },
};

/** The checks judged here, by id. */
export const NAIVE_CHECKS: readonly string[] = Object.keys(NAIVE);

export function judgeNaively(id: string, context: CheckContext): NaiveVerdicts {
  const verdicts: NaiveVerdicts = { pass: 0, blind: 0, fails: [], reasons: {} };
  NAIVE[id]?.(context, {
    pass() {
      verdicts.pass++;
    },
    fail(row) {
      verdicts.fails.push(row);
    },
    blind(reason, subjects = 1) {
      verdicts.blind += subjects;
      verdicts.reasons[reason] = (verdicts.reasons[reason] ?? 0) + subjects;
    },
  });
  return verdicts;
}
