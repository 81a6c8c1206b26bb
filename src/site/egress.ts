/**
 * Which established :443 connections of desk processes leave for places the allowlist does not name. Names are resolved ahead of
 * time; an address is judged against what they resolved to last.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { deskProcesses } from '../engine/desk-processes.ts';
import type { Snapshot } from '../engine/snapshot.ts';

const RESOLVE_EVERY_MS = 60_000;
const FIRST_ANSWER_MS = 1_000;
/** An IPv4 peer of an IPv6 socket (RFC 4291 section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/;

const key = (address: string, port: number): string => `${address} ${port}`;

export class Allowlist {
  #rules: readonly { readonly host: string; readonly port: number }[];
  /** What each rule resolved to last. */
  readonly #addresses = new Map<string, readonly string[]>();
  #timer: NodeJS.Timeout | undefined;

  /** `rules` are `host:port` as in `[egress] allow`. */
  constructor(rules: readonly string[]) {
    this.#rules = rules.map((rule) => {
      const colon = rule.lastIndexOf(':');
      return { host: rule.slice(0, colon), port: Number(rule.slice(colon + 1)) };
    });
  }

  /** Resolves now and every minute until `stop`; resolves when the first answers are there, at the latest after a second. */
  async start(): Promise<void> {
    if (this.#rules.length === 0) return;
    this.#timer = setInterval(() => void this.resolve(), RESOLVE_EVERY_MS).unref();
    await Promise.race([this.resolve(), delay(FIRST_ANSWER_MS, undefined, { ref: false })]);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A name that does not resolve keeps the addresses it had; one that never did allows nothing. */
  async resolve(): Promise<void> {
    await Promise.all(
      this.#rules.map(async ({ host, port }) => {
        const found =
          isIP(host) !== 0 ? [{ address: host }] : await lookup(host, { all: true }).catch(() => undefined);
        if (found !== undefined)
          this.#addresses.set(
            key(host, port),
            found.map(({ address }) => key(address, port)),
          );
      }),
    );
  }

  has(address: string, port: number): boolean {
    const wanted = key(address.replace(MAPPED, ''), port);
    return [...this.#addresses.values()].some((addresses) => addresses.includes(wanted));
  }
}

/** Established :443 connections held by desk processes, and how many of them go to addresses off the list. */
export function countEgress(
  snapshot: Pick<Snapshot, 'engine' | 'programs' | 'connections'>,
  allow: Pick<Allowlist, 'has'>,
): { deskHttps: number; outside: number } {
  const desk = deskProcesses(snapshot);
  const mine = snapshot.connections.filter(({ holders }) => holders.some(({ pid }) => desk.has(pid)));
  return {
    deskHttps: mine.length,
    outside: mine.filter(({ address, port }) => !allow.has(address, port)).length,
  };
}
