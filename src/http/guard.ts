/** The request guard: the rules of docs/security.md, one small function each. A refusal throws a `Problem`. */
import type { IncomingMessage } from 'node:http';
import { canonicalAddress, hostPort, isWildcard, reachedAt, webAuthority } from '../base/addresses.ts';
import type { Grant } from '../desk/context.ts';
import type { ListenerRole } from '../records/state.ts';
import { Problem } from './errors.ts';
import { CHALLENGE } from './headers.ts';
import type { Peer, Peers, Readers } from './peer.ts';

/** A listener as its callers may name it. */
export interface Binding {
  readonly role: ListenerRole;
  /** Host as configured: an address or a name. */
  readonly host: string;
  /** Address really bound; the host while it is not. */
  readonly address: string;
  /** Port really bound. */
  readonly port: number;
  /** Further authorities (host or host:port): the site's names, for the public listener behind a proxy. */
  readonly names: readonly string[];
}

/** Every authority a binding answers to at these hosts. */
function authoritiesOf(binding: Binding, hosts: readonly string[]): ReadonlySet<string> {
  const own = [...hosts, 'localhost'].flatMap((host) => [
    webAuthority(host, binding.port),
    hostPort(host, binding.port),
  ]);
  return new Set([...own, ...binding.names].map((name) => name.toLowerCase()));
}

const known = new WeakMap<Binding, ReadonlySet<string>>();

/** The same for each request of a binding, but for one bound to a wildcard: there it is the address the request came to. */
function knownAuthorities(binding: Binding, localAddress: string | undefined): ReadonlySet<string> {
  // A wildcard is not a name: a browser lets any site ask `0.0.0.0`.
  const anywhere = isWildcard(binding.address);
  if (anywhere && localAddress !== undefined) return authoritiesOf(binding, [canonicalAddress(localAddress)]);
  let held = known.get(binding);
  if (held === undefined) {
    // Without a local address the request was handed over in process, as if it came over loopback.
    held = authoritiesOf(binding, anywhere ? [reachedAt(binding.address)] : [binding.host, binding.address]);
    known.set(binding, held);
  }
  return held;
}

const LOCAL: readonly ListenerRole[] = ['control', 'office', 'themed'];
const PORT = /:[1-9]\d{0,4}$/;

/**
 * A listener on loopback also answers to its names with any port: an SSH tunnel gives it another one. The port distinguishes no
 * site from another: a rebound name is none of these, and an `Origin` must be exactly the Host that was sent.
 */
function isTunnelled(binding: Binding, host: string): boolean {
  const names = knownAuthorities(binding, undefined);
  const bare = host.replace(PORT, '');
  const port = host === bare ? 80 : Number(host.slice(bare.length + 1));
  return LOCAL.includes(binding.role) && port <= 65_535 && names.has(`${bare}:${binding.port}`);
}

/** Rule 1: exactly one Host header, from an exact set, and a target that is a path. Returns the Host. */
export function checkHost(req: IncomingMessage, binding: Binding): string {
  let host: string | undefined;
  let hosts = 0;
  const { rawHeaders } = req;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    host = (rawHeaders[at + 1] as string).toLowerCase();
    hosts += 1;
  }
  const target = req.url ?? '';
  const isPath = target.startsWith('/') || (target === '*' && req.method === 'OPTIONS');
  if (
    host === undefined ||
    hosts > 1 ||
    !isPath ||
    !(knownAuthorities(binding, req.socket.localAddress).has(host) || isTunnelled(binding, host))
  )
    throw new Problem('wrong-host', `${HOST_RULE}${binding.role === 'remote' ? REMOTE_NAMES : ''}`);
  return host;
}

const HOST_RULE =
  'Ask with exactly one Host header that names this listener as it is bound, and a path as the target.';
const REMOTE_NAMES = ' Further names are set by [listen.remote] names.';

/** A header that only proxies send. */
export const isProxyMark = (name: string): boolean =>
  name === 'forwarded' || name === 'via' || name === 'x-real-ip' || name.startsWith('x-forwarded-');

