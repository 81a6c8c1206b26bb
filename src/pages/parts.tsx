/** Parts that pages share. They write text as it is: Preact escapes it, and `visible.ts` makes the invisible visible. */
import type { ComponentChildren } from 'preact';
import { Term, type TermName } from './term.tsx';
import { visible } from './visible.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'calm';

/** A word for a state, with its colour; the word alone carries the meaning. */
export const State = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`state ${tone}`}>{children}</span>
);

export const Soft = ({ children }: { children: ComponentChildren }) => <span class="soft">{children}</span>;

/** A link target of an allowed scheme or of this site; null for anything else, which is shown as text. */
export function safeHref(target: string): string | null {
  // A reader could not see where it leads.
  if (visible(target) !== target) return null;
  // Browsers read `/\\` as `//`, and leave out tabs and line feeds (URL Standard, section 4.4).
  if (/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.startsWith('#')) return target;
  return /^(https?:\/\/|mailto:)/i.test(target) ? target : null;
}

/** A link; plain text where the target may not be one; "not configured" where it is empty. */
export function Link({ to, children }: { to: string; children?: ComponentChildren }) {
  if (to === '') return <Soft>not configured</Soft>;
  const href = safeHref(to);
  return href === null ? (
    // biome-ignore lint/complexity/noUselessFragments: visible.ts sees children of elements, not text that a component returns
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

type Rows = readonly (readonly [name: string, value: ComponentChildren])[];

const Heading = (props: { id: string; title: ComponentChildren; term?: TermName }) =>
  props.term === undefined ? (
    <h2 id={props.id}>{props.title}</h2>
  ) : (
    <div class="termed">
      <h2 id={props.id}>{props.title}</h2>
      <Term of={props.term} about={String(props.title)} at={props.id} />
    </div>
  );

/** A part of a page with its heading, and pairs where it has some; `id` is what links name. */
export const Section = (props: {
  id: string;
  title: ComponentChildren;
  /** The interface word for the heading, explained by a button beside it. */
  term?: TermName;
  /** Beside the heading, at the end of its line. */
  aside?: ComponentChildren;
  class?: string;
  rows?: Rows;
  children?: ComponentChildren;
}) => (
  <section class={props.class === undefined ? 'card' : `card ${props.class}`} aria-labelledby={props.id}>
    <div class="row apart card-head">
      <Heading {...props} />
      {props.aside}
    </div>
    {props.rows !== undefined && <Pairs rows={props.rows} />}
    {props.children}
  </section>
);

/** What a word of the interface means, where it is shown. */
export const Meaning = ({ children }: { children: ComponentChildren }) => (
  <p class="soft small">{children}</p>
);

/** Pairs of name and value. */
export const Pairs = ({ rows }: { rows: Rows }) => (
  <dl>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

interface Column {
  readonly head: string;
  /** `whole`: its words are never broken; for few short ones beside a column of sentences. */
  readonly class?: 'number' | 'whole';
}

/** Columns that fit a narrow screen side by side; the cells of a wider table are stacked there. */
const ABREAST = 3;

/**
 * A table with a caption and header cells; the first cell of a row heads it. Stacked cells lose their table semantics in the
 * accessibility tree, so their roles are explicit (https://www.w3.org/TR/html-aria/).
 */
export function Table(props: {
  caption: string;
  columns: readonly Column[];
  rows: readonly (readonly ComponentChildren[])[];
  /** One key for each row where rows come and go. */
  keys?: readonly string[];
  /** Stacked however few the columns are: a narrow one would break the words. */
  wordy?: boolean;
  /** Of the box that it scrolls in. */
  class?: string;
}) {
  const { caption, columns, rows, keys, wordy = false } = props;
  const stacks = wordy || columns.length > ABREAST;
  const role = (name: 'table' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'cell') =>
    stacks ? { role: name } : {};
  return (
    // A region that scrolls is reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class={`scroll ${props.class ?? ''}`.trim()} tabIndex={0} aria-label={caption}>
      <table class={stacks ? 'stack' : undefined} {...role('table')}>
        <caption>{caption}</caption>
        <thead {...role('rowgroup')}>
          <tr {...role('row')}>
            {columns.map((column) => (
              <th key={column.head} scope="col" {...role('columnheader')} class={column.class}>
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
                  <th scope="row" {...role('rowheader')} class={columns[at]?.class}>
                    {cell}
                  </th>
                ) : (
                  <td
                    {...role('cell')}
                    class={columns[at]?.class}
                    data-head={stacks ? columns[at]?.head : undefined}
                  >
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

/** A path of which the end stays in sight where it does not fit; the whole of it on hover, and to a screen reader. */
export function Path({ of }: { of: string }) {
  const end = of.lastIndexOf('/') + 1;
  return (
    <span class="path" title={of}>
      <span class="path-folder">{of.slice(0, end)}</span>
      <span class="path-name">{of.slice(end)}</span>
    </span>
  );
}

/** In place of what is not there. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="soft">{children}</p>;

export const Code = ({ children }: { children: ComponentChildren }) => <code>{children}</code>;

/** One of a few, by radio buttons drawn as a switch of several positions. `name`: unique on the page. */
export const Choice = <T extends string>(props: {
  /** What is chosen; read out before the options. */
  legend: string;
  name: string;
  options: readonly (readonly [value: T, label: ComponentChildren, ...rest: unknown[]])[];
  value: T;
  disabled: boolean;
  choose: (value: T) => void;
}) => (
  <fieldset class="choice" disabled={props.disabled}>
    <legend class="sr">{props.legend}</legend>
    {props.options.map(([value, label]) => (
      <label key={value}>
        <input
          type="radio"
          name={props.name}
          value={value}
          checked={value === props.value}
          onChange={() => props.choose(value)}
        />
        <span>{label}</span>
      </label>
    ))}
  </fieldset>
);

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
