/** What the schema of the configuration cannot say: relations between keys, and what could never work. */
import { canonicalAddress, familyOf, isLoopbackHost, splitAuthority } from '../base/addresses.ts';
import { BANNED_PORT } from '../policy/banned.ts';
import { alertConflicts } from './alert-conflicts.ts';
import type { Conflict } from './document.ts';
import { found } from './problems.ts';
import { type Config, LISTENER_ROLES, type ListenerRole } from './schema.ts';

const conflict = (message: string, ...path: readonly PropertyKey[]): Conflict => ({ path, message });

/** All conflicts, in the order of the sections. */
export function conflictsOf(config: Config): readonly Conflict[] {
  return [
    ...loopConflicts(config),
    ...listenerConflicts(config),
    ...remoteConflicts(config),
    ...overlaps(config),
    ...portConflicts(config),
    ...siteConflicts(config),
    ...statusPageConflicts(config),
    ...egressConflicts(config),
    ...alertConflicts(config),
    ...userInfo(config, []),
  ];
}

function loopConflicts({ loop: { recheck_ms, period_ms } }: Config): Conflict[] {
  if (period_ms === undefined || period_ms === recheck_ms) return [];
  const message = `found ${period_ms}, but loop.recheck_ms, its current name, is ${recheck_ms}: remove this line`;
  return [conflict(message, 'loop', 'period_ms')];
}

function listenerConflicts({ listen, banned }: Config): Conflict[] {
  const conflicts: Conflict[] = [];
  if (!listen.control.enabled)
    conflicts.push(
      conflict(
        'found false, expected true: the service could not be queried or controlled without this listener',
        ...['listen', 'control', 'enabled'],
      ),
    );
  for (const role of LISTENER_ROLES) {
    const { enabled, host, port } = listen[role];
    const hostPath = ['listen', role, 'host'];
    if (role !== 'public' && role !== 'remote' && !isLoopbackHost(host))
      conflicts.push(
        conflict(
          `found ${found(host, hostPath)}, expected a loopback address (127.0.0.1, ::1 or localhost): this listener serves this machine only`,
          ...hostPath,
        ),
      );
    if (!enabled) continue;
    const why = 'the desk would report its own listener as a virus';
    if (port === BANNED_PORT)
      conflicts.push(conflict(`found ${port}, which is always banned: ${why}`, 'listen', role, 'port'));
    const also = banned.also.indexOf(port);
    if (also >= 0)
      conflicts.push(conflict(`found ${port}, the port of listen.${role}: ${why}`, 'banned', 'also', also));
  }
  return conflicts;
}

/** Shorter prefixes would trust a large part of the internet. */
const LEAST_PREFIX = { 4: 8, 6: 16 } as const;

function remoteConflicts({ listen: { remote } }: Config): Conflict[] {
  const at = (...key: readonly PropertyKey[]) => ['listen', 'remote', ...key];
  const conflicts: Conflict[] = [];
  const [given, missing] =
    remote.certificate === '' ? (['key', 'certificate'] as const) : (['certificate', 'key'] as const);
  if (remote[given] !== '' && remote[missing] === '')
    conflicts.push(
      conflict(
        `names a file, expected listen.remote.${missing} too: a certificate works only with its key`,
        ...at(given),
      ),
    );
  if (!remote.tls && remote[given] !== '')
    conflicts.push(
      conflict('names a file, but listen.remote.tls is false: without TLS it has no use', ...at(given)),
    );
  if (!remote.tls && remote.trusted_proxies.length === 0)
    conflicts.push(
      conflict(
        'found false, expected true, or the addresses of your reverse proxy in listen.remote.trusted_proxies: tokens would cross the network in clear text, so without TLS only a proxy is answered',
        ...at('tls'),
      ),
    );
  for (const [index, text] of remote.trusted_proxies.entries()) {
    const [base = '', prefix] = text.split('/');
    const least = LEAST_PREFIX[familyOf(base)];
    if (prefix !== undefined && Number(prefix) < least)
      conflicts.push(
        conflict(
          `found ${text}, expected a prefix of at least /${least}: everyone in it could pose as any client`,
          ...at('trusted_proxies', index),
        ),
      );
  }
  for (const [index, name] of remote.names.entries()) {
    const port = splitAuthority(name)?.port ?? 1;
    if (port < 1 || port > 65_535)
      conflicts.push(conflict(`found port ${port}, expected 1 to 65535`, ...at('names', index)));
  }
  return conflicts;
}

const canonical = (host: string): string => canonicalAddress(host).toLowerCase();

/** Whether a listener on `wide` takes the port on `host` too. `::` takes IPv4 as well, a name may be any address. */
function covers(wide: string, host: string): boolean {
  if (wide === host || wide === '::') return true;
  if (wide === '0.0.0.0') return familyOf(host) === 4;
  return wide === 'localhost' && (host === '::1' || host === '127.0.0.1');
}

