/**
 * IP addresses as text and bytes, and what kind of address one is. Parsing, canonical text (RFC 5952) and the special-purpose
 * ranges of IANA are those of ipaddr.js, behind the stricter `isIP` of Node. Mapped: IPv4 in ::ffff:0:0/96 (RFC 4291 section 2.5.5.2).
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Null for what is not a whole address, such as `127.1` and `[::1]`. A zone is left out. */
function parsed(address: string | Uint8Array): Address | null {
  if (typeof address !== 'string') return ipaddr.fromByteArray([...address]);
  const family = isIP(address);
  if (family === 0) return null;
  const [bare = ''] = address.split('%');
  // ipaddr.js takes `::192.0.2.1`, which is not mapped, for a mapped address; in hexadecimal it reads it right.
  return ipaddr.parse(family === 4 ? bare : bare.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, hexadecimal));
}

function hexadecimal(_: string, ...quad: string[]): string {
  const [a = 0, b = 0, c = 0, d = 0] = quad.map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

const isMapped = (address: Address): address is ipaddr.IPv6 => address.range() === 'ipv4Mapped';

/** A mapped address as IPv4. */
function unmapped(address: string | Uint8Array): Address | null {
  const found = parsed(address);
  return found !== null && isMapped(found) ? found.toIPv4Address() : found;
}

const bytesOf = (address: Address | null): Uint8Array | null =>
  address && Uint8Array.from(address.toByteArray());

/** 4 or 16 bytes in network order, without the zone; null when the text is not an address. */
export const addressBytes = (text: string): Uint8Array | null => bytesOf(parsed(text));

/** The same; of a mapped address the 4 bytes of IPv4. */
export const unmappedBytes = (address: string | Uint8Array): Uint8Array | null => bytesOf(unmapped(address));

/** Canonical text of 4 or 16 bytes, of a mapped address in mixed form. Throws for other lengths. */
export function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const address = ipaddr.fromByteArray([...bytes]);
  return isMapped(address) ? `::ffff:${address.toIPv4Address()}` : `${address}`;
}

/** The one spelling of an address, a mapped one as IPv4. With a zone, or when it is not an address, the text as it is. */
export const canonicalAddress = (text: string): string =>
  text.includes('%') ? text : `${unmapped(text) ?? text}`;

/** The range that IANA reserves and the address is in, as ipaddr.js names it; of a mapped address that of the IPv4 address. */
export const rangeOf = (address: string | Uint8Array): string | undefined => unmapped(address)?.range();

/** 127.0.0.0/8 and ::1. */
export const isLoopback = (address: string | Uint8Array): boolean => rangeOf(address) === 'loopback';

/** A loopback address or `localhost`. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/** `0.0.0.0` and `::`, to which a socket is bound that takes connections to any address. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::';

/** Where a client on this machine reaches a listener that is bound to `host`. */
export const reachedAt = (host: string): string =>
  isWildcard(host) ? (host === '::' ? '::1' : '127.0.0.1') : host;

export const familyOf = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4);

/** The /24 of an IPv4 address, mapped or not, or the /64 of an IPv6 address; undefined when it is not an address. */
export function networkOf(address: string): string | undefined {
  const found = unmapped(address);
  if (found === null) return undefined;
  return found.kind() === 'ipv4'
    ? `${found.toByteArray().slice(0, 3).join('.')}.0/24`
    : `${found.toNormalizedString().split(':', 4).join(':')}::/64`;
}

/** A network as text, and whether an address (a mapped one as IPv4) is in it; null when it is neither an address nor `ADDRESS/PREFIX`. */
function network(text: string): ((address: ipaddr.IPv4 | ipaddr.IPv6) => boolean) | null {
  const [base = '', prefix, ...more] = text.split('/');
  const found = base.includes('%') ? null : parsed(base);
  if (found === null || isMapped(found) || more.length > 0) return null;
  const most = found.kind() === 'ipv4' ? 32 : 128;
  const bits = prefix === undefined ? most : /^(?:0|[1-9]\d{0,2})$/.test(prefix) ? Number(prefix) : -1;
  if (bits < 0 || bits > most) return null;
  return (address) => address.kind() === found.kind() && address.match(found as never, bits);
}

/** An address, or a network as `192.0.2.0/24` (RFC 4632) or `2001:db8::/32` (RFC 4291 section 2.3). */
export const isNetwork = (text: string): boolean => network(text) !== null;

/** Whether an address is in one of these networks, each as `isNetwork` takes it. */
export function inNetworks(texts: readonly string[]): (address: string) => boolean {
  const all = texts.flatMap((text) => network(text) ?? []);
  return (address) => {
    const found = unmapped(address);
    return found !== null && all.some((holds) => holds(found));
  };
}

/**
 * `public`: a global unicast address. `private`: any other that a host may have, also one that represents an IPv4 address (mapped,
 * NAT64, 6to4, Teredo): where that leads is not known. `reserved`: no host has it, or it is not an address.
 */
type AddressKind = 'public' | 'private' | 'reserved';

const NOT_OF_A_HOST: readonly string[] = ['unspecified', 'multicast', 'broadcast'];
/** The only block that IPv6 addresses of the internet are assigned from (RFC 4291 section 2.4). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

export function kindOf(text: string): AddressKind {
  const address = parsed(text);
  if (address === null || NOT_OF_A_HOST.includes(address.range())) return 'reserved';
  // RFC 1112 section 4: reserved, no host has one.
  if (address.kind() === 'ipv4' && (address.toByteArray()[0] as number) >= 240) return 'reserved';
  // A zone belongs to a link, which is never public.
  if (address.range() !== 'unicast' || text.includes('%')) return 'private';
  return address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST) ? 'public' : 'private';
}

const AUTHORITY = /^(?:\[([0-9a-f:.]+(?:%[\w.~%-]+)?)\]|([^[\]:@/?#\s]*))(?::(\d*))?$/i;

/**
 * The parts of `HOST[:PORT]` (RFC 3986 section 3.2, without user info): a name or an IPv4 address, or an IPv6 address in brackets, here without
 * them, also with a zone. Port: null without one, and where nothing is behind the colon; any number, not only 0 to 65535. Null for other texts.
 */
export function splitAuthority(text: string): { readonly host: string; readonly port: number | null } | null {
  const parts = AUTHORITY.exec(text);
  if (parts === null) return null;
  const [, address, name = '', port = ''] = parts;
  return { host: address ?? name, port: port === '' ? null : Number(port) };
}

/** As before a port: IPv6 in brackets. */
export const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `host:port` with IPv6 in brackets. */
export const hostPort = (host: string, port: number): string => `${bracketed(host)}:${port}`;

/** In a web address: without port 80. */
export const webAuthority = (host: string, port: number): string =>
  port === 80 ? bracketed(host) : hostPort(host, port);
