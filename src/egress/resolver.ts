/** Names to addresses, as this machine resolves them (nsswitch.conf(5)): the only place that asks. */
import { lookup } from 'node:dns/promises';

/** All addresses of a name, in the resolver's order. Rejects with the resolver's `code`. */
export type Resolver = (host: string) => Promise<readonly string[]>;

export const systemResolver: Resolver = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);
