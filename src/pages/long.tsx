/** What is long: texts are cut in the middle, lists are folded after the first few, evidence is folded and stays open once opened. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './parts.tsx';

/** Characters of a text that are shown at most; beyond it the middle goes. */
const MOST = 240;
const TAIL = 60;

/** The text, or its head and tail where it is longer than 240 characters. */
export function clipped(text: string): string {
  const signs = [...text];
  if (signs.length <= MOST) return text;
  // At words, unless one word fills the place.
  const head = signs.slice(0, MOST - TAIL).join('');
  const tail = signs.slice(-TAIL).join('');
  return `${head.replace(/(?<=.{120})\s+\S*$/s, '')} … ${tail.replace(/^\S*\s+(?=.{20})/s, '')}`;
}

/** A text that may be of any length; on hover the whole of it. */
export function Clip({ text }: { text: string }) {
  const shown = clipped(text);
  return <span title={shown === text ? undefined : text}>{shown}</span>;
}

/** A list of which only the first few are open. `more` says what is folded: `9 more findings`. */
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

/** Names of what is open in this document. On the server nothing is ever opened. */
const open = new Set<string>();

/** Stays open when it is drawn elsewhere: evidence of a finding that moves to another list. `name`: unique on the page. */
export function KeptOpen(props: {
  name: string;
  summary: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  const { name, summary, children } = props;
  const details = useRef<HTMLDetailsElement>(null);
  const note = () => {
    if (details.current?.open) open.add(name);
    else open.delete(name);
  };
  // It may have been opened before the page was taken over.
  useEffect(() => {
    if (details.current?.open) open.add(name);
  }, [name]);
  // The browser reports a change some time after it: until then only the element itself knows it.
  const isOpen = details.current?.open ?? open.has(name);
  return (
    <details ref={details} class={props.class} open={isOpen} onToggle={note}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
