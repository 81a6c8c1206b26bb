/** Findings as journal entries: the bytes of the native protocol, its limits, and that an entry arrives at a real socket. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadNative } from '../../src/engine/native/load.ts';
import {
  fieldsOf,
  Journal,
  journalEntry,
  journalOf,
  MESSAGE_IDS,
  MOST_FIELD_BYTES,
} from '../../src/service/journal.ts';
import { needs } from '../support/require.ts';
import { findingFrom } from '../support/state.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

const test = suite('journal');
const { addon } = loadNative();

/** Reads an entry as the journal does: a line with "=" ends at its line break, one without is followed by a length. */
function fieldsIn(entry: Buffer): Map<string, Buffer> {
  const fields = new Map<string, Buffer>();
  for (let at = 0; at < entry.length; ) {
    const end = entry.indexOf('\n', at);
    assert.ok(end >= at, 'a field without an end');
    const line = entry.subarray(at, end);
    const equals = line.indexOf('=');
    if (equals >= 0) {
      fields.set(line.subarray(0, equals).toString(), line.subarray(equals + 1));
      at = end + 1;
    } else {
      const length = Number(entry.readBigUInt64LE(end + 1));
      const from = end + 9;
      fields.set(line.toString(), entry.subarray(from, from + length));
      assert.is(entry[from + length], 0x0a, 'the line break after the bytes');
      at = from + length + 1;
    }
  }
  return fields;
}

test('any values come back as they were, up to the limit of a field', () => {
  const names = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,20}$/).filter((name) => name !== 'DESK_TRUNCATED');
  const values = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('\n', '=', '\0', 'x', '€'), maxLength: 9000 }),
  );
  fc.assert(
    fc.property(fc.dictionary(names, values), (given) => {
      const fields = fieldsIn(journalEntry(given));
      const cut: string[] = [];
      for (const [name, value] of Object.entries(given)) {
        const whole = Buffer.from(value);
        const got = fields.get(name) as Buffer;
        if (whole.length > MOST_FIELD_BYTES) {
          cut.push(name);
          assert.ok(got.length <= MOST_FIELD_BYTES && got.length > MOST_FIELD_BYTES - 4);
        } else assert.is(got.length, whole.length);
        assert.ok(whole.subarray(0, got.length).equals(got));
        assert.not(got.toString().includes('\ufffd') && !value.includes('\ufffd'), 'a character is cut');
      }
      assert.is(fields.get('DESK_TRUNCATED')?.toString(), cut.length > 0 ? cut.join(' ') : undefined);
      assert.is(fields.size, Object.keys(given).length + (cut.length > 0 ? 1 : 0));
    }),
  );
});

test('a name that is no field name never reaches an entry', () => {
  for (const name of ['', 'a', '_PID', 'A B', 'A=B', 'A\nB', '1A'])
    assert.throws(() => journalEntry({ [name]: 'x' }), TypeError, name);
});

test('a finding has its facts as fields, and its priority is its severity', () => {
  const traced = findingFrom({ check: 'traced', severity: 'critical' });
  const open = fieldsOf(traced, 'open');
  assert.is(open.PRIORITY, 2);
  assert.is(open.MESSAGE_ID, MESSAGE_IDS.open);
  assert.is(open.DESK_FINDING, traced.id);
  assert.is(open.DESK_CHECK, 'traced');
  assert.is(open.DESK_SEVERITY, 'critical');
  assert.is(open.DESK_TECHNIQUES, 'T1055.008');
  assert.is(open.DESK_PID, 500);
  assert.match(String(open.MESSAGE), 'traced');
  const closed = fieldsOf(traced, 'closed');
  assert.is(closed.PRIORITY, 6);
  assert.is(closed.MESSAGE_ID, MESSAGE_IDS.closed);
  assert.is(closed.DESK_EVENT, 'closed');
  assert.match(MESSAGE_IDS.open, /^[\da-f]{32}$/);
  assert.match(MESSAGE_IDS.closed, /^[\da-f]{32}$/);
  const file = fieldsOf(
    findingFrom({
      check: 'startup-entry',
      subject: { kind: 'file', path: '/etc/cron.d/x\ny' },
      evidence: { techniques: 'T1053.003 T1053.002' },
    }),
    'open',
  );
  assert.is(file.DESK_PATH, '/etc/cron.d/x\ny');
  assert.is(file.DESK_TECHNIQUES, 'T1053.003 T1053.002');
});

