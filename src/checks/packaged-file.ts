import type { Check, FailParts, Report } from './check.ts';
import { isAltered, type StartupFact, type StartupFacts } from './startup.ts';
import type { Subject } from './subjects.ts';

/** What could not be read hides what is there, and in a folder of that path. */
export function reportUnread({ unread }: StartupFacts, report: Report): void {
  if (unread.length === 0) return;
  const paths = unread.map(({ path }) => path.replace(/\/?\*.*$/, ''));
  const hides = (subject: Subject): boolean =>
    subject.kind === 'file' &&
    paths.some((path) => subject.path === path || subject.path.startsWith(`${path}/`));
  report.blind({
    reason: 'some files that may start programs could not be read',
    cure: 'see them with desk startup',
    subjects: unread.length,
    hides,
  });
}

function explain({ path, voucher, sha256, place }: StartupFact): FailParts {
  const { package: name, version, expected, found } = voucher;
  return {
    subject: { kind: 'file', path },
    summary: `${path} (${place.title}) is not as ${name} ${version} has it`,
    evidence: { package: name, version, md5_packaged: expected, md5_found: found, sha256, place: place.id },
    evidenceClass: name,
  };
}

/** A file of a package that starts something has other content than the package's. */
export const packagedFile: Check = {
  id: 'packaged-file',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 3,
  steady: true,
  key: ['package', 'md5_found'],
  text: {
    about:
      'A file that a package installed, and that starts something, has other content than the package has.',
    benign: 'An administrator or a tool has changed the file in place instead of overriding it.',
    remedy: 'compare it with the package, and install the package again if you did not change it',
  },
  async scan({ scans }, report) {
    const facts = await scans.startup('packaged-file');
    reportUnread(facts, report);
    const files = new Map<string, StartupFact>();
    for (const fact of facts.entries) if (!files.has(fact.path)) files.set(fact.path, fact);
    if (facts.packages !== '')
      report.blind({
        reason: `no package vouches for files: ${facts.packages}`,
        cure: '',
        hides: ({ kind }) => kind === 'file',
      });
    for (const fact of files.values())
      if (isAltered(fact)) report.fail(explain(fact));
      else report.pass();
  },
};
