/** The techniques of MITRE ATT&CK that a finding may show. */
import { CHECKS } from '../checks/index.ts';
import { startupEntry } from '../checks/startup-entry.ts';

const BY_CHECK: ReadonlyMap<string, readonly string[]> = new Map(
  CHECKS.map(({ id, techniques }) => [id, techniques]),
);

/** Those of its place for what starts by itself, else those of its check. Empty for a check that is no longer known. */
export function techniquesOf(
  check: string,
  evidence: Readonly<Record<string, string | number>>,
): readonly string[] {
  const { techniques } = evidence;
  if (check === startupEntry.id && typeof techniques === 'string')
    return techniques.split(' ').filter((one) => one !== '');
  return BY_CHECK.get(check) ?? [];
}
