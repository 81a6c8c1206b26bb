/** The certificate of the remote listener on a file system that hangs, for real: FUSE whose server does not answer a read. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compiled } from '../support/compile.ts';
import { inOverlay, OVERLAY_NEEDS } from '../support/overlay.ts';
import { needs } from '../support/require.ts';
import type { Hung } from './remote-hang-inside.ts';

const test = suite('a certificate that hangs');

needs(...OVERLAY_NEEDS, 'FUSE', 'compiler')(
  test,
  'the former certificate stays, the reason is said, and the service goes on meanwhile',
  async () => {
    const words = [compiled('silent_fs.cc')];
    const printed = await inOverlay('remote-hang-inside.ts', import.meta.url, { words });
    const { before, after, what, turns } = JSON.parse(printed) as Hung;
    assert.match(before ?? '', /^[0-9A-F:]{95}$/);
    assert.is(after, before);
    assert.match(what ?? '', 'reading it hangs; the former certificate is still shown');
    assert.ok(turns > 0, 'the event loop did not turn');
  },
);

test.run();
