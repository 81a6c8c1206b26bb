/** The text of the unit: escaping over odd words, and what systemd itself says about it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  NAMESPACES_UNITS,
  namespacesServiceText,
  namespacesSocketText,
} from '../../src/install/namespaces.ts';
import { UNIT_CAPABILITIES, UNIT_NAME, type UnitOptions, unitText } from '../../src/install/unit.ts';
import { UNIT_MARKER } from '../../src/install/unit-syntax.ts';
import { needs } from '../support/require.ts';

const plain: UnitOptions = {
  manager: 'system',
  command: ['/bin/true', 'boot'],
  user: 'daemon',
  passwordFile: '',
};

/** The value of a setting as systemd reads the file: the last line of the name. */
const setting = (text: string, name: string): string =>
  text
    .split('\n')
    .findLast((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/**
 * What systemd makes of a command line: systemd.service(5), "COMMAND LINES"; systemd.syntax(7), "Quoting". Written apart from the
 * generator.
 */
function wordsOf(line: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    if (line[at] === ' ') {
      at++;
      continue;
    }
    let word = '';
    if (line[at] === '"') {
      for (at++; line[at] !== '"'; at++) {
        if (line[at] !== '\\') word += line[at];
        else if (line[at + 1] === 'x') {
          word += String.fromCharCode(Number.parseInt(line.slice(at + 2, at + 4), 16));
          at += 3;
        } else word += { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' }[line[++at] ?? ''] ?? '?';
      }
      at++;
    } else for (; at < line.length && line[at] !== ' '; at++) word += line[at];
    words.push(word);
  }
  return words.map((word, index) => {
    const specified = word.replaceAll('%%', '%');
    return index === 0 ? specified : specified.replaceAll('$$', '$');
  });
}

const odd = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...' \t\n\r"\'\\%$;#=:@-!|+{}ü€\u007f\u0001'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
});
const writable = odd.filter((word) => !/[\0\ud800-\udfff]/u.test(word) && word !== '');

test('every word arrives as it was, on one line', () => {
  fc.assert(
    fc.property(writable, fc.array(writable), (program, words) => {
      const command = [`/${program}`, ...words];
      const text = unitText({ ...plain, command });
      assert.equal(wordsOf(setting(text, 'ExecStart')), command);
      assert.is(text.split('\n').length, unitText(plain).split('\n').length);
    }),
  );
});

test('specifiers and variables are off in every place of a path', () => {
  const text = unitText({ ...plain, passwordFile: '/etc/%h $x', config: '/etc/%i "a"' });
  assert.ok(text.includes('\nLoadCredential=mail.password:/etc/%%h $x\n'));
  assert.ok(text.includes('\nEnvironment="DESK_CONFIG=/etc/%%i \\"a\\""\n'));
});

test('what no unit file can hold is refused', () => {
  for (const command of [[], ['bin/desk'], ['/bin/desk', 'a\0'], ['/bin/\ud800']])
    assert.throws(() => unitText({ ...plain, command }), RangeError);
  for (const passwordFile of ['secret', '/a\nExecStart=/bin/false', '/a ', '/a\\'])
    assert.throws(() => unitText({ ...plain, passwordFile }), RangeError);
});

test('a user manager gets no setting that it cannot apply', () => {
  const text = unitText({ ...plain, manager: 'user' });
  assert.not.match(text, /^(?:User|DynamicUser|Ambient|Capability|Protect|Private|SystemCall|Restrict)/m);
  assert.match(text, /^WantedBy=default\.target$/m);
  assert.ok(text.startsWith(`${UNIT_MARKER}\n[Unit]\n`));
});

/** Runs systemd-analyze on the text as a unit of this name, beside `others`. */
function analyzed(
  text: string,
  words: readonly string[],
  name: string = UNIT_NAME,
  others: Readonly<Record<string, string>> = {},
): { status: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), 'desk-unit-'));
  try {
    const path = join(folder, name);
    for (const [other, content] of Object.entries({ ...others, [name]: text }))
      writeFileSync(join(folder, other), content);
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...words, path], {
      encoding: 'utf8',
      // A user manager has one.
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    return { status, output: `${stdout}${stderr}` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

needs('systemd-analyze')(test, 'systemd accepts the unit', () => {
  for (const manager of ['system', 'user'] as const)
    for (const command of [
      ['/bin/true', 'boot'],
      ['/bin/true', 'a b', '$HOME', '%h', '"', '\\', ';'],
    ]) {
      const text = unitText({ ...plain, manager, command, passwordFile: '/etc/desk/mail.password' });
      const { status, output } = analyzed(text, ['verify', '--man=no', `--${manager}`]);
      assert.is(output, '');
      assert.is(status, 0);
    }
});

const namespaces = {
  [NAMESPACES_UNITS.socket]: namespacesSocketText('daemon'),
  [NAMESPACES_UNITS.service]: namespacesServiceText('/bin/true'),
};

needs('systemd-analyze')(test, 'systemd accepts the units of the namespaces', () => {
  for (const [name, text] of Object.entries(namespaces)) {
    const others = { ...namespaces, [UNIT_NAME]: unitText(plain) };
    const { status, output } = analyzed(text, ['verify', '--man=no', '--system'], name, others);
    assert.is(output, '');
    assert.is(status, 0);
  }
});

/** Rated by `systemd-analyze security`: tenths of its points, at most. */
const RATED: readonly (readonly [name: string, text: string, tenths: number])[] = [
  ['a configuration for this machine only', unitText({ ...plain, network: 'localhost' }), 25],
  ['a configuration that needs others', unitText({ ...plain, network: 'any' }), 25],
  ['a password file', unitText({ ...plain, passwordFile: '/etc/desk/mail.password' }), 25],
  [NAMESPACES_UNITS.service, namespaces[NAMESPACES_UNITS.service] ?? '', 12],
];

for (const [what, text, tenths] of RATED)
  needs('systemd-analyze')(test, `the exposure is at most ${tenths / 10}: ${what}`, () => {
    const name = what.endsWith('.service') ? what : UNIT_NAME;
    const words = ['security', '--offline=true', `--threshold=${tenths}`];
    const { status, output } = analyzed(text, words, name);
    assert.is(status, 0, output);
  });

test('the documents have a row for each capability of the unit, and for no other', () => {
  const [, table = ''] =
    /^### Capabilities$([\s\S]*?)^###/m.exec(
      readFileSync(fileURLToPath(new URL('../../docs/install.md', import.meta.url)), 'utf8'),
    ) ?? [];
  const rows = [...table.matchAll(/^\| `(CAP_\w+)` \|/gm)].map(([, name]) => name);
  assert.equal(rows, Object.keys(UNIT_CAPABILITIES));
});

test.run();