function overlaps({ listen }: Config): Conflict[] {
  const enabled = LISTENER_ROLES.filter((role) => listen[role].enabled);
  return enabled.flatMap((role, index) => {
    const { host, port } = listen[role];
    const other = enabled
      .slice(0, index)
      .filter((earlier) => listen[earlier].port === port)
      .find((earlier) => {
        const [a, b] = [canonical(host), canonical(listen[earlier].host)];
        return covers(a, b) || covers(b, a);
      });
    if (other === undefined) return [];
    return [{ ...overlap(listen, role, other), other: overlap(listen, other, role) }];
  });
}

function overlap(listen: Config['listen'], role: ListenerRole, other: ListenerRole): Conflict {
  const { host, port } = listen[role];
  const taken = listen[other].host;
  const message =
    canonical(host) === canonical(taken)
      ? `found ${port}, which listen.${other} already uses`
      : `found ${port} on ${host}, which listen.${other} on ${taken} already uses: the two addresses overlap`;
  return conflict(message, 'listen', role, 'port');
}

function portConflicts({ ports = [] }: Config): Conflict[] {
  return ports.flatMap(({ port }, index) =>
    ports.findIndex((other) => other.port === port) === index
      ? []
      : [conflict(`found ${port}, which is listed twice`, 'ports', index, 'port')],
  );
}

/** What the public site is called among the sites; null where none is configured. */
export const publicSiteName = ({ site }: Pick<Config, 'site'>): string | null =>
  site.public_url === '' ? null : new URL(site.public_url).hostname;

function siteConflicts(config: Config): Conflict[] {
  const { sites } = config;
  return sites.flatMap(({ name }, index) => {
    const shown = `found ${JSON.stringify(name)}`;
    if (name === publicSiteName(config))
      return [conflict(`${shown}, the name of the site of site.public_url`, 'sites', index, 'name')];
    return sites.findIndex((other) => other.name === name) === index
      ? []
      : [conflict(`${shown}, which is the name of two sites`, 'sites', index, 'name')];
  });
}

function statusPageConflicts(config: Config): Conflict[] {
  const { enabled, sites } = config.status_page;
  const main = publicSiteName(config);
  const known = [...(main === null ? [] : [main]), ...config.sites.map(({ name }) => name)];
  const unknown = sites.flatMap((name, index) => {
    const at = ['status_page', 'sites', index];
    if (sites.indexOf(name) < index)
      return [conflict(`found ${JSON.stringify(name)}, which is listed twice`, ...at)];
    if (known.includes(name)) return [];
    const wanted =
      known.length === 0
        ? 'a name of [[sites]], of which there are none'
        : `one of ${known.map((one) => JSON.stringify(one)).join(', ')}`;
    return [conflict(`found ${JSON.stringify(name)}, expected ${wanted}`, ...at)];
  });
  if (!enabled || sites.length > 0) return unknown;
  return [
    conflict(
      'found true, expected status_page.sites too: only sites that are named there are shown to everyone',
      ...['status_page', 'enabled'],
    ),
  ];
}

function egressConflicts({ egress }: Config): Conflict[] {
  const ports = (['allow', 'private'] as const).flatMap((list) =>
    egress[list].flatMap((endpoint, index) => {
      const port = splitAuthority(endpoint)?.port ?? 0;
      if (port >= 1 && port <= 65_535) return [];
      return [conflict(`found port ${port}, expected 1 to 65535`, 'egress', list, index)];
    }),
  );
  const allowed = new Set(egress.allow.map((endpoint) => endpoint.toLowerCase()));
  const alone = egress.private.flatMap((endpoint, index) =>
    allowed.has(endpoint.toLowerCase())
      ? []
      : [
          conflict(
            `found "${endpoint}", expected one that egress.allow lists too: this list alone allows no connection`,
            ...['egress', 'private', index],
          ),
        ],
  );
  return [...ports, ...alone];
}

/** An authority with user info inside a text (RFC 3986 section 3.2.1). */
const withUserInfo = /\b[a-z][a-z0-9+.-]*:[\\/]{2,}[^\s\\/?#]*@/i;

/** `http:user:word@host` is read as a web address with user info too (WHATWG URL). */
function carriesUserInfo(text: string): boolean {
  if (withUserInfo.test(text)) return true;
  if (!/^\s*(https?|wss?|ftp):/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** Addresses with a user name or password, anywhere: records show addresses, and the file must hold no secrets. */
function userInfo(value: unknown, path: readonly PropertyKey[]): Conflict[] {
  if (typeof value === 'string') {
    const message = `found an address with a user name or password (text of ${value.length} characters), expected one without: everything before the "@" must go`;
    return carriesUserInfo(value) ? [{ path, message }] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    userInfo(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
