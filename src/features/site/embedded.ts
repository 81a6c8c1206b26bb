/** Probes a server of our own in process: a request over a stream pair, so that no socket is opened. */

import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';

/** Longest status line we wait for. */
const MAX_ANSWER_BYTES = 4096;

/** HTTP status of `GET /` with the given Host; 0 when no status line comes within `timeoutMs`. */
export function probeEmbedded(server: Server, host: string, timeoutMs = 1000): Promise<number> {
  const [client, remote] = duplexPair();
  return new Promise((resolve) => {
    let answer = '';
    const done = (status: number) => {
      clearTimeout(timer);
      client.destroy();
      remote.destroy();
      resolve(status);
    };
    const timer = setTimeout(done, timeoutMs, 0);
    client.setEncoding('latin1');
    client.on('error', () => done(0));
    client.on('end', () => done(0));
    client.on('data', (chunk: string) => {
      answer += chunk;
      const status = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n/.exec(answer)?.[1];
      if (status !== undefined) done(Number(status));
      else if (answer.length > MAX_ANSWER_BYTES) done(0);
    });
    server.emit('connection', remote);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  });
}