test('it is used only where standard error is the stream that JOURNAL_STREAM names', () => {
  const folder = tempFolder('desk-journal-');
  const fd = openSync(join(folder, 'stream'), 'w');
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    const of = (JOURNAL_STREAM?: string) =>
      journalOf({ JOURNAL_STREAM }, addon, () => assert.unreachable('sent'), { fd });
    assert.ok(of(`${dev}:${ino}`) instanceof Journal);
    for (const other of [undefined, '', `${dev}:${ino + 1n}`, `${dev + 1n}:${ino}`, 'x', `${ino}`])
      assert.is(of(other), null, String(other));
  } finally {
    closeSync(fd);
  }
  assert.is(
    journalOf({ JOURNAL_STREAM: '1:1' }, addon, () => undefined, { fd: 999_999 }),
    null,
  );
});

/** Binds a datagram socket and prints each message in hexadecimal; with "full" it reads nothing. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print('bound', flush=True)
if sys.argv[2] == 'full': sys.stdin.read()
while True: print(receiver.recv(1 << 20).hex(), flush=True)
`;

async function receiver(address: string, full = false) {
  const child = spawn('python3', ['-c', RECEIVER, address, full ? 'full' : ''], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(line));
  await until(async () => lines.length > 0, 'the socket is bound');
  return {
    entries: () => lines.slice(1).map((line) => fieldsIn(Buffer.from(line, 'hex'))),
    async close() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

needs('python3')(
  test,
  'entries arrive whole, with line breaks and with bytes above 127 in their length',
  async () => {
    const socket = join(tempFolder('desk-journal-'), 'socket');
    const other = await receiver(socket);
    try {
      const journal = new Journal({ socket, native: addon, lost: (code) => assert.unreachable(code) });
      const summary = `first line\n${'é'.repeat(100)}`;
      journal.note(findingFrom({ summary }), 'open');
      journal.note(findingFrom({ remedy: 'x'.repeat(5000) }), 'closed');
      await until(async () => other.entries().length === 2, 'both entries');
      const [opened, closed] = other.entries();
      assert.match(opened?.get('MESSAGE')?.toString() ?? '', summary);
      assert.is(closed?.get('DESK_EVENT')?.toString(), 'closed');
      assert.is(closed?.get('DESK_REMEDY')?.length, MOST_FIELD_BYTES);
      assert.is(closed?.get('DESK_TRUNCATED')?.toString(), 'DESK_REMEDY');
    } finally {
      await other.close();
    }
  },
);

needs('python3')(
  test,
  'a journal that reads nothing never blocks the service, which says so once',
  async () => {
    const socket = join(tempFolder('desk-journal-'), 'socket');
    const other = await receiver(socket, true);
    const codes: string[] = [];
    try {
      const journal = new Journal({ socket, native: addon, lost: (code) => codes.push(code) });
      for (let sent = 0; codes.length === 0 && sent < 100_000; sent++) journal.note(findingFrom(), 'open');
      journal.note(findingFrom(), 'open');
      assert.equal(codes, ['EAGAIN']);
    } finally {
      await other.close();
    }
  },
);

test('without a journal the reason is given once', () => {
  const codes: string[] = [];
  const socket = join(tempFolder('desk-journal-'), 'absent');
  const journal = new Journal({ socket, native: addon, lost: (code) => codes.push(code) });
  for (let sent = 0; sent < 3; sent++) journal.note(findingFrom(), 'open');
  assert.equal(codes, ['ENOENT']);
});

test.run();
