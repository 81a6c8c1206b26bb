/** C, the residue: what the scars of a state touch. It is set aside with the run and not learned by it. */

import { listenerKey, listenerOf, processSubject } from '../../checks/subjects.ts';
import type { Snapshot } from '../../engine/snapshot.ts';
import type { Finding } from '../../findings/finding.ts';
import type { DeskState } from '../../records/state.ts';
import type { ResidueRow } from '../gate/index.ts';
import { ownerOf } from '../history/index.ts';
import { classRow, isLearnableClass, type Rows } from './observation.ts';
import { type BaselineRow, rowId } from './rows.ts';

const encoder = new TextEncoder();
/** As the link /proc/PID/exe shows it (proc_pid_exe(5)). */
const DELETED_MARK = / \(deleted\)/;

type Spoilt = Pick<ResidueRow, 'kind' | 'key'>;

/** Scars that learning rejects. First use accepts findings up to medium, and a listener without owner, which its own row then explains. */
export const untaken = (scars: readonly Finding[], firstUse: boolean): readonly Finding[] =>
  firstUse ? scars.filter((scar) => !isLearnableClass(scar) && scar.check !== 'ownerless-socket') : scars;

/** Identity, listener and class of each scar; of a listener the identities of its holders too. */
export function residueOf(scars: readonly Finding[], snapshot: Snapshot): readonly ResidueRow[] {
  return scars.flatMap((scar) => {
    const { id: finding, severity } = scar;
    const owner = ownerOf(scar);
    const row = (kind: ResidueRow['kind'], key: Uint8Array): ResidueRow => ({
      finding,
      owner,
      severity,
      kind,
      key,
    });
    return [
      row('class', classRow(scar).key),
      ...identitiesOf(scar, snapshot).map((text) => row('identity', encoder.encode(text))),
      ...listenersOf(scar, snapshot).map((text) => row('listener', encoder.encode(text))),
    ];
  });
}

/** The rows that the residue does not touch. Identities are compared as text: bytes that are no text count as the same. */
export function withoutResidue(rows: Rows, residue: readonly Spoilt[]): Rows {
  const ids = new Set(residue.map(rowId));
  const touched = ([id, { kind, text }]: readonly [string, BaselineRow]): boolean =>
    ids.has(id) || (kind === 'identity' && ids.has(rowId({ kind, key: encoder.encode(text) })));
  return new Map([...rows].filter((entry) => !touched(entry)));
}

function listenersOf(scar: Finding, snapshot: Snapshot): string[] {
  const listener = listenerOf(scar.subject, snapshot);
  return listener === undefined ? [] : [listenerKey(snapshot, listener)];
}

function identitiesOf(scar: Finding, snapshot: Snapshot): string[] {
  if (scar.subject.kind === 'process') return [scar.subject.identity];
  const { processes } = snapshot;
  return (listenerOf(scar.subject, snapshot)?.holders ?? [])
    .map(({ pid }) => processes.rowOf(pid))
    .filter((row) => row >= 0)
    .map((row) => processSubject(processes, row).identity);
}

type Seen = Pick<DeskState, 'snapshot' | 'judgement'>;

export const residueOfRun = ({ snapshot, judgement }: Seen, firstUse: boolean) =>
  residueOf(untaken(judgement.scars, firstUse), snapshot);

/**
 * The rows less what the state brought too late to be confirmed: a listener that came between its two samples, say, which is
 * a scar at the next scan. Of a program whose file was replaced also the row under the name that it was learned by.
 */
export function withoutUnconfirmed(rows: Rows, { snapshot, judgement }: Seen, firstUse: boolean): Rows {
  if (judgement.unconfirmed.length === 0) return rows;
  const some = untaken(judgement.unconfirmed, firstUse);
  return withoutResidue(rows, [...residueOf(some, snapshot), ...spoiltBy(some, snapshot)]);
}

/** What no longer counts in a learning window in which these scars stood: of a program that was deleted since, its name before. */
export function spoiltBy(scars: readonly Finding[], snapshot: Snapshot): readonly Spoilt[] {
  return residueOf(scars, snapshot).flatMap(({ kind, key }): Spoilt[] => {
    if (kind === 'class') return [];
    const before = Buffer.from(key).toString('utf8').replace(DELETED_MARK, '');
    return [{ kind, key }, ...(kind === 'identity' ? [{ kind, key: encoder.encode(before) }] : [])];
  });
}
