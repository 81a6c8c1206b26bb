/** Links on the way to a path. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { linkResolver, mountsIn } from '../../src/base/file-systems.ts';
import { expect } from '../support/expect.ts';
import { memoryFolder } from '../support/temp-folder.ts';

test('links on the file system of the root are followed, up to another one, which may hang', () => {
  const folder = memoryFolder('desk-links-');
  mkdirSync(join(folder, 'nfs/home'), { recursive: true });
  symlinkSync(join(folder, 'nfs/home'), join(folder, 'home'));
  symlinkSync('home/bob', join(folder, 'bob'));
  symlinkSync('elsewhere', join(folder, 'nfs/home/ada'));
  symlinkSync('loop', join(folder, 'loop'));
  const mounts = mountsIn(
    [
      '1 0 0:1 / / rw - ext4 /dev/x rw',
      `2 1 0:2 / ${folder}/nfs rw - nfs4 server:/x rw`,
      // The root once more.
      `3 1 0:1 /home ${folder}/home rw - ext4 /dev/x rw`,
    ].join('\n'),
  );
  const withoutLinks = linkResolver(mounts);
  const real = (path: string) => withoutLinks(join(folder, path)).replace(`${folder}/`, '');
  expect(['home', 'home/bob', 'home/ada', 'bob/.config', 'none/x', 'loop/x'].map(real)).equals([
    'nfs/home',
    'nfs/home/bob',
    'nfs/home/ada',
    'nfs/home/bob/.config',
    'none/x',
    'loop/x',
  ]);
});

test.run();
