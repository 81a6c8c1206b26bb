/** A node HTTP server that holds slow and greedy clients off (security rule 8) and answers broken requests properly. */
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem, problemBody } from './errors.ts';
import { RESPONSE_HEADERS, setResponseHeaders } from './headers.ts';

export interface ServerLimits {
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  readonly checkEveryMs: number;
  readonly headerBytes: number;
  readonly connections: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  checkEveryMs: 1_000,
  headerBytes: 8 * 1024,
  connections: 128,
};

/** Broken requests have no number of their own: nothing of them could be logged safely. */
const BROKEN = 'urn:hostess-desk:request:broken';

export function guardedServer(
  onRequest: (req: IncomingMessage, res: ServerResponse) => void,
  limits: ServerLimits = SERVER_LIMITS,
): Server {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headerBytes,
      // The guard answers a missing Host itself, with the headers of every answer.
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    onRequest,
  );
  server.maxConnections = limits.connections;
  server.on('clientError', answerBroken);
  server.on('checkExpectation', (_req: IncomingMessage, res: ServerResponse) => {
    setResponseHeaders(res);
    const problem = new Problem('expectation-failed', 'Ask without an Expect header.');
    res.writeHead(problem.status, { 'Content-Type': 'application/problem+json', Connection: 'close' });
    res.end(JSON.stringify(problemBody(problem, BROKEN)));
  });
  return server;
}

function brokenProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Problem('header-too-large', 'Send a shorter target and fewer headers.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('too-slow', 'Send the whole request within ten seconds.');
  return new Problem('malformed-http', 'Send a well-formed HTTP/1.1 request.');
}

/** Answers what the parser refused. A response under way cannot be mended: its connection ends. */
function answerBroken(
  error: NodeJS.ErrnoException,
  socket: Duplex & { _httpMessage?: ServerResponse | null },
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy();
    return;
  }
  const problem = brokenProblem(error.code);
  const body = JSON.stringify(problemBody(problem, BROKEN));
  const headers = {
    ...RESPONSE_HEADERS,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
}
