/** A table of a record that is read on request, in a box whose height does not depend on what is read. */

import type { ComponentChildren, RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { asSentence } from '../base/sentence.ts';
import { useDesk } from './desk-context.ts';
import { Clip } from './long.tsx';
import { Link, number, Soft, State, Table, Time } from './parts.tsx';

type Column = Parameters<typeof Table>[0]['columns'][number];

/** Rows that are drawn at first, and with each further step. */
const FIRST = 50;
const STEP = 200;

export function Listed<R>(props: {
  name: string;
  box: RefObject<HTMLDivElement | null>;
  caption: string;
  columns: readonly Column[];
  /** Null until they are read. */
  rows: readonly R[] | null;
  keyOf: (row: R) => string;
  cells: (row: R) => readonly ComponentChildren[];
  busy: boolean;
  /** In place of rows that were read and are none. */
  none: ComponentChildren;
  trouble: string;
  /** Below the box. */
  note: ComponentChildren;
  /** The record, and the command with the same content. */
  path: string;
  command: string;
}) {
  const { name, rows, keyOf, cells, busy, none, trouble, path, command } = props;
  const { actions } = useDesk();
  const [most, setMost] = useState(FIRST);
  const shown = rows?.slice(0, most) ?? [];
  const left = (rows?.length ?? 0) - shown.length;
  const instead = (): ComponentChildren => {
    if (actions === null)
      return (
        <>
          The table needs scripts. The same as a record: <Link to={path} />; in a terminal:{' '}
          <code>{command}</code>.
        </>
      );
    if (rows !== null) return none;
    return trouble || 'Reading.';
  };
  return (
    <>
      <div ref={props.box} class={`listed-box ${name}`} aria-busy={busy}>
        {shown.length > 0 ? (
          <Table
            class="listed"
            caption={props.caption}
            columns={props.columns}
            keys={shown.map(keyOf)}
            rows={shown.map(cells)}
          />
        ) : (
          <p class="listed-none">{instead()}</p>
        )}
      </div>
      <div class="row apart listed-foot">
        <div class="soft small">
          {props.note}
          {left > 0 && ` The first ${number(shown.length)} are shown.`}
          {rows !== null && trouble !== '' && ` ${trouble}`}
        </div>
        {left > 0 && (
          <button type="button" class="button" onClick={() => setMost(most + STEP)}>
            Show {number(Math.min(STEP, left))} more
          </button>
        )}
      </div>
    </>
  );
}

/** How much of a record is shown, and when it was read: announced politely. */
export const Said = ({ children, at }: { children: ComponentChildren; at: string | null }) => (
  <p class="soft small said table-said">
    <span role="status">{children}</span>
    {at !== null && [', as of ', <Time key="at" at={at} />]}
  </p>
);

interface Unread {
  readonly path: string;
  readonly reason: string;
}

/** What could not be read: how much, the first of it, and the rest on request. */
export function NotRead({ all, what }: { all: readonly Unread[]; what: string }) {
  // Several kinds of places are in one folder.
  const once = [...new Map(all.map((one) => [`${one.path} ${one.reason}`, one])).values()];
  const [first] = once;
  if (first === undefined) return null;
  return (
    <details class="not-read">
      <summary>
        <State tone="warn">{`${number(once.length)} ${what}`}</State> What is there is not known:{' '}
        <Clip text={`${first.path} (${first.reason})`} />
        {once.length > 1 && ' and more'}
      </summary>
      <ul class="lined">
        {once.map(({ path, reason }) => (
          <li key={`${path} ${reason}`}>
            <code>{path}</code> <Soft>{reason}</Soft>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Says that these are the files of a container; nothing where they are those of the machine. */
export const OfContainer = ({ why }: { why: string | undefined }) =>
  why ? (
    <p>
      <State tone="warn">container</State> {asSentence(why)}
    </p>
  ) : null;

/** Links to findings. */
export const FindingLinks = ({ ids }: { ids: readonly string[] }) => (
  <>
    {ids.map((id) => (
      <span key={id} class="finding-link">
        <Link to={`/findings/${id}`}>{id}</Link>{' '}
      </span>
    ))}
  </>
);

/** Whether texts have every word of a query. */
export function matches(query: string, texts: readonly string[]): boolean {
  const whole = texts.join('\n').toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => whole.includes(word));
}
