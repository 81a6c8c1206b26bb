/** From verdicts and confirmed findings to the judgement that records show. Pure. */
import { plural } from '../base/plural.ts';
import { AVENUE_IDS, type AvenueId, type Check } from '../checks/check.ts';
import type { Note, PairCounts } from '../checks/verdicts.ts';
import { SEVERITY_SCORE } from '../policy/severity.ts';
import type { Avenue, Finding, Judgement } from './finding.ts';

const AVENUE_NAMES: Readonly<Record<AvenueId, string>> = {
  inject_clip: 'Code or input that is not what it claims to be',
  public_listen: 'Listeners open beyond loopback',
  unknown_local: 'Loopback listeners that neither baseline nor law knows',
  new_comm: 'Programs the baseline does not know',
  scar: 'Residue',
  secure_learn: 'The baseline itself',
};

function avenueOf(id: AvenueId, findings: readonly Finding[], notes: readonly Note[], scars: number): Avenue {
  const own = findings.filter((finding) => finding.avenue === id);
  const ownNotes = notes.filter((note) => note.avenue === id);
  const open = own.length > 0 || ownNotes.length > 0 || (id === 'scar' && scars > 0);
  const parts: string[] = [];
  if (own.length > 0) parts.push(plural(own.length, 'finding'));
  if (id === 'scar' && scars > 0) parts.push(plural(scars, 'scar'));
  parts.push(...blindParts(ownNotes));
  return { id, name: AVENUE_NAMES[id], open, detail: parts.length > 0 ? parts.join(', ') : 'closed' };
}

/** Each reason once, and each cure once, behind the reasons that it ends. */
function blindParts(notes: readonly Note[]): string[] {
  const reasons = new Map<string, Set<string>>();
  for (const { reason, cure } of notes) reasons.set(cure, (reasons.get(cure) ?? new Set()).add(reason));
  return [...reasons].map(([cure, some]) => [...some].join(', ') + (cure === '' ? '' : ` (${cure})`));
}

/** `quick`: pairs of tier 1; `findings`: the confirmed ones, in the order to show them; `unconfirmed` defaults to none. */
type JudgementParts = Pick<
  Judgement,
  'generation' | 'everyTier' | 'notes' | 'suppressed' | 'findings' | 'members'
> &
  Partial<Pick<Judgement, 'unconfirmed'>> & { readonly checks: readonly Check[]; readonly quick: PairCounts };

export function judgementOf(parts: JudgementParts): Judgement {
  const { generation, checks, quick, everyTier, suppressed, findings, members, unconfirmed = [] } = parts;
  const notes = parts.notes.map(({ missed, refused, ...note }) => note);
  const scars = findings.filter((finding) => finding.scar);
  const disturbed = new Set([...findings, ...notes].map(({ check }) => check));
  const { pass, fail, blind } = quick;
  return {
    generation,
    megaN: pass + fail + blind,
    pass,
    fail,
    blind,
    everyTier: { pass: everyTier.pass, fail: everyTier.fail, blind: everyTier.blind },
    checks,
    findings,
    members,
    notes,
    missed: parts.notes.flatMap(({ missed = [] }) => missed),
    refused: parts.notes.flatMap(({ refused = [] }) => refused),
    suppressed,
    avenues: AVENUE_IDS.map((id) => avenueOf(id, findings, notes, scars.length)),
    scars,
    unconfirmed,
    openScore: findings.reduce((score, finding) => score + SEVERITY_SCORE[finding.severity], 0),
    quietShare: checks.filter((check) => !disturbed.has(check.id)).length / checks.length,
  };
}
