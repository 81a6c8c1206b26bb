/** What is long: texts are cut in the middle, lists are folded after the first few. Nothing is lost, only put away. */
import type { ComponentChildren } from 'preact';
import './parts.tsx';

/** Characters of a text that are shown at most; beyond it the middle goes. */
const MOST = 240;
const TAIL = 60;

/** The text, or its head and tail where it is longer than 240 characters. */
export function clipped(text: string): string {
  const signs = [...text];
  if (signs.length <= MOST) return text;
  // At words, unless one word fills the place.
  const head = signs
    .slice(0, MOST - TAIL)
    .join('')
    .replace(/(?<=.{120})\s+\S*$/s, '');
  const tail = signs
    .slice(-TAIL)
    .join('')
    .replace(/^\S*\s+(?=.{20})/s, '');
  return `${head} … ${tail}`;
}

/** A text that may be of any length; the whole of it is told on hover. */
export function Clip({ text }: { text: string }) {
  const shown = clipped(text);
  return <span title={shown === text ? undefined : text}>{shown}</span>;
}

/** A list of which the first few stand open. `more` says what is folded: `9 more findings`. */
export function Folded<T>(props: {
  items: readonly T[];
  first: number;
  more: (count: number) => string;
  list: (part: readonly T[], from: number) => ComponentChildren;
}) {
  const { items, first, more, list } = props;
  const rest = items.slice(first);
  return (
    <>
      {list(items.slice(0, first), 0)}
      {rest.length > 0 && (
        <details class="fold">
          <summary>{more(rest.length)}</summary>
          {list(rest, first)}
        </details>
      )}
    </>
  );
}
