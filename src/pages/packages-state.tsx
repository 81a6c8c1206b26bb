/** Whether the files of packages are as their packages have them: the last comparison, and a new one on request. */
import { useMemo, useRef } from 'preact/hooks';
import type { PackagesAnswer } from '../records/packages.ts';
import { useAsked } from './asked-record.ts';
import { useDesk } from './desk-context.ts';
import { Severity } from './findings.tsx';
import { FindingLinks, Listed, NotRead, OfContainer, Said } from './listed.tsx';
import { number, Section, Soft, State, Time, type Tone } from './parts.tsx';

const COLUMNS = [
  { head: 'File' },
  { head: 'Package' },
  { head: 'Changed', class: 'whole' },
  { head: 'Finding' },
] as const;

/** Unknown is never good. */
export function packagesState(record: PackagesAnswer | null): readonly [Tone, string] {
  if (record === null) return ['calm', 'not read yet'];
  const { compared, trouble, altered, unread, container } = record;
  if (compared === null) return ['warn', 'not compared yet'];
  if (trouble !== '') return ['warn', 'not known'];
  if (altered.length > 0)
    return [
      altered.some(({ severity }) => severity !== 'low') ? 'bad' : 'warn',
      `${number(altered.length)} differ`,
    ];
  if (unread.length > 0) return ['warn', 'not all compared'];
  return container === '' ? ['good', 'as packaged'] : ['warn', 'of the container'];
}

function none(record: PackagesAnswer | null): string {
  if (record === null) return '';
  const { compared, trouble, unread, container } = record;
  if (compared === null) return 'Nothing was compared yet.';
  if (trouble !== '') return `No package could be compared: ${trouble}.`;
  return unread.length > 0 || container !== ''
    ? 'No difference in the files that could be compared.'
    : 'No file differs from its package.';
}

export function PackagesState() {
  const { actions } = useDesk();
  const box = useRef<HTMLDivElement>(null);
  const { record, trouble, busy, ask } = useAsked('/packages', { fresh: 'false' }, box);
  const [tone, word] = packagesState(record);
  const table = useMemo(
    () => (
      <Listed
        name="packages"
        box={box}
        caption="Files that differ from their packages, the most severe first"
        columns={COLUMNS}
        rows={record?.groups ?? null}
        keyOf={({ path, package: name }) => `${name} ${path}`}
        cells={({ severity, path, count, example, package: name, version, changed, findings }) => [
          <>
            <Severity of={severity} /> <code>{path}</code>
            {count > 1 && <span class="path soft">{`${number(count)} files, such as ${example}`}</span>}
          </>,
          <>
            {name} <Soft>{version}</Soft>
          </>,
          <Time key="changed" at={changed} part="day" />,
          findings.length > 0 ? <FindingLinks ids={findings} /> : null,
        ]}
        busy={busy}
        trouble={trouble}
        none={none(record)}
        note={
          record === null || record.compared === null || record.trouble !== ''
            ? null
            : `${number(record.files)} files of ${number(record.packages)} packages, ${number(record.missing)} of them not there. Configuration files are not compared.`
        }
        path="/packages"
        command="desk packages"
      />
    ),
    [record, busy, trouble, actions === null],
  );
  return (
    <Section
      id="packages"
      title="Files of packages"
      aside={
        <Said at={record?.compared ?? null}>
          <State tone={tone}>{word}</State>
        </Said>
      }
    >
      <div class="row table-tools listed-tools">
        <button
          type="button"
          class="button"
          disabled={actions === null || busy}
          onClick={() => ask({ fresh: 'true' })}
        >
          {busy ? 'Comparing' : 'Compare now'}
        </button>
        <span class="soft small">
          It takes some seconds, the first time as long as it takes to read every file. The service repeats it
          by itself.
        </span>
      </div>
      {table}
      <div class="listed-notes">
        <OfContainer why={record?.container} />
        {record !== null && <NotRead all={record.unread} what="not compared" />}
      </div>
    </Section>
  );
}
