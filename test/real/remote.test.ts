/**
 * The desk seen from elsewhere: from another network namespace, through the reverse proxies of docs/remote.md as that page
 * configures them, and through an SSH tunnel.
 */
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { readToken } from '../../src/state-folder/files.ts';
import { programWords } from '../support/entry.ts';
import { tellFigure } from '../support/long-form.ts';
import { NAMESPACE_NEEDS, type Namespace, startNamespace } from '../support/namespace.ts';
import { type BootedDesk, deskIn, type NamespacedDesk } from '../support/namespaced-desk.ts';
import type { Outcome } from '../support/remote-vectors.ts';
import { ordinaryUser, projectRoot, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from './running.ts';

const it = testsNeeding(test, ...NAMESPACE_NEEDS, 'curl');
const ATTACK = programWords('../support/remote-attack.ts', import.meta.url);
const DESK = '10.99.0.1';
const OTHER = '10.99.0.2';
const NAME = 'desk.example.org';

/** A block of docs/remote.md. */
const documented = (language: string): string => {
  const text = readFileSync(join(projectRoot, 'docs/remote.md'), 'utf8');
  const found = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(text)?.[1];
  if (found === undefined) throw new Error(`docs/remote.md has no ${language}`);
  return found;
};

interface Booted {
  readonly namespace: Namespace;
  readonly desk: NamespacedDesk;
  readonly folder: string;
  /** Makes a token. */
  token(name: string): Promise<string>;
}

async function booted(sections: string, work: (booted: Booted) => Promise<void>): Promise<void> {
  const folder = tempFolder('desk-remote-');
  await using namespace = await startNamespace({ hosts: { [NAME]: ['127.0.0.1'] } });
  const desk = deskIn(namespace, folder, sections);
  let running: BootedDesk | undefined;
  try {
    running = await desk.boot();
    await work({
      namespace,
      desk,
      folder,
      token: async (name) => {
        const { stdout, stderr } = await desk.run(['token', 'make', name, '--json']);
        if (stdout === '') throw new Error(stderr);
        return (JSON.parse(stdout) as { token: string }).token;
      },
    });
  } finally {
    await running?.stop();
  }
}

const curl = async (namespace: Namespace, ...words: readonly string[]) => {
  const { stdout } = await namespace.run([
    'curl',
    '-sk',
    '--max-time',
    '30',
    '-w',
    '\n%{http_code}',
    ...words,
  ]);
  const at = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(at + 1)), body: stdout.slice(0, at) };
};
const bearer = (token: string): readonly string[] => ['-H', `Authorization: Bearer ${token}`];

/** Ends a program, if it runs still. */
async function ended(
  child: ReturnType<Namespace['spawn']>,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

/** What a program says of its errors, for a test that fails. */
function errorsOf(child: ReturnType<Namespace['spawn']>): () => string {
  let text = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

/** A client that reads the event stream until it ends. */
function follow(namespace: Namespace, url: string, token: string) {
  const child = namespace.spawn(['curl', '-skN', '-H', 'Accept: text/event-stream', ...bearer(token), url]);
  const seen = { text: '', endedMs: 0 };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.text += text;
  });
  const end = once(child, 'close').then(() => {
    seen.endedMs = Date.now();
  });
  return {
    seen,
    end,
    begun: () => until(async () => seen.text.includes('event: snapshot'), 'the first event'),
  };
}

