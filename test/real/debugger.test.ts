/** SIGUSR1 does not open a debugger: not in the service, not in the mail process, not while they start. */
import { chmodSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { programWords } from '../support/entry.ts';
import { NAMESPACE_NEEDS, startNamespace } from '../support/namespace.ts';
import { needs } from '../support/require.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { DebuggerReport } from './debugger-report.ts';
import { calm, makeHome, runDesk } from './running.ts';

needs(...NAMESPACE_NEEDS, 'IPv6 loopback')(
  test,
  'SIGUSR1 at any moment after the start: port 9229 stays closed, and the service and the mail process continue',
  async () => {
    const folder = tempFolder('desk-debugger-');
    chmodSync(folder, 0o711);
    await using namespace = await startNamespace();
    const { stdout, stderr } = await namespace.program(
      programWords('./debugger-report.ts', import.meta.url),
      [folder],
      { timeoutMs: 300_000 },
    );
    assert.match(stdout, /^\{/, stderr);
    const { closed, plain, running } = JSON.parse(stdout) as DebuggerReport;
    for (const one of [...closed, ...plain]) {
      const about = JSON.stringify(one);
      assert.equal([one.openAtEnd, one.ended], [false, null], about);
      assert.ok(one.first.signals > 0 && one.first.samples > 5, about);
      // Root's service executes itself again with the option that closes the inspector.
      if (one.uid === 0) assert.ok(one.second.signals > 0 && one.second.samples > 5, about);
      assert.is(one.second.open, 0, about);
    }
    // Without the option Node may open it in the first program, before any code of the desk runs.
    for (const one of closed) assert.equal([one.announced, one.first.open], [false, 0], JSON.stringify(one));
    assert.equal(running.ignored, [true, true]);
    assert.ok(running.signals > 20);
    assert.ok(running.listenersBefore.length > 0);
    assert.equal(running.listenersAfter, running.listenersBefore);
    assert.equal(running.connected, [false, false]);
    assert.equal(running.alive, [true, true, true]);
    assert.is(running.restarted.open, 0);
    assert.ok(running.restarted.signals > 10);
  },
);

test('a service that is started with a debugger, a report signal or foreign code does not start: exit 2', async () => {
  using home = await makeHome(calm);
  const ways = [
    { before: ['env', 'NODE_OPTIONS=--inspect=127.0.0.1:0'], says: /NODE_OPTIONS option --inspect=/ },
    { before: ['env', 'NODE_OPTIONS=--report-on-signal'], says: /--report-on-signal/ },
    { before: ['env', 'NODE_OPTIONS=--require=node:fs'], says: /--require=node:fs/ },
    { before: ['env', 'NODE_PATH=/tmp'], says: /NODE_PATH: adds places where modules are found/ },
    { before: ['env', 'LD_LIBRARY_PATH=/tmp'], says: /LD_LIBRARY_PATH: replaces libraries/ },
  ];
  for (const { before, says } of ways) {
    const variable = before[1]?.split('=', 1)[0];
    const { code, stdout, stderr } = await runDesk(home, ['boot'], { before });
    assert.is(code, 2, stdout + stderr);
    assert.match(stderr, says);
    assert.match(stderr, `"env -u ${variable} desk boot"`);
  }
});

test.run();
