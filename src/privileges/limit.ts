/**
 * Drops the capabilities that the service does not use, before it opens anything. Capabilities belong to threads, of which Node starts
 * several: the service executes itself again (with the same pid), so that all threads have only the capabilities it keeps.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { codeText } from '../base/error-code.ts';
import { CLOSED_INSPECTOR } from '../engine/native/no-debugger.ts';
import type { PrivilegeAddon } from '../engine/native/privilege-types.ts';
import type { Refusal } from '../engine/native/types.ts';
import { takeStarter } from './child.ts';
import { giveFolder, ledgerFolder, makeLedgerFolder, ownerOf } from './ledger-folder.ts';
import { holds, type OwnPrivileges, ownPrivileges } from './own.ts';
import { asWords, mailEnvironment, mailWords, PEEK_PROGRAM, START_PROGRAM } from './programs.ts';
import { CAPABILITY, capabilitiesOf, PRIVILEGES } from './table.ts';
import { ownUids } from './uids.ts';

/** Environment variables. FD:PID of desk-start, set before the exec. */
const STARTER = 'DESK_STARTER';
/** Its pid, so that it does not execute itself twice, and pids of its children (of a loader), to be reaped. */
const DONE = 'DESK_LIMITED';
/** `Limited.shared`. */
const SHARED = 'DESK_SHARED_UID';

/** V8 lets the young generation grow to 32 MiB (two halves of 16 MiB) and keeps it; rechecks leave little behind that lives. */
const YOUNG_GENERATION = '--max-semi-space-size=4';
/** By default glibc gives each thread a heap of its own, which keeps what the compilers of V8 needed once (mallopt(3)). */
const ARENAS = { MALLOC_ARENA_MAX: '2' } as const;

/** Capabilities that the service keeps. Before Linux 5.8 CAP_SYS_ADMIN included what CAP_BPF and CAP_PERFMON are now. */
function keptCapabilities(): readonly number[] {
  const kept = capabilitiesOf(PRIVILEGES.service);
  try {
    const last = Number(readFileSync('/proc/sys/kernel/cap_last_cap', 'latin1'));
    return last >= CAPABILITY.BPF ? kept : [...kept, CAPABILITY.SYS_ADMIN];
  } catch {
    return kept;
  }
}

export interface Limited {
  /** Why not all other capabilities were dropped; "" when they were. */
  readonly trouble: string;
  /** Which other processes share the uid of the service, and why; "" when none, and for an ordinary user. */
  readonly shared: string;
}

/** As root it returns in the program that it executes again, otherwise at once. `state`: path of the state folder, which must exist. */
export function limitPrivileges(native: PrivilegeAddon, state: string): Limited {
  const trouble = executeAgain(native, state);
  const [fd, pid] = process.env[STARTER]?.split(':').map(Number) ?? [];
  const [begun, ...inherited] = (process.env[DONE] ?? '').split(' ').map(Number);
  const began = begun === process.pid;
  const shared = began ? (process.env[SHARED] ?? '') : '';
  for (const name of [DONE, STARTER, SHARED]) delete process.env[name];
  const own = ownPrivileges();
  if (began && own !== null && fd !== undefined && pid !== undefined && own.noNewPrivileges)
    takeStarter(native, { fd, pid, inherited });
  // A program of an ordinary user that cannot be traced could not be inspected by the desk itself either.
  const refusal = native.keepMemoryPrivate(own !== null && holds(own, 'SYS_PTRACE'));
  return { trouble: trouble || (refusal === null ? '' : reasonOf(refusal)), shared };
}

const STARTER_REFUSALS: Readonly<Record<string, string>> = {
  EPIPE: 'desk-start ended before it was ready',
  ETIMEDOUT: 'desk-start did not answer',
};

const reasonOf = ({ source, code }: Refusal): string => `${source} was refused (${code})`;

/** Why the program could not execute itself again; "" when there is no need. */
function executeAgain(native: PrivilegeAddon, state: string): string {
  const own = ownPrivileges();
  if (own === null) return '/proc/self/status cannot be read';
  const kept = keptCapabilities();
  const beyond = own.permitted & ~kept.reduce((bits, bit) => bits | (1n << BigInt(bit)), 0n);
  if (own.uid !== 0 || beyond === 0n) return '';
  if (process.env[DONE]?.split(' ')[0] === String(process.pid))
    return 'the kernel gave them back at execve(2)';
  const options = process.execArgv.filter((option) => option !== CLOSED_INSPECTOR);
  // The last option counts: one of the user's own comes after ours.
  const program = [
    process.execPath,
    CLOSED_INSPECTOR,
    YOUNG_GENERATION,
    ...options,
    ...process.argv.slice(1),
  ];
  const done = [process.pid, ...children()].join(' ');
  const become = (words: readonly string[], shared: string): Refusal => {
    const environment = asWords({ ...ARENAS, ...process.env, [DONE]: done, [SHARED]: shared });
    const starterEnvironment = asWords(mailEnvironment());
    return native.becomeLimited(Int32Array.from(kept), program, environment, words, starterEnvironment);
  };
  /** Returns only after a failure: why the other processes have no uids of their own. */
  const becomeWithStarter = (): string => {
    if (!holds(own, 'SETUID', 'SETGID', 'KILL')) return 'CAP_SETUID, CAP_SETGID or CAP_KILL is missing';
    const uids = ownUids(ownerOf(ledgerFolder(state)));
    if (uids === null) return 'every uid for them is in use';
    const { start, peek, mail } = uids;
    const kept = keptFrom(own, state, mail);
    const words = ['serve', start, peek, kept === '' ? mail : own.uid, PEEK_PROGRAM].map(String);
    const shared = kept === '' ? '' : `the mail process has the uid of the service: ${kept}`;
    const refusal = become([START_PROGRAM, ...words, ...mailWords()], shared);
    return (refusal.source === 'desk-start' && STARTER_REFUSALS[refusal.code]) || reasonOf(refusal);
  };
  const alone = becomeWithStarter();
  takeFolderBack(own, state);
  // Capabilities are dropped even if its children cannot have uids of their own.
  return reasonOf(become([], `desk-peek and the mail process have the uid of the service: ${alone}`));
}

/** Pids of the children of this process; none where the kernel does not list them. */
function children(): readonly string[] {
  try {
    return readdirSync('/proc/self/task').flatMap((thread) =>
      readFileSync(`/proc/self/task/${thread}/children`, 'latin1').split(' ').filter(Boolean),
    );
  } catch {
    return [];
  }
}

/** Gives the ledger's folder to the mail process; "" or the reason why not. */
function keptFrom(own: OwnPrivileges, state: string, mail: number): string {
  try {
    const folder = makeLedgerFolder(state);
    if (ownerOf(folder) === mail) return '';
    if (!holds(own, 'CHOWN')) return 'CAP_CHOWN is missing';
    giveFolder(folder, mail);
    return '';
  } catch (error) {
    return `the folder of the people ledger cannot be given to another uid (${codeText(error)})`;
  }
}

/** The mail process writes it as the user of the service. */
function takeFolderBack(own: OwnPrivileges, state: string): void {
  try {
    const folder = ledgerFolder(state);
    if (holds(own, 'CHOWN') && ownerOf(folder) !== null) giveFolder(folder, own.uid);
  } catch {
    // The mail process reports what it cannot write.
  }
}
