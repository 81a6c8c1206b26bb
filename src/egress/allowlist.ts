/** Where connections of desk processes may lead: addresses of listed names, and those that the guard connects to. */
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { canonicalAddress } from '../base/addresses.ts';
import { type Resolver, systemResolver } from './resolver.ts';
import { placeOf } from './rules.ts';

const RESOLVE_EVERY_MS = 60_000;
const FIRST_ANSWER_MS = 1_000;
/** Addresses kept that the guard resolved, newest last: a name may move while a connection is open. */
const MOST_NOTED = 64;

interface Rule {
  readonly host: string;
  readonly port: number;
  addresses: readonly string[];
  noted: readonly string[];
}

export class Allowlist {
  readonly #resolver: Resolver;
  readonly #rules: ReadonlyMap<string, Rule>;
  #timer: NodeJS.Timeout | undefined;

  /** `places` are `host:port` as in `[egress] allow`; an address there names what other programs of the desk may connect to. */
  constructor(places: readonly string[], resolver: Resolver = systemResolver) {
    this.#resolver = resolver;
    this.#rules = new Map(
      places.map((place) => {
        const colon = place.lastIndexOf(':');
        const [host, port] = [place.slice(0, colon).toLowerCase(), Number(place.slice(colon + 1))];
        return [placeOf(host, port), { host, port, addresses: [], noted: [] }];
      }),
    );
  }

  /** Resolves now and every minute until `stop`; resolves when the first answers are there, at the latest after a second. */
  async start(): Promise<void> {
    if (this.#rules.size === 0) return;
    this.#timer = setInterval(() => void this.resolve(), RESOLVE_EVERY_MS).unref();
    await Promise.race([this.resolve(), delay(FIRST_ANSWER_MS, undefined, { ref: false })]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A name that does not resolve keeps the addresses it had; one that never did allows nothing. */
  async resolve(): Promise<void> {
    await Promise.all(
      [...this.#rules.values()].map(async (rule) => {
        const { host } = rule;
        const found = isIP(host) !== 0 ? [host] : await this.#resolver(host).catch(() => undefined);
        if (found !== undefined) rule.addresses = found.map(canonicalAddress);
      }),
    );
  }

  /** The guard is about to connect to one of these; they count as what that place resolves to. */
  note(host: string, port: number, addresses: readonly string[]): void {
    const rule = this.#rules.get(placeOf(host, port));
    if (rule === undefined) return;
    const found = addresses.map(canonicalAddress);
    rule.noted = [...rule.noted.filter((one) => !found.includes(one)), ...found].slice(-MOST_NOTED);
  }

  has(address: string, port: number): boolean {
    const wanted = canonicalAddress(address);
    return [...this.#rules.values()].some(
      (rule) => rule.port === port && (rule.addresses.includes(wanted) || rule.noted.includes(wanted)),
    );
  }
}
