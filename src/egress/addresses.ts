/**
 * What an address is to the guard. Sources: the IANA special-purpose address registries for IPv4 and IPv6 (RFC 6890, 8190), the
 * IPv4 multicast (RFC 5771) and reserved blocks (RFC 1112 section 4), the IPv6 global unicast block 2000::/3 (RFC 4291 section 2.4).
 */
import { BlockList, isIP, SocketAddress } from 'node:net';

type Subnet = readonly [network: string, prefix: number];

/** Blocks of the IPv4 registry, reachable or not: nobody's public server is in one. */
const SPECIAL_V4: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
];
/** Those of the IPv6 registry that lie in 2000::/3: Teredo and its neighbours, documentation, 6to4, AS112. */
const SPECIAL_V6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];
/** No host has such an address: this network, multicast, reserved, broadcast. */
const NOBODY_V4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const NOBODY_V6: readonly Subnet[] = [
  ['::', 128],
  ['ff00::', 8],
];

function listOf(v4: readonly Subnet[], v6: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const subnet of v4) list.addSubnet(...subnet, 'ipv4');
  for (const subnet of v6) list.addSubnet(...subnet, 'ipv6');
  return list;
}

const special = listOf(SPECIAL_V4, SPECIAL_V6);
const nobody = listOf(NOBODY_V4, NOBODY_V6);
const globalUnicast = listOf([], [['2000::', 3]]);

/**
 * `public`: a unicast address of the internet. `private`: any other that a host may have, also one that stands for an IPv4 address
 * (mapped, NAT64, 6to4, Teredo): what it leads to cannot be told. `nobody`: no host has it, or it is no address.
 */
export type AddressKind = 'public' | 'private' | 'nobody';

export function kindOf(address: string): AddressKind {
  const family = isIP(address);
  if (family === 0) return 'nobody';
  if (family === 4) {
    if (nobody.check(address, 'ipv4')) return 'nobody';
    return special.check(address, 'ipv4') ? 'private' : 'public';
  }
  // A zone is of a link, and no link is public.
  const [bare = ''] = address.split('%');
  if (nobody.check(bare, 'ipv6')) return 'nobody';
  if (bare !== address || !globalUnicast.check(bare, 'ipv6')) return 'private';
  return special.check(bare, 'ipv6') ? 'private' : 'public';
}

/** An IPv4 peer of an IPv6 socket (RFC 4291 section 2.5.5.2). */
const MAPPED = /^::ffff:(?=\d+\.)/;

/** The one spelling of an address, a mapped one as IPv4; what is none stays as it is. */
export function canonicalAddress(address: string): string {
  const family = isIP(address);
  if (family !== 6 || address.includes('%')) return address;
  return new SocketAddress({ address, family: 'ipv6' }).address.toLowerCase().replace(MAPPED, '');
}

const loopback = listOf([['127.0.0.0', 8]], [['::1', 128]]);

/** This machine's own, also mapped into IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const one = canonicalAddress(address);
  const family = isIP(one);
  return family !== 0 && loopback.check(one, family === 4 ? 'ipv4' : 'ipv6');
}
