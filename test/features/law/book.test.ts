/** The law while the desk runs: files that appear, change, become invalid or are removed. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Config, configSchema } from '../../../src/config/schema.ts';
import { acceptanceFor } from '../../../src/features/law/accept.ts';
import { LawBook } from '../../../src/features/law/book.ts';
import { acceptedPath, lawPlaces, loadLaw } from '../../../src/features/law/files.ts';
import { BUILT_IN } from '../../../src/features/law/law.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { refusal } from '../../support/refusal.ts';
import { findingFrom } from '../../support/state.ts';
import { tempFolder } from '../../support/temp-folder.ts';

interface Context {
  folder: string;
  law: string;
  accepted: string;
  logged: string[];
}

const test = suite<Context>('law book', { folder: '', law: '', accepted: '', logged: [] });
test.before.each((context) => {
  context.folder = tempFolder('desk-law-');
  context.law = join(context.folder, 'law.toml');
  context.accepted = acceptedPath(context.folder);
  context.logged = [];
});
test.after.each((context) => rmSync(context.folder, { recursive: true }));

function open(context: Context, config: Config = configSchema.parse({})): LawBook {
  const { law, accepted, logged } = context;
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  return LawBook.open({ config, places: [law], accepted, log });
}

/** Polls until a change is reported; `between` happens before each poll. */
async function reported(book: LawBook, between: () => unknown = () => delay(20)): Promise<void> {
  let reports = 0;
  book.watch(() => {
    reports += 1;
  });
  while (reports === 0) {
    await between();
    book.poll();
  }
}

const traced = (parts: Partial<Finding> = {}) => findingFrom({ evidenceClass: '', ...parts });

test('without files the default law applies', (context) => {
  const book = open(context);
  assert.equal([book.law.version, book.trouble], [BUILT_IN, '']);
  assert.is(book.take(), 'same');
});

test('an invalid law.toml is refused at the start, with all of its problems', (context) => {
  writeFileSync(context.law, '[thresholds]\nzombi_sec = 5\norphan_sec = "x"\n');
  const { code, message, why, remedy } = refusal(() => open(context));
  assert.is(code, 'usage');
  assert.match(message, 'has 2 problems');
  assert.equal(why.split('\n'), [
    `${context.law}:2: thresholds.zombi_sec is an unknown key; did you mean "zombie_sec"?`,
    `${context.law}:3: thresholds.orphan_sec found "x", expected a number`,
  ]);
  assert.match(remedy, 'desk law check');
});

test('a law.toml that every user can write is refused', (context) => {
  writeFileSync(context.law, '');
  chmodSync(context.law, 0o666);
  assert.match(refusal(() => open(context)).why, /may be written by every user \(mode 0666\); .*chmod 644/);
});

test('a law file named in the configuration must exist', (context) => {
  const config = configSchema.parse({ law: { file: 'mine.toml' } });
  const places = lawPlaces({ config, path: join(context.folder, 'desk.toml') }, {});
  assert.equal(places, [join(context.folder, 'mine.toml')]);
  const result = loadLaw(places, config);
  assert.ok(!result.ok && /does not exist/.test(result.problems[0]?.message ?? ''));
});

test('law.toml is next to the configuration, or where that would be', () => {
  const config = configSchema.parse({});
  assert.equal(lawPlaces({ config, path: '/srv/desk.toml' }, {}), ['/srv/law.toml']);
  assert.equal(lawPlaces({ config, path: null }, { XDG_CONFIG_HOME: '/x' }), [
    '/x/desk/law.toml',
    '/etc/desk/law.toml',
  ]);
  const named = configSchema.parse({ law: { file: '/srv/law/mine.toml' } });
  assert.equal(lawPlaces({ config: named, path: '/etc/desk/desk.toml' }, {}), ['/srv/law/mine.toml']);
});

