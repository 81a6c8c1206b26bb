/** Every option and variable that the service refuses, and those that it accepts. */
import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  REFUSED_VARIABLES,
  refuseUnsafeStart,
  type Started,
  startProblems,
} from '../../src/cli/start-options.ts';
import { Failure } from '../../src/desk/failure.ts';
import { CLOSED_INSPECTOR } from '../../src/engine/native/no-debugger.ts';

const plain = { options: [], env: {}, fromSources: false };
const texts = (started: Partial<Started>): readonly string[] =>
  startProblems({ ...plain, ...started }).map(({ text }) => text);
const of = (options: readonly string[], fromSources = false) => texts({ options, fromSources });
const ofVariables = (env: Readonly<Record<string, string>>) => texts({ env });

/** Node's options that open a debugger, change what code runs, or write what the process knows to files. */
const REFUSED = [
  ['--inspect'],
  ['--inspect=0.0.0.0:9229'],
  ['--inspect-brk'],
  ['--inspect-wait'],
  ['--inspect-port=9230'],
  ['--inspect-port=0.0.001:9229'],
  ['--inspect-port=0a0b0c1:9229'],
  ['--inspect-port', '127.0.0.1:9229'],
  ['--inspect_port=9229'],
  ['--debug-port=9229'],
  ['--inspect-port=0.0.0.1:9229,127.0.0.1:1'],
  ['--inspect-publish-uid=http'],
  ['--experimental-worker-inspection'],
  ['--require', '/tmp/x.cjs'],
  ['--require=/tmp/x.cjs'],
  ['-r', '/tmp/x.cjs'],
  ['--import', '/tmp/x.mjs'],
  ['--import=/tmp/x.mjs'],
  ['--loader=/tmp/x.mjs'],
  ['--experimental-loader', '/tmp/x.mjs'],
  ['--env-file=/tmp/env'],
  ['--experimental-default-config-file'],
  ['--preserve-symlinks'],
  ['--conditions=development'],
  ['-C', 'development'],
  ['--eval', '1'],
  ['--report-on-signal'],
  ['--report-signal=SIGUSR2'],
  ['--report-directory=/tmp'],
  ['--heapsnapshot-signal=SIGUSR2'],
  ['--diagnostic-dir=/tmp'],
  ['--cpu-prof'],
  ['--heap-prof'],
  ['--prof'],
  ['--trace-events-enabled'],
  ['--tls-keylog=/tmp/keys'],
  ['--openssl-config=/tmp/openssl.cnf'],
  ['--openssl-shared-config'],
  ['--use-openssl-ca'],
  ['--icu-data-dir=/tmp'],
  ['--redirect-warnings=/tmp/x'],
  ['--watch'],
  ['--snapshot-blob=/tmp/x'],
  ['--expose-internals'],
  ['--allow-natives-syntax'],
] as const;

test('options that open a debugger or change what code runs are refused, on the command line and in NODE_OPTIONS', () => {
  for (const options of REFUSED) {
    assert.is(of(options).length, 1, options.join(' '));
    assert.match(of(options)[0] ?? '', /^node option -.*: not among the options that the service accepts$/);
    const [line = ''] = ofVariables({ NODE_OPTIONS: options.join(' ') });
    assert.match(line, /^NODE_OPTIONS option -/, options.join(' '));
  }
  // An accepted option does not hide a refused one.
  assert.is(of([CLOSED_INSPECTOR, '--inspect']).length, 1);
});

test('NODE_OPTIONS is split as Node does it: double quotes and backslashes do not hide an option', () => {
  const named = (text: string) =>
    ofVariables({ NODE_OPTIONS: text }).map(
      (line) => /^NODE_OPTIONS option (.*): not among/s.exec(line)?.[1],
    );
  assert.equal(named(' --inspect  "--require=/a b"  "--import" y '), [
    '--inspect',
    '--require=/a b',
    '--import=y',
  ]);
  assert.equal(named('--no-warnings "--ins"pect'), ['--inspect']);
  assert.equal(named('"--no-warnings --inspect"'), ['--no-warnings --inspect']);
  assert.equal(named(String.raw`"--require=\"/a\\b\" c" --no-warnings`), [String.raw`--require="/a\b" c`]);
  // Node splits at spaces alone.
  assert.equal(named('--no-warnings\t--inspect'), ['--no-warnings\t--inspect']);
  assert.equal(named('--no-warnings\n'), ['--no-warnings\n']);
  assert.equal(named('"--max-old-space-size=256" "" --no-"warnings"'), []);
});

