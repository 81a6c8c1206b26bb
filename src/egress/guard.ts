/** The guard: resolves a listed name once, checks every address, connects to one of them and checks the peer again. TLS is for its users. */
import { connect, type Socket } from 'node:net';
import { canonicalAddress, kindOf } from '../base/addresses.ts';
import type { Egress, EgressConnection, EgressName, EgressPlace, EgressRefusal } from './egress.ts';
import { networkFailure, networkRefusal, ruleRefusal, timeoutRefusal } from './network-words.ts';
import { type Resolver, systemResolver } from './resolver.ts';
import { type EgressLists, EgressRules, hostRefusal, placeOf } from './rules.ts';

/** Resolving and connecting, together. */
const TIMEOUT_MS = 10_000;

interface GuardOptions {
  readonly resolver?: Resolver;
  readonly dial?: (address: string, port: number) => Socket;
  /** Called with a listed place and all its addresses, before any is connected to. */
  readonly resolved?: (host: string, port: number, addresses: readonly string[]) => void;
}

/** Connections by `host:port` and refusals by code. */
export interface EgressTotals {
  readonly connections: Readonly<Record<string, number>>;
  readonly refusals: Readonly<Record<string, number>>;
}

const CLOSED = ruleRefusal('closed', 'the desk is closing, start it again with desk boot');

const count = (totals: Map<string, number>, key: string): unknown =>
  totals.set(key, (totals.get(key) ?? 0) + 1);

const dialTcp = (address: string, port: number): Socket =>
  connect({ host: address, port, autoSelectFamily: false });

export class EgressGuard implements Egress {
  readonly #rules: EgressRules;
  readonly #options: Required<GuardOptions>;
  readonly #connections = new Map<string, number>();
  readonly #refusals = new Map<string, number>();
  readonly #open = new Set<Socket>();
  readonly #waits = new Set<() => void>();
  #closed = false;

  constructor(lists: EgressLists, options: GuardOptions = {}) {
    this.#rules = new EgressRules(lists);
    this.#options = { resolver: systemResolver, dial: dialTcp, resolved: () => undefined, ...options };
  }

  /** False once it is closed: nothing goes out through it. */
  get loaded(): boolean {
    return !this.#closed;
  }

  get totals(): EgressTotals {
    return {
      connections: Object.fromEntries(this.#connections),
      refusals: Object.fromEntries(this.#refusals),
    };
  }

  refusalOf(host: string, port: number): EgressRefusal | null {
    return this.#rules.refusalOf(host, port);
  }

  async resolve(host: string, port: number): Promise<EgressPlace | EgressRefusal> {
    return this.#counted(await this.#place(host, port, TIMEOUT_MS));
  }

  async lookUp(host: string): Promise<EgressName | EgressRefusal> {
    return hostRefusal(host) ?? this.#ask(host, TIMEOUT_MS);
  }

  async connect(host: string, port: number, timeoutMs = TIMEOUT_MS) {
    const result = this.#counted(await this.#connect(host, port, timeoutMs));
    if (result.ok) count(this.#connections, placeOf(host, port));
    return result;
  }

  /** Closes every connection, also pending ones, and refuses from now on. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#open) socket.destroy();
    for (const end of this.#waits) end();
  }

  #counted<T extends { readonly ok: true }>(result: T | EgressRefusal): T | EgressRefusal {
    if (!result.ok) count(this.#refusals, result.code);
    return result;
  }

  /** The addresses of a listed place, all of them allowed. */
  async #place(host: string, port: number, timeoutMs: number): Promise<EgressPlace | EgressRefusal> {
    const refusal = this.#rules.refusalOf(host, port);
    if (refusal !== null) return refusal;
    const name = await this.#ask(host, timeoutMs);
    if (!name.ok) return name;
    // One address that breaks the rule makes all of them untrusted.
    for (const address of name.addresses) {
      const kind = kindOf(address);
      if (kind === 'public' || (kind === 'private' && this.#rules.mayBePrivate(host, port))) continue;
      return ruleRefusal(
        `${kind}-address`,
        kind === 'private'
          ? `${host} resolves to ${address}, which is not a public address, correct its DNS records, or add "${placeOf(host, port)}" to [egress] private where that is meant`
          : `${host} resolves to ${address}, which no host can have, correct its DNS records`,
      );
    }
    this.#options.resolved(host, port, name.addresses);
    return { ...name, port };
  }

  async #ask(host: string, timeoutMs: number): Promise<EgressName | EgressRefusal> {
    if (this.#closed) return CLOSED;
    const started = performance.now();
    let end = (): void => undefined;
    const late = new Promise<null>((resolve) => {
      end = () => resolve(null);
    });
    const timer = setTimeout(end, timeoutMs);
    this.#waits.add(end);
    try {
      const addresses = await Promise.race([this.#options.resolver(host), late]);
      if (this.#closed) return CLOSED;
      if (addresses === null) return timeoutRefusal('no name server answered', timeoutMs);
      if (addresses.length === 0) return networkRefusal('ENOTFOUND');
      const ms = performance.now() - started;
      return { ok: true, host, addresses: [...new Set(addresses)], ms };
    } catch (error) {
      return networkFailure(error);
    } finally {
      clearTimeout(timer);
      this.#waits.delete(end);
    }
  }

  async #connect(host: string, port: number, timeoutMs: number): Promise<EgressConnection | EgressRefusal> {
    const started = performance.now();
    const place = await this.#place(host, port, timeoutMs);
    if (!place.ok) return place;
    const resolvedAt = performance.now();
    let refusal: EgressRefusal = networkRefusal('ENOTFOUND');
    for (const [index, address] of place.addresses.entries()) {
      // The remaining time is shared by the remaining addresses, so that one that drops packets leaves time for the next.
      const leftMs = started + timeoutMs - performance.now();
      const tried = await this.#try(address, port, Math.max(1, leftMs / (place.addresses.length - index)));
      if (tried === null) refusal = timeoutRefusal(`${host} did not take the connection`, timeoutMs);
      else if ('code' in tried) refusal = tried;
      else {
        const connectMs = performance.now() - resolvedAt;
        return { ok: true, host, port, address, socket: tried, resolveMs: resolvedAt - started, connectMs };
      }
    }
    return refusal;
  }

  /** A connected socket whose peer is that address; null when it took too long. */
  #try(address: string, port: number, timeoutMs: number): Promise<Socket | EgressRefusal | null> {
    return new Promise((resolve) => {
      if (this.#closed) return resolve(CLOSED);
      const socket = this.#options.dial(address, port);
      this.#open.add(socket);
      let ended = false;
      const end = (result: Socket | EgressRefusal | null): void => {
        if (ended) return;
        ended = true;
        clearTimeout(timer);
        if (result !== socket) socket.destroy();
        resolve(result);
      };
      const timer = setTimeout(end, timeoutMs, null);
      // It stays: an error before the connection is used is reported by the next read or write.
      socket.on('error', (error) => end(networkFailure(error)));
      socket.once('close', () => {
        this.#open.delete(socket);
        end(this.#closed ? CLOSED : networkRefusal('ECONNRESET'));
      });
      socket.once('connect', () => {
        const { remoteAddress, remotePort } = socket;
        if (remoteAddress === undefined) end(networkRefusal('ECONNRESET'));
        else if (canonicalAddress(remoteAddress) === canonicalAddress(address) && remotePort === port)
          end(socket);
        else
          end(
            ruleRefusal(
              'other-peer',
              `the connection to ${address} went to ${remoteAddress} port ${remotePort}, look for what redirects connections on this machine`,
            ),
          );
      });
    });
  }
}
