/**
 * The one verdict: `ok`, grade, colour, the bounds of the score and the headline, all from the same reasons.
 * The table in docs/records.md is made from `verdictFrom`.
 */
import { z } from 'zod';
import { mostSevereFirst, type Severity } from '../policy/severity.ts';
import { gapsOf } from './coverage.ts';
import { field, flag, group, text } from './define.ts';
import { answersWell, downPorts, missingPorts, once, VIRUS_PORT, virusUp } from './derive.ts';
import { type ReasonKind, reasonsOf } from './problems.ts';
import type { DeskState } from './state.ts';

export const GRADES = ['lead', 'bronze', 'silver', 'gold'] as const;
type Grade = (typeof GRADES)[number];

/** From the worst to the best. `good`: ok. `warn`: not ok, but without anything severe, broken, or required and unseen. `bad`: the rest. */
export const TONES = ['bad', 'warn', 'good'] as const;
type Tone = (typeof TONES)[number];

export interface VerdictFacts {
  readonly virus: boolean;
  /** Highest severity of the scars; null without a scar. */
  readonly worst: Severity | null;
  /** The gate is closed for another reason than a scar, or the loop or a configured duty does not run. */
  readonly failing: boolean;
  /** Too much could not be seen, see `gapsOf`. */
  readonly blind: boolean;
  /** A required port is not known to be up, the control port or a configured site does not answer, or a changed configuration is refused. */
  readonly elsewhere: boolean;
}

interface Verdict {
  readonly ok: boolean;
  readonly grade: Grade;
  readonly tone: Tone;
  readonly score: readonly [number, number];
  /** How the headline begins; what is wrong follows behind a colon. */
  readonly opening: string;
}

/** Bounds of the score: its letter never contradicts the grade. Gold is A or B, silver at most B, bronze at most D, lead F. */
const SCORE: Readonly<Record<Grade, readonly [number, number]>> = {
  gold: [75, 100],
  silver: [0, 89.9],
  bronze: [0, 59.9],
  lead: [0, 39.9],
};

/** Pure. Another fact that is bad, or a higher severity, never gives a better value of anything. */
export function verdictFrom({ virus, worst, failing, blind, elsewhere }: VerdictFacts): Verdict {
  const found = virus || worst !== null || failing || elsewhere;
  const weak = worst !== null || failing || blind;
  const bad = virus || failing || elsewhere || worst === 'high' || worst === 'critical';
  const grade = virus ? 'lead' : worst === 'critical' ? 'bronze' : weak ? 'silver' : 'gold';
  const opening = found
    ? 'The desk is not well'
    : blind
      ? 'Nothing found in what could be seen'
      : 'The desk is well';
  return {
    ok: !found && !blind,
    grade,
    tone: bad ? 'bad' : worst !== null || blind ? 'warn' : 'good',
    score: SCORE[grade],
    opening,
  };
}

const FAILING: readonly ReasonKind[] = ['gate', 'duty', 'loop'];
const OUTSIDE: readonly ReasonKind[] = ['config', 'control', 'site'];

/** The verdict; `ok` exactly without a reason against it. */
export const verdictOf = once((state): Verdict => {
  const kinds = new Set(reasonsOf(state).map(({ kind }) => kind));
  const [worst] = mostSevereFirst(state.judgement.scars);
  return verdictFrom({
    virus: virusUp(state),
    worst: worst?.severity ?? null,
    failing: FAILING.some((kind) => kinds.has(kind)),
    blind: kinds.has('blind'),
    elsewhere: OUTSIDE.some((kind) => kinds.has(kind)) || missingPorts(state).length > 0,
  });
});

function siteTrouble({ desk: { site, sites } }: DeskState): string {
  const further = sites.filter(({ state }) => state !== 'up').length;
  if (further === 0 || (site.configured && !answersWell(site.status)))
    return 'the site does not answer as it should';
  return further === 1
    ? 'a site does not answer as it should'
    : `${further} sites do not answer as they should`;
}

/** What is wrong, each a phrase, the worst first. */
function troubles(state: DeskState): string[] {
  const kinds = new Set(reasonsOf(state).map(({ kind }) => kind));
  const { scars } = state.judgement;
  const [worst] = mostSevereFirst(scars);
  const phrases: Readonly<Record<ReasonKind, string>> = {
    virus: '',
    scar:
      scars.length === 1
        ? `1 ${worst?.severity} scar`
        : `${scars.length} scars, the worst ${worst?.severity}`,
    gate: 'the scar gate is closed',
    duty: 'a duty does not run',
    loop: 'the recheck loop does not run',
    blind: gapsOf(state)[0]?.reason ?? '',
    port: downPorts(state)
      .map(({ port }) => `required port ${port} is down`)
      .join(', '),
    config: 'the changed configuration is not in force',
    control: 'the control port is not served',
    site: siteTrouble(state),
  };
  return [
    ...(virusUp(state) ? [`port ${VIRUS_PORT} is up`] : []),
    ...(Object.keys(phrases) as ReasonKind[])
      .filter((kind) => kind !== 'virus' && kinds.has(kind))
      .map((kind) => phrases[kind]),
  ];
}

/** The verdict as one line for people, without a stop at its end. */
export const headlineOf = once((state): string => {
  const { ok, opening } = verdictOf(state);
  if (ok) return opening;
  // Findings that are not scars are mentioned too.
  const found =
    state.judgement.findings.length > 0 ? opening.replace('Nothing found', 'Nothing severe found') : opening;
  return `${found}: ${troubles(state).join(', ')}`;
});

/** The verdict in words, beside `ok` and `grade` of the desk status. */
export const verdict = group('The verdict of the snapshot; docs/records.md has its table', {
  ok: field(flag, 'ok of the desk status', (m) => verdictOf(m).ok),
  grade: field(z.enum(GRADES), 'grade of the desk status', (m) => verdictOf(m).grade),
  tone: field(
    z.enum(TONES),
    'colour: good is ok, warn is not ok without anything broken or severe, bad is the rest',
    (m) => verdictOf(m).tone,
  ),
  covered: field(
    flag,
    'enough could be seen for a good verdict: at most 5 % or two of the processes hidden, and no class of evidence blind',
    (m) => gapsOf(m).length === 0,
  ),
  headline: field(text, 'the verdict as one line, without a stop at its end', headlineOf),
});
