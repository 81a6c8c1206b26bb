/** Asks a server of our own in process: a request over a stream pair, so that no socket is opened. */
import type { Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { exchangeHttp } from '../base/http-exchange.ts';

/** HTTP status of `GET /` with the given Host; 0 when none comes within `timeoutMs`. */
export async function probeEmbedded(server: Server, host: string, timeoutMs = 1000): Promise<number> {
  const [client, remote] = duplexPair();
  server.emit('connection', remote);
  let status = 0;
  await exchangeHttp({
    options: { createConnection: () => client, path: '/', headers: { host, connection: 'close' } },
    timeoutMs,
    mostBytes: 0,
    head: ({ statusCode = 0 }) => {
      status = statusCode;
      return false;
    },
  });
  client.destroy();
  remote.destroy();
  return status;
}
