/** The way from a snapshot to the page that shows it, in steps that follow each other without a gap. Pure. */
import type { Mark, Shown } from './browser.ts';

export const WHOLE = 'snapshot to painted page';
export const STEPS = [
  ['told', 'from the snapshot to the event written to the stream: judgement, records'],
  ['arrived', 'to the event parsed in the tab'],
  ['asked', 'to the page record being asked for: readings are 100 ms apart at least'],
  ['received', 'to the page record parsed'],
  ['drawn', 'to the changed document'],
  ['painted', 'to the frame that has it handed over, up to 16.7 ms for want of a frame'],
] as const;
type Step = (typeof STEPS)[number][0];

/** ms. */
export interface Change extends Readonly<Record<Step, number>> {
  readonly whole: number;
  /** From listen(2) or close(2) to the painted page. */
  readonly outside: number;
}

/**
 * Null when a reading that was under way brought the change before its event: then there is no such way.
 * @throws Error when a mark is missing
 */
export function changeOf(madeAt: number, { drawn, painted, marks }: Shown): Change | null {
  const must = (mark: Mark | undefined, what: string): Mark => {
    if (mark === undefined) throw new Error(`the page left no mark of ${what}`);
    return mark;
  };
  const event = marks.find(({ name, detail }) => name === 'desk:event' && detail.event === 'port');
  if (event === undefined || event.at > drawn) return null;
  const { generation } = event.detail;
  const { detail } = must(
    marks.find(
      ({ name, detail }) =>
        name === 'desk:event' && detail.event === 'snapshot' && detail.generation === generation,
    ),
    'its snapshot',
  );
  const received = must(
    marks.findLast(({ name, at }) => name === 'desk:page-received' && at <= drawn),
    'the page record',
  );
  const asked = must(
    marks.findLast(({ name, at }) => name === 'desk:page-asked' && at <= received.at),
    'the question for it',
  );
  if (asked.at < event.at || received.detail.generation < generation) return null;
  // Both are whole milliseconds, cut off: on average half of one is lost.
  const made = Date.parse(detail.ts) + 0.5;
  const told = made + detail.age_ms;
  return {
    told: told - made,
    arrived: event.at - told,
    asked: asked.at - event.at,
    received: received.at - asked.at,
    drawn: drawn - received.at,
    painted: painted - drawn,
    whole: painted - made,
    outside: painted - madeAt,
  };
}
