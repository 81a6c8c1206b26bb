import type { PeekCheck } from './check.ts';
import { listed, partOf, processText } from './peeked.ts';

/** Code of a file that has no name any more; the program itself is another check's. */
export const deletedLibrary: PeekCheck = {
  id: 'deleted-library',
  avenue: 'inject_clip',
  severity: 'low',
  tier: 2,
  key: ['libraries'],
  text: {
    about: 'The process runs code of a library that was deleted.',
    benign: 'A package upgrade: the old library stays in use until the process is started again.',
    remedy: 'start the process again, so that it runs what is installed',
  },
  causes: [
    {
      name: 'package-upgrade',
      evidenceClass: ['replaced'],
      why: 'another file lies in its place, as after an upgrade: start the process again when you can',
    },
  ],
  peek(context, report) {
    const maps = partOf(context, 'maps', report);
    if (maps === null) return;
    const { subject, facts, law } = context;
    const { total, some } = maps.deletedCode;
    const libraries = some.filter(({ path }) => path !== subject.executable);
    const others = total - (some.length - libraries.length);
    // A package manager may replace what a process has just begun to load.
    if (others === 0 || facts.ageSec < law.librarySec) return report.pass();
    const replaced = libraries.every((library) => library.replaced);
    const names = [...new Set(libraries.map(({ path }) => path))];
    report.fail({
      subject,
      evidenceClass: replaced ? 'replaced' : 'gone',
      summary: `${processText(context)} runs code of deleted ${listed(names, 1)}`,
      evidence: { mappings: others, libraries: listed(names, total > some.length ? 4 : names.length) },
    });
  },
};
