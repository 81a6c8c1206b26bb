/**
 * Run by `watch.test.ts` as another user or in another namespace: watches its own actions and prints the reports as JSON.
 * Argument: the address to listen on.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ends, heard, Watching } from './watching.ts';

const host = process.argv[2] ?? '127.0.0.1';
using watching = new Watching();
await watching.until('the first pass', ({ delta }) => delta.all);

const server = createServer().listen(0, host);
await once(server, 'listening');
const tcp = (server.address() as AddressInfo).port;
await heard(watching, 6, tcp, true);
server.close();
await once(server, 'close');
await heard(watching, 6, tcp, false);

const socket = createSocket('udp4').bind(0, host);
await once(socket, 'listening');
const udp = socket.address().port;
await heard(watching, 17, udp, true);
socket.close();
await once(socket, 'close');
await heard(watching, 17, udp, false);

let born = false;
let exited = false;
if (watching.start.connector === '') {
  const child = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] });
  const pid = child.pid as number;
  await watching.until('a birth', ({ pids }) => pids.includes(pid));
  born = true;
  child.stdin.end();
  await watching.until('an exit', ends(pid));
  exited = true;
}
const { start } = watching;
const [polls, refusals] = [watching.sum(({ polls }) => polls), watching.sum((delta) => delta.pollRefusals)];
const sockets = watching.sum(({ events }) => events.socket);
process.stdout.write(
  JSON.stringify({ euid: process.geteuid?.(), start, born, exited, polls, refusals, sockets }),
);
