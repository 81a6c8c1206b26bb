/**
 * The uids of the desk's other processes when root starts them. An account `desk-start`, `desk-peek` or `desk-mail` gives its
 * uid; otherwise they come from a range that neither Debian nor systemd assigns (60706 to 61183 in systemd's UIDS-GIDS.md).
 * Not uid 65534: other programs run under it, and processes of one uid can signal each other.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';

const FIRST = 60_900;
const TRIPLES = 40;

export interface OwnUids {
  readonly start: number;
  readonly peek: number;
  readonly mail: number;
}

/** Names with their ids; a directory service is not asked, because it may not answer. */
function idsIn(file: '/etc/passwd' | '/etc/group'): readonly (readonly [name: string, id: number])[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    // Lines of another form are comments, or name a directory service.
    return lines.flatMap((line) => {
      const [, name, id] = /^([^#+:-][^:]*):[^:]*:(\d+):/.exec(line) ?? [];
      return name === undefined ? [] : [[name, Number(id)] as const];
    });
  } catch {
    return [];
  }
}
const accounts = (): ReadonlyMap<string, number> => new Map(idsIn('/etc/passwd'));

/** Uids of running processes: the owners of their folders. */
function running(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const info = statSync(`/proc/${name}`, { throwIfNoEntry: false });
    return info === undefined ? [] : [info.uid];
  });
}

const triple = (start: number): OwnUids => ({ start, peek: start + 1, mail: start + 2 });
const inRange = (uid: number): boolean => uid >= FIRST && uid < FIRST + 3 * TRIPLES;

let helperAccounts: ReadonlySet<number> | undefined;

/** Whether only the desk's other processes have this uid; accounts as of the first call. */
export function isHelperUid(uid: number): boolean {
  helperAccounts ??= new Set(
    [...accounts()].filter(([name]) => /^desk-(?:start|peek|mail)$/.test(name)).map(([, own]) => own),
  );
  return inRange(uid) || helperAccounts.has(uid);
}

/** `kept`: owner of the ledger's folder, which stays the mail process's uid if it was assigned here. Null when every uid is in use. */
export function ownUids(kept: number | null): OwnUids | null {
  const named = accounts();
  const assigned = new Set([...named.values(), ...idsIn('/etc/group').map(([, id]) => id)]);
  const free = (): OwnUids | undefined => {
    const taken = new Set([...assigned, ...running()]);
    return Array.from({ length: TRIPLES }, (_, at) => triple(FIRST + 3 * at)).find((uids) =>
      Object.values(uids).every((uid) => !taken.has(uid)),
    );
  };
  const before = kept !== null && inRange(kept) ? triple(kept - ((kept - FIRST) % 3)) : null;
  const chosen = before === null || assigned.has(before.start) || assigned.has(before.peek) ? free() : before;
  if (chosen === undefined) return null;
  const account = (name: string): number | undefined => named.get(name) || undefined;
  return {
    start: account('desk-start') ?? chosen.start,
    peek: account('desk-peek') ?? chosen.peek,
    mail: kept !== null && inRange(kept) ? kept : (account('desk-mail') ?? chosen.mail),
  };
}

/** Names of uids are read again after this time. */
const NAMES_HOLD_MS = 60_000;
interface NamedUser {
  readonly name: string;
  readonly uid: number;
}
let names: {
  readonly all: readonly NamedUser[];
  readonly byUid: ReadonlyMap<number, string>;
  readonly untilMs: number;
} | null = null;

function held(): NonNullable<typeof names> {
  const nowMs = performance.now();
  if (names === null || names.untilMs <= nowMs) {
    const all = [...accounts()].map(([name, uid]) => ({ name, uid }));
    const byUid = new Map([...all].reverse().map(({ name, uid }) => [uid, name]));
    names = { all, byUid, untilMs: nowMs + NAMES_HOLD_MS };
  }
  return names;
}

/** Name of a uid in /etc/passwd; "" without one. */
export const userName = (uid: number): string => held().byUid.get(uid) ?? '';

/** The accounts of /etc/passwd, in its order. */
export const namedUsers = (): readonly NamedUser[] => held().all;
