/** Run in an overlay (remote-hang.test.ts): the certificate of the remote listener moves to a file system that hangs when it is read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import pino from 'pino';
import { configSchema } from '../../src/config/schema.ts';
import { IdentityKeeper } from '../../src/features/remote/identity.ts';
import { loopbackConfig } from '../support/fake-desk.ts';

export interface Hung {
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly what: string | undefined;
  /** Turns of the event loop, each 20 ms, while the file was read. */
  readonly turns: number;
}

const [program = ''] = process.argv.slice(2);
mkdirSync('/srv/keys-that-hang', { recursive: true });
mkdirSync('/srv/keys', { recursive: true, mode: 0o700 });
const log = pino({ level: 'silent' });
const own = new IdentityKeeper('/srv/keys', log);
await own.refresh(configSchema.parse({ listen: { remote: { enabled: true } } }).listen.remote);
const link = '/srv/keys/link';
symlinkSync('remote.crt', link);
const { remote } = loopbackConfig({
  listen: { remote: { enabled: true, certificate: link, key: '/srv/keys/remote.key' } },
}).listen;
const keeper = new IdentityKeeper('/srv/keys', log);
await keeper.refresh(remote);
const before = keeper.identity?.fingerprint;

const server = spawn(program, ['--', '/srv/keys-that-hang'], { stdio: ['pipe', 'pipe', 'inherit'] });
await once(server.stdout, 'data');
rmSync(link);
symlinkSync('/srv/keys-that-hang/planted', link);
let turns = 0;
const turning = setInterval(() => {
  turns += 1;
}, 20);
await keeper.refresh(remote, { now: true });
clearInterval(turning);
const hung: Hung = { before, after: keeper.identity?.fingerprint, what: keeper.trouble?.what, turns };
console.log(JSON.stringify(hung));
server.stdin.end();
await once(server, 'exit');
await keeper.close();
