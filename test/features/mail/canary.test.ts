/** The canary run: everything runs with a distinctive password, which is then searched for everywhere. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { findIn, findInFolder, findInMemory, formsOf } from '../../support/canary.ts';
import { expect } from '../../support/expect.ts';
import type { MailRemote } from '../../support/mail-remote.ts';
import { MAIL_NEEDS, MailWorld, PASSWORD, USER } from '../../support/mail-world.ts';
import { needs } from '../../support/require.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { patientMs } from '../../support/time-limit.ts';

const forms = formsOf(PASSWORD);

test('the search finds each form of the password in text and in files', () => {
  const folder = tempFolder('desk-canary-');
  for (const { name, bytes } of forms) {
    assert.ok(
      findIn(Buffer.concat([Buffer.from('before '), bytes, Buffer.from(' after')]), forms).includes(name),
      name,
    );
    writeFileSync(join(folder, name.replaceAll(/\W/g, '-')), bytes);
  }
  assert.ok(findInFolder(folder, forms).length >= forms.length);
  for (const before of ['', 'a', 'ab', '\0user\0'])
    for (const after of ['', 'x', 'yz']) {
      const whole = Buffer.from(`${before}${PASSWORD}${after}`);
      assert.ok(findIn(Buffer.from(whole.toString('base64')), forms).length > 0);
      assert.ok(findIn(Buffer.from(whole.toString('base64url')), forms).length > 0);
    }
  assert.equal(findIn(Buffer.from('nothing of it'), forms), []);
});

/** Mail that contains the password, as a server that once received it could write. */
function mailWithPassword(): readonly string[] {
  const base64 = Buffer.from(PASSWORD).toString('base64');
  const quoted = PASSWORD.replaceAll(/["\\]/g, '\\$&');
  return [
    `From: "${quoted}" <a@example.org>`,
    `From: =?utf-8?B?${base64}?= <b@example.org>`,
    `From: ${base64} <c@example.org>`,
    `From: "Name" <${Buffer.from(`ab${PASSWORD}`).toString('base64url')}@example.org>`,
    `From: "${encodeURIComponent(PASSWORD)}" <d@example.org>`,
    `From: "${JSON.stringify(PASSWORD).replaceAll(/["\\]/g, '\\$&')}" <e@example.org>`,
  ].map(
    (from, at) =>
      `${from}\nTo: ${USER}\nDate: Fri, 01 Nov 2024 10:00:0${at} +0000\nMessage-ID: <${at}@canary>\nSubject: ${PASSWORD}\n\nbody\n`,
  );
}

/** Where the kernel puts core dumps of a process whose working folder is `/`; null where a program takes them. */
function coreFolder(): { folder: string; prefix: string } | null {
  const pattern = readFileSync('/proc/sys/kernel/core_pattern', 'utf8').trim();
  if (pattern.startsWith('|') || pattern === '') return null;
  const path = isAbsolute(pattern) ? pattern : join('/', pattern);
  return {
    folder: dirname(path),
    prefix: path.slice(dirname(path).length).replace(/^\//, '').split('%')[0] ?? '',
  };
}

function cores(): ReadonlySet<string> {
  const place = coreFolder();
  if (place === null || !existsSync(place.folder)) return new Set();
  return new Set(
    readdirSync(place.folder)
      .filter((name) => name.startsWith(place.prefix))
      .map((name) => join(place.folder, name)),
  );
}

/** Searches the new core dumps and removes them. */
function searchCores(before: ReadonlySet<string>): {
  readonly count: number;
  readonly found: readonly string[];
} {
  const fresh = [...cores()].filter((path) => !before.has(path));
  const found = fresh.flatMap((path) => findIn(readFileSync(path), forms).map((form) => `${path}: ${form}`));
  for (const path of fresh) rmSync(path);
  return { count: fresh.length, found };
}

needs(...MAIL_NEEDS)(test, 'nothing printed, stored, sent or dumped contains the password', async () => {
  const world = await MailWorld.start();
  const transcripts: string[] = [];
  const dovecot = world.dovecot();
  try {
    const inbox = dovecot.mailbox('INBOX');
    for (const [at, text] of mailWithPassword().entries())
      writeFileSync(join(inbox, 'cur', `170000000${at}.canary:2,S`), text);
    execFileSync('chown', ['-R', '65534:65534', inbox]);
    await dovecot.start();
    const smtp = await world.peer({ kind: 'smtp', user: USER, password: PASSWORD }, 'smtp.example.org');
    const echo = await world.peer({ kind: 'echo' }, 'hostile.example.org');
    const echoSmtp = await world.peer({ kind: 'echo-smtp' }, 'hostile.example.org');
    const state = world.newState();
    const done = async (service: MailRemote): Promise<void> => {
      await service.close();
      transcripts.push(service.transcript.join('\n'), service.errors);
    };

    const good = await world.service({ state, unlimitedCores: true });
    await good.wish('start');
    const { pid } = await good.until(({ sources }) => sources[0]?.state === 'watching');
    assert.is(good.last?.state.messages, 6);
    assert.ok((await good.check()).servers.every(({ ok }) => ok));
    assert.is((await good.test(USER)).ok, true);
    await good.wish('export', 'json');
    await good.wish('export', 'vcard');
    await good.wish('forget', 'a@example.org');
    // It is in the memory of the mail process but not in that of its service.
    assert.ok(
      findInMemory(pid as number, forms).length > 0,
      'the search finds it in the memory of the mail process',
    );
    assert.equal(findInMemory(good.pid, forms), []);
    for (const file of ['environ', 'cmdline'])
      for (const one of [pid, good.pid])
        assert.equal(findIn(readFileSync(`/proc/${one}/${file}`), forms), []);
    // The process crashes with the core dump that the system allows.
    const before = cores();
    const limits = readFileSync(`/proc/${pid}/limits`, 'latin1');
    assert.match(limits, /Max core file size\s+0\s+0\s/);
    // Without the limit (CAP_SYS_RESOURCE lifts it) only the core dump filter protects the password.
    spawnSync('prlimit', ['--core=unlimited', '--pid', String(pid)]);
    process.kill(pid as number, 'SIGABRT');
    await good.until(({ trouble }) => /the mail process ended \(SIGABRT\)/.test(trouble));
    await delay(500);
    const crashed = searchCores(before);
    assert.equal(crashed.found, []);
    // A process without this protection leaves the password in its core.
    if (coreFolder() !== null) {
      const hold = `ulimit -c unlimited; cd /; exec python3 -c 'import os,sys; s=sys.stdin.read(); os.abort()'`;
      spawnSync('sh', ['-c', hold], { input: PASSWORD, timeout: patientMs(30_000) });
      const unprotected = searchCores(before);
      if (unprotected.count > 0)
        assert.ok(unprotected.found.length > 0, 'the search finds it in a core dump');
    }
    await good.until(({ trouble }) => trouble === '');
    await done(good);

    const echoed = await world.service({ state, imap: 'hostile.example.org', smtp: 'hostile.example.org' });
    await echoed.wish('start');
    await echoed.until(({ sources }) => /refused the login/.test(sources[0]?.reason ?? ''));
    for (const { ok, steps } of (await echoed.check()).servers) {
      assert.is(ok, false);
      assert.match(steps.at(-1)?.detail ?? '', '[removed]');
    }
    assert.is((await echoed.test(USER)).ok, false);
    await done(echoed);

    const wrong = `${PASSWORD}-and-more`;
    world.writePassword(wrong);
    const refused = await world.service({ state });
    await refused.wish('start');
    await refused.until(({ sources }) => /refused the login/.test(sources[0]?.reason ?? ''));
    assert.ok((await refused.check()).servers.every(({ ok }) => !ok));
    await done(refused);

    assert.ok(transcripts.join('').includes('[removed]'), 'there was something to remove');
    expect(transcripts.flatMap((text) => findIn(Buffer.from(text), forms))).equals([]);
    const kept = readdirSync(state);
    for (const name of ['people.db', 'people.json', 'people.vcf'])
      assert.ok(kept.includes(name), kept.join(' '));
    assert.equal(findInFolder(state, forms), []);
    for (const peer of [smtp, echo, echoSmtp]) peer.end();
  } finally {
    await dovecot.stop();
    await world.end();
  }
});

test.run();
