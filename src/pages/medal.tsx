/** The grade of the desk as a medal: gold, silver, bronze, lead. The word stands below it, so no meaning is in the colour. */
import type { Page } from '../records/page.ts';
import './parts.tsx';

type Grade = Page['status']['grade'];

/** What makes a grade, as `verdictFrom` of the records decides it. */
export const GRADES: Readonly<Record<Grade, string>> = {
  gold: 'no scar, every configured duty runs, and enough could be seen',
  silver: 'a scar, a duty that does not run, or too much that could not be seen',
  bronze: 'a critical scar',
  lead: 'port 8766, which must stay down, is up',
};

export const Medal = ({ grade }: { grade: Grade }) => (
  <p class={`medal ${grade}`} data-grade={grade}>
    <svg viewBox="0 0 96 112" width="96" height="112" aria-hidden="true">
      <path class="medal-ribbon" d="M28 64 18 108l16-8 14 10 14-10 16 8-10-44Z" />
      <circle class="medal-rim" cx="48" cy="45" r="42" />
      <circle class="medal-dots" cx="48" cy="45" r="37.5" pathLength="72" />
      <circle class="medal-face" cx="48" cy="45" r="32.5" />
      <path
        class="medal-mark"
        transform="translate(21.6 18.6) scale(2.2)"
        d="M4 17h16M6 17a6 6 0 0 1 12 0M12 8V6M10.5 6h3"
      />
    </svg>
    <span>
      <span class="sr">Grade </span>
      {grade}
    </span>
  </p>
);
