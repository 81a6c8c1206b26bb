/** The rules by name: which host and port the configuration lets the desk connect to. Pure; nothing is resolved. */
import { domainToASCII } from 'node:url';
import { endsInNumber, isHostName } from '../base/host-name.ts';
import type { EgressRefusal } from './egress.ts';
import { ruleRefusal as refuse } from './network-words.ts';

/** As `[egress]` has them: `host:port`, exact. */
export interface EgressLists {
  readonly allow: readonly string[];
  readonly private: readonly string[];
}

export const placeOf = (host: string, port: number): string => `${host.toLowerCase()}:${port}`;

/** Why a text is not a host name to connect to; null when it is. */
export function hostRefusal(host: string): EgressRefusal | null {
  const shown = JSON.stringify(host);
  if (host === '') return refuse('no-host', 'no host is named, write one in the configuration');
  if (host.includes('@'))
    return refuse('user-info', `${shown} has a user name in it, leave out everything before the "@"`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is meant
  if (/[^\x00-\x7f]/.test(host)) {
    const ascii = domainToASCII(host);
    const write = ascii === '' || endsInNumber(ascii) ? 'use a host name' : `write it as "${ascii}"`;
    return refuse('not-ascii', `${shown} is not in ASCII, ${write}`);
  }
  const [, name = '', port] = /^([^[\]:%]+):(\d{1,5})$/.exec(host) ?? [];
  if (port !== undefined && !endsInNumber(name))
    return refuse('port-in-host', `${shown} has a port in it, write "${name}" alone`);
  if (/[[\]:%]/.test(host) || endsInNumber(host))
    return refuse('ip-literal', `${shown} is an address, and only names are connected to, write its name`);
  if (host.includes('*'))
    return refuse(
      'wildcard',
      `${shown} has a wildcard, and hosts are listed one by one, write its full name`,
    );
  if (host.endsWith('.')) return refuse('trailing-dot', `${shown} ends in a dot, write it without`);
  if (host.split('.').includes(''))
    return refuse('empty-label', `${shown} has an empty part between dots, correct it`);
  if (!isHostName(host)) return refuse('bad-host', `${shown} is not a host name, correct it`);
  return null;
}

export class EgressRules {
  readonly #allow: ReadonlySet<string>;
  readonly #private: ReadonlySet<string>;

  constructor(lists: EgressLists) {
    this.#allow = new Set(lists.allow.map((place) => place.toLowerCase()));
    this.#private = new Set(lists.private.map((place) => place.toLowerCase()));
  }

  /** Why this place is not connected to, and what to do; null when the rules name it. */
  refusalOf(host: string, port: number): EgressRefusal | null {
    const refusal = hostRefusal(host);
    if (refusal !== null) return refusal;
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      return refuse('bad-port', `${port} is not a port, expected 1 to 65535`);
    const place = placeOf(host, port);
    if (this.#allow.has(place)) return null;
    const others = [...this.#allow].filter((listed) => listed.startsWith(`${host.toLowerCase()}:`));
    const add = `add "${place}" to [egress] allow`;
    return others.length > 0
      ? refuse('port-not-listed', `[egress] allow lists ${others.join(', ')} and not port ${port}, ${add}`)
      : refuse('not-listed', `"${place}" is not listed, ${add}`);
  }

  /** It may resolve to addresses that are not public. */
  mayBePrivate(host: string, port: number): boolean {
    return this.#private.has(placeOf(host, port));
  }
}
