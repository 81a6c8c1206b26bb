/** Compares packages one at a time by desk-peek: a package whose files do not answer costs only its own result. */
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type AlteredFile, databaseTrouble } from '../../checks/packages.ts';
import type { Unread } from '../../checks/unread.ts';
import type { Installed, PackageScan } from '../../desk/packages.ts';
import { HANGS, PeekHelper, type PeekOptions } from '../../privileges/peek-helper.ts';

/** The largest packages have a gigabyte. */
const DEADLINE_MS = 60_000;
const MOST_MS = 600_000;
const MOST_ANSWER = 16 << 20;
/** After so many packages that hang in a row, the rest would hang too. */
const MOST_HUNG = 3;
const NO_ANSWER = 'desk-peek does not answer';
const INSTALLING = 'packages are being installed or removed';

const packages = z.strictObject({
  packages: z.array(
    z.strictObject({ id: z.string(), name: z.string(), version: z.string(), database: z.string() }),
  ),
  /** Those of this machine; `state`: `read`, or why it was not, an error code or a phrase. */
  databases: z.array(z.strictObject({ name: z.string(), state: z.string() })),
});

/** native/files/answer.cc */
const verified = z.strictObject({
  installed: z.boolean(),
  seal: z.string(),
  files: z.number(),
  missing: z.number(),
  altered: z.array(
    z.strictObject({
      path: z.string(),
      expected: z.string(),
      found: z.string(),
      mode: z.number(),
      changedNs: z.string(),
      program: z.boolean(),
    }),
  ),
  unread: z.array(z.strictObject({ path: z.string(), error: z.string() })),
  busy: z.boolean(),
});

export interface Compared extends Omit<PackageScan, 'endedMs'> {
  /** Packages were being installed or removed meanwhile: what differs says nothing. */
  readonly busy: boolean;
}

interface VerifierOptions extends PeekOptions {
  /** Pauses after each package as long as that package took. */
  readonly paced?: boolean;
  readonly signal?: AbortSignal;
  /** What differs counts although packages are being installed: that has gone on for longer than an installation takes. */
  readonly evenBusy?: boolean;
}

/**
 * Compares every package. `seals` has what was found whole, by id of the package: packages whose seal still holds are not read again. It is
 * updated. Never rejects for what the machine refuses.
 */
export async function compare(
  seals: Map<string, string>,
  { paced = false, evenBusy = false, signal, ...options }: VerifierOptions = {},
): Promise<Compared> {
  return withPeek(options, async (peek) => {
    // Pending questions end at once, without an answer.
    const end = () => void peek.close();
    signal?.addEventListener('abort', end, { once: true });
    try {
      const found = await comparing(peek, seals, paced, signal);
      return found.busy && !evenBusy ? { ...found, altered: [], trouble: INSTALLING } : found;
    } finally {
      signal?.removeEventListener('abort', end);
    }
  });
}

/** Never rejects for what the machine refuses. */
export const installed = (options: PeekOptions = {}): Promise<Installed> =>
  withPeek(options, async (peek) => {
    const heard = await peek.askFor('packages', packages);
    if (heard.kind !== 'message')
      return { packages: [], unread: [], trouble: heard.kind === 'hung' ? HANGS : NO_ANSWER };
    const { databases, packages: all } = heard.message;
    const unread = databases.filter(({ state }) => state !== 'read');
    return {
      packages: all.map(({ name, version, database }) => ({ name, version, database })),
      unread: unread.map(({ name, state }) => ({ database: name, reason: state })),
      trouble: unread.length === databases.length ? databaseTrouble(databases) : '',
    };
  });

async function withPeek<T>(options: PeekOptions, work: (peek: PeekHelper) => Promise<T>): Promise<T> {
  const peek = new PeekHelper({
    deadlineMs: DEADLINE_MS,
    mostMs: MOST_MS,
    mostAnswer: MOST_ANSWER,
    ...options,
  });
  try {
    return await work(peek);
  } finally {
    await peek.close();
  }
}

async function comparing(
  peek: PeekHelper,
  seals: Map<string, string>,
  paced: boolean,
  signal: AbortSignal | undefined,
): Promise<Compared> {
  const sinceMs = performance.now();
  const altered: AlteredFile[] = [];
  const unread: Unread[] = [];
  let [files, missing, hung] = [0, 0, 0];
  let busy = false;
  const heard = await peek.askFor('packages', packages);
  const all = heard.kind === 'message' ? heard.message.packages : [];
  const databases = heard.kind === 'message' ? heard.message.databases : [];
  const wasRead = databases.some(({ state }) => state === 'read');
  if (wasRead)
    for (const { name: database, state } of databases)
      if (state !== 'read') unread.push({ path: `packages of ${database}`, reason: state });
  for (const { id, name, version, database } of all) {
    if (signal?.aborted || hung === MOST_HUNG) break;
    const askedMs = performance.now();
    const answer = await peek.askFor(`verify ${id} ${seals.get(id) ?? ''}`, verified);
    hung = answer.kind === 'hung' ? hung + 1 : 0;
    if (answer.kind !== 'message') {
      seals.delete(id);
      unread.push({ path: `package ${id}`, reason: answer.kind === 'hung' ? HANGS : NO_ANSWER });
      continue;
    }
    const result = answer.message;
    if (!result.installed) {
      unread.push({
        path: `package ${id}`,
        reason: 'it was removed meanwhile, or its database could not be read',
      });
      continue;
    }
    busy ||= result.busy;
    files += result.files;
    missing += result.missing;
    if (result.seal === '') seals.delete(id);
    else seals.set(id, result.seal);
    for (const { path, expected, found, mode, changedNs, program } of result.altered)
      altered.push({
        ...{ path, package: name, version, database, expected, found },
        program: program || (mode & 0o111) !== 0,
        changedMs: Number(BigInt(changedNs) / 1_000_000n),
      });
    for (const { path, error } of result.unread) unread.push({ path, reason: error });
    if (paced)
      await delay(performance.now() - askedMs, undefined, { ref: false, signal }).catch(() => undefined);
  }
  if (hung === MOST_HUNG)
    unread.push({ path: '/', reason: `${MOST_HUNG} packages in a row hang: the rest was not read` });
  const installed = new Set(all.map(({ id }) => id));
  for (const id of [...seals.keys()]) if (!installed.has(id)) seals.delete(id);
  const noneRead = heard.kind === 'message' ? databaseTrouble(databases) : NO_ANSWER;
  const trouble = wasRead ? '' : noneRead;
  return {
    ...{ altered, unread, files, missing, busy, trouble },
    packages: all.length,
    tookMs: performance.now() - sinceMs,
  };
}
