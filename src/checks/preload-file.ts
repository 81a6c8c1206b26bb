import { isBlind } from './blindness.ts';
import type { Check } from './check.ts';
import { names } from './executables.ts';
import type { Subject } from './subjects.ts';

const PATH = '/etc/ld.so.preload';
const isFile = (subject: Subject): boolean => subject.kind === 'file' && subject.path === PATH;

/**
 * Libraries that the dynamic linker loads into every program (ld.so(8)), the usual seat of rootkits in user space. The file is
 * read by plain system calls, past any such library.
 */
export const preloadFile: Check = {
  id: 'preload-file',
  avenue: 'inject_clip',
  severity: 'critical',
  tier: 1,
  techniques: ['T1574.006'],
  key: ['libraries'],
  text: {
    about: 'A library is loaded into every program that starts.',
    benign: 'Loggers of commands (snoopy) and a few sandboxes work that way.',
    remedy: `check the library, and remove it from ${PATH} if you did not put it there`,
  },
  causes: [
    {
      name: 'snoopy',
      why: 'snoopy logs the commands that are run',
      evidenceClass:
        names(`/lib/libsnoopy.so /lib/snoopy.so /usr/lib/libsnoopy.so /usr/lib/snoopy/libsnoopy.so
        /usr/lib64/libsnoopy.so /usr/local/lib/libsnoopy.so /usr/lib/snoopy.so
        /lib/x86_64-linux-gnu/libsnoopy.so /usr/lib/x86_64-linux-gnu/libsnoopy.so
        /lib/aarch64-linux-gnu/libsnoopy.so /usr/lib/aarch64-linux-gnu/libsnoopy.so`),
    },
  ],
  judge({ snapshot }, report) {
    const { preload } = snapshot.host;
    if (isBlind(preload, PATH, report, isFile)) return;
    const { bytes, libraries } = preload;
    // Comments alone load nothing.
    if (libraries.length === 0) return report.pass();
    const named = libraries.join(' ');
    report.fail({
      subject: { kind: 'file', path: PATH },
      summary: `${PATH} loads ${named} into every program`,
      evidence: { libraries: named, bytes },
      evidenceClass: named,
    });
  },
};
