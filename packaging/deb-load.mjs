// Load for an upgrade: `node deb-load.mjs FOLDER`, inside the machine that is tried. Plants processes that the desk reports, accepts one finding
// after the other, asks for the status, and starts short processes meanwhile. Ends when FOLDER/stop exists and findings were
// accepted before and after FOLDER/upgraded appeared. Then compares what was acknowledged with what the service lists, and prints one JSON line.
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const folder = process.argv[2];
const PLANTED = 60;
const GIVE_UP_MS = 240_000;
const base = 'http://127.0.0.1:18772';
mkdirSync(folder, { recursive: true });
const sleep = realpathSync('/bin/sleep');

/** Programs with names of their own, whose files are gone: each is a finding of its own. */
const planted = Array.from({ length: PLANTED }, (_, index) => {
  const program = join(folder, `planted-${index}`);
  copyFileSync(sleep, program);
  const child = spawn(program, ['900'], { stdio: 'ignore' });
  rmSync(program);
  return child;
});
const storm = spawn('/bin/sh', ['-c', 'while :; do /bin/true; /bin/sleep 0.02; done'], { stdio: 'ignore' });

async function ask(method, path, body) {
  const token = readFileSync('/var/lib/desk/control.token', 'utf8').trim();
  const answer = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const tried = { polls: 0, refused: 0, longest_gap_ms: 0 };
const acknowledged = [];
let [before, after] = [0, 0];
let answeredAt = performance.now();
let trouble = '';
const pids = new Set(planted.map(({ pid }) => pid));
const done = new Set();

async function acceptOne() {
  const { findings } = await ask('GET', '/detection');
  const next = findings.find(
    ({ id, check, members }) =>
      check === 'deleted-executable' && !done.has(id) && members.pids.some((pid) => pids.has(pid)),
  );
  if (next === undefined) return;
  const upgraded = existsSync(join(folder, 'upgraded'));
  const shown = await ask('GET', `/findings/${next.id}`);
  const { id } = await ask('POST', '/accept', {
    finding: next.id,
    accepts: shown.accept.id,
    why: 'an upgrade under load',
  });
  done.add(next.id);
  acknowledged.push(id);
  if (upgraded) after++;
  else before++;
}

const startedAt = performance.now();
try {
  while (!(existsSync(join(folder, 'stop')) && before > 0 && after > 0)) {
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`gave up: ${trouble}`);
    try {
      tried.polls++;
      await ask('GET', '/status');
      const at = performance.now();
      tried.longest_gap_ms = Math.max(tried.longest_gap_ms, Math.round(at - answeredAt));
      answeredAt = at;
      await acceptOne();
    } catch (error) {
      // The service restarts: everything is asked again.
      tried.refused++;
      trouble = error.message;
    }
    await delay(300);
  }
  const { entries } = await ask('GET', '/accepted');
  const kept = new Set(entries.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !kept.has(id));
  console.log(
    JSON.stringify({ accepted_before: before, accepted_after: after, lost: lost.length, ...tried }),
  );
  if (lost.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error.message, JSON.stringify({ before, after, ...tried }));
  process.exitCode = 1;
} finally {
  for (const child of [...planted, storm]) child.kill('SIGKILL');
}