it('from another network namespace no operation, no person and no command line is reached, and a revoked token ends its stream', () =>
  booted(
    `[listen.remote]\nenabled = true\n[identity]\naddress = "canary@example.org"\n`,
    async ({ namespace, desk, token }) => {
      await using other = await startNamespace();
      const link = async (one: Namespace, ...words: readonly string[]) => {
        const { code, stderr } = await one.run(['ip', ...words]);
        assert.is(code, 0, stderr);
      };
      await link(
        namespace,
        'link',
        'add',
        'd0',
        'type',
        'veth',
        'peer',
        'name',
        'd1',
        'netns',
        `${other.pid}`,
      );
      for (const [one, name, address] of [
        [namespace, 'd0', DESK],
        [other, 'd1', OTHER],
      ] as const) {
        await link(one, 'addr', 'add', `${address}/24`, 'dev', name);
        await link(one, 'link', 'set', name, 'up');
      }
      const remote = await token('other');
      const url = (path: string) => `https://${DESK}:18773${path}`;

      // Something to hide: a finding whose evidence has a command line, an environment and a path.
      const hidden = namespace.spawn(
        ['python3', '-c', 'import time; time.sleep(600) # --password=canary-word'],
        {
          env: { LD_PRELOAD: '/canary-folder/x.so' },
        },
      );
      try {
        const local = async () => (await desk.run(['findings', '--json'])).stdout;
        await until(async () => (await local()).includes('canary-folder'), 'a finding with the canary');

        const control = readToken(desk.state, 'control.token') as string;
        const mail = readToken(desk.state, 'mail.token') as string;
        const { stdout, stderr } = await other.run([process.execPath, ...ATTACK, DESK, '18773'], {
          env: { TOKENS: JSON.stringify({ remote, control, mail, made: `desk_${'A'.repeat(43)}` }) },
          timeoutMs: 300_000,
        });
        assert.is.not(stdout, '', stderr);
        const { outcomes, bodies } = JSON.parse(stdout) as { outcomes: readonly Outcome[]; bodies: string };
        assert.equal(
          outcomes.filter(({ right }) => !right),
          [],
        );
        const reached = outcomes.filter(({ name, status }) => name.startsWith('POST ') && status < 400);
        tellFigure('hostile requests from another namespace', outcomes.length);
        tellFigure('operations reached', reached.length);
        assert.equal(reached, []);
        assert.ok(outcomes.some(({ status }) => status === 429));

        const view = await curl(other, ...bearer(remote), url('/view.json'));
        assert.is(view.status, 200, view.body);
        assert.match(view.body, '"check":"preload-environment"');
        for (const body of [bodies, view.body]) assert.not.match(body, /canary/);
        assert.not.match(view.body, control);
        // No other listener is there.
        for (const port of [18772, 18770, 80])
          assert.is((await curl(other, `http://${DESK}:${port}/`)).status, 0, `${port}`);
        // What one address is refused for does not count for another.
        const refused = await curl(other, ...bearer('wrong'), url('/view.json'));
        assert.is(refused.status, 429);
        assert.is((await curl(namespace, ...bearer('wrong'), url('/view.json'))).status, 401);
      } finally {
        hidden.kill('SIGKILL');
      }

      const stream = follow(other, url('/events'), remote);
      await stream.begun();
      const revoked = await desk.run(['token', 'revoke', 'other']);
      const doneMs = Date.now();
      assert.is(revoked.code, 0, revoked.stderr);
      await stream.end;
      tellFigure(
        'stream ended after the command that revoked its token',
        Math.max(0, stream.seen.endedMs - doneMs),
        'ms',
      );
      assert.not.match(stream.seen.text, /canary/);
      assert.is.not((await curl(other, ...bearer(remote), url('/view.json'))).status, 200);
    },
  ));

/** The configuration of the desk behind a proxy: the last of that page. */
const BEHIND =
  [...readFileSync(join(projectRoot, 'docs/remote.md'), 'utf8').matchAll(/^```toml\n([\s\S]*?)^```/gm)].at(
    -1,
  )?.[1] ?? '';

/** What a client sees through a proxy at port 443 of the namespace. */
async function throughProxy({ namespace, token }: Booted, errors: () => string): Promise<void> {
  const remote = await token('browser');
  const url = (path: string) => `https://${NAME}${path}`;
  await until(
    async () => (await curl(namespace, url('/'))).status === 200,
    () => `the proxy: ${errors()}`,
  );
  assert.match((await curl(namespace, url('/'))).body, '<!doctype html>');
  assert.is((await curl(namespace, url('/assets/style.css'))).status, 200);
  assert.is((await curl(namespace, url('/widget.json'))).status, 401);
  for (const path of ['/widget.json', '/view.json', '/metrics'])
    assert.is((await curl(namespace, ...bearer(remote), url(path))).status, 200, path);
  for (const path of ['/status', '/email/api/people', '/session'])
    assert.is((await curl(namespace, ...bearer(remote), url(path))).status, 404, path);
  assert.is((await curl(namespace, '-X', 'POST', '-d', '{}', ...bearer(remote), url('/cook'))).status, 405);
  // Without the proxy the same listener takes the names of the proxy, and no others.
  assert.is((await curl(namespace, '-H', 'Host: evil.example', 'http://127.0.0.1:18773/')).status, 421);
  const stream = follow(namespace, url('/events'), remote);
  await stream.begun();
  for (let count = 0; count < 11; count += 1) await curl(namespace, ...bearer('wrong'), url('/view.json'));
  assert.is((await curl(namespace, ...bearer('wrong'), url('/view.json'))).status, 429);
  assert.is((await curl(namespace, ...bearer(remote), url('/view.json'))).status, 200);
}

/** A certificate for the proxy. */
async function proxyCertificate(namespace: Namespace, folder: string) {
  const [certificate, key] = [join(folder, 'proxy.crt'), join(folder, 'proxy.key')];
  const made = await namespace.run([
    ...[
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    ],
    ...['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-out', certificate, '-keyout', key],
  ]);
  assert.is(made.code, 0, made.stderr);
  return { certificate, key };
}

testsNeeding(
  test,
  ...NAMESPACE_NEEDS,
  'nginx',
  'openssl',
  'curl',
)('behind nginx, as docs/remote.md configures it', () =>
  booted(BEHIND, async (scene) => {
    const { namespace, folder } = scene;
    const { certificate, key } = await proxyCertificate(namespace, folder);
    const server = documented('nginx')
      .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`);
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const file = join(folder, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off;\nuser root;\nworker_processes 1;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary.join('\n')}\n${server}\n}\n`,
    );
    const proxy = namespace.spawn(['nginx', '-c', file]);
    try {
      await throughProxy(scene, errorsOf(proxy));
    } finally {
      await ended(proxy);
    }
  }),
);

