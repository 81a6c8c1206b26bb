/** What accepting a finding writes: an exception for its class, and the text of the file that holds them. Pure. */
import { createHash } from 'node:crypto';
import { stringify } from 'smol-toml';
import { isLossy } from '../../base/visible-text.ts';
import type { Acceptance, Accepted, Finding } from '../../findings/finding.ts';
import { classedOf, isKeyKnown, keyEvidence } from '../../findings/finding-class.ts';
import { classedId, memberId } from '../../findings/finding-id.ts';
import { NEVER_SUPPRESSED } from '../../findings/suppression.ts';
import { BANNED_LISTENER } from '../../policy/banned.ts';
import type { Exception } from './schema.ts';

interface Reason {
  readonly why: string;
  /** Milliseconds since the epoch; null = never. */
  readonly expiresMs: number | null;
  readonly acceptedMs: number;
}

/** Whether a finding can be accepted; `spared` means only that the listener is not shut down. */
export const acceptanceOf = ({ check }: Pick<Finding, 'check'>): 'explained' | 'spared' | 'never' => {
  if (check === BANNED_LISTENER) return 'spared';
  return NEVER_SUPPRESSED.has(check) ? 'never' : 'explained';
};

/** What ends in `*` would match more than itself, U+FFFD may replace any bytes, and this is the limit of the schema. */
const exact = (text: string): boolean =>
  text !== '' && !/^\/?\*|\*$/.test(text) && !isLossy(text) && text.length <= 4096;

const isPath = (text: string): boolean => exact(text) && text.startsWith('/') && text.length > 1;

/** The subject of a finding as conditions; null when only the id of the finding can name it. */
function conditionsOf({ check, subject, evidence }: Finding): Partial<Exception> | null {
  switch (subject.kind) {
    case 'process':
      return exact(subject.identity) && subject.uid !== null
        ? { identity: subject.identity, uid: subject.uid }
        : null;
    case 'listener': {
      const { protocol, port } = subject;
      if (check === 'ownerless-socket') return { protocol, port };
      const executable = String(evidence.executable ?? '');
      return isPath(executable) ? { protocol, port, executable } : null;
    }
    case 'file':
      return isPath(subject.path) ? { path: subject.path } : null;
    case 'host':
    case 'desk':
      return null;
  }
}

/**
 * An exception for the class of a finding: check, subject, evidence class, the evidence that made it, and severity. By the id of
 * the finding where nothing else names its subject; by that of its process where the evidence is not known in full.
 */
export function exceptionFor(finding: Finding, { why, expiresMs, acceptedMs }: Reason): Exception {
  const { check, id, evidenceClass, severity } = finding;
  const classed = classedOf(finding);
  const classNamed = evidenceClass === '' || exact(evidenceClass);
  const who = classNamed ? (conditionsOf(finding) ?? { finding: id }) : { finding: classedId(classed) };
  // Half a character cannot be written.
  const shown = Object.fromEntries([...keyEvidence(classed)].filter(([, value]) => !/\p{Cs}/u.test(value)));
  return {
    check,
    ...(isKeyKnown(classed) || !classNamed ? who : { finding: memberId(classed) }),
    ...(classNamed && evidenceClass !== '' ? { evidence: evidenceClass } : {}),
    ...(Object.keys(shown).length > 0 ? { shown } : {}),
    severity,
    why,
    ...(expiresMs === null ? {} : { expires: expiresMs }),
    accepted: acceptedMs,
  };
}

/** What accepting a finding would do. */
export function acceptanceFor(finding: Finding): Acceptance {
  const effect = acceptanceOf(finding);
  const { id, covers } = acceptedOf(exceptionFor(finding, { why: '', expiresMs: null, acceptedMs: 0 }));
  return { effect, id, covers: effect === 'never' ? [] : covers };
}

/** Conditions of an exception, each as a key and what it must be; what was shown by its names. */
function coversOf({ shown = {}, ...conditions }: Partial<Exception>): Acceptance['covers'] {
  return [
    ...Object.entries(conditions).map(([key, value]) => ({
      key,
      value: `${[value].flat().join(' or ')}${key === 'severity' && value !== 'low' ? ' or less' : ''}`,
    })),
    ...Object.entries(shown).map(([key, value]) => ({ key, value: value || '(empty)' })),
  ];
}

/** 12 hex digits over what an entry covers: the same as long as it covers the same. */
export const acceptedId = (entry: Exception): string =>
  createHash('sha256').update(conditionKey(entry)).digest('hex').slice(0, 12);

export function acceptedOf(entry: Exception): Accepted {
  const { why, expires = null, accepted = null, ...conditions } = entry;
  return {
    id: acceptedId(entry),
    covers: coversOf(conditions),
    why,
    expiresMs: expires,
    acceptedMs: accepted,
  };
}

/** Equal for exceptions with the same conditions. */
function conditionKey({
  why: _why,
  expires: _expires,
  accepted: _accepted,
  ...conditions
}: Exception): string {
  return JSON.stringify(Object.entries(conditions).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The entries with one more, which replaces one with the same conditions. */
export function withException(entries: readonly Exception[], added: Exception): readonly Exception[] {
  const key = conditionKey(added);
  return [...entries.filter((entry) => conditionKey(entry) !== key), added];
}

const HEAD = `# Findings that were accepted. "desk accept" writes this file, and nothing else does. See them with
# "desk accept --list", take one back with "desk accept --undo ID". What an entry means: docs/law.md.

`;

/** The text of `law.d/accepted.toml`. */
export function acceptedText(entries: readonly Exception[]): string {
  const rows = entries.map(({ expires, accepted, user, uid, ...rest }) => ({
    ...rest,
    ...(uid === undefined && user === undefined ? {} : { uid: uid ?? user }),
    ...(expires === undefined ? {} : { expires: new Date(expires) }),
    ...(accepted === undefined ? {} : { accepted: new Date(accepted) }),
  }));
  return HEAD + (rows.length === 0 ? '' : stringify({ except: rows }));
}
