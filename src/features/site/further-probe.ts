/** One probe of a site of `[[sites]]`: whether it answers as the configuration expects. Redirects are answers. */
import type { Config } from '../../config/schema.ts';
import type { Egress, EgressRefusal } from '../../egress/egress.ts';
import { askWeb } from '../../egress/https.ts';
import type { CertificateFacts } from '../../egress/tls.ts';
import type { SiteVerdict } from './site-state.ts';

export type FurtherSite = Config['sites'][number];

export interface FurtherProbe {
  readonly verdict: SiteVerdict;
  /** HTTP status, 0 without an answer. */
  readonly status: number;
  readonly ms: number;
  /** Why it is not up, and what to do; "" when it is. */
  readonly reason: string;
  readonly certificate: CertificateFacts | null;
}

/** This machine has no way out, or its packet filter has closed it. */
const NO_WAY_OUT: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENETUNREACH', 'ENETDOWN']);

/** The site was not asked: the guard or this machine itself refused. */
export const wasNotAsked = ({ kind, code }: EgressRefusal): boolean =>
  kind === 'rule' || NO_WAY_OUT.has(code);

const shown = (expected: FurtherSite['expect_status']): string =>
  expected.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(' or ');

/** Never rejects. */
export async function probeFurther(
  egress: Egress,
  site: FurtherSite,
  timeoutMs?: number,
): Promise<FurtherProbe> {
  const { url, expect_status: expected, expect_text: text } = site;
  const answer = await askWeb(egress, url, { text, ...(timeoutMs !== undefined && { timeoutMs }) });
  const { ms, certificate } = answer;
  if (!answer.ok) {
    const verdict = wasNotAsked(answer) ? 'unknown' : 'down';
    return { verdict, status: 0, ms, reason: answer.reason, certificate };
  }
  const { status, found } = answer;
  const reason = !expected.some(({ from, to }) => status >= from && status <= to)
    ? `it answers ${status} and not ${shown(expected)}, check the log of its server`
    : found === false
      ? `it answers ${status} without the expected text, check what it serves`
      : '';
  return { verdict: reason === '' ? 'up' : 'down', status, ms, reason, certificate };
}
