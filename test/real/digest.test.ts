/** The daily digest of a complete service, and what it is made of: one for the day, though the service starts again. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AlertsAnswer } from '../../src/records/alerts.ts';
import type { Diff } from '../../src/records/diff.ts';
import { Ntfy } from '../support/ntfy.ts';
import { makeHome, runDesk, startService, until } from './running.ts';

const test = suite('digest');

/** It is looked every 30 s whether one is due. */
const LOOKED_MS = 45_000;

test('a service sends one digest of what it has seen itself, and none after it has started again', async () => {
  const ntfy = await new Ntfy().start();
  const place = `localhost:${ntfy.port}`;
  using home = await makeHome(
    `[egress]
allow = ["${place}"]
private = ["${place}"]
[[alerts.to]]
name = "phone"
kind = "ntfy"
url = "${ntfy.url()}"
least = "critical"
[alerts.digest]
to = ["phone"]
at = "00:00"
even_when_quiet = true
`,
    { without: ['office', 'public'] },
  );
  const digests = () => ntfy.messages.filter(({ title }) => /^[^:]*: digest: /.test(title));
  const kept = { ...home, [Symbol.dispose]: () => undefined };
  try {
    {
      await using first = await startService(kept);
      const [digest] = await until(() => digests().length === 1 && digests(), 'the digest', 120_000);
      assert.match(digest?.message ?? '', /known since/);
      const { groups } = (await first.get('/diff?since=1h')).json as Diff;
      const known = groups.filter(({ known_since: since }) => since !== null).map(({ id }) => id);
      for (const id of ['findings', 'startup', 'accounts', 'listeners', 'programs'] as const)
        assert.ok(known.includes(id), `${id}: ${JSON.stringify(groups)}`);
    }
    await using second = await startService(kept);
    const shown = await runDesk(home, ['diff', '1h', '--json']);
    assert.is(shown.code, 0, shown.stderr);
    const refused = await runDesk(home, ['diff', 'soon']);
    assert.equal([refused.code, /is not a time/.test(refused.stderr)], [2, true]);
    await new Promise((resolve) => setTimeout(resolve, LOOKED_MS));
    assert.is(digests().length, 1);
    const { deliveries } = (await second.get('/alerts')).json as AlertsAnswer;
    assert.is(deliveries.filter(({ kind }) => kind === 'digest').length, 1);
  } finally {
    await ntfy.stop();
  }
});

test.run();
