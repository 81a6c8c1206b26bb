/** How severe a finding is. */

/** From the least to the most severe. */
export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** 0 for the least severe. */
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

/** The most severe first, equals in their order. */
export const mostSevereFirst = <T extends { readonly severity: Severity }>(findings: readonly T[]): T[] =>
  [...findings].sort((a, b) => severityRank(b.severity) - severityRank(a.severity));

/** Weight of a finding in the open score. */
export const SEVERITY_SCORE: Readonly<Record<Severity, number>> = {
  low: 1,
  medium: 3,
  high: 9,
  critical: 27,
};
