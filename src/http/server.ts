/** A node HTTP server that limits slow and greedy clients (security rule 8) and answers broken requests properly. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { jsonText } from '../base/visible-text.ts';
import type { ListenerRole } from '../records/state.ts';
import type { Arrival, ConnectionLimits, Connections, Origin } from './connections.ts';
import { Problem, problemBody } from './errors.ts';
import { RESPONSE_HEADERS, setResponseHeaders } from './headers.ts';
import { checksWhileOpen } from './idle-checks.ts';
import type { TurnLimits } from './read-turns.ts';

export interface ServerLimits extends ConnectionLimits, TurnLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly headerBytes: number;
  /**
   * SO_RCVBUF of connections. Node parses all that it reads at once, whatever becomes of the connection meanwhile: with the
   * usual buffer that is 64 KiB, or thousands of requests.
   */
  readonly receiveBytes: number;
  /** SO_SNDBUF of connections: what the kernel keeps of answers that the client has not taken. */
  readonly sendBytes: number;
  /** Connections that wait to be accepted; the kernel takes at most `net.core.somaxconn`. */
  readonly backlog: number;
  /** For how long connections are accepted in one turn of the event loop. */
  readonly acceptMs: number;
  /** How long a connection stays idle after an answer. */
  readonly idleMs: number;
  /** How long a connection stays that has got its last answer and is not closed by the client. */
  readonly lingerMs: number;
}

/** Of the remote listener: a connection costs a handshake there, and other listeners share the thread. */
export const REMOTE_LIMITS = {
  connections: 128,
  perCaller: 32,
  visitorRate: { burst: 64, perSecond: 16 },
  allVisitorsRate: { burst: 256, perSecond: 128 },
  receiveBytes: 8 * 1024,
} as const satisfies Partial<ServerLimits>;

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkEveryMs: 1_000,
  headerBytes: 8 * 1024,
  receiveBytes: 2048,
  sendBytes: 64 * 1024,
  backlog: 4096,
  acceptMs: 4,
  longTurnMs: 8,
  turnReads: 8,
  connections: 256,
  perCaller: 128,
  // A page takes eight connections of a browser, which opens six at a time; a signed-in tab keeps one.
  strangers: 24,
  perStranger: 12,
  strangerRate: { burst: 64, perSecond: 16 },
  visitorRate: { burst: 512, perSecond: 256 },
  unanswered: 16,
  unreadMs: 10_000,
  waitMs: 11_000,
  graceMs: 2_000,
  refuseMs: 1_000,
  refused: 256,
  idleMs: 5_000,
  lingerMs: 1_000,
};

/** Every method that a listener of this role knows, for an Allow header. */
export const allowedMethods = (role: ListenerRole): string =>
  role === 'remote' ? 'GET, HEAD' : role === 'public' ? 'GET, HEAD, OPTIONS' : 'GET, HEAD, POST, OPTIONS';

/** Broken requests have no number of their own: nothing of them could be logged safely. */
const BROKEN = 'urn:hostess-desk:request:broken';

interface ServerOptions {
  readonly limits: ServerLimits;
  readonly connections: Connections;
  /** Allow header of the answer to a request for a tunnel. */
  readonly allow: string;
  readonly onRequest: (req: IncomingMessage, res: ServerResponse) => void;
  readonly originOf: (socket: Socket) => Origin;
  /** Puts TLS on a connection and serves the secured connection; false where it is served as it is. */
  readonly secure: (socket: Socket, serve: (secured: Socket) => void) => boolean;
  /** Hands on the connections that wait behind the one that node has accepted. */
  readonly drain: (arrive: (origin: Origin, arrival: Arrival) => void) => void;
}

