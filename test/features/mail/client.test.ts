import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runs } from '../../../src/features/mail/client.ts';
import { snapshotFrom } from '../../support/snapshot.ts';

test('the mail client is running only if its executable is, not another program of the same name', () => {
  const client = (name: string, exe: string | undefined): boolean => {
    const process = { pid: 7, comm: 'claws-mail', ...(exe === undefined ? {} : { exe }) };
    const snapshot = snapshotFrom({ processes: [process], programs: [{ name, pids: [7] }] });
    return runs(snapshot, name);
  };
  assert.ok(client('claws-mail', '/usr/bin/claws-mail'));
  assert.ok(client('thunderbird', '/usr/lib/thunderbird/thunderbird'));
  assert.ok(client('/home/ada/bin/claws-mail', '/home/ada/bin/claws-mail'));
  assert.not.ok(client('claws-mail', '/tmp/claws-mail'));
  assert.not.ok(client('claws-mail', '/home/eve/claws-mail'));
  assert.not.ok(client('claws-mail', ''), 'its executable could not be read');
  assert.not.ok(client('/usr/bin/claws-mail', '/opt/usr/bin/claws-mail'));
  assert.not.ok(runs(snapshotFrom({ programs: [{ name: 'claws-mail', pids: [9] }] }), 'claws-mail'));
});

test.run();
