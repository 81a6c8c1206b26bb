import type { PeekCheck } from './check.ts';
import { listed, listedKey, partOf } from './peeked.ts';
import { processText } from './subjects.ts';

/** Code of a file that has no name any more; the program itself is another check's. */
export const deletedLibrary: PeekCheck = {
  id: 'deleted-library',
  avenue: 'inject_clip',
  severity: 'low',
  tier: 2,
  techniques: ['T1055', 'T1070.004'],
  key: ['libraries'],
  text: {
    about: 'The process runs code of a library that was deleted.',
    benign: 'A package upgrade: the old library stays in use until the process is started again.',
    remedy: 'restart the process so that it uses the installed library',
  },
  causes: [
    {
      name: 'package-upgrade',
      evidenceClass: ['replaced'],
      why: 'another file has replaced it, as after an upgrade: restart the process when you can',
    },
  ],
  peek(context, report) {
    const maps = partOf(context, 'maps', report);
    if (maps === null) return;
    const { subject, facts, law } = context;
    const { total, whole, some, replaced } = maps.deletedCode;
    // A package manager may replace what a process has just begun to load.
    if (total === 0 || facts.ageSec < law.librarySec) return report.pass();
    const libraries = [...new Set(some.map(({ path }) => path))];
    report.fail({
      subject,
      evidenceClass: replaced ? 'replaced' : 'gone',
      summary: `${processText(subject)} runs code of deleted ${listed(libraries, 1)}`,
      evidence: { mappings: total, ...listedKey('libraries', libraries, whole) },
    });
  },
};
