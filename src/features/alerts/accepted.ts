/** Why a finding that was reported is open no more, although what it is about may still be there. */
import { changedProgram } from '../../checks/changed-program.ts';
import type { FeatureHost } from '../../desk/feature.ts';
import type { Finding } from '../../findings/finding.ts';
import { explanationOfFinding } from '../../findings/suppression.ts';
import { BASELINE, isNews } from '../baseline/index.ts';
import { LAW } from '../law/api.ts';

/** Its findings have closed by this time after a generation was learned. */
const LEARNED_MS = 10_000;

/** By what it was accepted, in a few words; "" where it was not: then it has ended. */
export function acceptedBy(id: string, host: Pick<FeatureHost, 'find' | 'finding'>): string {
  const finding = findingOf(id, host);
  const law = host.find(LAW)?.current();
  if (finding === undefined || law === undefined) return '';
  const explanation = explanationOfFinding(finding, law, null, Date.now());
  if (explanation === null) return wasLearned(finding, host) ? 'learned' : '';
  const { source, name, why } = explanation;
  return source === 'accepted' ? why : `${source === 'benign' ? name : 'law.toml'}: ${why}`;
}

function findingOf(id: string, host: Pick<FeatureHost, 'finding'>): Finding | undefined {
  try {
    return host.finding(id)?.finding;
  } catch {
    // The store cannot be read.
    return undefined;
  }
}

/** A person has just learned what was there, and it was. */
function wasLearned(finding: Finding, { find }: Pick<FeatureHost, 'find'>): boolean {
  const held = find(BASELINE)
    ?.generations()
    .find(({ authoritative }) => authoritative);
  if (held?.how !== 'learned' || !(isNews(finding) || finding.check === changedProgram.id)) return false;
  return Math.abs(Date.now() - Date.parse(held.learnedAt)) < LEARNED_MS;
}
