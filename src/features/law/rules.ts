/** The rules in force one by one, each with where it comes from. Pure. */
import type { Config } from '../../config/schema.ts';
import { BANNED_PORT } from '../../policy/banned.ts';
import { type AllowedListener, hasEnded, type Suppression } from '../../policy/law.ts';
import { CAUSES } from './causes.ts';
import { type LawFiles, lawOf } from './law.ts';
import { THRESHOLDS } from './schema.ts';

export interface LawRule {
  readonly kind: 'threshold' | 'learning' | 'banned' | 'egress' | 'listen' | 'except' | 'benign';
  /** The rule in a few words. */
  readonly rule: string;
  readonly source: 'built in' | 'configuration' | 'law.toml' | 'accepted';
  readonly why: string;
  /** RFC 3339 in UTC; null = it has no end. */
  readonly expires: string | null;
  /** `off`: a benign cause that the law switched off. */
  readonly state: 'in force' | 'ended' | 'off';
  /** What the default law says instead: null where this is the default, "" where the default says nothing. */
  readonly instead: string | null;
}

export function rulesOf(config: Config, files: LawFiles, nowMs: number): readonly LawRule[] {
  const law = lawOf(config, files);
  const ending = (expiresMs: number | null): Pick<LawRule, 'expires' | 'state'> => ({
    expires: expiresMs === null ? null : new Date(expiresMs).toISOString(),
    state: hasEnded({ expiresMs }, nowMs) ? 'ended' : 'in force',
  });
  return [
    ...settings(files),
    ...[...law.bannedPorts].map((port) => banned(port)),
    ...config.egress.allow.map((endpoint) => plain('egress', endpoint, 'configuration', '')),
    ...law.allowedListeners.map(
      (allowed): LawRule => ({
        kind: 'listen',
        rule: listenerText(allowed),
        source: 'law.toml',
        why: allowed.why,
        instead: '',
        ...ending(allowed.expiresMs),
      }),
    ),
    ...law.suppressions
      .filter(({ source }) => source !== 'benign')
      .map(
        (suppression): LawRule => ({
          kind: 'except',
          rule: exceptionText(suppression),
          source: suppression.source === 'accepted' ? 'accepted' : 'law.toml',
          why: suppression.why,
          instead: '',
          ...ending(suppression.expiresMs),
        }),
      ),
    ...CAUSES.map((cause) => benign(cause, files.user.benign[cause.name] !== false)),
  ];
}

function settings({ user }: LawFiles): readonly LawRule[] {
  const told = (kind: LawRule['kind'], name: string, value: unknown, usual: unknown, why: string): LawRule =>
    plain(
      kind,
      `${name} = ${value}`,
      value === usual ? 'built in' : 'law.toml',
      why,
      value === usual ? null : `${name} = ${usual}`,
    );
  return [
    ...Object.entries(THRESHOLDS).map(([name, { value, meaning }]) =>
      told('threshold', name, user.thresholds[name as keyof typeof THRESHOLDS], value, meaning),
    ),
    told('learning', 'auto', user.learning.auto, 'off', 'what is learned by itself'),
  ];
}

const plain = (
  kind: LawRule['kind'],
  rule: string,
  source: LawRule['source'],
  why: string,
  instead: string | null = source === 'built in' ? null : '',
): LawRule => ({ kind, rule, source, why, expires: null, state: 'in force', instead });

const banned = (port: number): LawRule =>
  plain(
    'banned',
    `port ${port}`,
    port === BANNED_PORT ? 'built in' : 'configuration',
    'nothing may listen there',
  );

function benign({ name, why, checks }: (typeof CAUSES)[number], on: boolean): LawRule {
  const rule = `${name} (${checks.join(', ')})`;
  const described = plain('benign', rule, on ? 'built in' : 'law.toml', why, on ? null : 'in force');
  return { ...described, state: on ? 'in force' : 'off' };
}

/** `public tcp 22 /usr/sbin/sshd`. */
const listenerText = ({ scope, protocol, ports, executable }: AllowedListener): string =>
  [scope, protocol, ports.join(','), executable || 'any program'].join(' ');

/** `traced, writable-code: executable /opt/build/*, uid 1000`. */
function exceptionText(suppression: Suppression): string {
  const {
    checks,
    executable,
    comm,
    identity,
    uid,
    path,
    protocol,
    port,
    evidenceClass,
    shown,
    severity,
    finding,
  } = suppression;
  const conditions = {
    executable,
    comm,
    identity,
    uid,
    path,
    protocol,
    port,
    evidence: evidenceClass,
    ...shown,
    severity: severity === undefined || severity === 'low' ? severity : `${severity} or less`,
    finding,
  };
  const given = Object.entries(conditions)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${[value].flat().join(' or ')}`);
  const who = checks.length === 0 ? 'every check' : checks.join(', ');
  return given.length === 0 ? who : `${who}: ${given.join(', ')}`;
}
