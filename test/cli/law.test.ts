import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLawText } from '../../src/features/law/default-text.ts';
import { BUILT_IN } from '../../src/features/law/law.ts';
import type { LawRule } from '../../src/features/law/rules.ts';
import { cli } from '../support/cli.ts';

interface Context {
  folder: string;
  env: Record<string, string>;
}

const test = suite<Context>('desk law', { folder: '', env: {} });
test.before.each((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'desk-cli-law-'));
  writeFileSync(join(context.folder, 'desk.toml'), '[egress]\nallow = ["example.org:443"]\n');
  mkdirSync(join(context.folder, 'state', 'law.d'), { recursive: true, mode: 0o700 });
  context.env = {
    DESK_CONFIG: join(context.folder, 'desk.toml'),
    DESK_STATE: join(context.folder, 'state'),
    HOME: context.folder,
  };
});
test.after.each(({ folder }) => rmSync(folder, { recursive: true }));

const write = ({ folder }: Context, law: string, accepted?: string): void => {
  writeFileSync(join(folder, 'law.toml'), law);
  if (accepted !== undefined) writeFileSync(join(folder, 'state/law.d/accepted.toml'), accepted);
};

const LAW = `[thresholds]
zombie_sec = 5
[[listen]]
port = 22
scope = "public"
executable = "/usr/sbin/sshd"
why = "remote administration"
[[except]]
check = "traced"
comm = "gdb\\u001b[2J"
why = "debugging"
expires = 2001-01-01T00:00:00Z
`;
const ACCEPTED = '[[except]]\ncheck = "fried-process"\nidentity = "/opt/x"\nwhy = "known leak"\n';

test('law show: every rule is printed with its source and expiry, escaped', async (context) => {
  write(context, LAW, ACCEPTED);
  const { code, out, err } = await cli(['law', 'show'], { ...context.env, COLUMNS: '200' });
  assert.equal([code, err], [0, '']);
  for (const expected of [
    /The law law [0-9a-f]{12}.*law\.toml/,
    /zombie_sec = 5 +law\.toml/,
    /orphan_sec = 300 +built in/,
    /port 8766 +built in/,
    /example\.org:443 +configuration/,
    /public tcp 22 \/usr\/sbin\/sshd +law\.toml.*remote administration/,
    /traced: comm gdb.*ended 2001-01-01T00:00:00\.000Z +debugging/,
    /fried-process: identity \/opt\/x +accepted.*known leak/,
  ])
    assert.match(out, expected);
  assert.not.ok(out.includes('\u001b'));
});

test('law show --json prints the same rules', async (context) => {
  write(context, LAW, ACCEPTED);
  const { code, out } = await cli(['law', 'show', '--json'], context.env);
  assert.is(code, 0);
  const record = JSON.parse(out) as { version: string; rules: LawRule[] };
  assert.match(record.version, /^law /);
  assert.ok(record.rules.some(({ kind, source }) => kind === 'except' && source === 'accepted'));
});

test('law show --default prints the default law, which law check accepts', async (context) => {
  const { code, out } = await cli(['law', 'show', '--default'], context.env);
  assert.is(code, 0);
  assert.is(out, defaultLawText());
  const file = join(context.folder, 'copy.toml');
  writeFileSync(file, out);
  assert.is((await cli(['law', 'check', file], context.env)).code, 0);
});

test('law diff: prints only what differs from the default law', async (context) => {
  const { code, out } = await cli(['law', 'diff', '--json'], context.env);
  assert.is(code, 0);
  const plain = JSON.parse(out) as { version: string; rules: LawRule[] };
  assert.is(plain.version, BUILT_IN);
  assert.equal(
    plain.rules.map(({ kind }) => kind),
    ['egress'],
  );
  write(context, LAW, ACCEPTED);
  const changed = await cli(['law', 'diff'], { ...context.env, COLUMNS: '200' });
  assert.is(changed.code, 0);
  assert.match(changed.out, /zombie_sec = 5 +instead of zombie_sec = 60/);
  assert.match(changed.out, 'known leak');
  assert.not.match(changed.out, 'orphan_sec');
});

test('law check: prints every error of both files with its line, exit 2', async (context) => {
  write(
    context,
    '[thresholds]\nzombi_sec = 5\n[learning]\nauto = "on"\n',
    '[[except]]\ncheck = "nothing"\nwhy = "x"\n',
  );
  const { code, out, err } = await cli(['law', 'check'], { ...context.env, COLUMNS: '300' });
  assert.equal([code, out], [2, '']);
  assert.match(err, /law\.toml:2: thresholds\.zombi_sec .*did you mean "zombie_sec"/);
  assert.match(err, /law\.toml:4: learning\.auto found "on", expected "off" or "system"/);
  assert.match(err, /accepted\.toml:2: except\[0\]\.check found "nothing"/);
  const json = await cli(['law', 'check', '--json'], context.env);
  assert.is(json.code, 2);
  const record = JSON.parse(json.out) as { ok: boolean; refused: { problems: unknown[] }[] };
  assert.equal([record.ok, record.refused.map(({ problems }) => problems.length)], [false, [2, 1]]);
  const shown = await cli(['law', 'show'], context.env);
  assert.is(shown.code, 2);
  assert.match(shown.err, 'zombi_sec');
});

test('law check: accepts valid files, reports a missing one by name', async (context) => {
  assert.match((await cli(['law', 'check'], context.env)).out, /ok.*no file, the default law applies/);
  write(context, LAW, ACCEPTED);
  const both = await cli(['law', 'check'], context.env);
  assert.is(both.code, 0);
  assert.match(both.out, /law\.toml\n.*accepted\.toml/);
  const missing = await cli(['law', 'check', join(context.folder, 'none.toml')], context.env);
  assert.is(missing.code, 2);
  assert.match(missing.err, 'does not exist');
  assert.not.match(missing.err, '[law]');
});

test('invalid arguments of desk law are refused', async (context) => {
  for (const words of [
    ['law', 'show', 'x.toml'],
    ['law', 'diff', '--default'],
    ['law', 'bend'],
  ])
    assert.is((await cli(words, context.env)).code, 2, words.join(' '));
});

test.run();
