/** The same mail as Maildir, MH and mbox gives the same ledger, also after changes; unusual files delay nothing. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPassedOver, Troubles } from '../../../src/features/mail/folder-source.ts';
import { readFolders } from '../../../src/features/mail/read-folders.ts';
import { readUnitFolders } from '../../../src/features/mail/unit-folders.ts';
import { expect } from '../../support/expect.ts';
import { freshIn, messagesIn, readAll, rowsOf, withLedger } from '../../support/ledger.ts';
import {
  corpus,
  maildirFolder,
  maildirName,
  mboxText,
  writeMaildir,
  writeMbox,
  writeMh,
} from '../../support/mail-corpus.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('mail folders');
const root = tempFolder('desk-folders-');

const folder = (): string => mkdtempSync(join(root, 'm-'));
const all = [...corpus({ messages: 600, people: 80, seed: 7 })];
const first = all.slice(0, 400);
const later = all.slice(400);

/** A clock past the time in which a change could go unnoticed. */
const LATER = () => Date.now() + 60_000;

/** The rows of a ledger that read these messages at once. */
const reference = async (messages: Iterable<(typeof all)[number]>) => {
  const mail = folder();
  writeMaildir(mail, messages);
  const state = freshIn(root);
  await withLedger(state, (ledger) => readAll(ledger, `maildir:${mail}`));
  return rowsOf(state);
};
const expected = await reference(all);

test('the test corpus has people written to, programs and several names', () => {
  assert.ok(expected.length > 60);
  assert.ok(expected.some(({ sent }) => sent > 0));
  assert.ok(expected.some(({ automated }) => automated));
  assert.ok(expected.some(({ names }) => names.length > 1));
});

const forms = {
  maildir: (mail: string, messages: typeof all) => writeMaildir(mail, messages),
  mh: (mail: string, messages: typeof all, counts: Map<string, number>) => writeMh(mail, messages, counts),
  mbox: (mail: string, messages: typeof all) => writeMbox(mail, messages),
};

for (const [kind, write] of Object.entries(forms))
  test(`${kind}: mail read in two parts gives the same ledger as at once`, async () => {
    const mail = folder();
    const counts = new Map<string, number>();
    const state = freshIn(root);
    await withLedger(state, async (ledger) => {
      const source = `${kind}:${mail}`;
      write(mail, first, counts);
      const begin = await readAll(ledger, source, LATER);
      assert.is(begin.reason, '');
      assert.is(begin.counted, first.length);
      assert.equal((await readAll(ledger, source, LATER)).read, 0, 'unchanged folders are not read');
      write(mail, later, counts);
      const more = await readAll(ledger, source, LATER);
      assert.is(more.counted, later.length);
      // For mbox the last message of a file is read again.
      assert.ok(more.read <= later.length + 5, `${more.read} read again`);
    });
    assert.equal(rowsOf(state), expected);
  });

test('the three formats together count each message once', async () => {
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    for (const [kind, write] of Object.entries(forms)) {
      const mail = folder();
      write(mail, all, new Map());
      const { counted } = await readAll(ledger, `${kind}:${mail}`);
      assert.is(counted, kind === 'maildir' ? all.length : 0);
    }
  });
  assert.equal(rowsOf(state), expected);
});

test('Maildir: moving a message or changing its flags does not count it twice', async () => {
  const mail = folder();
  writeMaildir(mail, all);
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    const source = `maildir:${mail}`;
    await readAll(ledger, source, LATER);
    for (const message of all) {
      const at = maildirFolder(mail, message.folder);
      const name = maildirName(message);
      if (message.seen) renameSync(join(at, 'cur', `${name}:2,S`), join(at, 'cur', `${name}:2,RS`));
      else renameSync(join(at, 'new', name), join(at, 'cur', `${name}:2,`));
    }
    assert.equal(await readAll(ledger, source, LATER), { read: 0, counted: 0, reason: '', folders: 5 });
    const moved = all.filter((message) => message.folder === 'Work');
    for (const message of moved) {
      const name = `${maildirName(message)}:2,${message.seen ? 'RS' : ''}`;
      renameSync(join(maildirFolder(mail, 'Work'), 'cur', name), join(mail, 'cur', name));
    }
    const after = await readAll(ledger, source, LATER);
    assert.is(after.read, moved.length);
    assert.is(after.counted, 0);
    assert.is(ledger.units(source, 'Work').size, 0);
    rmSync(maildirFolder(mail, 'Work'), { recursive: true });
    await readAll(ledger, source, LATER);
    assert.not.ok(ledger.folders(source).includes('Work'));
  });
  assert.equal(rowsOf(state), expected);
});

