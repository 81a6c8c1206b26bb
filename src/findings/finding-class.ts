/**
 * The class of a finding: check, subject, the way it failed, the evidence that made it, and severity. Acceptance, baseline and
 * grouping of equal findings all go by it. Pure.
 */
import { isLossy } from '../base/visible-text.ts';
import type { Fail } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import { UNKNOWN } from '../checks/peek-facts.ts';
import { isWhole } from '../checks/peeked.ts';
import type { Finding } from './finding.ts';

/** What a class is made of: a fail, or what is left of one in a finding. */
export type Classed = Pick<Fail, 'subject' | 'evidence' | 'evidenceClass' | 'severity'> & {
  readonly check: Pick<Fail['check'], 'id'>;
};

export const classedOf = ({ check, ...finding }: Finding): Classed => ({ ...finding, check: { id: check } });

/** By check, the names of the evidence that makes a finding of it. */
const KEYS: ReadonlyMap<string, readonly string[]> = new Map(CHECKS.map(({ id, key = [] }) => [id, key]));

const ALONE: ReadonlySet<string> = new Set(CHECKS.flatMap(({ id, alone }) => (alone ? [id] : [])));

/** Whether equal findings of processes are one. */
export const isGrouped = ({ check }: Pick<Classed, 'check'>): boolean => !ALONE.has(check.id);

/** Values of the evidence that made the finding, by name; what was not there is left out. */
export function keyEvidence({
  check,
  evidence,
}: Pick<Classed, 'check' | 'evidence'>): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of KEYS.get(check.id) ?? []) {
    const value = evidence[name];
    if (value !== undefined) values.set(name, String(value));
  }
  return values;
}

/** The user of a process: what one user runs says nothing about another. Null when it could not be read, and for other subjects. */
const userOf = ({ subject }: Pick<Classed, 'subject'>): number | null =>
  subject.kind === 'process' ? subject.uid : null;

/** Whether the user and the whole of the evidence that made the finding are known. */
export const isKeyKnown = (classed: Pick<Classed, 'check' | 'evidence' | 'subject'>): boolean =>
  (classed.subject.kind !== 'process' || classed.subject.uid !== null) &&
  [...keyEvidence(classed).values()].every((value) => value !== UNKNOWN && isWhole(value) && !isLossy(value));

function who({ subject, evidence }: Classed): string {
  switch (subject.kind) {
    case 'process':
      return subject.identity;
    case 'listener':
      return `${subject.protocol} ${subject.port} ${evidence.executable ?? ''}`;
    case 'file':
      return subject.path;
    case 'host':
      return subject.name;
    case 'desk':
      return 'desk';
  }
}

const PARTS = 6;

/**
 * The key of a class, as the baseline holds it; joined by NUL, which no text of the kernel has. With the severity in it, what was
 * learned as harmless does not suppress what has become severe.
 */
export function classKey(classed: Classed): string {
  const { check, evidenceClass, severity } = classed;
  const key = keyEvidence(classed);
  const uid = userOf(classed);
  return [
    check.id,
    who(classed),
    uid === null ? '' : `uid ${uid}`,
    evidenceClass,
    key.size === 0 ? '' : JSON.stringify([...key]),
    severity,
  ].join('\0');
}

/** Whether it has today's form. Earlier keys held no user, the first ones no evidence either: they suppress nothing. */
export const isClassKey = (key: string): boolean => key.split('\0').length === PARTS;

/** Whether the classes of a baseline suppress this one; never one that is not fully known. */
export const isSuppressed = (classes: ReadonlySet<string>, classed: Classed): boolean =>
  isKeyKnown(classed) && classes.has(classKey(classed));

/** Subject and evidence class of a class key. */
export function partsOfClassKey(key: string): { readonly who: string; readonly evidenceClass: string } {
  const [, name = '', uid = '', evidenceClass = ''] = key.split('\0');
  return { who: uid === '' ? name : `${name} of ${uid}`, evidenceClass };
}
