/** The mail identity checked with real servers: Dovecot on 993, a submission server on 465. */
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openLedgerReader } from '../../../src/features/mail/ledger/reader.ts';
import type { Dovecot } from '../../support/dovecot.ts';
import { MAIL_NEEDS, MailWorld, PASSWORD, USER } from '../../support/mail-world.ts';
import { missing, testsNeeding } from '../../support/require.ts';

interface Context {
  world: MailWorld;
  dovecot: Dovecot;
  smtp: Awaited<ReturnType<MailWorld['peer']>>;
}

const test = suite<Context>('mail check', {} as Context);
const here = missing(...MAIL_NEEDS) === null;
const it = testsNeeding(test, ...MAIL_NEEDS);

test.before(async (context) => {
  if (!here) return;
  context.world = await MailWorld.start();
  context.dovecot = context.world.dovecot();
  await context.dovecot.start();
  context.smtp = await context.world.peer(
    { kind: 'smtp', user: USER, password: PASSWORD },
    'smtp.example.org',
  );
});
test.after(async ({ world, dovecot, smtp }) => {
  smtp?.end();
  await dovecot?.stop();
  await world?.end();
});

it('both servers pass every step, and each step has its duration and result', async ({ world }) => {
  const service = await world.service({ sources: [] });
  const { servers, atMs } = await service.check();
  assert.ok(Math.abs(Date.now() - atMs) < 60_000);
  for (const [server, protocol, port] of [
    [servers[0], 'imap', 993],
    [servers[1], 'smtp', 465],
  ] as const) {
    const host = `${protocol}.example.org`;
    assert.equal([server?.protocol, server?.host, server?.port], [protocol, host, port]);
    assert.is(server?.ok, true);
    assert.equal(
      server?.steps.map(({ step, ok }) => `${step} ${ok}`),
      ['dns', 'connect', 'tls', 'password', 'login'].map((step) => `${step} true`),
    );
    assert.ok(server?.steps.every(({ ms }) => ms >= 0 && ms < 30_000));
    const [dns, connect, tls, password, login] = server?.steps.map(({ detail }) => detail) ?? [];
    assert.is(password, `read from ${world.passwordFile}`);
    assert.is(dns, `${host} is 127.0.0.1`);
    assert.is(connect, `connected to 127.0.0.1 port ${port}`);
    assert.is(tls, `TLSv1.3, certificate for ${host} issued by Desk Test CA, 89 days left`);
    assert.is(login, `${host} knows ${USER}`);
    assert.is(server?.certificateDays, 89);
  }
  // Without mail sources the process runs only for the check.
  await service.idle();
  assert.equal([service.last?.pid, service.last?.notes], [null, []]);
  await service.close();
});

it('a wrong password fails at both logins with the message of the server', async ({ world }) => {
  world.writePassword('wrong');
  const service = await world.service({ sources: [] });
  try {
    const { servers } = await service.check();
    for (const { ok, steps, protocol } of servers) {
      assert.is(ok, false);
      assert.equal(
        steps.map(({ ok }) => ok),
        [true, true, true, true, false],
      );
      assert.match(
        steps.at(-1)?.detail ?? '',
        new RegExp(
          `refused the login of ${USER} \\(".+"\\): check password_file in \\[mail\\] and ${protocol}_user`,
        ),
      );
    }
    // A new password is used without a restart.
    world.writePassword(PASSWORD);
    assert.ok((await service.check()).servers.every(({ ok }) => ok));
  } finally {
    world.writePassword(PASSWORD);
    await service.close();
  }
});

it('without a password there is no login, but name and certificate are still checked', async ({
  world,
  dovecot,
}) => {
  const logged = dovecot.log().length;
  const service = await world.service({
    sources: [],
    sections: { mail: { sources: [], password_file: '' } },
  });
  const { servers } = await service.check();
  for (const { ok, configured, steps } of servers) {
    assert.equal([ok, configured], [false, true]);
    assert.equal(
      steps.map(({ step, ok: took }) => `${step} ${took}`),
      ['dns true', 'connect true', 'tls true', 'password false'],
    );
    assert.match(steps.at(-1)?.detail ?? '', /no mail password: .*password_file in \[mail\]/);
  }
  const sent = await service.test(USER);
  assert.equal([sent.ok, sent.messageId], [false, '']);
  assert.match(sent.detail, /no mail password/);
  assert.not.match(dovecot.log().slice(logged).join('\n'), /Login:|auth failed/);
  await service.close();
});

