/** A user exchanges a file while it is read: nothing of another user is read by it, and nothing hangs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FileReader } from '../../../src/features/startup/reader.ts';
import { compiled } from '../../support/compile.ts';
import { needs, ordinaryUser } from '../../support/require.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const test = suite('startup race');

const SECRET = 'what only root may read';
/** A file is at hand in about half of them. */
const READS = 2_000;

needs('root', 'compiler')(test, 'what is exchanged between a look and a read', async () => {
  const folder = tempFolder('desk-startup-race-');
  const own = join(folder, 'own');
  const victim = join(folder, 'victim');
  mkdirSync(own);
  chmodSync(folder, 0o755);
  chownSync(own, ordinaryUser.uid, ordinaryUser.gid);
  writeFileSync(victim, SECRET, { mode: 0o600 });
  const swapper = spawn(compiled('swapper.cc'), [own, 'exchanged', victim, folder], {
    ...ordinaryUser,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const reader = new FileReader();
  const seen = new Map<string, number>();
  try {
    await once(swapper.stdout, 'data');
    swapper.stdout.resume();
    for (let turn = 0; turn < READS; turn++) {
      const scan = await reader.read({
        depth: turn % 2 === 0 ? 'text' : 'digest',
        viewer: ordinaryUser.uid,
        pattern: join(own, 'exchanged'),
      });
      if (typeof scan === 'string') throw new Error(scan);
      for (const { text = '', kind, link, error = 'read' } of scan.files) {
        assert.not.match(text, SECRET);
        const what = [link === '' ? kind : `link to ${kind}`, error].join(', ');
        seen.set(what, (seen.get(what) ?? 0) + 1);
      }
    }
  } finally {
    swapper.stdin.end();
    await once(swapper, 'close');
    await reader.close();
  }
  // What it met: files of this user, links to the one of root, and pipes.
  for (const what of ['regular, read', 'link to regular, EACCES', 'fifo, read'])
    assert.ok((seen.get(what) ?? 0) > 0, `${what}: ${JSON.stringify([...seen])}`);
});

test.run();
