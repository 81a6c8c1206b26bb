/**
 * Ports that this process has given up the right to bind: desk-start binds them, ahead of the listeners that take the sockets,
 * since a listener cannot wait for an answer.
 */
import { closeSync, readFileSync } from 'node:fs';

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Bound socket for an IP address, or null; see `bindPort`. */
export type BindPort = (address: string, port: number) => Promise<number | null>;

/** The first port that any user may bind: ip_unprivileged_port_start in ip-sysctl.rst. */
function firstFreePort(): number {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'latin1'));
  } catch {
    return 1024;
  }
}

export class LowPorts {
  readonly #bind: BindPort;
  readonly #first: number;
  readonly #bound = new Map<string, number>();
  readonly #asked = new Map<string, Promise<void>>();

  constructor(bind: BindPort, first = firstFreePort()) {
    this.#bind = bind;
    this.#first = first;
  }

  /** Has the low ports among these bound, those that can be. */
  async prepare(places: readonly Place[]): Promise<void> {
    await Promise.all(places.filter(({ port }) => port < this.#first).map((place) => this.#ask(place)));
  }

  /** The bound socket, which is the caller's from now on; null while there is none, which is asked for then. */
  take(host: string, port: number): number | null {
    const key = keyOf({ host, port });
    const socket = this.#bound.get(key);
    this.#bound.delete(key);
    if (socket === undefined) void this.#ask({ host, port });
    return socket ?? null;
  }

  /** Closes what nobody took. */
  release(): void {
    for (const socket of this.#bound.values()) closeSync(socket);
    this.#bound.clear();
  }

  #ask(place: Place): Promise<void> {
    const key = keyOf(place);
    if (this.#bound.has(key)) return Promise.resolve();
    const asked =
      this.#asked.get(key) ??
      this.#bind(place.host, place.port)
        .then((socket) => {
          if (socket !== null) this.#bound.set(key, socket);
        })
        // It is asked again with the next try of the listener.
        .catch(() => undefined)
        .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return asked;
  }
}

const keyOf = ({ host, port }: Place): string => `${host} ${port}`;
