/** Alerts of a service that cannot open its database at the start. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDatabase } from '../../src/store/database.ts';
import { inScene, pause, SETTLED_MS, UP } from './alert-scene.ts';
import { ask, startDesk, until } from './running.ts';

const test = suite('alerts, locked database');

test('a database that is locked at the start: what was reported is not reported again', () =>
  inScene(async ({ ntfy, watched, home, boot, titles }) => {
    {
      await using _first = await boot();
      await watched.down();
      await until(() => ntfy.messages.length === 1, 'the alert');
      await pause(SETTLED_MS);
    }
    const foreign = openDatabase(join(home.state, 'desk.db'), ['locking_mode = EXCLUSIVE']);
    foreign.script('BEGIN EXCLUSIVE');
    const { child } = startDesk(home, ['boot']);
    try {
      const trouble = (): Promise<string> =>
        ask(home.ports.control, '/readyz').then(
          ({ json }) => json.parts.alerts.reason,
          () => 'no answer',
        );
      await until(async () => /^alerts wait/.test(await trouble()), 'the trouble');
      await pause(2 * SETTLED_MS);
      foreign.script('ROLLBACK');
      foreign.close();
      await until(async () => (await trouble()) === '', 'the store');
      await pause(2 * SETTLED_MS);
      assert.is(titles().length, 1);
      await watched.up();
      await until(() => ntfy.messages.length === 2, 'what was resolved');
      assert.match(titles()[1] ?? '', UP);
    } finally {
      child.kill('SIGTERM');
      await until(() => child.exitCode !== null || child.signalCode !== null, 'the end of the service');
    }
  }));

test.run();
