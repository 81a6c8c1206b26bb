/** What `desk findings` prints: every finding, once, not truncated. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Terminal } from '../../src/base/terminal.ts';
import { unknownLinks } from '../../src/checks/startup.ts';
import { detail, list } from '../../src/cli/commands/findings.ts';
import { acceptanceFor } from '../../src/features/law/accept.ts';
import type { Suppressed } from '../../src/findings/finding.ts';
import { detection } from '../../src/records/detection.ts';
import { findingDetail } from '../../src/records/finding-detail.ts';
import { findingFrom, noteFrom, stateFrom } from '../support/state.ts';

function printed(work: (terminal: Terminal) => void): string {
  let text = '';
  const write = (part: string) => {
    text += part;
  };
  work(new Terminal({ isTTY: true, columns: 80, write }, { NO_COLOR: '1' }));
  return text;
}

const times = (text: string, part: string): number => text.split(part).length - 1;
/** The text as one line. */
const flat = (text: string): string => text.replace(/\s+/g, ' ');

const summary =
  'process 500 (a-name-of-length) is traced by another-name, process 800, of which there is much to be said';

test('a list has each check once, with full summaries and the ids of findings', () => {
  const findings = ['0000000000000001', '0000000000000002'].map((id) => findingFrom({ id, summary }));
  const text = printed((out) => list(out, detection.assemble({ state: stateFrom({ findings }) })));
  assert.is(times(text, '  traced\n'), 1);
  assert.is(times(flat(text), summary), 2);
  for (const { id } of findings) assert.is(times(text, id), 1);
  for (const line of text.split('\n')) assert.ok(line.length <= 80, line);
});

test('blind checks with one reason are listed once, with the full remedy', () => {
  const cure = 'run the desk in the namespaces of the host, and let its security module allow ptrace reads';
  const notes = ['traced', 'writable-code'].map((check) => noteFrom({ check, cure, subjects: 1 }));
  const more = noteFrom({ check: 'lost-sight', cure, subjects: 3 });
  const state = stateFrom({ notes: [...notes, more] });
  const text = flat(printed((out) => list(out, detection.assemble({ state }))));
  assert.equal([times(text, cure), times(text, more.reason)], [1, 1]);
  assert.match(text, 'traced, writable-code, lost-sight (3)');
});

test('similar suppressions are one row: a single subject, or a count', () => {
  const { subject } = findingFrom();
  const { avenue, check, severity } = findingFrom();
  const suppressed = (identity: string, why: string): Suppressed => ({
    ...{ avenue, check, severity, summary, source: 'baseline', name: '', why },
    subject: subject.kind === 'process' ? { ...subject, identity } : subject,
  });
  const state = stateFrom({
    suppressed: [
      suppressed('/a', 'so'),
      suppressed('/b', 'so'),
      suppressed('/b', 'so'),
      suppressed('/c', 'other'),
    ],
  });
  const text = printed((out) => list(out, detection.assemble({ state })));
  assert.match(text, /traced +3 +2 subjects +baseline +so/);
  assert.match(text, /traced +1 +\/c +baseline +other/);
});

test('a closed finding is shown as closed, not as a scar', () => {
  const finding = findingFrom();
  const shown = (findings: (typeof finding)[]) =>
    printed((out) =>
      detail(
        out,
        findingDetail.assemble({
          state: stateFrom({ findings }),
          finding,
          history: [],
          acceptance: acceptanceFor(finding),
          links: unknownLinks('not read'),
        }),
      ),
    );
  assert.match(shown([]), / closed$/m);
  assert.not.match(shown([]), /^ +scar /m);
  assert.not.match(shown([finding]), / closed$/m);
  assert.match(shown([finding]), /^ +scar /m);
});

test('one finding: names and texts are separate, and only the class, which an exception needs, is repeated', () => {
  const executable = '/usr/bin/a-program';
  const finding = findingFrom({
    evidence: { tracer: 800, tracer_executable: executable, nothing: '' },
    evidenceClass: executable,
  });
  const text = printed((out) =>
    detail(
      out,
      findingDetail.assemble({
        state: stateFrom({ findings: [finding] }),
        finding,
        history: [],
        acceptance: acceptanceFor(finding),
        links: unknownLinks('not read'),
      }),
    ),
  );
  assert.match(text, /^ {2}tracer executable {2}\/usr\/bin\/a-program$/m);
  assert.match(text, /^ {2}class {14}\/usr\/bin\/a-program$/m);
  const [before = ''] = text.split('accepting covers');
  assert.is(times(before, executable), 2);
  assert.is(times(before, '/usr/sbin/sshd'), 1);
  for (const name of ['identity', 'nothing']) assert.not.match(text, new RegExp(`^ +${name} `, 'm'));
  for (const name of ['subject', 'first seen', 'last seen', 'scar', 'may be benign', 'what to do'])
    assert.match(text, new RegExp(`^  ${name} +\\S`, 'm'));
});

test.run();
