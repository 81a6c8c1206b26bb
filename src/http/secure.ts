/** TLS on the connections of the remote listener, below HTTP. Connects to nothing. */
import { constants } from 'node:crypto';
import type { Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { RemoteIdentity } from '../desk/remote.ts';

/** How long a client may take for its handshake. */
const HANDSHAKE_MS = 5_000;

/** Both ends: two open connections never share them. */
const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${localPort} ${remoteAddress} ${remotePort}`;

type Serve = (socket: TLSSocket) => void;

export class TlsLayer {
  readonly #server: Server;
  #identity: RemoteIdentity | null = null;
  /** Handshakes under way, by their ends. */
  readonly #waiting = new Map<string, Serve>();

  /** `broke`: a client did not speak TLS, or ended it. */
  constructor(broke: () => void, handshakeMs = HANDSHAKE_MS) {
    this.#server = createServer({
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      handshakeTimeout: handshakeMs,
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    });
    this.#server.on('secureConnection', (secured) => {
      const serve = this.#waiting.get(endsOf(secured));
      if (serve === undefined) secured.destroy();
      else serve(secured);
    });
    this.#server.on('tlsClientError', (_error, secured) => {
      broke();
      secured.destroy();
    });
  }

  /** `serve` gets the connection once its handshake is done; one that fails is closed. */
  take(socket: Socket, identity: RemoteIdentity, serve: Serve): void {
    if (this.#identity !== identity) {
      const { certificate: cert, key } = identity;
      this.#server.setSecureContext({ cert, key, minVersion: 'TLSv1.2' });
      this.#identity = identity;
    }
    const ends = endsOf(socket);
    this.#waiting.set(ends, serve);
    socket.once('close', () => {
      if (this.#waiting.get(ends) === serve) this.#waiting.delete(ends);
    });
    this.#server.emit('connection', socket);
  }
}
