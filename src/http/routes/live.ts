/** `/h7/live`: the live view as JSON, or as a stream of events. */
import { jsonText } from '../../base/visible-text.ts';
import type { Desk } from '../../desk.ts';
import { liveView } from '../../records/live.ts';
import type { Moment } from '../../records/moment.ts';
import type { ControlHandlers } from '../control-app.ts';
import type { LiveHub } from '../live.ts';

/** Rates are taken over at least this long, so that a fast loop does not make them jump. */
const RATE_SPAN_MS = 1000;

/** The live view of a moment, with rates against an earlier one. */
export class LiveViews {
  #base: Moment['snapshot'] | null = null;
  #newest: Moment['snapshot'] | null = null;

  of(moment: Moment): unknown {
    const ageMs = performance.now() - moment.snapshot.at.monotonicMs;
    return liveView.assemble({ moment, ageMs, before: this.#base });
  }

  /** To be told every moment, asked for or not. */
  see({ snapshot }: Moment): void {
    if (this.#newest === null || snapshot.at.monotonicMs - this.#newest.at.monotonicMs >= RATE_SPAN_MS) {
      this.#base = this.#newest;
      this.#newest = snapshot;
    }
  }
}

export function liveRoutes(desk: Desk, hub: LiveHub, views: LiveViews) {
  return {
    live: async ({ wantsStream, lastEventId, caller }) => {
      const moment = await desk.moment();
      if (wantsStream) return { stream: (response) => hub.attach(response, lastEventId, caller.name) };
      return { json: jsonText(views.of(moment)) };
    },
  } satisfies Partial<ControlHandlers>;
}
