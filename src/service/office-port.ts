/**
 * The port of the office where the configuration names none: 80, the interface's, where it is free and may be bound, else 18780.
 * A web server that has port 80 keeps it, and the desk has no fault of its own at its first start.
 */
import { closeSync } from 'node:fs';
import { createServer } from 'node:net';
import { codeText } from '../base/error-code.ts';
import { conflictsOf } from '../config/conflicts.ts';
import { type Config, FALLBACK_OFFICE_PORT, OFFICE_PORT } from '../config/schema.ts';
import type { Place } from '../http/listener.ts';

export interface OfficePort {
  readonly config: Config;
  /** Why the office is not on port 80: the error code of the attempt; "" where it is, or where the configuration names a port. */
  readonly refusal: string;
}

const onPort = (config: Config, port: number): Config => ({
  ...config,
  listen: { ...config.listen, office: { ...config.listen.office, port } },
});

/** The fallback is of no use where something else of the configuration has or bans that port. */
const mayMove = (config: Config): boolean =>
  config.listen.office.enabled &&
  !config.listen.office.explicitPort &&
  config.ports?.every(({ port }) => port !== FALLBACK_OFFICE_PORT) !== false &&
  conflictsOf(onPort(config, FALLBACK_OFFICE_PORT)).length === 0;

/** Port 80 is in use, or not for this user. Another error is not cured by another port. */
const MOVES_FOR = ['EADDRINUSE', 'EACCES', 'EPERM'];

/**
 * The configuration with the port that the office will have. `before` is where it is now, with the reason: it stays there through a
 * reload, whatever has become of port 80. `bind` says why a port cannot be bound, "" when it can.
 */
export async function withOfficePort(
  config: Config,
  before: { readonly at: Place | null; readonly refusal: string },
  bind: (place: Place) => Promise<string>,
): Promise<OfficePort> {
  const stays = { config, refusal: '' };
  if (!mayMove(config)) return stays;
  const { host } = config.listen.office;
  if (before.at?.host === host) {
    if (before.at.port === OFFICE_PORT) return stays;
    if (before.at.port === FALLBACK_OFFICE_PORT && before.refusal !== '')
      return { config: onPort(config, FALLBACK_OFFICE_PORT), refusal: before.refusal };
  }
  const refusal = await bind({ host, port: OFFICE_PORT });
  if (!MOVES_FOR.includes(refusal)) return stays;
  // Where neither can be had, the record reports the port that the documents name.
  if ((await bind({ host, port: FALLBACK_OFFICE_PORT })) !== '') return stays;
  return { config: onPort(config, FALLBACK_OFFICE_PORT), refusal };
}

/** For a command beside a service: the port where that has its office. */
export async function withOfficePortOfService(config: Config): Promise<Config> {
  if (!mayMove(config)) return config;
  const { host } = config.listen.office;
  const taken = (await bindOnce({ host, port: FALLBACK_OFFICE_PORT })) === 'EADDRINUSE';
  return taken ? onPort(config, FALLBACK_OFFICE_PORT) : config;
}

/** Binds a port and lets it go: "", or the code of the error. */
export const bindOnce = ({ host, port }: Place): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(codeText(error)));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve('')));
  });

/** The same with the help of desk-start, which may bind ports that this process may not. */
export async function bindOnceBy(
  starter: (address: string, port: number) => Promise<number | string | null>,
  place: Place,
  directly = bindOnce,
): Promise<string> {
  const refusal = await directly(place);
  if (refusal !== 'EACCES') return refusal;
  const bound = await starter(place.host, place.port);
  if (typeof bound !== 'number') return bound ?? refusal;
  closeSync(bound);
  return '';
}
