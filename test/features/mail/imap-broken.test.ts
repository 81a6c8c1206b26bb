/** An IMAP server that drops connections or refuses logins, a mail process that is killed: reading continues where it stopped. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import {
  complete,
  deliver,
  expected,
  fetched,
  type ImapScene,
  imap,
  imapSuite,
  letter,
  people,
  sameLedger,
  serve,
} from '../../support/imap-scene.ts';
import type { MailRemote } from '../../support/mail-remote.ts';
import { together } from '../../support/together.ts';

const MESSAGES = 8000;
const { test, messages } = imapSuite('IMAP, broken', MESSAGES);
const beside = together<ImapScene>();
/** Each test has its own ledger and services and waits for pauses of the mail process. No mail arrives in that time. */
const apart = (scene: (context: ImapScene) => Promise<void>) =>
  beside(async (shared) => {
    const context = { ...shared, services: [] };
    try {
      await scene(context);
    } finally {
      for (const service of context.services as MailRemote[]) await service.close();
    }
  });

imap(
  test,
  'a connection that drops during a fetch costs at most one fetch window',
  apart(async (context) => {
    const state = context.world.newState();
    const cut = await context.world.peer(
      { kind: 'cut', to: '127.0.0.1', afterBytes: 2_400_000 },
      'cut.example.org',
    );
    const logged = context.dovecot.log().length;
    try {
      const service = await serve(context, { imap: 'cut.example.org', state });
      const { state: end } = await complete(service);
      assert.is(end.messages, MESSAGES + context.delivered);
      await service.close();
      assert.ok(cut.heard.filter((line) => line === 'cut').length >= 2, 'the connection was cut twice');
      const reasons = service.states.flatMap(({ state }) => state.sources[0]?.reason || []);
      assert.match(reasons.join('\n'), /cut\.example\.org ended the connection/);
      const cuts = cut.heard.filter((line) => line === 'cut').length;
      // Dovecot may have sent more than arrived, but never two windows per connection.
      const sent = fetched(context.dovecot, logged, '127.0.0.2');
      assert.ok(sent >= MESSAGES && sent <= MESSAGES + context.delivered + cuts * 2000, `${sent}`);
      sameLedger(people(state), expected(context, messages));
    } finally {
      cut.end();
    }
  }),
);

imap(
  test,
  'a mail process killed during an import continues where it stopped, with the same ledger',
  apart(async (context) => {
    const state = context.world.newState();
    const service = await serve(context, { state });
    const killed: number[] = [];
    for (const share of [0.2, 0.6]) {
      const { pid } = await service.until(
        ({ messages }, pid) => messages > MESSAGES * share && pid !== null && !killed.includes(pid),
      );
      process.kill(pid as number, 'SIGKILL');
      killed.push(pid as number);
      await service.until((_, pid) => pid !== null && !killed.includes(pid));
    }
    assert.ok(
      service.states.some(({ state }) =>
        /the mail process ended \(SIGKILL\), it is started again/.test(state.trouble),
      ),
    );
    const { state: end } = await complete(service);
    assert.is(end.trouble, '');
    await service.close();
    sameLedger(people(state), expected(context, messages));
  }),
);

imap(
  test,
  "a wrong password is reported with the server's message and is not tried again",
  apart(async (context) => {
    const passwordFile = join(context.world.folder, 'wrong-password');
    writeFileSync(passwordFile, 'not the password', { mode: 0o600 });
    const logged = context.dovecot.log().length;
    const service = await serve(context, {
      state: context.world.newState(),
      sections: { mail: { password_file: passwordFile, sources: ['imap'] } },
    });
    const { state } = await service.until(({ sources }) => sources[0]?.state === 'failed');
    assert.match(state.trouble, /imap\.example\.org refused the login of me@desk\.example .*password_file/);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const tries = context.dovecot
      .log()
      .slice(logged)
      .filter(
        (line) => /auth failed|Password mismatch|password mismatch/.test(line) && /imap-login/.test(line),
      );
    assert.ok(tries.length <= 1, tries.join('\n'));
    assert.not.ok(service.transcript.join('\n').includes('not the password'));
  }),
);

imap(test, 'new mail in INBOX does not wait for the end of a long import', async (context) => {
  // On any machine: INBOX is checked each second, and the import needs over two seconds more when the mail arrives.
  const slow = await context.world.peer(
    { kind: 'slow', to: '127.0.0.1', bytesPerSec: 1_500_000 },
    'slow.example.org',
  );
  try {
    const service = await serve(context, { imap: 'slow.example.org', state: context.world.newState() });
    const inbox = messages.filter(({ folder }) => folder === 'INBOX').length;
    // INBOX is read first; now the import reads other folders.
    await service.until(({ sources }) => (sources[0]?.progress?.done ?? 0) > inbox + 1000);
    deliver(context, 'INBOX', letter('early@new.example', '4'));
    await complete(service);
    assert.is(service.last?.state.messages, MESSAGES + context.delivered);
    await service.close();
  } finally {
    slow.end();
  }
});

test.run();