/** Rule 2: a proxy on this machine would look like a local caller, so its marks are refused. */
export function checkNoProxy(req: IncomingMessage, binding: Binding): void {
  if (binding.role === 'public') return;
  for (const name in req.headers)
    if (isProxyMark(name))
      throw new Problem(
        'proxy-refused',
        'Ask this listener directly. For other machines there is [listen.remote], which may be behind a proxy.',
      );
}

/** Rule 3: no other site may ask. `host` is the checked Host header. */
export function checkOrigin(req: IncomingMessage, binding: Binding, host: string): void {
  const { origin } = req.headers;
  const { role } = binding;
  const own =
    (role !== 'remote' && origin === `http://${host}`) ||
    ((role === 'public' || role === 'remote') && origin === `https://${host}`);
  if (origin !== undefined && !own)
    throw new Problem('origin-refused', 'Open the page of this desk itself; other origins are not served.');
  const site = req.headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin') return;
  const navigation =
    req.method === 'GET' &&
    (site === 'none' || site === 'same-site' || site === 'cross-site') &&
    req.headers['sec-fetch-mode'] === 'navigate' &&
    req.headers['sec-fetch-dest'] === 'document';
  if (!navigation)
    throw new Problem(
      'origin-refused',
      'From elsewhere this desk can only be opened as a page, not loaded or embedded.',
    );
}

const HOW_TO_READ = [
  'To read this desk in a browser of your own user, name a group of yours in [access] group and reload the desk.',
  'In a terminal, use the command with sudo: "sudo desk status". "sudo desk open --print" prints an address that signs in a page of any user.',
  'From another machine, use the remote listener with a token of "desk token make NAME", or an SSH tunnel of a user who may read.',
  'Programs may send the token of control.token as "Authorization: Bearer".',
].join(' ');

/** A caller who may not read: browsers get a page that says how to. */
export class NotReader extends Problem {
  readonly peer: Peer;

  constructor(peer: Peer, detail: string) {
    super('user-refused', detail, { headers: CHALLENGE });
    this.peer = peer;
  }
}

/**
 * Rule 4a: without the token, only the service's user, root and the configured group may ask on loopback. Other users get what is
 * `open`; callers on other machines, whose requests anyone on the way can read, may not exchange a code.
 */
export function checkPeer(
  req: IncomingMessage,
  binding: Binding,
  grant: Grant | null,
  peers: Peers,
  readers: Readers,
  open: boolean,
): void {
  if (binding.role === 'public') return;
  const peer = peers.of(req.socket);
  if (peer.kind === 'user' && readers.isHelper(peer.uid))
    throw new Problem('user-refused', 'The processes of the desk itself are not served here.', {
      headers: CHALLENGE,
    });
  if (grant === 'control') return;
  if (peer.kind === 'user' && readers.includes(peer.uid)) return;
  if (open && (peer.kind !== 'remote' || req.method !== 'POST')) return;
  const why =
    peer.kind === 'remote'
      ? 'The request comes from another machine.'
      : peer.kind === 'blind'
        ? 'The kernel did not report which user asks.'
        : 'Your user is neither the one of the service nor root nor in [access] group.';
  throw new NotReader(peer, `${why} ${HOW_TO_READ}`);
}

/** Rule 7: the control token opens nothing on the public listener, as if it had not been sent. */
export const grantAt = (binding: Binding, grant: Grant | null): Grant | null =>
  binding.role === 'public' && grant === 'control' ? null : grant;

/** Rule 4: the operation needs a token that grants it; the control token grants everything. */
export function checkGrant(needed: Grant, grant: Grant | null): void {
  if (grant === needed || grant === 'control') return;
  const file =
    needed === 'people' ? 'mail.token (or, but for the public listener, of control.token)' : 'control.token';
  throw new Problem(
    'token-required',
    `Send the token of ${file} in the state folder as "Authorization: Bearer".`,
    {
      headers: CHALLENGE,
    },
  );
}
