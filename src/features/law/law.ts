/**
 * The law in force: the policy that the checks judge by. It is put together from the configuration, the user's `law.toml`, what
 * was accepted (`law.d/accepted.toml`) and the benign causes of the catalogue that are switched on.
 */
import { createHash } from 'node:crypto';
import { CHECKS } from '../../checks/index.ts';
import type { Config } from '../../config/schema.ts';
import { bannedPorts } from '../../policy/banned.ts';
import { type Expiring, hasEnded, type Law, type Suppression } from '../../policy/law.ts';
import { CAUSE_NAMES } from './causes.ts';
import { type AcceptedDocument, type Exception, type LawDocument, lawSchema } from './schema.ts';

/** The version of the law while nobody has changed anything. */
export const BUILT_IN = 'built-in 1';

/** What the files say. */
export interface LawFiles {
  readonly user: LawDocument;
  readonly accepted: AcceptedDocument;
}

/** What files would say that change nothing. */
export const NO_FILES: LawFiles = {
  user: lawSchema({ checks: [], causes: CAUSE_NAMES, bannedPorts: new Set(), uidOf: () => undefined }).parse(
    {},
  ),
  accepted: { except: [] },
};

export function lawOf(config: Config, files: LawFiles = NO_FILES): Law {
  const law = builtFrom(config.banned, files);
  const own = digest(law);
  return { ...law, version: own === PLAIN ? BUILT_IN : `law ${own}` };
}

function builtFrom(
  banned: Pick<Config['banned'], 'also'>,
  { user, accepted }: LawFiles,
): Omit<Law, 'version'> {
  const { thresholds, learning, listen, except, benign } = user;
  return {
    bannedPorts: bannedPorts(banned),
    allowedListeners: listen.map(
      ({ port, ports = [], protocol, scope, executable = '', why, expires = null }) => ({
        ports: port === undefined ? ports : [port],
        protocol,
        scope,
        executable,
        why,
        expiresMs: expires,
      }),
    ),
    suppressions: [
      ...except.map((entry) => suppressionOf(entry, 'law')),
      ...accepted.except.map((entry) => suppressionOf(entry, 'accepted')),
      ...benignSuppressions(benign),
    ],
    zombieSec: thresholds.zombie_sec,
    orphanSec: thresholds.orphan_sec,
    librarySec: thresholds.library_sec,
    learningDays: thresholds.learning_days,
    windowMin: thresholds.window_min,
    autoLearn: learning.auto,
  };
}

function suppressionOf(entry: Exception, source: 'law' | 'accepted'): Suppression {
  const listed = (value: string | readonly string[] | undefined) =>
    value === undefined ? undefined : [value].flat();
  const checks = [entry.check].flat();
  const conditions = {
    executable: listed(entry.executable),
    comm: listed(entry.comm),
    identity: listed(entry.identity),
    uid: entry.uid ?? entry.user,
    path: listed(entry.path),
    protocol: entry.protocol,
    port: entry.port,
    evidenceClass: listed(entry.evidence),
    shown: entry.shown,
    severity: entry.severity,
    finding: entry.finding,
  };
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Partial<Suppression>),
    checks: checks.includes('*') ? [] : checks,
    why: entry.why,
    expiresMs: entry.expires ?? null,
    source,
    name: '',
    ...(source === 'accepted' && isEarlier(entry) && { earlier: true }),
  };
}

/** Accepted by a version that held neither the user of a process nor where a listener is. */
const isEarlier = ({ identity, uid, user, protocol, shown }: Exception): boolean =>
  (identity !== undefined && uid === undefined && user === undefined) ||
  (protocol !== undefined && shown === undefined);

/** The benign causes of the catalogue that are switched on, each an exception for its check. */
const benignSuppressions = (on: LawDocument['benign']): readonly Suppression[] =>
  CHECKS.flatMap(({ id, causes = [] }) =>
    causes
      .filter(({ name }) => on[name] !== false)
      .map((cause): Suppression => ({ ...cause, checks: [id], expiresMs: null, source: 'benign' })),
  );

/** 12 hex digits of SHA-256 over everything that is in force. The names and their order are part of it, so they stay. */
function digest({ bannedPorts, allowedListeners, suppressions, ...settings }: Omit<Law, 'version'>): string {
  const inForce = { bannedPorts, allowedListeners, excuses: suppressions, ...settings };
  const text = JSON.stringify(inForce, (_key, value: unknown) =>
    value instanceof Set ? [...value].sort((a, b) => a - b) : value,
  );
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** The digest while nobody has changed anything. */
const PLAIN = digest(builtFrom({ also: [] }, NO_FILES));

/** What has an end that has come, each in one phrase with what to do. */
export const expiredPhrases = ({ suppressions, allowedListeners }: Law, nowMs: number): readonly string[] => {
  const over = (one: Expiring) => hasEnded(one, nowMs);
  const phrase = (what: string, file: string, { why, expiresMs }: Pick<Suppression, 'why' | 'expiresMs'>) =>
    `renew ${what} (${why}), which ended ${new Date(expiresMs ?? 0).toISOString()}, or take it out of ${file}`;
  return [
    ...allowedListeners
      .filter(over)
      .map((one) => phrase(`the allowed listener on port ${one.ports.join(', ')}`, 'law.toml', one)),
    ...suppressions
      .filter(over)
      .map((one) =>
        phrase(
          `the exception for ${one.checks.join(', ') || 'every check'}`,
          one.source === 'accepted' ? 'law.d/accepted.toml' : 'law.toml',
          one,
        ),
      ),
  ];
};
