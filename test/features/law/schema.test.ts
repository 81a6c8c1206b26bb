/** All problems of a law file are reported at once: line, key, found, expected. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { configSchema } from '../../../src/config/schema.ts';
import { readAccepted, readLaw } from '../../../src/features/law/files.ts';
import { lawOf } from '../../../src/features/law/law.ts';
import type { LawContext } from '../../../src/features/law/schema.ts';

const context: LawContext = {
  checks: ['traced', 'public-listener', 'banned-listener', 'baseline-tampered'],
  causes: ['debuggers', 'package-upgrade'],
  bannedPorts: new Set([8766, 31337]),
  uidOf: (user) => (user === 'build' ? 1000 : undefined),
};
const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readLaw(bytes(text), context);
const problemsOf = (text: string): string[] => {
  const result = read(text);
  return result.ok ? [] : result.problems.map(({ line, key, message }) => `${line}: ${key} ${message}`);
};

const TIME = 'expected a time with its offset from UTC, e.g. 2027-01-31T08:00:00+01:00';
const APART = 'they are about different things, so this would never match';
const except = (text: string) => `[[except]]\nwhy = "known"\n${text}`;
const listen = (text: string) => `[[listen]]\nwhy = "known"\n${text}`;

/** A document and all of its problems. */
const wrong: readonly [toml: string, problems: readonly string[]][] = [
  ['[tresholds]\n', ['1: tresholds is an unknown key; did you mean "thresholds"?']],
  [
    '[thresholds]\nzombi_sec = 5\norphan_sec = "x"\nlibrary_sec = -1\nwindow_min = 1.5\nlearning_days = 0',
    [
      '2: thresholds.zombi_sec is an unknown key; did you mean "zombie_sec"?',
      '3: thresholds.orphan_sec found "x", expected a number',
      '4: thresholds.library_sec found -1, expected at least 0',
      '5: thresholds.window_min found 1.5, expected a whole number',
      '6: thresholds.learning_days found 0, expected at least 1',
    ],
  ],
  [
    '[benign]\ndebugers = false\npackage-upgrade = "no"',
    [
      '2: benign.debugers is an unknown key; did you mean "debuggers"?',
      '3: benign.package-upgrade found "no", expected true or false',
    ],
  ],
  [
    '[benign]\nsomething-else-entirely = false',
    ['2: benign.something-else-entirely is an unknown key; known here: debuggers, package-upgrade'],
  ],
  ['[learning]\nauto = "on"', ['2: learning.auto found "on", expected "off" or "system"']],
  ['[[except]]\ncheck = "traced"', ['1: except[0].why found nothing, expected text in quotes']],
  [
    '[[except]]\ncheck = "traced"\nwhy = "  "',
    ['3: except[0].why found "  ", expected the reason, in a few words'],
  ],
  [
    except('check = "tracd"'),
    ['3: except[0].check found "tracd", expected a check of the catalogue; did you mean "traced"?'],
  ],
  [
    except('check = ["traced",\n  "nothing-like-it"]'),
    [
      '4: except[0].check[1] found "nothing-like-it", expected a check of the catalogue; known here: traced, public-listener, banned-listener, baseline-tampered',
    ],
  ],
  [
    except('check = "baseline-tampered"'),
    [
      '3: except[0].check found "baseline-tampered", expected another check: no exception suppresses this one',
    ],
  ],
  [except(''), ['1: except[0].check found nothing, expected text in quotes, or a list of such texts']],
  [except('check = 5'), ['3: except[0].check found 5, expected text in quotes, or a list of such texts']],
  [
    except('check = "*"'),
    [
      '3: except[0].check found "*", expected another condition beside "*", or the checks by name: this would suppress everything',
    ],
  ],
  [
    except('check = "*"\nexecutable = "/*"'),
    ['4: except[0].executable found "/*", expected an absolute path, or its beginning and "*"'],
  ],
  [
    except('check = "*"\ncomm = "*"'),
    ['4: except[0].comm found "*", expected a name, or its beginning and "*"'],
  ],
  [
    except('check = "traced"\nexecutable = ["/usr/bin/gdb", "gdb"]'),
    ['4: except[0].executable[1] found "gdb", expected an absolute path, or its beginning and "*"'],
  ],
  [
    except('check = "traced"\nuid = 1000\nuser = "nobody-here"\n'),
    [
      '5: except[0].user found "nobody-here", expected a user of /etc/passwd; for another one write uid = NUMBER',
    ],
  ],
  [
    except('check = "traced"\nuid = 1000\nuser = "build"\n'),
    ['5: except[0].user found "build", expected no such key beside "uid"'],
  ],
  [
    except('check = "traced"\ncomm = "gdb"\nport = 80'),
    [`5: except[0].port found 80, expected no such key beside "comm": ${APART}`],
  ],
  [
    except('check = "traced"\nexecutable = "/usr/bin/gdb"\npath = "/dev/x"'),
    [`5: except[0].path found "/dev/x", expected no such key beside "executable": ${APART}`],
  ],
  [except('check = "traced"\nport = 0'), ['4: except[0].port found 0, expected at least 1']],
  [
    except('check = "traced"\nprotocol = "sctp"'),
    ['4: except[0].protocol found "sctp", expected "tcp" or "udp"'],
  ],
  [
    except('check = "traced"\nfinding = "xyz"'),
    ['4: except[0].finding found "xyz", expected the 16 hex digits of a finding id'],
  ],
  [except('check = "traced"\nexpires = 2027-01-31'), [`4: except[0].expires found a date, ${TIME}`]],
  [except('check = "traced"\nexpires = 2027-01-31T08:00:00'), [`4: except[0].expires found a date, ${TIME}`]],
  [except('check = "traced"\nexpires = "soon"'), [`4: except[0].expires found "soon", ${TIME}`]],
  [except('check = "traced"\nexpires = 5'), [`4: except[0].expires found 5, ${TIME}`]],
  [listen(''), ['1: listen[0].port found nothing, expected a port, or ports = [..]']],
  [
    listen('port = 1\nports = [2]'),
    ['4: listen[0].ports found a list of 1, expected no such key beside "port"'],
  ],
  [
    listen('ports = [80,\n  8766]\n'),
    [
      '4: listen[0].ports[1] found 8766, expected another port: this one is banned, and only an [[except]] of banned-listener keeps it from being shut down',
    ],
  ],
  [
    listen('port = 80\nscope = "world"\nexecutable = "/usr/bin/*"'),
    [
      '4: listen[0].scope found "world", expected "loopback" or "public" or "any"',
      '5: listen[0].executable found "/usr/bin/*", expected the absolute path of one executable, without "*"',
    ],
  ],
  [
    `${except('check = "tracd"')}\n${listen('port = "x"')}\n[thresholds]\nzombie_sec = 0`,
    [
      '3: except[0].check found "tracd", expected a check of the catalogue; did you mean "traced"?',
      '6: listen[0].port found "x", expected a number',
      '8: thresholds.zombie_sec found 0, expected at least 1',
    ],
  ],
];