test('MH: packing and sorting lose no message, also when new mail arrives', async () => {
  const mail = folder();
  const counts = new Map<string, number>();
  writeMh(mail, first, counts);
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    await readAll(ledger, `mh:${mail}`, LATER);
    const inbox = join(mail, 'INBOX');
    const numbers = readdirSync(inbox)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .sort((a, b) => a - b);
    // Every second message is removed, the others are renumbered.
    for (const [index, number] of numbers.entries()) {
      if (index % 2 === 0) rmSync(join(inbox, String(number)));
      else renameSync(join(inbox, String(number)), join(inbox, String((index + 1) / 2)));
    }
    counts.set('INBOX', Math.floor(numbers.length / 2));
    writeMh(mail, later, counts);
    const after = await readAll(ledger, `mh:${mail}`, LATER);
    assert.is(after.counted, later.length);
    assert.is(after.read, later.length, 'messages with other numbers are not read again');
  });
  assert.equal(rowsOf(state), expected);
});

test('mbox: rewriting, compacting and CRLF lose nothing, and a From_ line in a body does not start a message', async () => {
  const mail = folder();
  writeMbox(mail, first);
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    await readAll(ledger, `mbox:${mail}`, LATER);
    // Most of the read messages are removed, new ones are added.
    writeMbox(mail, [...first.filter(({ number }) => number % 3 === 0), ...later], { anew: true });
    assert.is((await readAll(ledger, `mbox:${mail}`, LATER)).counted, later.length);
    writeMbox(mail, all, { anew: true, crlf: true });
    assert.is((await readAll(ledger, `mbox:${mail}`, LATER)).counted, 0);
  });
  assert.equal(rowsOf(state), expected);
  const single = folder();
  const path = join(single, 'mail');
  const text = mboxText(all[0] as (typeof all)[number]);
  writeFileSync(
    path,
    `${text}\nFrom what I know of it\n\nFrom: here on nothing is new\n\n${mboxText(all[1] as (typeof all)[number])}`,
  );
  await withLedger(freshIn(root), async (ledger) => {
    assert.is((await readAll(ledger, `mbox:${path}`, LATER)).read, 2);
  });
});

test('mbox: messages across block boundaries are read, and a header still being written is read later', async () => {
  const mail = folder();
  const path = join(mail, 'large');
  const some = all.slice(0, 40);
  for (const [index, message] of some.entries())
    appendFileSync(
      path,
      mboxText({
        ...message,
        text: `${message.text}${'A line of a long body.\n'.repeat(3000 + 517 * index)}`,
      }),
    );
  const whole = readFileSync(path).length;
  assert.ok(whole > 4 << 20);
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    const half = 'From a@b.example Thu Jan  1 10:00:00 2015\nFrom: half@writ';
    appendFileSync(path, half);
    assert.is((await readAll(ledger, `mbox:${path}`, Date.now)).counted, some.length);
    appendFileSync(path, 'ten.example\nTo: me@desk.example\nMessage-ID: <half@x>\n\nbody\n');
    assert.is((await readAll(ledger, `mbox:${path}`, LATER)).counted, 1);
  });
  expect(
    rowsOf(state)
      .filter(({ address }) => address.startsWith('half'))
      .map(({ address }) => address),
  ).equals(['half@written.example']);
});

test('a run that is stopped after any step continues from that step', async () => {
  for (const [kind, write] of Object.entries(forms)) {
    const mail = folder();
    write(mail, all, new Map());
    const state = freshIn(root);
    let [reads, steps, more] = [0, 0, true];
    while (more) {
      await withLedger(state, async (ledger) => {
        const run = readFolders(`${kind}:${mail}`, ledger, '/nowhere', LATER);
        const step = await run?.next();
        if (step === undefined || step.done) more = false;
        else {
          ledger.commit(step.value.batch);
          reads += messagesIn(step.value.batch);
          steps += 1;
          assert.ok(step.value.progress.done <= step.value.progress.total);
        }
        await run?.return({ reason: '', folders: 0 });
      });
    }
    assert.ok(steps >= 5, kind);
    assert.is(reads, all.length, kind);
    assert.equal(rowsOf(state), expected, kind);
  }
});

