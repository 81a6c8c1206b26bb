/** File systems that hang, for real: FUSE whose server answers nothing, over places in a private copy of the root. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../support/compile.ts';
import { expect } from '../support/expect.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Hung } from './startup-hang-inside.ts';

const test = suite('startup places that hang');

const HANGS = 'reading it hangs';
const PACKAGE = 'dash';

needs(
  ...OVERLAY_NEEDS,
  'FUSE',
  'compiler',
  'dpkg',
)(
  test,
  'what hangs is named, the rest is read and watched, and no more helpers hang with each pass',
  async () => {
    const words = [compiled('silent_fs.cc'), `/usr/share/doc/${PACKAGE}`, '/usr/bin/factor'];
    const printed = await inOverlay('startup-hang-inside.ts', import.meta.url, { words });
    const { scans, commands, packages, watch, left } = JSON.parse(printed) as Hung;
    const planted = ['/home/other/.bashrc', '/etc/cron.daily/desk-evil'];
    for (const scan of scans) {
      expect(scan.planted).equals(planted);
      const hung = scan.unread.filter(({ reason }) => reason === HANGS).map(({ path }) => path);
      // One that lists its files and hangs when one is read.
      for (const path of ['/etc/cron.d/*', '/etc/cron.hourly/*']) assert.ok(hung.includes(path), path);
      for (const path of ['/home/planted/.bashrc', '/home/planted/.ssh/authorized_keys'])
        assert.ok(hung.includes(path), path);
      assert.ok(hung.every((path) => path.startsWith('/home/planted/') || path.startsWith('/etc/cron.')));
    }
    // Three of the home and two of cron, and the two that answer.
    for (const { stuck } of scans) assert.ok(stuck >= 1 && stuck <= 7, String(stuck));
    expect(watch).equals({ trouble: '', seen: true });
    assert.is(commands.startup.code, 0, commands.startup.err);
    const startup = JSON.parse(commands.startup.out);
    for (const path of planted)
      assert.ok(
        startup.entries.some((one: { path: string }) => one.path === path),
        path,
      );
    assert.ok(startup.unread.some((one: { path: string }) => one.path === '/etc/cron.d/*'));
    assert.is(commands.accounts.code, 0, commands.accounts.err);
    const accounts = JSON.parse(commands.accounts.out);
    expect(accounts.unread.filter(({ reason }: { reason: string }) => reason === HANGS)).equals(
      ['authorized_keys', 'authorized_keys2'].map((name) => ({
        path: `/home/planted/.ssh/${name}`,
        reason: HANGS,
      })),
    );
    expect(packages.unread).equals([{ path: `package ${PACKAGE}`, reason: HANGS }]);
    assert.ok(packages.altered.includes('/usr/bin/factor'));
    assert.is(left, 0);
  },
);

test.run();
