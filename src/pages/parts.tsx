/** Parts that pages share. They write text as it is: `visible.ts` shows what could not be seen, Preact escapes. */
import type { ComponentChildren } from 'preact';
import { visible } from './visible.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

/** A word for a state, with its colour; the word alone carries the meaning. */
export const State = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`state ${tone}`}>{children}</span>
);

export const Soft = ({ children }: { children: ComponentChildren }) => <span class="soft">{children}</span>;

/** A link target of an allowed scheme or of this site; anything else is null, to be shown as text. */
export function safeHref(target: string): string | null {
  // Where it leads could not be seen.
  if (visible(target) !== target) return null;
  // Browsers read `/\\` as `//`, and leave out tabs and line feeds (URL Standard, section 4.4).
  if (/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.startsWith('#')) return target;
  return /^(https?:\/\/|mailto:)/i.test(target) ? target : null;
}

/** A link, plain text for a target that is no link, or "not configured". */
export function Link({ to, children }: { to: string; children?: ComponentChildren }) {
  if (to === '') return <Soft>not configured</Soft>;
  const href = safeHref(to);
  return href === null ? (
    <>{children ?? to}</>
  ) : (
    <a href={href} rel="noreferrer">
      {children ?? to}
    </a>
  );
}

const PARTS_OF_TIME = { whole: [0, 19], yearless: [5, 19], day: [0, 10], clock: [11, 19] } as const;

/** A time of a record: RFC 3339, or local without offset. `part`: what of it is shown. */
export const Time = ({ at, part = 'whole' }: { at: string; part?: keyof typeof PARTS_OF_TIME }) => (
  <time dateTime={at}>{at.slice(...PARTS_OF_TIME[part]).replace('T', ' ')}</time>
);

/** A part of a page with its heading; `id` is what links and the table of contents name. */
export function Section(props: {
  id: string;
  title: ComponentChildren;
  /** Beside the heading, at the end of its line. */
  aside?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  const { id, title, aside, children } = props;
  return (
    <section class={props.class === undefined ? 'card' : `card ${props.class}`} aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** What a word of the interface means, where it is shown. */
export const Meaning = ({ children }: { children: ComponentChildren }) => (
  <p class="meaning soft small">{children}</p>
);

/** Pairs of name and value. */
export const Pairs = ({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

export interface Column {
  readonly head: string;
  readonly number?: boolean;
  /** Its words are never broken: few and short ones, beside a column of sentences. */
  readonly whole?: boolean;
}

/** Columns that fit a narrow screen side by side; the cells of a wider table stand below each other there. */
const ABREAST = 3;

/**
 * A table with a caption and header cells; the first cell of a row heads it. Cells that stack are no table to a reader of the
 * screen any more, so their roles are said (https://www.w3.org/TR/html-aria/).
 */
export function Table(props: {
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly ComponentChildren[])[];
  /** One key for each row where rows come and go. */
  keys?: readonly string[];
  /** Cells hold words that a narrow column would break, so they stand below each other however few they are. */
  wordy?: boolean;
}) {
  const { caption, columns, rows, keys, wordy = false } = props;
  const stacks = wordy || columns.length > ABREAST;
  const role = (name: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'cell') =>
    stacks ? { role: name } : {};
  const kind = (at: number) =>
    columns[at]?.number ? { class: 'number' } : columns[at]?.whole ? { class: 'whole' } : {};
  return (
    // A region that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="scroll" tabIndex={0} aria-label={caption}>
      <table class={stacks ? 'stack' : undefined} {...role('table')}>
        <caption>{caption}</caption>
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            {columns.map((column, at) => (
              <th key={column.head} scope="col" {...role('columnheader')} {...kind(at)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...role('rowgroup')}>
          {rows.map((cells, row) => (
            <tr key={keys?.[row] ?? row} {...role('row')}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th scope="row" {...role('rowheader')} {...kind(at)}>
                    {cell}
                  </th>
                ) : (
                  <td {...role('cell')} {...kind(at)} {...(stacks && { 'data-head': columns[at]?.head })}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Nothing to show, said as such. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;

export const Code = ({ children }: { children: ComponentChildren }) => <code>{children}</code>;

/** `3 findings`, `1 finding`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** To three figures and thousands apart: `1,234`, `12.5`. */
export const number = (value: number): string =>
  (Math.abs(value) >= 100 ? Math.round(value) : Math.round(value * 10) / 10)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** `81.3 %` of a hundred. */
export const percent = (value: number): string => `${number(value)} %`;

/** `812 µs`, `1.2 ms`, `3.4 s`. */
export function duration(us: number): string {
  if (us < 1000) return `${Math.round(us)} µs`;
  if (us < 1_000_000) return `${(us / 1000).toFixed(us < 10_000 ? 1 : 0)} ms`;
  return `${(us / 1_000_000).toFixed(1)} s`;
}

/** A key of a record for people: `field_clear` → `field clear`. */
export const words = (key: string): string => key.replaceAll('_', ' ');
