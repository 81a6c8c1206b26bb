import type { PeekCheck } from './check.ts';
import { names } from './executables.ts';
import { partOf } from './peeked.ts';
import { processText } from './subjects.ts';

/** Where the linker puts programs that have a fixed place, below what the kernel hands out at random. */
const LOW = 1n << 32n;

/** The memory where the program was loaded holds something else. */
export const overwrittenImage: PeekCheck = {
  id: 'overwritten-image',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 2,
  techniques: ['T1055'],
  key: ['file'],
  text: {
    about: 'The memory of the program image contains code that is not from a file.',
    benign: 'The sandboxes of Chromium and WebKit, and packed programs, which unpack themselves in place.',
    remedy: 'end the process and check how it was started',
  },
  causes: [
    {
      name: 'browser-sandboxes',
      executable: names('chrome chromium* electron* WebKitWebProcess nacl_helper*'),
      why: 'browser sandboxes lay out their own memory',
    },
  ],
  peek(context, report) {
    const maps = partOf(context, 'maps', report);
    if (maps === null) return;
    const { start, permissions, path, anonymousCode, holdsCode } = maps.first;
    if (!anonymousCode || !(holdsCode || BigInt(`0x${start}`) < LOW)) return report.pass();
    report.fail({
      subject: context.subject,
      summary: `${processText(context.subject)} runs code from no file where its program was`,
      evidence: { first_mapping: `${start} ${permissions}${path && ` ${path}`}`, file: path },
    });
  },
};
