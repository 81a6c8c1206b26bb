/** Tokens of other machines: made, listed and revoked on the control listener. */
import { hostname } from 'node:os';
import { z } from 'zod';
import { hostPort, isWildcard, splitAuthority } from '../../base/addresses.ts';
import { DeskError } from '../../base/desk-error.ts';
import { durationMs } from '../../base/duration.ts';
import type { Desk } from '../../desk/desk.ts';
import { CONTROL, serviceOperation } from '../../desk/operation.ts';
import { now } from '../../engine/now.ts';
import { utcTime } from '../../engine/time.ts';
import { remoteTokens as listRecord, remoteToken as madeRecord } from '../../records/remote.ts';
import { REMOTE_TOKENS, type TokenEntry } from './api.ts';

const LEAST_MS = durationMs('1m');
const MOST_MS = durationMs('10y');

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'expected 1 to 64 letters, digits, dots, dashes or underscores')
  .describe('its name: who or what uses it');

/** Milliseconds of `90d`. */
function lifeMs(text: string): number {
  const ms = durationMs(text);
  if (ms >= LEAST_MS && ms <= MOST_MS) return ms;
  throw new DeskError(
    'usage',
    `"${text}" is not from 1m to 10y`,
    'Write a number with m, h, d, w or y, for example 90d.',
  );
}

const time = (ms: number): string => utcTime(ms) as string;
const shown = ({ id, name, madeMs, expiresMs, usedMs, expired }: TokenEntry) => ({
  ...{ id, name, made: time(madeMs), expires: time(expiresMs) },
  used: utcTime(usedMs),
  expired,
});

function listenerOf(desk: Desk) {
  const { tls, names } = desk.config.listen.remote;
  const { state, host, port, reason } = desk.listener('remote');
  const { access } = desk.use(REMOTE_TOKENS);
  const identity = tls ? access.identity() : null;
  const trouble = tls ? access.trouble() : null;
  const [first] = names;
  const place =
    first === undefined
      ? hostPort(isWildcard(host) ? hostname() : host, port)
      : splitAuthority(first)?.port
        ? first
        : `${first}:${port}`;
  return {
    ...{ state, url: `${tls ? 'https' : 'http'}://${place}/` },
    reason: reason || (trouble === null ? '' : `${trouble.what}: ${trouble.remedy}`),
    ...{ fingerprint: identity?.fingerprint ?? '', certificateEnds: identity?.ends ?? '' },
  };
}

export const tokens = serviceOperation({
  route: 'GET /tokens',
  roles: CONTROL,
  summary: 'The read-only tokens of other machines',
  answer: listRecord.schema,
  token: 'control',
  handle: ({ desk }) =>
    listRecord.assemble({
      ts: now(),
      tokens: desk.use(REMOTE_TOKENS).tokens.list().map(shown),
      listener: listenerOf(desk),
    }),
});

export const tokenMake = serviceOperation({
  route: 'POST /tokens/make',
  roles: CONTROL,
  summary: 'Makes a read-only token for another machine',
  input: z.strictObject({
    name,
    for: z
      .string()
      .min(2)
      .max(12)
      .default('90d')
      .describe('how long it is valid: a number with m, h, d, w or y, at most 10y'),
  }),
  answer: madeRecord.schema,
  token: 'control',
  changes: true,
  handle({ desk }, { name, for: life }) {
    const { token, entry } = desk.use(REMOTE_TOKENS).tokens.make(name, lifeMs(life));
    return madeRecord.assemble({ ts: now(), token, entry: shown(entry), listener: listenerOf(desk) });
  },
});

export const tokenRevoke = serviceOperation({
  route: 'POST /tokens/revoke',
  roles: CONTROL,
  summary: 'Ends a token at once, with everything that uses it',
  input: z.strictObject({ token: z.string().min(1).max(64).describe('its id or name') }),
  answer: listRecord.schema,
  token: 'control',
  changes: true,
  handle: ({ desk }, { token }) =>
    listRecord.assemble({
      ts: now(),
      tokens: [shown(desk.use(REMOTE_TOKENS).tokens.revoke(token))],
      listener: listenerOf(desk),
    }),
});
