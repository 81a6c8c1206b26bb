/**
 * Runs inside a network where every address is this host and DNS is faked here: tries every forbidden request, and
 * allowed ones, against servers that accept all of them. Prints the results as JSON.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer } from 'node:https';
import { isIP, SocketAddress } from 'node:net';
import { EgressGuard } from '../../src/egress/guard.ts';
import { askWeb } from '../../src/egress/https.ts';

export interface VectorOptions {
  readonly key: string;
  readonly certificate: string;
  readonly allow: readonly string[];
  readonly private: readonly string[];
  /** DNS answers, one list per query of a name; the last one is repeated. */
  readonly zone: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly urls: readonly string[];
  /** Host and port, connected to as IMAP and SMTP do. */
  readonly places: readonly (readonly [host: string, port: number])[];
}

export interface VectorReport {
  readonly urls: readonly string[];
  readonly places: readonly string[];
  /** Requests that reached a server: `Host path`. */
  readonly served: readonly string[];
}

const options = JSON.parse(process.argv[2] ?? '') as VectorOptions;

/** Answers A and AAAA queries (RFC 1035 section 4, RFC 3596) from the zone. */
function answerOf(query: Buffer, asked: Map<string, number>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (; (query[at] ?? 0) !== 0; at += 1 + (query[at] ?? 0))
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  const turns = options.zone[name];
  const key = `${name} ${type}`;
  const turn = asked.get(key) ?? 0;
  asked.set(key, turn + 1);
  const wanted = type === 1 ? 4 : type === 28 ? 6 : 0;
  const found = (turns?.[Math.min(turn, turns.length - 1)] ?? []).filter((one) => isIP(one) === wanted);
  const records = found.map((address) => {
    const data = bytesOf(address);
    // A pointer to the question's name, the type, class IN, TTL 0.
    const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
    return Buffer.concat([head, data]);
  });
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(turns === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function bytesOf(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const plain = new SocketAddress({ address, family: 'ipv6' }).address.replace(
    /\d+\.\d+\.\d+\.\d+$/,
    (v4) => {
      const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
      return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
    },
  );
  const [head = '', tail = ''] = plain.split('::');
  const words = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const missing = 8 - words(head).length - words(tail).length;
  const all = [
    ...words(head),
    ...Array<string>(plain.includes('::') ? missing : 0).fill('0'),
    ...words(tail),
  ];
  return Buffer.from(
    all.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]),
  );
}

const dns = createSocket('udp4');
const asked = new Map<string, number>();
dns.on('message', (query, { port, address }) => dns.send(answerOf(query, asked), port, address));
dns.bind(53, '127.0.0.1');
await once(dns, 'listening');

const served: string[] = [];
const serve = (
  request: import('node:http').IncomingMessage,
  response: import('node:http').ServerResponse,
): void => {
  served.push(`${request.headers.host} ${request.url}`);
  if (request.url === '/moved') response.writeHead(302, { location: 'https://other.example/' });
  response.end();
};
const tls = { key: readFileSync(options.key), cert: readFileSync(options.certificate) };
const servers = [
  createServer(tls, serve).listen(443, '::'),
  createHttp(serve).listen(80, '::'),
  createServer(tls, serve).listen(993, '::'),
  createServer(tls, serve).listen(465, '::'),
];
await Promise.all(servers.map((server) => once(server, 'listening')));

const guard = new EgressGuard(options);
const report = { urls: [] as string[], places: [] as string[], served };
for (const url of options.urls) {
  const answer = await askWeb(guard, url, { timeoutMs: 4_000 });
  report.urls.push(answer.ok ? `${answer.status}` : answer.code);
}
for (const [host, port] of options.places) {
  const connection = await guard.connect(host, port, 4_000);
  report.places.push(connection.ok ? connection.address : connection.code);
  if (connection.ok) connection.socket.destroy();
}
process.stdout.write(JSON.stringify(report));
dns.close();
for (const server of servers) {
  server.closeAllConnections();
  server.close();
}
