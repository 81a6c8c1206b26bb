/** People from a real IMAP server: a private Dovecot with 8,000 messages, in the test's own network namespace. */
import * as assert from 'uvu/assert';
import {
  complete,
  deliver,
  expected,
  fetched,
  imap,
  imapSuite,
  letter,
  people,
  sameLedger,
  serve,
} from '../../support/imap-scene.ts';

const MESSAGES = 8000;
const { test, messages } = imapSuite('IMAP', MESSAGES);

imap(
  test,
  'the first import reads every folder once and gives the ledger of the same mail on disk',
  async (context) => {
    const service = await serve(context);
    const { state } = await complete(service);
    assert.is(state.messages, MESSAGES);
    assert.is(state.trouble, '');
    assert.is(state.sources[0]?.read, MESSAGES);
    // Five folders; Spam, Trash and Drafts exist too but are not read.
    assert.is(state.sources[0]?.folders, 5);
    const progress = service.states.flatMap(({ state }) => state.sources[0]?.progress ?? []);
    assert.ok(progress.length > 2, 'progress is reported');
    assert.ok(progress.every(({ done, total }) => done <= total && total === MESSAGES));
    assert.ok(progress.some(({ perSec, leftSec }) => perSec > 0 && leftSec !== null));
    await service.close();
    assert.is(fetched(context.dovecot), MESSAGES);
    sameLedger(people(context.state), expected(context, messages));
  },
);

imap(test, 'a restart fetches only new messages', async (context) => {
  const logged = context.dovecot.log().length;
  const service = await serve(context);
  await complete(service);
  deliver(context, 'INBOX', letter('first@new.example', '1'));
  deliver(context, 'Work', letter('second@new.example', '2'));
  await service.until(({ messages }) => messages === MESSAGES + 1);
  await service.close();
  const again = await serve(context);
  await again.until(({ messages }) => messages === MESSAGES + 2);
  await complete(again);
  await again.close();
  assert.is(fetched(context.dovecot, logged), 2);
  const found = [...people(context.state).values()].filter(({ address }) => address.endsWith('@new.example'));
  assert.equal(found.map(({ address, received }) => [address, received]).sort(), [
    ['first@new.example', 1],
    ['second@new.example', 1],
  ]);
});

imap(test, 'new mail in INBOX is reported by the server and counted within 2 s', async (context) => {
  const service = await serve(context);
  const { state } = await complete(service);
  // Time to switch to IDLE.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = performance.now();
  deliver(context, 'INBOX', letter('idle@new.example', '3'));
  await service.until(({ messages }) => messages === state.messages + 1, 2000);
  // Polling runs once a minute: only IDLE can have reported it.
  assert.ok(performance.now() - before < 2000);
});

imap(test, 'a rebuilt folder is read again, and no message counts twice', async (context) => {
  const before = people(context.state);
  await context.dovecot.stop();
  context.dovecot.rebuild('Lists.devel');
  await context.dovecot.start();
  const logged = context.dovecot.log().length;
  const service = await serve(context);
  const { state } = await complete(service);
  const rebuilt = messages.filter(({ folder }) => folder === 'Lists/devel').length;
  assert.is(state.sources[0]?.read, rebuilt);
  await service.close();
  assert.is(fetched(context.dovecot, logged), rebuilt);
  sameLedger(people(context.state), before);
});

imap(test, 'the same mail in a local Maildir and on IMAP counts once', async (context) => {
  const before = people(context.state);
  const service = await serve(context, { sources: ['imap', `maildir:${context.dovecot.maildir}`] });
  const { state } = await service.until(({ sources }) => sources.every(({ state }) => state === 'watching'));
  assert.ok((state.sources[1]?.read ?? 0) >= MESSAGES);
  assert.is(state.trouble, '');
  await service.close();
  const now = people(context.state);
  assert.equal([...now.keys()].sort(), [...before.keys()].sort());
  sameLedger(now, before);
});

test.run();
