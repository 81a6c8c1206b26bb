/**
 * Which established :443 connections of desk processes leave for places the allowlist does not name. Names are resolved ahead of
 * time; an address is judged against what they resolved to last.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Snapshot } from '../engine/snapshot.ts';

const RESOLVE_EVERY_MS = 60_000;

const key = (address: string, port: number): string => `${address} ${port}`;

export class Allowlist {
  #rules: readonly { readonly host: string; readonly port: number }[];
  #addresses = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** `rules` are `host:port` as in `[egress] allow`. */
  constructor(rules: readonly string[]) {
    this.#rules = rules.map((rule) => {
      const colon = rule.lastIndexOf(':');
      return { host: rule.slice(0, colon), port: Number(rule.slice(colon + 1)) };
    });
  }

  /** Resolves now and every minute until `stop`. A name that does not resolve allows nothing. */
  start(): void {
    if (this.#rules.length === 0) return;
    void this.resolve();
    this.#timer = setInterval(() => void this.resolve(), RESOLVE_EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async resolve(): Promise<void> {
    const answers = await Promise.all(
      this.#rules.map(async ({ host, port }) => {
        if (isIP(host) !== 0) return [key(host, port)];
        const found = await lookup(host, { all: true }).catch(() => []);
        return found.map(({ address }) => key(address, port));
      }),
    );
    this.#addresses = new Set(answers.flat());
  }

  has(address: string, port: number): boolean {
    return this.#addresses.has(key(address, port));
  }
}

/** Established :443 connections held by desk processes, and how many of them go to addresses off the list. */
export function countEgress(
  snapshot: Snapshot,
  allow: Pick<Allowlist, 'has'>,
): { deskHttps: number; outside: number } {
  const own = new Set(snapshot.engine.deskPids);
  const mine = snapshot.connections.filter(({ holders }) => holders.some((holder) => own.has(holder.pid)));
  return {
    deskHttps: mine.length,
    outside: mine.filter(({ address, port }) => !allow.has(address, port)).length,
  };
}