test('only messages are opened: no links, FIFOs, sockets, folders, hidden files', async () => {
  const mail = folder();
  const victim = join(mail, 'victim');
  writeFileSync(victim, 'From: Victim <victim@example.org>\nTo: me@desk.example\n\n');
  const inside = join(mail, 'box');
  for (const part of ['cur', 'new', 'tmp']) mkdirSync(join(inside, part), { recursive: true });
  symlinkSync(victim, join(inside, 'cur', '1.link'));
  execFileSync('mkfifo', [join(inside, 'new', '2.fifo')]);
  mkdirSync(join(inside, 'cur', '3.folder'));
  writeFileSync(join(inside, 'cur', '.hidden'), 'From: hidden@example.org\n\n');
  writeFileSync(join(inside, 'cur', '4.empty'), '');
  writeFileSync(
    join(inside, 'cur', '5.message'),
    'From: Ada <ada@example.org>\r\nTo: me@desk.example\r\n\r\n',
  );
  symlinkSync('/', join(mail, 'everything'));
  const mh = join(mail, 'mh');
  mkdirSync(mh);
  symlinkSync(victim, join(mh, '1'));
  execFileSync('mkfifo', [join(mh, '2')]);
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    assert.is((await readAll(ledger, `maildir:${mail}`)).counted, 1);
    assert.is((await readAll(ledger, `mh:${mh}`)).counted, 0);
    execFileSync('mkfifo', [join(mail, 'fifo.mbox')]);
    const { counted, reason } = await readAll(ledger, `mbox:${join(mail, 'fifo.mbox')}`);
    assert.is(counted, 0);
    assert.match(reason, 'not an mbox file');
  });
  expect(rowsOf(state).map(({ address }) => address)).equals(['ada@example.org']);
});

test('a header longer than the first read is read completely, one without an end is cut', async () => {
  const mail = folder();
  for (const part of ['cur', 'new']) mkdirSync(join(mail, part), { recursive: true });
  const filler = 'X-Filler: something\n'.repeat(1500);
  writeFileSync(join(mail, 'cur', '1'), `${filler}From: late@example.org\nTo: me@desk.example\n\nbody`);
  writeFileSync(
    join(mail, 'cur', '2'),
    `From: endless@example.org\nTo: me@desk.example\n${filler.repeat(50)}`,
  );
  const state = freshIn(root);
  await withLedger(state, (ledger) => readAll(ledger, `maildir:${mail}`));
  expect(rowsOf(state).map(({ address }) => address)).equals(['endless@example.org', 'late@example.org']);
});

test('folders of unwanted mail are skipped, whatever they contain', async () => {
  for (const name of [
    'Trash',
    'INBOX/Junk',
    'Deleted Items',
    'Trash/2020',
    'spam',
    'Drafts',
    'queue',
    'Outbox',
    'templates',
  ])
    assert.ok(isPassedOver(name), name);
  assert.ok(isPassedOver('INBOX.Trash', '.'));
  for (const name of ['INBOX', 'Sent', 'Work/Trash talk', 'Lists/spam-assassin'])
    assert.not.ok(isPassedOver(name), name);
  const mail = folder();
  writeMaildir(mail, [
    ...first,
    ...first.map((message) => ({ ...message, folder: 'Trash', text: message.text.replaceAll('@', '@not-') })),
  ]);
  const state = freshIn(root);
  await withLedger(state, async (ledger) =>
    assert.is((await readAll(ledger, `maildir:${mail}`)).counted, first.length),
  );
  assert.equal(rowsOf(state), await reference(first));
});

test('nested Maildirs and Thunderbird subfolders are folders', async () => {
  const mail = folder();
  writeMaildir(
    join(mail, 'account', 'INBOX'),
    first.filter(({ folder: name }) => name === 'INBOX'),
  );
  writeMaildir(
    join(mail, 'account', 'Sub', 'Deep'),
    first
      .filter(({ folder: name }) => name === 'INBOX')
      .map((message) => ({ ...message, number: message.number + 9000 })),
  );
  await withLedger(freshIn(root), async (ledger) => {
    await readAll(ledger, `maildir:${mail}`);
    assert.equal(ledger.folders(`maildir:${mail}`), ['account/INBOX', 'account/Sub/Deep']);
  });
  const boxes = folder();
  mkdirSync(join(boxes, 'Archive.sbd'));
  writeFileSync(join(boxes, 'Archive.msf'), 'index');
  writeFileSync(join(boxes, 'Archive.sbd', 'Old'), mboxText(first[0] as (typeof all)[number]));
  await withLedger(freshIn(root), async (ledger) => {
    await readAll(ledger, `mbox:${boxes}`);
    assert.equal(ledger.folders(`mbox:${boxes}`), ['Archive/Old']);
  });
});

