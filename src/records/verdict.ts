/**
 * The one verdict: `ok`, grade, colour, the bounds of the score and the headline, all from the same reasons.
 * The table in docs/records.md is made from `verdictFrom`.
 */
import { mostSevereFirst, type Severity } from '../checks/judgement.ts';
import { gapsOf } from './coverage.ts';
import { downPorts, missingPorts, once, VIRUS_PORT, virusUp } from './derive.ts';
import type { Moment } from './moment.ts';
import { type ReasonKind, reasonsOf } from './problems.ts';

/** From the worst to the best. */
export const GRADES = ['lead', 'bronze', 'silver', 'gold'] as const;
type Grade = (typeof GRADES)[number];

/** From the worst to the best. `good`: ok. `warn`: not ok, and nothing is severe, broken, or required and out of sight. `bad`: the rest. */
export const TONES = ['bad', 'warn', 'good'] as const;
type Tone = (typeof TONES)[number];

/** What a verdict rests on. */
export interface VerdictFacts {
  /** Port 8766 is up. */
  readonly virus: boolean;
  /** Highest severity of the scars; null without a scar. */
  readonly worst: Severity | null;
  /** The gate is closed for another reason than a scar, or the loop or a configured duty does not run. */
  readonly failing: boolean;
  /** Too much could not be seen, see `gapsOf`. */
  readonly blind: boolean;
  /** A required port is not known to be up, the control port or the configured site does not answer, or a changed configuration is refused. */
  readonly elsewhere: boolean;
}

interface Verdict {
  readonly ok: boolean;
  readonly grade: Grade;
  readonly tone: Tone;
  /** Least and most that the score can be. */
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

function gradeFrom({ virus, worst, failing, blind }: VerdictFacts): Grade {
  if (virus) return 'lead';
  if (worst === 'critical') return 'bronze';
  return worst !== null || failing || blind ? 'silver' : 'gold';
}

function toneFrom({ virus, worst, failing, blind, elsewhere }: VerdictFacts): Tone {
  if (virus || failing || elsewhere || worst === 'high' || worst === 'critical') return 'bad';
  return worst !== null || blind ? 'warn' : 'good';
}

function openingFrom({ virus, worst, failing, blind, elsewhere }: VerdictFacts): string {
  if (virus || worst !== null || failing || elsewhere) return 'The desk is not well';
  return blind ? 'Nothing found in what could be seen' : 'The desk is well';
}

/** Pure. Another fact that is bad, or a higher severity, never gives a better value of anything. */
export function verdictFrom(facts: VerdictFacts): Verdict {
  const { virus, worst, failing, blind, elsewhere } = facts;
  const ok = !virus && worst === null && !failing && !blind && !elsewhere;
  const grade = gradeFrom(facts);
  return {
    ok,
    grade,
    tone: toneFrom(facts),
    score: SCORE[grade],
    opening: openingFrom(facts),
  };
}

const FAILING: readonly ReasonKind[] = ['gate', 'duty', 'loop'];
const OUTSIDE: readonly ReasonKind[] = ['config', 'control', 'site'];

/** The verdict of a moment; `ok` exactly when there is no reason against it. */
export const verdictOf = once((moment): Verdict => {
  const kinds = new Set(reasonsOf(moment).map(({ kind }) => kind));
  const [worst] = mostSevereFirst(moment.judgement.scars);
  return verdictFrom({
    virus: virusUp(moment),
    worst: worst?.severity ?? null,
    failing: FAILING.some((kind) => kinds.has(kind)),
    blind: kinds.has('blind'),
    elsewhere: OUTSIDE.some((kind) => kinds.has(kind)) || missingPorts(moment).length > 0,
  });
});

/** What is wrong, each a phrase, the worst first. */
function troubles(moment: Moment): string[] {
  const kinds = new Set(reasonsOf(moment).map(({ kind }) => kind));
  const { scars } = moment.judgement;
  const [worst] = mostSevereFirst(scars);
  const phrases: Readonly<Record<ReasonKind, string>> = {
    virus: '',
    scar:
      scars.length === 1
        ? `1 ${worst?.severity} scar`
        : `${scars.length} scars, the worst ${worst?.severity}`,
    gate: 'the scar gate is closed',
    duty: 'a duty does not run',
    loop: 'the recheck loop does not look',
    blind: gapsOf(moment)[0]?.reason ?? '',
    port: downPorts(moment)
      .map(({ port }) => `required port ${port} is down`)
      .join(', '),
    config: 'the changed configuration is not in force',
    control: 'the control port is not served',
    site: 'the site does not answer as it should',
  };
  return [
    ...(virusUp(moment) ? [`port ${VIRUS_PORT} is up`] : []),
    ...(Object.keys(phrases) as ReasonKind[])
      .filter((kind) => kind !== 'virus' && kinds.has(kind))
      .map((kind) => phrases[kind]),
  ];
}

/** The verdict as one line for people, without a stop at its end. */
export const headlineOf = once((moment): string => {
  const { ok, opening } = verdictOf(moment);
  if (ok) return opening;
  // What was found and is no scar is not hidden by the words.
  const found =
    moment.judgement.findings.length > 0 ? opening.replace('Nothing found', 'Nothing severe found') : opening;
  return `${found}: ${troubles(moment).join(', ')}`;
});