test('a changed law is applied, an invalid one is not, and its problems are reported until corrected', (context) => {
  const book = open(context);
  writeFileSync(context.law, '[thresholds]\nzombie_sec = 5\n');
  assert.is(book.take(), 'taken');
  const law = book.law;
  assert.is(law.zombieSec, 5);
  writeFileSync(context.law, '[thresholds]\nzombie_sec = "x"\nbad = 1\n');
  assert.is(book.take(), 'refused');
  assert.is(book.law, law);
  assert.match(
    book.trouble,
    /^law\.toml is refused \(line 2: thresholds\.zombie_sec found "x".*, and 1 more\)/,
  );
  assert.not.match(book.trouble, /;|\//);
  assert.match(context.logged.join(''), 'thresholds.bad');
  writeFileSync(context.law, '[thresholds]\nzombie_sec = 5\n');
  assert.is(book.take(), 'same');
  assert.equal([book.law, book.trouble], [law, '']);
});

test('a removed law stays in force and is reported until it is back or the desk is reloaded', (context) => {
  const book = open(context);
  writeFileSync(context.law, '[thresholds]\nzombie_sec = 5\n');
  assert.is(book.take(), 'taken');
  rmSync(context.law);
  assert.is(book.take(), 'refused');
  assert.is(book.law.zombieSec, 5);
  assert.match(book.trouble, /^law\.toml was removed/);
  writeFileSync(context.law, '[thresholds]\nzombie_sec = 5\n');
  assert.is(book.take(), 'same');
  assert.is(book.trouble, '');
  rmSync(context.law);
  assert.is(book.take({ removed: true }), 'taken');
  assert.equal([book.law.version, book.trouble], [BUILT_IN, '']);
});

test('watching: a file that changes constantly is applied anyway', async (context) => {
  const book = open(context);
  let touches = 0;
  await reported(book, () =>
    writeFileSync(context.law, `[thresholds]\nzombie_sec = 7\n# ${touches++}${' '.repeat(touches)}\n`),
  );
  assert.is(book.law.zombieSec, 7);
  assert.is(touches, 10);
});

test('watching: a change is applied when two polls agree, and reported once', async (context) => {
  const book = open(context);
  let reports = 0;
  assert.not(book.poll(), 'not watched yet');
  book.watch(() => {
    reports++;
  });
  assert.not(book.poll());
  writeFileSync(context.law, '[thresholds]\nzombie_sec = 7\n');
  assert.ok(book.poll(), 'poll again soon');
  assert.equal([book.law.version, reports], [BUILT_IN, 0]);
  assert.not(book.poll());
  assert.equal([book.law.zombieSec, reports], [7, 1]);
  writeFileSync(context.law, 'broken');
  for (let polls = 0; polls < 3; polls++) book.poll();
  assert.equal([book.law.zombieSec, reports], [7, 2]);
  assert.match(book.trouble, 'line 1');
});

test('watching: the end of an exception is reported', async (context) => {
  const end = new Date(Date.now() + 1500).toISOString();
  writeFileSync(context.law, `[[except]]\ncheck = "traced"\nwhy = "soon over"\nexpires = ${end}\n`);
  const book = open(context);
  const law = book.law;
  await reported(book);
  assert.ok(Date.now() >= Date.parse(end));
  assert.is(book.law, law);
});

const accept = (book: LawBook, finding: Finding, why: string) =>
  book.accept(finding, acceptanceFor(finding).id, why, null);

test('a finding that changed since it was shown is not accepted', (context) => {
  const book = open(context);
  const shown = acceptanceFor(
    traced({ evidence: { tracer_comm: 'gdb', tracer_executable: '/usr/bin/gdb' } }),
  );
  const now = traced({ evidence: { tracer_comm: 'gdb', tracer_executable: '/tmp/gdb' } });
  const { code, message, remedy } = refusal(() => book.accept(now, shown.id, 'ours', null));
  assert.is(code, 'refused');
  assert.match(message, /not what was shown any more/);
  assert.match(remedy, `desk findings ${now.id}`);
  assert.not.ok(existsSync(context.accepted));
});

test('accepting writes a private file that is read back', (context) => {
  const book = open(context);
  assert.is(accept(book, traced(), 'ours').effect, 'explained');
  assert.is(statSync(context.accepted).mode & 0o777, 0o600);
  assert.is(statSync(join(context.folder, 'law.d')).mode & 0o777, 0o700);
  assert.match(
    readFileSync(context.accepted, 'utf8'),
    /check = "traced"\nidentity = "\/usr\/sbin\/sshd"\n(?:.*\n)*why = "ours"/,
  );
  assert.equal(
    book.law.suppressions.filter(({ source }) => source === 'accepted').map(({ why }) => why),
    ['ours'],
  );
  const { version } = book.law;
  assert.is(open(context).law.version, version, 'after a restart');
  assert.is(book.take(), 'same');
});

test('accepting does not change law.toml', (context) => {
  const text = '# mine\n[thresholds]\nzombie_sec = 5\n';
  writeFileSync(context.law, text);
  const book = open(context);
  accept(book, traced(), 'ours');
  assert.is(readFileSync(context.law, 'utf8'), text);
  assert.is(book.law.zombieSec, 5);
});

test('accepting a banned listener only exempts it, accepting a tampered baseline is refused', (context) => {
  const book = open(context);
  const subject = { kind: 'listener', protocol: 'tcp', address: '::', port: 8766, inode: 1 } as const;
  const banned = traced({ check: 'banned-listener', subject, evidence: { executable: '/opt/x' } });
  assert.is(accept(book, banned, 'looked at').effect, 'spared');
  const tampered = traced({ check: 'baseline-tampered', subject: { kind: 'desk' }, remedy: 'learn again' });
  const { code, remedy } = refusal(() => accept(book, tampered, 'why not'));
  assert.is(code, 'refused');
  assert.match(remedy, 'learn again');
});

test('an invalid accepted.toml is reported at once and not overwritten, and its entries stay active', (context) => {
  const book = open(context);
  accept(book, traced(), 'ours');
  const whole = readFileSync(context.accepted, 'utf8');
  const broken = `${whole}\n[[except]]\ncheck = "nothing"\n`;
  writeFileSync(context.accepted, broken);
  assert.is(book.take(), 'refused');
  assert.is(book.law.suppressions.filter(({ source }) => source === 'accepted').length, 1);
  assert.match(book.trouble, /^law\.d\/accepted\.toml is refused/);
  assert.is(refusal(() => accept(book, traced({ check: 'fried-process' }), 'more')).code, 'refused');
  assert.is(readFileSync(context.accepted, 'utf8'), broken);
  // At a start its earlier content is unknown: the desk runs and reports it.
  assert.match(open(context).trouble, /^law\.d\/accepted\.toml is refused/);
});

test('if only one of two changed files is valid, that one is applied', (context) => {
  const book = open(context);
  mkdirSync(join(context.folder, 'law.d'), { mode: 0o700 });
  writeFileSync(context.accepted, '[[except]]\ncheck = "traced"\nwhy = "by hand"\n');
  writeFileSync(context.law, 'broken');
  assert.is(book.take(), 'refused');
  assert.ok(book.law.suppressions.some(({ why }) => why === 'by hand'));
});

test('a failed write leaves the file unchanged', (context) => {
  const book = open(context);
  writeFileSync(join(context.folder, 'law.d'), 'a file where the folder belongs');
  assert.is(refusal(() => accept(book, traced(), 'ours')).code, 'refused');
  assert.not.ok(existsSync(context.accepted));
  assert.equal([book.law.version, book.trouble], [BUILT_IN, '']);
});

test.run();