it("the test message is marked as automatic and is sent only to the user's own addresses", async ({
  world,
  smtp,
}) => {
  const service = await world.service({ sources: [] });
  const refused = await service.test('boss@company.example');
  assert.is(refused.ok, false);
  assert.match(
    refused.detail,
    /boss@company\.example is not one of your own addresses: name one of me@desk\.example, i\.myself@work\.example/,
  );
  for (const odd of [
    '',
    'me@desk.example, boss@company.example',
    '<me@desk.example>\r\nBcc: boss@company.example',
  ])
    assert.is((await service.test(odd)).ok, false);
  assert.equal(smtp.heard, ['ready']);
  const sent = await service.test('I.Myself@work.example');
  assert.is(sent.ok, true, sent.detail);
  assert.match(sent.detail, /^250 .*queued as 1/);
  assert.match(sent.messageId, /^<[0-9a-f-]{36}@desk\.example>$/);
  const got = smtp.heard[1] as { from: { address: string }; to: string[]; text: string };
  assert.is(smtp.heard.length, 2);
  assert.equal([got.from.address, got.to], [USER, ['i.myself@work.example']]);
  const [header = ''] = got.text.split('\r\n\r\n');
  const lines = header.split('\r\n');
  for (const line of [
    'Auto-Submitted: auto-generated',
    `Message-ID: ${sent.messageId}`,
    `From: Desk Keeper <${USER}>`,
    'To: i.myself@work.example',
    'Content-Type: text/plain; charset=utf-8',
  ])
    assert.ok(lines.includes(line), `${line} in\n${header}`);
  await service.close();
});

it('an alert goes to addresses of the configuration only, with the same Message-ID at every attempt', async ({
  world,
  smtp,
}) => {
  const before = smtp.heard.length;
  const service = await world.service({
    sources: [],
    sections: {
      alerts: { to: [{ name: 'ops', kind: 'mail', address: 'ops@company.example' }] },
    },
  });
  try {
    const mail = {
      to: 'ops@company.example',
      subject: 'box: high: \u20ac',
      text: 'one\n\ntwo\n',
      id: 'desk-0011',
    };
    const refused = await service.alert({ ...mail, to: 'boss@company.example' });
    assert.equal(refused, {
      ...{ ok: false, sent: false },
      detail: 'boss@company.example is not an address of [[alerts.to]]',
    });
    for (const number of [1, 2]) {
      const sent = await service.alert(mail);
      assert.equal([sent.ok, sent.sent], [true, true], sent.detail);
      const { to, text } = smtp.heard[before + number - 1] as {
        readonly to: readonly string[];
        readonly text: string;
      };
      assert.equal(to, ['ops@company.example']);
      assert.match(text, /^Message-ID: <desk-0011@desk\.example>\r$/m);
      assert.match(text, /^Subject: =\?UTF-8\?/m);
    }
    world.writePassword('wrong');
    const wrong = await service.alert(mail);
    assert.equal([wrong.ok, wrong.sent], [false, false]);
    assert.match(wrong.detail, /refused the login/);
  } finally {
    world.writePassword(PASSWORD);
    await service.close();
  }
});

it('an overlong header is read up to the limit, and the following messages are read too', async ({
  world,
  dovecot,
}) => {
  const inbox = dovecot.mailbox('INBOX');
  const many = Array.from({ length: 60_000 }, (_, at) => `someone${at}@crowd.example`).join(',\n ');
  const letters = [
    'From: first@example.org\nMessage-ID: <1@x>',
    `From: endless@example.org\nMessage-ID: <2@x>\nTo: ${many}`,
    'From: last@example.org\nMessage-ID: <3@x>',
  ];
  for (const [at, letter] of letters.entries()) {
    const path = join(inbox, 'cur', `170000000${at}.long:2,S`);
    writeFileSync(path, `${letter}\n\nbody\n`);
    chownSync(path, 65534, 65534);
  }
  const state = world.newState();
  const service = await world.service({ state });
  await service.wish('start');
  const { state: end } = await service.until(({ sources }) => sources[0]?.state === 'watching');
  await service.close();
  assert.is(end.messages, 3);
  const reader = openLedgerReader(state);
  for (const name of ['first', 'endless', 'last'])
    assert.is(reader.who(`${name}@example.org`)?.received, 1, name);
  assert.is(reader.who('someone7@crowd.example')?.copied, 1);
  // At most 200 addresses of one message count, including the sender.
  assert.is(reader.totals().people, 3 + 199);
  reader.close();
});

test.run();
