/**
 * Who may ask the remote listener, and how: TLS or a trusted proxy, GET or HEAD, and a token for everything but the page that asks
 * for one. Wrong tokens are counted by address; a valid token is never refused because of wrong ones.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { inNetworks, splitAuthority, unmappedBytes } from '../base/addresses.ts';
import type { Config } from '../config/schema.ts';
import type { RemoteAccess, RemoteIdentity } from '../desk/remote.ts';
import { Problem } from './errors.ts';
import { isProxyMark } from './guard.ts';
import { CHALLENGE } from './headers.ts';
import { peerName } from './peer.ts';
import { allowedMethods } from './server.ts';
import type { WrongTokens } from './wrong-tokens.ts';

const METHODS = allowedMethods('remote');

/** What comes behind a refusal must come in a new connection, of which each address has few. */
const ENDS = { Connection: 'close' };

interface RemoteOptions {
  readonly remote: Config['listen']['remote'];
  /** Null in a build without the feature. */
  readonly access: RemoteAccess | null;
  /** Kept across reloads. */
  readonly wrong: WrongTokens;
  readonly log: Logger;
}

/** Who sent a request. */
interface RemoteClient {
  /** As limits count it. */
  readonly name: string;
  readonly address: string;
  /** It came through a trusted proxy, whose connection may carry requests of others too. */
  readonly proxied: boolean;
}

export class RemoteGuard {
  readonly tls: boolean;
  readonly isTrusted: (address: string) => boolean;
  readonly #access: RemoteAccess | null;
  readonly #wrong: WrongTokens;
  readonly #log: Logger;
  /** What holds the token of a connection: the last one that was used there. */
  readonly #held = new WeakMap<Socket, { readonly id: string; readonly release: () => void }>();

  constructor({ remote, access, wrong, log }: RemoteOptions) {
    this.tls = remote.tls;
    this.isTrusted = inNetworks(remote.trusted_proxies);
    this.#access = access;
    this.#wrong = wrong;
    this.#log = log;
  }

  /** Null without TLS, or where there is none. */
  get identity(): RemoteIdentity | null {
    return this.tls ? (this.#access?.identity() ?? null) : null;
  }

  /** Why nothing can be served, null when it can. */
  trouble(): { readonly what: string; readonly remedy: string } | null {
    if (this.#access === null)
      return {
        what: 'this build of the desk has no access for other machines',
        remedy: 'set [listen.remote] enabled = false',
      };
    if (!this.tls || this.identity !== null) return null;
    return (
      this.#access.trouble() ?? { what: 'there is no certificate', remedy: 'see the log of the service' }
    );
  }

  /** The client behind a request. @throws Problem for the marks of a proxy that is not trusted, and for plain HTTP of anyone else. */
  client({ socket, headers }: IncomingMessage): RemoteClient {
    const address = socket.remoteAddress ?? '';
    if (this.isTrusted(address)) {
      const from = this.#forwarded(headers['x-forwarded-for']) ?? address;
      return { name: nameOf(from), address: from, proxied: true };
    }
    if (!this.tls)
      throw new Problem(
        'proxy-refused',
        'Without TLS this listener answers only the addresses of [listen.remote] trusted_proxies. Ask the reverse proxy.',
        { headers: ENDS },
      );
    for (const name in headers)
      if (isProxyMark(name))
        throw new Problem(
          'proxy-refused',
          'Ask this listener directly, or name the address of the reverse proxy in [listen.remote] trusted_proxies.',
          { headers: ENDS },
        );
    return { name: nameOf(address), address, proxied: false };
  }

  /** The last address that no trusted proxy has, as proxies append them; undefined where it is none. */
  #forwarded(header: string | readonly string[] | undefined): string | undefined {
    const entries = [header ?? []].flat().join(',').split(',');
    for (const entry of entries.reverse()) {
      // Proxies also write an IPv6 address without brackets.
      const address = splitAuthority(entry.trim())?.host ?? entry.trim();
      if (unmappedBytes(address) === null) return undefined;
      if (!this.isTrusted(address)) return address;
    }
    return undefined;
  }

  /** Only reading is possible here; reported before the token is checked. */
  checkMethod({ method }: IncomingMessage): void {
    if (method !== 'GET' && method !== 'HEAD')
      throw new Problem('method-refused', `Ask with one of ${METHODS}.`, {
        headers: { Allow: METHODS, ...ENDS },
      });
  }

  /** The name of the caller. What it receives ends with its token. @throws Problem without a token that is valid. */
  checkToken(req: IncomingMessage, res: ServerResponse, client: RemoteClient): string {
    const { authorization } = req.headers;
    if (authorization === undefined)
      throw new Problem(
        'token-required',
        `${HOW} Make one with "desk token make NAME" on the machine of the desk.`,
        {
          headers: CHALLENGE,
        },
      );
    const text = /^bearer +([\w.~+/=-]{1,512})$/i.exec(authorization)?.[1] ?? '';
    const id = this.#access?.idOf(text) ?? null;
    if (id === null)
      this.#wrong.refuse(this.#log, { caller: client.name, from: client.address }, WRONG, ENDS);
    this.#hold(id, req.socket, res, client.proxied);
    return `token ${id}`;
  }

  /** A connection of the client itself ends with its token; one of a proxy when it carries an answer to it. */
  #hold(id: string, socket: Socket, res: ServerResponse, proxied: boolean): void {
    if (this.#access === null) return;
    const end = () => void socket.destroy();
    if (proxied) {
      res.once('close', this.#access.hold(id, end));
      return;
    }
    const held = this.#held.get(socket);
    if (held?.id === id) return;
    held?.release();
    const release = this.#access.hold(id, end);
    this.#held.set(socket, { id, release });
    if (held === undefined) socket.once('close', () => this.#held.get(socket)?.release());
  }
}

const HOW = 'Send a read-only token as "Authorization: Bearer".';

const WRONG =
  'The token is not valid: it is mistyped, has expired or was revoked. See "desk token list", or make one with "desk token make NAME".';

const nameOf = (address: string): string => peerName({ kind: 'remote' }, address);