for (const [toml, problems] of wrong)
  test(`reports every problem of ${JSON.stringify(toml)}`, () => assert.equal(problemsOf(toml), problems));

test('invalid TOML and invalid UTF-8 are reported', () => {
  assert.match(problemsOf('[[except]\n')[0] ?? '', /^1: {2}is not valid TOML: /);
  const result = readLaw(Uint8Array.of(0xff), context);
  assert.equal(result, { ok: false, problems: [{ line: null, key: '', message: 'is not UTF-8 text' }] });
});

test('a valid file sets the law', () => {
  const result = read(
    [
      '[thresholds]\nzombie_sec = 5\n[learning]\nauto = "system"\n[benign]\ndebuggers = false',
      listen('ports = [80, 443]\nscope = "public"\nexpires = "2027-01-31T08:00:00+01:00"'),
      except('check = "*"\nuser = "build"\nexpires = 2027-01-31T07:00:00Z'),
    ].join('\n'),
  );
  assert.ok(result.ok, JSON.stringify(result));
  if (!result.ok) return;
  const law = lawOf(configSchema.parse({}), { user: result.value, accepted: { except: [] } });
  const at = Date.UTC(2027, 0, 31, 7);
  assert.equal([law.zombieSec, law.orphanSec, law.librarySec], [5, 300, 10]);
  assert.equal([law.learningDays, law.windowMin, law.autoLearn], [365, 60, 'system']);
  assert.is(result.value.benign.debuggers, false);
  assert.is(result.value.benign['package-upgrade'], true);
  assert.equal(law.allowedListeners, [
    { ports: [80, 443], protocol: 'tcp', scope: 'public', executable: '', why: 'known', expiresMs: at },
  ]);
  assert.equal(law.suppressions[0], {
    checks: [],
    uid: 1000,
    why: 'known',
    expiresMs: at,
    source: 'law',
    name: '',
  });
});

test('the file of accepted findings may contain only exceptions', () => {
  assert.ok(readAccepted(bytes(''), context).ok);
  assert.ok(readAccepted(bytes(except('check = "traced"\naccepted = 2026-01-01T00:00:00Z')), context).ok);
  const result = readAccepted(bytes('[thresholds]\nzombie_sec = 5'), context);
  assert.ok(!result.ok && /unknown key/.test(result.problems[0]?.message ?? ''));
});

test.run();
