/** Prints as JSON what an ordinary user sees of a network namespace of their own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { sweepOnce } from './foreign-sweep.ts';

const child = spawn('unshare', ['--user', '--net', 'sh', '-c', 'echo up; exec sleep 60']);
try {
  await once(child.stdout, 'data');
  const namespace = statSync(`/proc/${child.pid}/ns/net`).ino;
  const { listeners, closed, unread } = await sweepOnce();
  const seen = listeners.filter((one) => one.namespace === namespace).length;
  console.log(JSON.stringify({ seen, refusal: closed.get(namespace)?.code, unread: unread.length }));
} finally {
  child.kill('SIGKILL');
  await once(child, 'close');
}
