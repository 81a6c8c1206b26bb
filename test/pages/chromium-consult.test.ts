/** The assistant in the flyout, through the real guard against a fake endpoint: it answers, is checked, stopped, and fails. */
import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertQuiet, axe, type Opened, openPage } from '../support/chromium.ts';
import { browserForTests, type LiveScene, serveLive, settled, until } from '../support/desk-page.ts';
import { FakeAssistant, type Manner, streamWords } from '../support/fake-assistant.ts';
import { INJECTED } from '../support/hostile-words.ts';
import { testsNeeding } from '../support/require.ts';

const test = suite('consult in Chromium');
const it = testsNeeding(test, 'chromium');
const browser = await browserForTests();
const assistant = new FakeAssistant();
test.before(() => assistant.start().then(() => undefined));
test.after(async () => {
  await assistant.stop();
  await browser?.close();
});

interface Talk extends AsyncDisposable {
  readonly served: LiveScene;
  readonly opened: Opened;
  ask(message: string, manner: Manner): Promise<void>;
}

async function talk(model = 'fake'): Promise<Talk> {
  const served = await serveLive('healthy', { config: assistant.config({ model }) });
  served.sweep({ assistant: { place: 'here' } });
  const opened = await openPage(browser, served.url('/#hostess7'));
  const { page } = opened;
  await settled(opened);
  return {
    served,
    opened,
    ask: async (message, manner) => {
      assistant.manner = manner;
      await page.locator('#talk-message').fill(message);
      await page.getByRole('button', { name: 'Ask', exact: true }).click();
    },
    [Symbol.asyncDispose]: async () => {
      await opened.close();
      await served[Symbol.asyncDispose]();
    },
  };
}

const answered = ({ page }: Opened, at: number) =>
  page
    .locator('.talked[aria-busy=false]')
    .nth(at)
    .waitFor()
    .then(() => page.locator('.talked').nth(at));

it('the hostess’s answer is shown at once, then what the assistant asked, then its opinion with the cells marked', async () => {
  await using one = await talk();
  const { page } = one.opened;
  assert.ok(await page.locator('.talk-assisted input').isChecked(), 'it is configured, so it is asked');
  let go: (response: ServerResponse) => void = () => undefined;
  const held = new Promise<ServerResponse>((resolve) => {
    go = resolve;
  });
  await one.ask('How are you?', (response) => go(response));
  const response = await held;
  await page.locator('.talk-answer', { hasText: 'The desk is well' }).waitFor();
  await page.locator('.talked[aria-busy=true]', { hasText: 'The assistant is asked' }).waitFor();
  assert.equal(await axe(one.opened, { within: '#hostess7' }), []);
  streamWords(response, [
    'QUERY 1: ports order by port limit 1\nQUERY 2: nonsense\nANSWER\n',
    'The port {1.port} is first. There are 4711 processes, <b>all</b> infected.',
  ]);
  // The wrong query is corrected once.
  await until(one.opened, 'true');
  const said = await answered(one.opened, 0);
  assert.match(await said.innerText(), /Opinion of the assistant fake-1, consulting teammate/);
  const asked = said.locator('.talk-queries li');
  assert.match(await asked.nth(0).innerText(), /ports order by port limit 1\n+.+/);
  const marked = said.locator('.talk-words data');
  assert.match(String(await marked.getAttribute('title')), /^ports\[port=\d+\]\.port$/);
  assert.match(
    await said.locator('.talk-words').innerText(),
    /^The port \d+ is first\. There are \[number removed\] processes/,
  );
  assert.match(await said.locator('.talk-suspects').innerText(), /4711.*removed/);
  assert.is(await said.locator('.talk-words b').count(), 0);
  assert.is(await page.locator('#talk-message').inputValue(), '');
  assert.equal(await axe(one.opened, { within: '#hostess7' }), []);
  await assertQuiet(one.opened);
});

it('when the assistant fails, the hostess’s answer remains and the page shows the reason', async () => {
  await using one = await talk();
  const { page } = one.opened;
  const manners: readonly (readonly [Manner, RegExp])[] = [
    ['500', /The assistant answered 500: it failed, check its log/],
    ['nonsense', /The answer of the assistant cannot be used/],
    ['broken-off', /Not all of its answer came/],
    ['evil', /doubt/],
  ];
  for (const [at, [manner, shown]] of manners.entries()) {
    await one.ask(`Question ${at}?`, manner);
    const said = await answered(one.opened, at);
    assert.match(await said.locator('.talk-answer').innerText(), 'The desk is well');
    assert.match(await said.innerText(), shown);
  }
  assert.is(
    await page.locator(`.talked .${INJECTED}, .talked img, .talked script, .talked a[href^="http"]`).count(),
    0,
  );
  assert.match(await page.locator('.talked').nth(3).innerText(), 'desk field clear resolute');
  await assertQuiet(one.opened);
});

it('stopping the assistant keeps the hostess’s answer, and the next question is answered', async () => {
  await using one = await talk();
  const { page } = one.opened;
  const { closed } = assistant;
  await one.ask('How long?', 'stuck');
  await page.locator('.talked[aria-busy=true]', { hasText: 'The assistant is asked' }).waitFor();
  await page.getByRole('button', { name: 'Stop waiting' }).click();
  const said = await answered(one.opened, 0);
  assert.match(await said.innerText(), /The desk is well[\s\S]*You stopped waiting/);
  assert.not.match(await said.innerText(), 'there is more of it');
  while (assistant.closed === closed) await page.waitForTimeout(10);
  await one.ask('And now?', (response) => streamWords(response, ['ANSWER\nIt is well.']));
  assert.match(await (await answered(one.opened, 1)).locator('.talk-words').innerText(), 'It is well.');
  // A connection that breaks during the answer.
  await one.ask('And then?', 'stuck');
  await page.locator('.talked[aria-busy=true]', { hasText: 'The assistant is asked' }).waitFor();
  one.served.cut();
  const cut = await answered(one.opened, 2);
  one.served.restore();
  assert.match(
    await cut.innerText(),
    /The desk is well[\s\S]*The service stopped answering while the assistant was asked/,
  );
  // Without the assistant the hostess answers alone.
  await until(one.opened, `document.querySelector('[data-link="live"]') !== null`);
  await page.locator('.talk-assisted input').uncheck();
  await one.ask('Alone?', 'stuck');
  const alone = await answered(one.opened, 3);
  assert.is(await alone.locator('.talk-assistant').count(), 0);
});

test.run();
