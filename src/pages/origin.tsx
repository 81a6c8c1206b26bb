/** What would start the process of a finding again, or what runs now of what it is about: read once, when its evidence is opened. */
import { useRef } from 'preact/hooks';
import { alike, startupRows } from '../records/finding-words.ts';
import { useAsked } from './asked-record.ts';
import { StartedBy } from './links-to.tsx';
import { Pairs } from './parts.tsx';

export function Origin({ id }: { id: string }) {
  const box = useRef<HTMLDivElement>(null);
  const { record, trouble } = useAsked('/findings/{id}', { id }, box);
  const rows = record === null ? [] : startupRows({ ...record.startup, starts: [] });
  const starts = record?.startup.starts ?? [];
  return (
    <div ref={box} class="origin">
      {trouble !== '' && <p class="soft">{trouble}</p>}
      <Pairs
        rows={alike(rows, ([name]) => name).map(([[name, text], ...more]) => [
          name,
          [text, ...more.map(([, other]) => other)].map((each) => <div key={each}>{each}</div>),
        ])}
      />
      {starts.length > 0 && <Pairs rows={[['starts again', <StartedBy key="starts" starts={starts} />]]} />}
    </div>
  );
}
