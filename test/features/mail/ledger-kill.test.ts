import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { moduleUrl, runScript } from '../../support/entry.ts';
import { freshIn, readAll, rowsOf, withLedger } from '../../support/ledger.ts';
import { corpus, writeMaildir } from '../../support/mail-corpus.ts';
import { memoryFolder } from '../../support/temp-folder.ts';

const test = suite('people ledger under kill -9');
const root = memoryFolder('desk-ledger-kill-');

const support = moduleUrl('../../support/ledger.ts', import.meta.url);
const facts = moduleUrl('../../support/message-facts.ts', import.meta.url);
const folders = moduleUrl('../../../src/features/mail/read-folders.ts', import.meta.url);
const ledgerModule = moduleUrl('../../../src/features/mail/ledger/ledger.ts', import.meta.url);
/** Commits seven messages at a time, so that a kill hits a transaction; settles now and then. */
const script = `
  const [{ optionsOf }, { columnsOf, factsOf }, { readFolders }, { openLedger }] = await Promise.all([import(${JSON.stringify(support)}), import(${JSON.stringify(facts)}), import(${JSON.stringify(folders)}), import(${JSON.stringify(ledgerModule)})]);
  const [state, source] = process.argv.slice(1);
  const ledger = openLedger(state, optionsOf());
  let commits = 0;
  for await (const { batch } of readFolders(source, ledger, '/nowhere', Date.now)) {
    const rows = batch.messages.flatMap(factsOf);
    for (let at = 0; at === 0 || at < rows.length; at += 7) {
      const last = at + 7 >= rows.length;
      ledger.commit({
        messages: [columnsOf(rows.slice(at, at + 7))],
        place: last ? batch.place : { ...batch.place, place: '{"state":""}' },
        units: last ? { read: batch.units.read.slice(at), gone: batch.units.gone } : { read: batch.units.read.slice(at, at + 7), gone: [] },
      });
      commits += 1;
      if (commits % 5 === 0) ledger.finish();
      process.stdout.write('commit\\n');
    }
  }
  ledger.finish();
  process.stdout.write('end\\n');
`;

async function readAndKill(state: string, source: string, commits: number): Promise<boolean> {
  const { out } = await runScript(script, state, source, (text, child) => {
    if (text.split('\n').length > commits) child.kill('SIGKILL');
  });
  return out.includes('end');
}

test('after repeated kills the ledger has the same contents', async () => {
  const mail = freshIn(root);
  const messages = [...corpus({ messages: 1500, people: 200, seed: 11 })];
  writeMaildir(mail, messages);
  const source = `maildir:${mail}`;
  const uninterrupted = freshIn(root);
  await withLedger(uninterrupted, async (ledger) => await readAll(ledger, source));
  const state = freshIn(root);
  let [kills, before] = [0, 0];
  for (const commits of [1, 13, 40, 70]) {
    const ended = await readAndKill(state, source, commits);
    if (!ended) kills += 1;
    await withLedger(state, async (ledger) => {
      assert.is(ledger.recovered, '');
      const { messages: counted } = ledger.totals();
      assert.ok(counted >= before, 'counted messages are kept');
      before = counted;
    });
  }
  assert.is(kills, 4);
  assert.ok(before > 0 && before < messages.length);
  await withLedger(state, async (ledger) => {
    await readAll(ledger, source);
    assert.is(ledger.totals().messages, messages.length);
  });
  assert.equal(rowsOf(state), rowsOf(uninterrupted));
});

test.run();