export function guardedServer({
  limits,
  connections,
  allow,
  onRequest,
  originOf,
  secure,
  drain,
}: ServerOptions): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      keepAliveTimeout: limits.idleMs,
      maxHeaderSize: limits.headerBytes,
      // The guard answers a missing Host itself, with the headers of every answer.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    (req, res) => {
      if (!connections.accepts(req, res)) return;
      // An upgrade is ignored (RFC 9110, 7.8), but the parser takes what follows for the other protocol.
      if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
      onRequest(req, res);
    },
  );
  // A connection that is not admitted must not cost a parser: Node's own listener for connections comes after ours.
  const [serve] = server.listeners('connection');
  if (serve === undefined)
    throw new TypeError('this node handles connections in another way than by a listener');
  const opened = checksWhileOpen(server);
  const serveIt = (socket: Socket) => {
    opened(socket);
    withoutStacks(socket, () => serve.call(server, socket));
  };
  const begin = (socket: Socket): boolean => {
    const secures = secure(socket, (secured) => {
      connections.secure(socket, secured);
      if (!secured.destroyed) serveIt(secured);
    });
    if (!secures) serveIt(socket);
    return !secures;
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    // The service asks its own public page over a pair of streams.
    if (!('remoteAddress' in socket)) {
      serveIt(socket);
      return;
    }
    if (socket.remoteAddress === undefined) socket.destroy();
    else {
      const close = () => void socket.destroy();
      if (!connections.admit(originOf(socket), { open: () => socket, close }, begin))
        socket.on('error', () => undefined);
    }
    drain((origin, arrival) => connections.admit(origin, arrival, begin));
  });
  // Node leaves out headers beyond a count, by default 2000 fields and values: the guard must see every one.
  server.maxHeadersCount = 0;
  const broken = new WeakSet<Duplex>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser reports its error again for every further piece.
    if (broken.has(socket)) return;
    broken.add(socket);
    connections.broke();
    answerBroken(error, socket, connections.newest(socket as Socket), limits.lingerMs);
  });
  server.on('connect', (_req: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy());
    socket.resume();
    const refused = new Problem('method-refused', `Ask with one of ${allow}; there are no tunnels here.`, {
      headers: { Allow: allow },
    });
    endWith(socket, refused, limits.lingerMs);
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => {
    if (!connections.accepts(req, res)) return;
    setResponseHeaders(res);
    const problem = new Problem('expectation-failed', 'Ask without an Expect header.');
    res.writeHead(problem.status, { 'Content-Type': 'application/problem+json', Connection: 'close' });
    res.end(jsonText(problemBody(problem, BROKEN)));
  });
  return server;
}

/**
 * When a connection closes, node makes an error for each of its unanswered requests. Their stack traces are not read, and took a fifth
 * of the processor time of a flood of pipelined requests. `serve` registers node's listener for the close.
 */
function withoutStacks(socket: Socket, serve: () => void): void {
  let limit: number | undefined;
  socket.on('close', () => {
    limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
  });
  serve();
  socket.on('close', () => {
    if (limit !== undefined) Error.stackTraceLimit = limit;
  });
}

function brokenProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('header-too-large', 'Send a shorter target and fewer headers.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('too-slow', 'Send the whole request within ten seconds.');
  return new Problem('malformed-http', 'Send a well-formed HTTP/1.1 request.');
}

/**
 * Answers what the parser refused. Behind a request that is whole, its answer goes first; one that is being streamed has
 * no end to wait for, and one whose request is the broken one cannot be corrected.
 */
function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  last: ServerResponse | undefined,
  lingerMs: number,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = () => endWith(socket, brokenProblem(error.code), lingerMs);
  const streaming = last?.headersSent === true && !last.writableEnded;
  if (last?.req.complete && !streaming) last.once('finish', answer);
  else if (last?.headersSent) socket.destroy();
  else answer();
}

/** The last answer of a connection, written without the parser. A client that does not close then is cut off. */
function endWith(socket: Duplex, problem: Problem, lingerMs: number): void {
  if (!socket.writable) return;
  const body = jsonText(problemBody(problem, BROKEN));
  const headers = {
    ...RESPONSE_HEADERS,
    ...problem.headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(cut));
}
