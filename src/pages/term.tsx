/** A word of the interface, explained on request: by pointer, keyboard and touch, with and without scripts. */
import { TERMS } from '../records/terms.ts';
import './visible.ts';

export type TermName = keyof typeof TERMS;

/** `about`: the heading or label it stands beside; `at`: unique on the page. */
export const Term = ({ of, about, at }: { of: TermName; about: string; at: string }) => (
  <>
    <button
      type="button"
      class="term"
      popovertarget={`term-${at}`}
      aria-label={`What is meant by “${about}”`}
      aria-describedby={`term-${at}`}
    >
      ?
    </button>
    <span id={`term-${at}`} class="term-text" popover="auto">
      {TERMS[of]}
    </span>
  </>
);