testsNeeding(
  test,
  ...NAMESPACE_NEEDS,
  'caddy',
  'openssl',
  'curl',
)('behind Caddy, as docs/remote.md configures it', () =>
  booted(BEHIND, async (scene) => {
    const { namespace, folder } = scene;
    const { certificate, key } = await proxyCertificate(namespace, folder);
    // The certificate is the only thing that is another one here: there is no authority to ask.
    const site = documented('caddy').replace('{\n', `{\n\ttls ${certificate} ${key}\n`);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${site}`);
    const home = join(folder, 'caddy');
    mkdirSync(home);
    const proxy = namespace.spawn(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
      env: { HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
    });
    try {
      await throughProxy(scene, errorsOf(proxy));
    } finally {
      // Caddy waits for open streams.
      await ended(proxy, 'SIGKILL');
    }
  }),
);

testsNeeding(
  test,
  ...NAMESPACE_NEEDS,
  'sshd',
  'curl',
)('through an SSH tunnel with any local port, as the user of the session', () =>
  booted('', async ({ namespace, desk }) => {
    // Readable for the user of the session.
    const open = tempFolder('desk-ssh-');
    chmodSync(open, 0o755);
    const at = (name: string) => join(open, name);
    for (const name of ['host', 'user']) {
      const made = await namespace.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', at(name)]);
      assert.is(made.code, 0, made.stderr);
    }
    writeFileSync(at('keys'), readFileSync(at('user.pub')));
    writeFileSync(
      at('sshd.conf'),
      [
        ...[
          'Port 2222',
          'ListenAddress 127.0.0.1',
          `HostKey ${at('host')}`,
          `AuthorizedKeysFile ${at('keys')}`,
        ],
        ...[
          'StrictModes no',
          'UsePAM no',
          'PidFile none',
          'PasswordAuthentication no',
          'PermitRootLogin prohibit-password',
          '',
        ],
      ].join('\n'),
    );
    // sshd wants a folder of its own below /run; this one ends with it.
    const server = namespace.spawn([
      ...['unshare', '--mount', 'sh', '-c'],
      `mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec /usr/sbin/sshd -D -e -f ${at('sshd.conf')}`,
    ]);
    const errors = errorsOf(server);
    const tunnel = (user: string, port: number, to: number) =>
      namespace.spawn([
        ...[
          'ssh',
          '-N',
          '-p',
          '2222',
          '-i',
          at('user'),
          '-o',
          'StrictHostKeyChecking=no',
          '-o',
          'UserKnownHostsFile=/dev/null',
        ],
        ...[
          '-o',
          'ExitOnForwardFailure=yes',
          '-o',
          'BatchMode=yes',
          '-L',
          `127.0.0.1:${port}:127.0.0.1:${to}`,
          `${user}@127.0.0.1`,
        ],
      ]);
    const status = async (port: number, path = '/', ...more: readonly string[]) =>
      (await curl(namespace, ...more, `http://localhost:${port}${path}`)).status;
    const children = [server];
    try {
      await until(
        async () => errors().includes('listening'),
        () => `sshd: ${errors()}`,
      );
      const { employee } = (
        JSON.parse((await desk.run(['status', '--json'])).stdout) as { nav: { employee: string } }
      ).nav;
      const office = Number(new URL(employee).port || 80);
      children.push(tunnel('root', 9999, 18772), tunnel('root', 9997, office), tunnel('nobody', 9998, 18772));
      for (const port of [9999, 9998, 9997])
        await until(
          async () => (await status(port)) !== 0,
          () => `the tunnel at ${port}: ${errors()}`,
        );
      assert.is(await status(9999, '/status'), 200);
      assert.is(await status(9997), 200);
      assert.is(await status(9999, '/status', '-H', 'Host: evil.example:9999'), 421);
      assert.is(await status(9999, '/status', '-H', 'Origin: http://localhost:8000'), 403);
      assert.is(ordinaryUser.uid, 65_534);
      const other = await curl(namespace, 'http://localhost:9998/status');
      assert.is(other.status, 401);
      for (const word of ['[access] group', 'sudo desk', 'desk open', 'desk token'])
        assert.match(other.body, word);

      // A page that came through the tunnel signs in as `desk open` says.
      const { stdout } = await desk.run(['open', '--port', '9997', '--json']);
      const { url } = JSON.parse(stdout) as { url: string };
      assert.match(url, /^http:\/\/localhost:9997\/#code=/);
      const session = await curl(
        namespace,
        ...[
          '-X',
          'POST',
          '-H',
          'Content-Type: application/json',
          '-H',
          'Origin: http://localhost:9997',
          '-H',
          'Sec-Fetch-Site: same-origin',
        ],
        ...[
          '-d',
          JSON.stringify({ code: new URLSearchParams(new URL(url).hash.slice(1)).get('code') }),
          'http://localhost:9997/session',
        ],
      );
      assert.is(session.status, 200, session.body);
    } finally {
      await Promise.all(children.map((child) => ended(child)));
    }
  }),
);

test.run();
