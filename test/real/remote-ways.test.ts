import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NAMESPACE_NEEDS, type Namespace } from '../support/namespace.ts';
import { ordinaryUser, projectRoot, testsNeeding } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  type Booted,
  bearer,
  booted,
  curl,
  documented,
  ended,
  errorsOf,
  follow,
  NAME,
} from './remote-scene.ts';
import { until } from './running.ts';

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
  const wrong = async () => (await curl(namespace, ...bearer('wrong'), url('/view.json'))).status;
  // Attempts come back with time, and a busy machine takes a second for each request.
  let refused = await wrong();
  for (let count = 0; refused === 401 && count < 60; count += 1) refused = await wrong();
  assert.is(refused, 429);
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