test('a missing or unreadable path is reported, and earlier data is kept', async () => {
  const state = freshIn(root);
  await withLedger(state, async (ledger) => {
    for (const kind of ['maildir', 'mh', 'mbox']) {
      const { reason, counted } = await readAll(ledger, `${kind}:/nowhere/at/all`);
      assert.match(reason, '/nowhere/at/all is not there');
      assert.is(counted, 0);
    }
    const mail = folder();
    assert.match((await readAll(ledger, `maildir:${mail}`)).reason, 'holds no Maildir');
    writeMaildir(mail, first);
    await readAll(ledger, `maildir:${mail}`);
    const before = ledger.totals();
    renameSync(mail, `${mail}-away`);
    assert.match((await readAll(ledger, `maildir:${mail}`)).reason, 'is not there');
    assert.equal(ledger.totals(), before);
    assert.ok(ledger.folders(`maildir:${mail}`).length > 0);
    // Root can read everything.
    if (process.geteuid?.() === 0) return;
    renameSync(`${mail}-away`, mail);
    writeFileSync(join(mail, 'cur', 'one.more'), 'From: more@example.org\n\n');
    chmodSync(join(mail, 'cur'), 0o000);
    const { reason } = await readAll(ledger, `maildir:${mail}`, LATER);
    chmodSync(join(mail, 'cur'), 0o700);
    assert.match(reason, 'must not be read (EACCES)');
  });
});

test('a folder that cannot be read is reported, and the others are read', async () => {
  const mail = folder();
  writeMaildir(mail, first.slice(0, 3));
  const loop = join(mail, '.Loop');
  mkdirSync(join(loop, 'new'), { recursive: true });
  symlinkSync('cur', join(loop, 'cur'));
  await withLedger(freshIn(root), async (ledger) => {
    const { reason, read } = await readAll(ledger, `maildir:${mail}`);
    assert.match(reason, `${loop} cannot be read (ELOOP)`);
    assert.is(read, 3);
    // Root can read everything.
    if (process.geteuid?.() === 0) return;
    for (const kind of ['maildir', 'mh', 'mbox']) {
      const path = folder();
      const closed = join(path, 'closed');
      mkdirSync(join(closed, 'cur'), { recursive: true });
      writeFileSync(join(closed, '1'), 'From: one@example.org\n\n');
      // Its names can be listed, but its files cannot be read.
      chmodSync(closed, 0o600);
      const closedReason = (await readAll(ledger, `${kind}:${path}`)).reason;
      chmodSync(closed, 0o700);
      assert.match(closedReason, 'must not be read (EACCES)', kind);
    }
  });
});

test('each folder is listed once, also after failing folders', async () => {
  const mail = folder();
  const folders = ['closed', 'shut', 'open', 'wide'].map((name) => {
    const path = join(mail, name);
    if (name === 'closed' || name === 'shut') writeFileSync(path, 'no folder');
    else {
      mkdirSync(path);
      writeFileSync(join(path, '1'), `From: ${name}@example.org\n\n`);
    }
    return { name, kind: 'mh' as const, directories: [path] };
  });
  await withLedger(freshIn(root), async (ledger) => {
    const asked = { source: 'mh:x', path: mail, ledger, now: LATER };
    const run = readUnitFolders(asked, folders, new Troubles(asked));
    const totals: number[] = [];
    for (;;) {
      const step = await run.next();
      if (step.done) {
        assert.match(step.value.reason, /closed is not a folder.* \(and 1 more like it\)$/);
        break;
      }
      totals.push(step.value.progress.total);
      ledger.commit(step.value.batch);
    }
    assert.equal(totals, [2, 2]);
  });
});

test('mbox: a long line with many times of day is processed quickly', async () => {
  const mail = folder();
  const body = `\nFrom ${'1:11 '.repeat(200)}\n`.repeat(20_000);
  writeFileSync(join(mail, 'box'), `From a@b Mon Jan  1 10:00:00 2024\nFrom: one@example.org\n\n${body}`);
  await withLedger(freshIn(root), async (ledger) =>
    assert.is((await readAll(ledger, `mbox:${mail}`)).read, 1),
  );
});

test('a change in the same clock tick as the last read is found', async () => {
  const mail = folder();
  writeMaildir(mail, first.slice(0, 3));
  await withLedger(freshIn(root), async (ledger) => {
    assert.is((await readAll(ledger, `maildir:${mail}`, Date.now)).read, 3);
    const cur = join(mail, 'cur');
    mkdirSync(cur, { recursive: true });
    writeFileSync(join(cur, '99.new'), 'From: tick@example.org\nTo: me@desk.example\n\n');
    // The modification time as if both had happened in the same tick.
    utimesSync(cur, new Date(), new Date());
    assert.is((await readAll(ledger, `maildir:${mail}`, Date.now)).read, 1);
  });
});

test.run();
