import { createHash } from 'node:crypto';
import type { Check, FailParts, Report } from './check.ts';
import { type AlteredGroup, digestEvidence, groupsOf, type PackageFacts, severityOf } from './packages.ts';
import { isAltered, type StartupFact, type StartupFacts } from './startup.ts';
import type { Subject } from './subjects.ts';
import { folderOf, type Missed } from './unread.ts';

/** A place with more than these is missed as a whole: many homes may hang. */
const MOST_MISSED = 100;

function partsOf(parts: readonly (Missed | undefined)[]): readonly Missed[] {
  const paths = new Map<string, Set<string>>();
  for (const part of parts)
    if (part !== undefined) paths.set(part.place, (paths.get(part.place) ?? new Set()).add(part.path));
  return [...paths].flatMap(([place, some]) =>
    [...(some.size > MOST_MISSED ? ['/'] : some)].map((path) => ({ place, path })),
  );
}

/** What could not be read hides what is there, and in a folder of that path. */
export function reportUnread({ unread }: StartupFacts, report: Report): void {
  if (unread.length === 0) return;
  const paths = unread.map((one) => (one.missed ?? one.refused)?.path ?? folderOf(one.path));
  const hides = (subject: Subject): boolean =>
    subject.kind === 'file' &&
    paths.some((path) => subject.path === path || subject.path.startsWith(path === '/' ? path : `${path}/`));
  report.blind({
    reason: 'some files that may start programs could not be read',
    cure: 'see them with desk startup',
    subjects: unread.length,
    hides,
    missed: partsOf(unread.map(({ missed }) => missed)),
    refused: partsOf(unread.map(({ refused }) => refused)),
  });
}

const contentOf = ({ voucher }: StartupFact): string => `${voucher.package} ${voucher.found}`;

function explain({ path, voucher, sha256, place }: StartupFact): FailParts {
  const { package: name, version, expected, found } = voucher;
  return {
    subject: { kind: 'file', path },
    summary: `${path} (${place.title}) differs from package ${name} ${version}`,
    evidence: {
      ...{ package: name, version },
      ...digestEvidence(expected, found),
      ...{ sha256, place: place.id },
    },
    evidenceClass: name,
  };
}

function explainFiles({ path, files }: AlteredGroup): FailParts {
  const [first] = files;
  // Of several files, one of all their digests, by the same algorithm.
  const isSha256 = first?.expected.startsWith('sha256:') ?? false;
  const digest = (key: 'expected' | 'found'): string =>
    files.length === 1
      ? (first?.[key] ?? '')
      : (isSha256 ? 'sha256:' : '') +
        createHash(isSha256 ? 'sha256' : 'md5')
          .update(files.map((file) => `${file.path} ${file[key]}\n`).join(''))
          .digest('hex');
  const severe = files.find((file) => severityOf(file) === 'high');
  const { package: name = '', version = '' } = first ?? {};
  const what =
    files.length === 1
      ? `${path} differs from package ${name} ${version}`
      : `${files.length} files in ${path}, such as ${(severe ?? first)?.path}, differ from package ${name} ${version}; desk packages --json lists them`;
  return {
    ...(severe === undefined && { severity: 'low' as const }),
    subject: { kind: 'file', path },
    summary: what,
    evidence: {
      ...{ package: name, version },
      ...digestEvidence(digest('expected'), digest('found')),
      files: files.length,
    },
    evidenceClass: name,
  };
}

/** Of other files than those that start something, which are judged as they change. */
function reportPackages(
  { altered, unread }: PackageFacts,
  judged: ReadonlySet<string>,
  report: Report,
): void {
  for (const group of groupsOf(altered.filter(({ path }) => !judged.has(path))))
    report.fail(explainFiles(group));
  if (unread.length > 0)
    report.blind({
      reason: 'some files of packages could not be compared',
      cure: 'see them with desk packages',
      subjects: unread.length,
      hides: ({ kind }) => kind === 'file',
    });
}

/** A file of a package has other content than the package's. */
export const packagedFile: Check = {
  id: 'packaged-file',
  avenue: 'inject_clip',
  severity: 'high',
  tier: 3,
  techniques: ['T1554'],
  steady: true,
  startup: true,
  key: ['package', 'md5_found', 'digest_found'],
  text: {
    about:
      'A file that a package installed has other content than the package has: low for files that neither run nor configure programs.',
    benign:
      'An administrator has changed the file in place instead of overriding it, or a tool has updated itself.',
    remedy: 'compare it with the package, and install the package again if you did not change it',
  },
  async scan({ scans }, report) {
    const facts = await scans.startup('packaged-file');
    reportUnread(facts, report);
    const files = new Map<string, StartupFact>();
    for (const fact of facts.entries)
      if (!files.has(fact.path) || isAltered(fact)) files.set(fact.path, fact);
    if (facts.packages !== '')
      report.blind({
        reason: `packages do not vouch for all files: ${facts.packages}`,
        cure: '',
        hides: ({ kind }) => kind === 'file',
      });
    // A link to a file that is reported itself says nothing more.
    const contents = [...files.values()]
      .filter((fact) => isAltered(fact) && fact.linked === '')
      .map(contentOf);
    for (const fact of files.values())
      if (!isAltered(fact)) report.pass();
      else if (fact.linked === '' || !contents.includes(contentOf(fact))) report.fail(explain(fact));
    const compared = scans.packages();
    // What starts something is judged as it changes, and reported once.
    const judged = [...files.values()].filter((fact) => isAltered(fact) || fact.voucher.kind === 'package');
    if (compared !== null) reportPackages(compared, new Set(judged.map(({ path }) => path)), report);
    const trouble = compared === null ? 'they have not been compared yet' : compared.trouble;
    if (facts.packages === '' && trouble !== '')
      report.blind({
        reason: `the files of packages could not be compared: ${trouble}`,
        cure: 'compare them with desk packages',
        // A result is kept while later ones fail: where there is none, no finding comes from one.
        hides: () => false,
      });
  },
};
