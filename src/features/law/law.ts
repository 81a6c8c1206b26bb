/** The law in force: configuration, `law.toml`, what was accepted (`law.d/accepted.toml`) and the enabled benign causes of the catalogue. */
import { createHash } from 'node:crypto';
import { CHECKS } from '../../checks/index.ts';
import type { Config } from '../../config/schema.ts';
import { bannedPorts } from '../../policy/banned.ts';
import { hasEnded, type Law, type Suppression } from '../../policy/law.ts';
import { CAUSE_NAMES } from './causes.ts';
import { type AcceptedDocument, type Exception, type LawDocument, lawSchema } from './schema.ts';

/** The version of the default law. */
export const BUILT_IN = 'built-in 1';

/** What the files say. */
export interface LawFiles {
  readonly user: LawDocument;
  readonly accepted: AcceptedDocument;
}

/** Files that change nothing. */
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
    allowedListeners: listen.map(({ port, ports = [], executable = '', why, expires = null, ...rest }) => {
      const { protocol, scope } = rest;
      const own = port === undefined ? ports : [port];
      return { ports: own, protocol, scope, executable, why, expiresMs: expires };
    }),
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
    vitals: {
      diskFreePercent: thresholds.disk_free_percent,
      diskFreeGib: thresholds.disk_free_gib,
      inodesFreePercent: thresholds.inodes_free_percent,
      memoryAvailablePercent: thresholds.memory_available_percent,
      cpuPressurePercent: thresholds.cpu_pressure_percent,
      memoryPressurePercent: thresholds.memory_pressure_percent,
      ioPressurePercent: thresholds.io_pressure_percent,
      temperatureCelsius: thresholds.temperature_celsius,
      clockUnsynchronisedMin: thresholds.clock_unsynchronised_min,
      failedUnits: thresholds.failed_units,
      oomKills: thresholds.oom_kills,
    },
  };
}

/** Conditions that are texts, or lists of texts. */
const LISTED: ReadonlySet<string> = new Set(['executable', 'comm', 'identity', 'path', 'evidenceClass']);

function suppressionOf(entry: Exception, source: 'law' | 'accepted'): Suppression {
  const { executable, comm, identity, user, uid = user, path, protocol, port, shown, severity } = entry;
  const { finding } = entry;
  // An accepted entry has the class of its finding, unless its id has it: without one it covers fails without one.
  const evidenceClass = entry.evidence ?? (source === 'accepted' && finding === undefined ? '' : undefined);
  const checks = [entry.check].flat();
  // In the order that the digest has always had.
  const who = { executable, comm, identity, uid, path, protocol, port };
  const given = Object.entries({ ...who, evidenceClass, shown, severity, finding })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, LISTED.has(name) ? [value].flat() : value]);
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

/** The digest of the default law. */
const PLAIN = digest(builtFrom({ also: [] }, NO_FILES));

/** Entries that have ended, each in one phrase with what to do. */
export const expiredPhrases = ({ suppressions, allowedListeners }: Law, nowMs: number): readonly string[] => {
  const phrase = (what: string, file: string, { why, expiresMs }: Pick<Suppression, 'why' | 'expiresMs'>) =>
    `renew ${what} (${why}), which ended ${new Date(expiresMs ?? 0).toISOString()}, or take it out of ${file}`;
  const listeners = allowedListeners
    .filter((one) => hasEnded(one, nowMs))
    .map((one) => phrase(`the allowed listener on port ${one.ports.join(', ')}`, 'law.toml', one));
  const exceptions = suppressions
    .filter((one) => hasEnded(one, nowMs))
    .map((one) => {
      const file = one.source === 'accepted' ? 'law.d/accepted.toml' : 'law.toml';
      return phrase(`the exception for ${one.checks.join(', ') || 'every check'}`, file, one);
    });
  return [...listeners, ...exceptions];
};
