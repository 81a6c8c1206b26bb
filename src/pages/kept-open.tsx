/** What stays open when it is drawn elsewhere: evidence of a finding that moves from one list of the page to another. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Names of what is open in this document. On the server nothing is ever opened. */
const open = new Set<string>();

interface KeptOpenProps {
  /** Unlike that of everything else on the page that can be opened. */
  readonly name: string;
  readonly summary: string;
  readonly children: ComponentChildren;
}

export function KeptOpen({ name, summary, children }: KeptOpenProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const note = () => {
    if (details.current?.open) open.add(name);
    else open.delete(name);
  };
  // It may have been opened before the page was taken over.
  useEffect(() => {
    if (details.current?.open) open.add(name);
  }, [name]);
  return (
    <details ref={details} open={open.has(name)} onToggle={note}>
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