test('options that the unit, a container or a shell sets for memory and warnings are accepted', () => {
  const options = [
    CLOSED_INSPECTOR,
    '--disable-sigusr1',
    '--max-old-space-size=256',
    '--max_old_space_size=256',
    '--max-semi-space-size=4',
    '--no-warnings',
    '--no-deprecation',
    '--disable-warning=ExperimentalWarning',
  ];
  assert.equal(of(options), []);
  assert.equal(of(['--max-old-space-size', '256']), []);
  assert.equal(ofVariables({ NODE_OPTIONS: options.join(' ') }), []);
  assert.equal(ofVariables({ NODE_OPTIONS: '' }), []);
});

test('the TypeScript loader is accepted only when run from the sources', () => {
  assert.equal(of(['--import', 'tsx'], true), []);
  assert.equal(of(['--import=tsx'], true), []);
  assert.is(of(['--import', 'tsx']).length, 1);
  assert.is(of(['--import', '/tmp/tsx'], true).length, 1);
});

test('each variable of the table is refused with its reason, unless it is empty', () => {
  for (const [name, reason] of Object.entries(REFUSED_VARIABLES)) {
    assert.equal(ofVariables({ [name]: '0' }), [`${name}: ${reason}`]);
    assert.equal(ofVariables({ [name]: '' }), []);
  }
  assert.equal(
    ofVariables({
      PATH: '/usr/bin',
      HOME: '/root',
      TZ: 'UTC',
      NODE_ENV: 'production',
      NODE_VERSION: '20.20.2',
    }),
    [],
  );
});

test('extra certificates are accepted only from a trusted file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'desk-start-'));
  try {
    const file = join(folder, 'ca.pem');
    assert.match(ofVariables({ NODE_EXTRA_CA_CERTS: file })[0] ?? '', 'does not exist');
    writeFileSync(file, '');
    assert.equal(ofVariables({ NODE_EXTRA_CA_CERTS: file }), []);
    chmodSync(file, 0o666);
    assert.match(
      ofVariables({ NODE_EXTRA_CA_CERTS: file })[0] ?? '',
      /may be written by every user.*chmod 644/,
    );
    assert.equal(
      ofVariables({ SSL_CERT_DIR: `${folder}:/nonexistent` }),
      [],
      'it reads names of hashes only',
    );
    const hashed = join(folder, '0a1b2c3d.0');
    renameSync(file, hashed);
    assert.match(
      ofVariables({ SSL_CERT_DIR: `/nonexistent:${folder}` })[0] ?? '',
      `${hashed} may be written`,
    );
    assert.match(ofVariables({ SSL_CERT_FILE: hashed })[0] ?? '', 'may be written by every user');
    chmodSync(hashed, 0o644);
    assert.equal(ofVariables({ SSL_CERT_DIR: folder, SSL_CERT_FILE: join(folder, 'none') }), []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function refusal(started: Partial<Started>): Failure {
  try {
    refuseUnsafeStart({ ...plain, ...started });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return error;
  }
  throw new Error('it was not refused');
}

test('the refusal has the reason and the remedy, and exits with code 2', () => {
  const { exitCode, why, remedy } = refusal({
    options: ['--inspect=0.0.0.0:9229', '--require', '/x'],
    env: { NODE_OPTIONS: '--inspect --watch', LD_PRELOAD: '/x' },
  });
  assert.is(exitCode, 2);
  assert.is(why.split('\n').length, 5);
  assert.is(
    remedy,
    'Remove --inspect, --require from the command line of node. ' +
      'Start it without these variables: "env -u NODE_OPTIONS -u LD_PRELOAD desk boot".',
  );
  assert.is(refusal({ options: ['--inspect'] }).remedy, 'Remove --inspect from the command line of node.');
  assert.match(refusal({ env: { NODE_PATH: '/x' } }).remedy, '"env -u NODE_PATH desk boot"');
});

test.run();
