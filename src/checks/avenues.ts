/** From verdicts and confirmed findings to the judgement that records show. Pure. */
import type { Check } from './check.ts';
import type { Verdicts } from './judge.ts';
import {
  AVENUE_IDS,
  type Avenue,
  type AvenueId,
  type Finding,
  type Judgement,
  type Note,
  type Severity,
} from './judgement.ts';

/** Weight of a finding in the open score. */
export const SEVERITY_SCORE: Readonly<Record<Severity, number>> = {
  low: 1,
  medium: 3,
  high: 9,
  critical: 27,
};

const AVENUE_NAMES: Readonly<Record<AvenueId, string>> = {
  inject_clip: 'Code or input that is not what it claims to be',
  public_listen: 'Listeners open beyond loopback',
  unknown_local: 'Loopback listeners nobody vouched for',
  new_comm: 'Programs the baseline does not know',
  scar: 'Residue',
  secure_learn: 'The baseline itself',
};

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function avenueOf(id: AvenueId, findings: readonly Finding[], notes: readonly Note[], scars: number): Avenue {
  const own = findings.filter((finding) => finding.avenue === id);
  const ownNotes = notes.filter((note) => note.avenue === id);
  const open = own.length > 0 || ownNotes.length > 0 || (id === 'scar' && scars > 0);
  const parts: string[] = [];
  if (own.length > 0) parts.push(plural(own.length, 'finding'));
  if (id === 'scar' && scars > 0) parts.push(plural(scars, 'scar'));
  for (const note of ownNotes) parts.push(note.cure === '' ? note.reason : `${note.reason} (${note.cure})`);
  return { id, name: AVENUE_NAMES[id], open, detail: parts.length > 0 ? parts.join(', ') : 'closed' };
}

/** `findings` are the confirmed ones, in the order to show them. */
export function judgementOf(
  generation: number,
  checks: readonly Check[],
  verdicts: Omit<Verdicts, 'hidden'>,
  findings: readonly Finding[],
): Judgement {
  const scars = findings.filter((finding) => finding.scar);
  const disturbed = new Set([
    ...findings.map((finding) => finding.check),
    ...verdicts.notes.map((note) => note.check),
  ]);
  return {
    generation,
    megaN: verdicts.pass + verdicts.fail + verdicts.blind,
    pass: verdicts.pass,
    fail: verdicts.fail,
    blind: verdicts.blind,
    findings,
    notes: verdicts.notes,
    avenues: AVENUE_IDS.map((id) => avenueOf(id, findings, verdicts.notes, scars.length)),
    scars,
    openScore: findings.reduce((score, finding) => score + SEVERITY_SCORE[finding.severity], 0),
    quietShare: checks.filter((check) => !disturbed.has(check.id)).length / checks.length,
  };
}
