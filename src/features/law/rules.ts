/** The rules in force one by one, each with its source. Pure. */
import type { Config } from '../../config/schema.ts';
import { utcTime } from '../../engine/time.ts';
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

export function rulesOf(config: Config, { user, accepted }: LawFiles, nowMs: number): readonly LawRule[] {
  const law = lawOf(config, { user, accepted });
  const ending = ({ expiresMs }: Pick<Suppression, 'expiresMs'>) =>
    ({
      instead: '',
      expires: utcTime(expiresMs),
      state: hasEnded({ expiresMs }, nowMs) ? 'ended' : 'in force',
    }) as const;
  const setting = (
    kind: LawRule['kind'],
    name: string,
    value: unknown,
    usual: unknown,
    why: string,
  ): LawRule =>
    value === usual
      ? plain(kind, `${name} = ${value}`, 'built in', why, null)
      : plain(kind, `${name} = ${value}`, 'law.toml', why, `${name} = ${usual}`);
  return [
    ...Object.entries(THRESHOLDS).map(([name, { value, meaning }]) =>
      setting('threshold', name, user.thresholds[name as keyof typeof THRESHOLDS], value, meaning),
    ),
    setting('learning', 'auto', user.learning.auto, 'off', 'what is learned automatically'),
    ...[...law.bannedPorts].map((port) =>
      port === BANNED_PORT
        ? plain('banned', `port ${port}`, 'built in', 'nothing may listen there', null)
        : plain('banned', `port ${port}`, 'configuration', 'nothing may listen there', ''),
    ),
    ...config.egress.allow.map((endpoint) => plain('egress', endpoint, 'configuration', '', '')),
    ...law.allowedListeners.map((one): LawRule => {
      const rule = listenerText(one);
      return { kind: 'listen', rule, source: 'law.toml', why: one.why, ...ending(one) };
    }),
    ...law.suppressions
      .filter(({ source }) => source !== 'benign')
      .map((one): LawRule => {
        const source = one.source === 'accepted' ? 'accepted' : 'law.toml';
        return { kind: 'except', rule: exceptionText(one), source, why: one.why, ...ending(one) };
      }),
    ...CAUSES.map(({ name, why, checks }): LawRule => {
      const rule = `${name} (${checks.join(', ')})`;
      return user.benign[name] === false
        ? { ...plain('benign', rule, 'law.toml', why, 'in force'), state: 'off' }
        : plain('benign', rule, 'built in', why, null);
    }),
  ];
}

const plain = (
  kind: LawRule['kind'],
  rule: string,
  source: LawRule['source'],
  why: string,
  instead: string | null,
): LawRule => ({ kind, rule, source, why, expires: null, state: 'in force', instead });

/** `public tcp 22 /usr/sbin/sshd`. */
const listenerText = ({ scope, protocol, ports, executable }: AllowedListener): string =>
  [scope, protocol, ports.join(','), executable || 'any program'].join(' ');

/** `traced, writable-code: executable /opt/build/*, uid 1000`. */
function exceptionText(one: Suppression): string {
  const { checks, executable, comm, identity, uid, path, protocol, port, shown, severity, finding } = one;
  const conditions = {
    ...{ executable, comm, identity, uid, path, protocol, port },
    // Without one nothing is named.
    evidence: one.evidenceClass?.join(' or ') || undefined,
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
