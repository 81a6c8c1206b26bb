/** The way from a snapshot to the page that shows it, in steps that follow each other without a gap. Pure. */
import type { Mark, Shown } from './browser.ts';

export const WHOLE = 'snapshot to painted page';
export const STEPS = [
  ['told', 'from the snapshot to the event written to the stream: judgement, records'],
  ['arrived', 'to the event parsed in the tab'],
  ['asked', 'to the page record being asked for: readings are 100 ms apart at least'],
  ['received', 'to the page record parsed'],
  ['drawn', 'to the changed document'],
  ['painted', 'to the frame that has it handed over, up to 16.7 ms while it waits for a frame'],
] as const;
type Step = (typeof STEPS)[number][0];

/** ms. */
export interface Change extends Readonly<Record<Step, number>> {
  readonly overtaken: boolean;
  readonly whole: number;
  /** From listen(2) or close(2) to the painted page. */
  readonly outside: number;
}

/**
 * The change of `port`, made at `madeAt` ms since the epoch. A request that was already running may return it before its event is sent: it is
 * `overtaken`, the snapshot is that of the reading, and there are no steps before its answer.
 * @throws Error when a mark is missing
 */
export function changeOf(port: number, madeAt: number, { drawn, painted, marks }: Shown): Change {
  const must = (mark: Mark | undefined, what: string): Mark => {
    if (mark === undefined) throw new Error(`the page left no mark of ${what}`);
    return mark;
  };
  const received = must(
    marks.findLast(({ name, at }) => name === 'desk:page-received' && at <= drawn),
    'the page record',
  );
  const last = (at: number) => ({
    drawn: drawn - received.at,
    painted: painted - drawn,
    whole: painted - at,
    outside: painted - madeAt,
  });
  const asked = marks.findLast(({ name, at }) => name === 'desk:page-asked' && at <= received.at);
  const event = marks.find(
    ({ name, detail }) =>
      name === 'desk:event' && detail.event === 'port' && detail.listener.endsWith(`:${port}`),
  );
  if (event === undefined || asked === undefined || asked.at < event.at) {
    const made = epochOf(received.detail.ts);
    return { overtaken: true, told: 0, arrived: 0, asked: 0, received: received.at - made, ...last(made) };
  }
  const { detail } = must(
    marks.find(
      ({ name, detail }) =>
        name === 'desk:event' && detail.event === 'snapshot' && detail.generation === event.detail.generation,
    ),
    'its snapshot',
  );
  const made = epochOf(detail.ts);
  const told = made + detail.age_ms;
  return {
    overtaken: false,
    told: told - made,
    arrived: event.at - told,
    asked: asked.at - event.at,
    received: received.at - asked.at,
    ...last(made),
  };
}

/** Records truncate their times to the millisecond: on average half a millisecond is lost. */
const epochOf = (ts: string): number => Date.parse(ts) + 0.5;
