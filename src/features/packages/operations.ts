/** Operation: whether the files of packages are as their packages have them. */
import { z } from 'zod';
import { type AlteredFile, type AlteredGroup, groupsOf, severityOf } from '../../checks/packages.ts';
import { DESK, operation } from '../../desk/operation.ts';
import { PACKAGES, type PackageScan } from '../../desk/packages.ts';
import { now } from '../../engine/now.ts';
import type { Finding } from '../../findings/finding.ts';
import { mostSevereFirst } from '../../policy/severity.ts';
import { type PackagesAnswer, packages as record } from '../../records/packages.ts';

const NONE: PackageScan = {
  ...{ endedMs: 0, packages: 0, files: 0, missing: 0, tookMs: 0, altered: [], unread: [] },
  trouble: '',
};

interface About {
  readonly id: string;
  readonly path: string;
  readonly package: string;
}

const aboutFiles = (findings: readonly Finding[]): About[] =>
  findings.flatMap(({ id, check, subject, evidence }) =>
    check === 'packaged-file' && subject.kind === 'file'
      ? [{ id, path: subject.path, package: String(evidence.package) }]
      : [],
  );

/** Several files of a package may be one finding, about their folder. */
const idsAbout = (file: AlteredFile, findings: readonly About[]): string[] =>
  findings
    .filter(
      (one) =>
        one.path === file.path ||
        (one.package === file.package && file.path.startsWith(one.path.replace(/\/?$/, '/'))),
    )
    .map(({ id }) => id);

type Shown = PackagesAnswer['altered'][number];

function groupShown({ path, files }: AlteredGroup<Shown>): PackagesAnswer['groups'][number] {
  const [first] = files as readonly [Shown];
  return {
    path,
    count: files.length,
    // The most severe one is first.
    ...{ example: first.path, package: first.package, version: first.version, severity: first.severity },
    changed: files.reduce((latest, { changed }) => (changed > latest ? changed : latest), ''),
    findings: [...new Set(files.flatMap(({ findings }) => findings))],
  };
}

/** `findings`: those that are open; `container`: as of `Packages`. */
export function answerOf(
  scan: PackageScan | null,
  findings: readonly Finding[],
  container: string,
): PackagesAnswer {
  const { endedMs, altered, tookMs, ...rest } = scan ?? NONE;
  const about = aboutFiles(findings);
  const files = altered.map((file) => ({
    ...file,
    severity: severityOf(file),
    changed: new Date(file.changedMs).toISOString(),
    findings: idsAbout(file, about),
  }));
  const shown = mostSevereFirst(files);
  // A file that starts something is a finding of its own.
  const isAlone = ({ path }: Shown): boolean => about.some((one) => one.path === path);
  const groups = [
    ...shown.filter(isAlone).map((file) => ({ path: file.path, files: [file] })),
    ...groupsOf(shown.filter((file) => !isAlone(file))),
  ];
  return record.assemble({
    ...rest,
    ...{ ts: now(), container },
    compared: scan === null ? null : new Date(endedMs).toISOString(),
    altered: shown,
    groups: mostSevereFirst(groups.map(groupShown)),
    tookMs: Math.round(tookMs),
  });
}

export const packages = operation({
  route: 'GET /packages',
  roles: DESK,
  summary: 'Whether the files of packages are as their packages have them',
  input: z.strictObject({
    fresh: z
      .enum(['true', 'false'])
      .default('false')
      .describe('compares now: some seconds, the first time as long as it takes to read every file'),
  }),
  answer: record.schema,
  async handle({ desk }, { fresh }) {
    const api = desk.use(PACKAGES);
    const scan = fresh === 'true' ? await api.verify() : api.latest();
    return answerOf(scan, desk.latest()?.judgement.findings ?? [], api.container);
  },
});
