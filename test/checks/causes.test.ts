/** Every benign cause of the catalogue explains what it names, nothing else, and nothing when the law disables it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BenignCause, Check } from '../../src/checks/check.ts';
import { CHECKS } from '../../src/checks/index.ts';
import type { Subject } from '../../src/checks/subjects.ts';
import { configSchema } from '../../src/config/schema.ts';
import { lawOf, NO_FILES } from '../../src/features/law/law.ts';
import { explanationOf } from '../../src/findings/suppression.ts';
import { processFrom } from '../support/peek.ts';

const config = configSchema.parse({});
const law = lawOf(config);
const without = (name: string) => {
  const files = NO_FILES;
  return lawOf(config, {
    ...files,
    user: { ...files.user, benign: { ...files.user.benign, [name]: false } },
  });
};

/** A text that a pattern matches. */
const example = (pattern: string): string =>
  (pattern.includes('/') || pattern.endsWith('*') ? pattern : `/usr/bin/${pattern}`).replace(/\*$/, 'x');

/** A fail that a cause explains, for each of the programs, files and classes it names. */
function examples(check: Check, cause: BenignCause) {
  const {
    executable = ['/usr/bin/x'],
    evidenceClass = [''],
    comm = ['x'],
    path,
    port = 5353,
    protocol,
  } = cause;
  const subjects: Subject[] =
    path !== undefined
      ? path.map((one) => ({ kind: 'file', path: one.replace(/\*$/, 'x') }))
      : protocol !== undefined
        ? [{ kind: 'listener', protocol, address: '0.0.0.0', port, inode: 7 }]
        : executable.map((one) =>
            processFrom({ executable: example(one), comm: comm[0] ?? 'x', uid: cause.uid ?? 1000 }),
          );
  return subjects.flatMap((subject) =>
    evidenceClass.map((one) => ({
      ...{ check, subject, severity: check.severity, evidenceClass: one.replace(/\*$/, 'x') },
      evidence: { executable: example(executable[0] ?? '') },
    })),
  );
}

const named = CHECKS.flatMap((check) => (check.causes ?? []).map((cause) => ({ check, cause })));

test('each cause explains what it names, and nothing when it is disabled', () => {
  assert.ok(named.length > 30);
  for (const { check, cause } of named)
    for (const fail of examples(check, cause)) {
      const about = `${check.id} ${cause.name} ${JSON.stringify(fail.subject)} ${fail.evidenceClass}`;
      assert.is(explanationOf(fail, law, null, 0)?.name, cause.name, about);
      assert.is(explanationOf(fail, without(cause.name), null, 0), null, about);
    }
});

test('no cause explains another program, user, port, file, class or check', () => {
  const quiet = CHECKS.find(({ causes = [] }) => causes.length === 0) as Check;
  for (const { check, cause } of named) {
    const [fail] = examples(check, cause);
    assert.ok(fail);
    const { subject } = fail;
    const others = [
      { ...fail, check: quiet },
      ...(cause.evidenceClass ? [{ ...fail, evidenceClass: 'another class' }] : []),
      ...(cause.executable
        ? [
            subject.kind === 'process'
              ? { ...fail, subject: { ...subject, executable: '/tmp/evil' } }
              : { ...fail, evidence: { executable: '/tmp/evil' } },
          ]
        : []),
      ...(cause.uid !== undefined
        ? [{ ...fail, subject: { ...subject, uid: cause.uid + 1 } as Subject }]
        : []),
      ...(cause.port !== undefined
        ? [{ ...fail, subject: { ...subject, port: cause.port + 1 } as Subject }]
        : []),
      ...(cause.path ? [{ ...fail, subject: { ...subject, path: '/tmp/evil' } as Subject }] : []),
    ];
    assert.ok(others.length > 1, `${cause.name} would explain anything`);
    for (const other of others)
      assert.is.not(
        explanationOf(other, law, null, 0)?.name,
        cause.name,
        `${cause.name} ${JSON.stringify(other.subject)}`,
      );
  }
});

test.run();
