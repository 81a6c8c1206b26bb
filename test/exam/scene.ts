/** The machine of exam.ts: plants what the questions are about, runs a desk, asks, and prints the answers. Runs in an overlay only. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { deskWords, programWords } from '../support/entry.ts';
import { until } from '../support/until.ts';

const CONTROL = 'http://127.0.0.1:18772';
const STATE = '/root/state';
/** Longer than the scheduled scans of the configuration below. */
const SCANNED_MS = 70_000;
const CONFIG = `[slow]
every_sec = 60
[site]
public_url = "https://shop.test:8443"
[egress]
allow = ["shop.test:8443"]
private = ["shop.test:8443"]
[[ports]]
name = "shop-api"
port = 48801
required = true
[[ports]]
name = "orders"
port = 48803
required = true
`;
/** Listens, with so many threads: python3 -c TEXT HOST PORT THREADS */
const LISTENER = `import socket, sys, threading, time
host, port, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for _ in range(threads - 1): threading.Thread(target=time.sleep, args=(1e6,), daemon=True).start()
s = socket.socket(); s.bind((host, port)); s.listen(5)
while True: s.accept()[0].close()`;
const HTTPS = `import http.server, ssl
c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); c.load_cert_chain('/opt/shop/c.pem', '/opt/shop/k.pem')
s = http.server.ThreadingHTTPServer(('127.0.0.1', 8443), http.server.SimpleHTTPRequestHandler)
s.socket = c.wrap_socket(s.socket, server_side=True); s.serve_forever()`;

interface Question {
  readonly n: number;
  readonly ask: string;
  /** The question that this one follows. */
  readonly after?: number;
}

const env = {
  ...process.env,
  HOME: '/root',
  DESK_STATE: STATE,
  DESK_CONFIG: '/root/desk.toml',
  NODE_EXTRA_CA_CERTS: '/opt/shop/c.pem',
  DESK_TEST_ENTRY: 'dist',
};

function run(program: string, ...words: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${program} ${words.join(' ')}: ${error?.message ?? stderr}`);
  return stdout;
}

const start = (program: string, words: readonly string[], more: object = {}): ChildProcess =>
  spawn(program, words, { stdio: 'ignore', env, ...more });
const as = (uid: number) => ({ uid, gid: uid });
const WWW_DATA = as(33);
const listener = (program: string, host: string, port: number, threads: number, user: object = {}) =>
  start(program, ['-c', LISTENER, host, String(port), String(threads)], user);
const desk = (...words: string[]): string => run(process.execPath, ...deskWords('dist'), ...words);

function prepare(): { readonly anna: { uid: number; gid: number } } {
  run('ip', 'link', 'set', 'lo', 'up');
  run('ip', 'link', 'add', 'public', 'type', 'veth', 'peer', 'name', 'other');
  run('ip', 'addr', 'add', '10.9.9.9/24', 'dev', 'public');
  for (const end of ['public', 'other']) run('ip', 'link', 'set', end, 'up');
  // A manager of versions in PATH would make it a script.
  copyFileSync('/usr/bin/python3', '/usr/local/bin/orderd');
  run('useradd', '-m', 'anna');
  appendFileSync('/etc/hosts', '127.0.0.1 shop.test\n');
  mkdirSync('/opt/shop');
  run(
    'openssl',
    ...'req -x509 -newkey rsa:2048 -nodes -keyout /opt/shop/k.pem -out /opt/shop/c.pem -days 9 -subj /CN=shop.test'.split(
      ' ',
    ),
    ...['-addext', 'subjectAltName=DNS:shop.test'],
  );
  writeFileSync('/root/desk.toml', CONFIG, { mode: 0o600 });
  mkdirSync(STATE, { mode: 0o700 });
  return { anna: as(Number(run('id', '-u', 'anna'))) };
}

async function post(path: string, body: object): Promise<{ status: number; json: Record<string, unknown> }> {
  const token = readFileSync(`${STATE}/control.token`, 'utf8').trim();
  for (;;) {
    const answer = await fetch(CONTROL + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (answer.status !== 429) return { status: answer.status, json: (await answer.json()) as never };
    await delay(300);
  }
}

async function scene(): Promise<void> {
  const { anna } = prepare();
  listener('/usr/local/bin/orderd', '0.0.0.0', 48803, 24, WWW_DATA);
  const shop = listener('/usr/bin/python3', '127.0.0.1', 48801, 1);
  listener('/usr/bin/python3', '127.0.0.1', 8080, 1, anna);
  start('/usr/bin/python3', ['-c', HTTPS]);
  start('sleep', ['100000'], WWW_DATA);
  start('sleep', ['90000'], anna);
  const service = start(process.execPath, [...deskWords('dist'), 'boot']);
  await until(
    async () => desk('baseline', 'list', '--json').includes('"first use"'),
    'the first generation',
    120_000,
  );
  await delay(SCANNED_MS);

  shop.kill();
  listener('/usr/bin/python3', '0.0.0.0', 48790, 1, anna);
  copyFileSync('/usr/bin/sleep', '/tmp/evil');
  start('/tmp/evil', ['70000']);
  copyFileSync('/usr/lib/x86_64-linux-gnu/libresolv.so.2', '/opt/shop/hook.so');
  start('sleep', ['60000'], { ...WWW_DATA, env: { ...env, LD_PRELOAD: '/opt/shop/hook.so' } });
  writeFileSync('/etc/cron.d/maint', '*/5 * * * * root /tmp/evil\n');
  appendFileSync('/etc/passwd', 'backup2:x:0:0::/root:/bin/bash\n');
  listener('/usr/bin/python3', '127.0.0.1', 8766, 1);
  await delay(SCANNED_MS);
  const { findings } = (await (await fetch(`${CONTROL}/detection`)).json()) as {
    readonly findings: readonly { readonly id: string; readonly check: string }[];
  };
  const preload = findings.find(({ check }) => check === 'preload-environment')?.id;
  if (preload === undefined) throw new Error('the process with LD_PRELOAD is not found');
  desk('accept', preload, '--why', 'known helper of the shop');

  const questions = JSON.parse(
    readFileSync(fileURLToPath(new URL('questions.json', import.meta.url)), 'utf8'),
  ) as Question[];
  const answers = new Map<number, Record<string, unknown>>();
  for (const { n, ask, after } of questions) {
    const previous = after === undefined ? null : answers.get(after)?.query;
    const { json } = await post('/h7/think', { message: ask, ...(previous ? { previous } : {}) });
    answers.set(n, json);
  }
  const facts: Record<string, unknown> = {};
  for (const from of ['processes', 'listeners', 'ports', 'findings', 'startup', 'accounts', 'generations'])
    facts[from] = (await post('/h7/query', { from, limit: 400 })).json;
  const asked = questions.map((question) => ({ ...question, answer: answers.get(question.n) }));
  process.stdout.write(JSON.stringify({ answers: asked, facts }));
  const ended = once(service, 'exit');
  service.kill();
  await ended;
}

if (process.argv[2] === 'enter') {
  const words = ['--pid', '--net', '--fork', '--kill-child', '--mount-proc'];
  const inside = spawn(
    'unshare',
    [...words, process.execPath, ...programWords('scene.ts', import.meta.url)],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const [code] = (await once(inside, 'exit')) as [number | null];
  process.exit(code ?? 1);
} else {
  await scene();
  process.exit(0);
}
