/** How learning refuses: what happened, why, what to do. */
import { DeskError } from '../desk.ts';
import { scarsText } from '../findings/finding.ts';
import type { Moment } from '../records/moment.ts';
import type { GuardedStore } from '../store/guarded.ts';

/** Scars that a refusal names. */
const NAMED = 5;

export const storeFails = (store: GuardedStore): DeskError =>
  new DeskError(
    'unavailable',
    store.failure === '' ? 'The store has refused it.' : `It cannot be kept: ${store.failure}.`,
    'Nothing was changed; try again when the store works.',
  );

export const tooEarly = (): DeskError =>
  new DeskError(
    'refused',
    'This is the first use: the desk learns by itself once every check has looked at everything.',
    'Wait until "desk baseline list" shows generation 1.',
  );

export const nothingLearned = (): DeskError =>
  new DeskError(
    'refused',
    'Nothing is learned yet, so there is nothing for a learning window to add to.',
    'Learn what runs with "desk secure learn once" first.',
  );

/** Why a gate that did not pass teaches nothing. */
export function refusalOf({ judgement, desk }: Moment): DeskError {
  const { scars } = judgement;
  if (scars.length === 0 && desk.gate.god === 1)
    return new DeskError(
      'refused',
      'Another process has written to the baseline while the gate ran, so nothing is learned.',
      'Look at it with "desk baseline list", then learn again.',
    );
  if (scars.length === 0)
    return new DeskError(
      'refused',
      `The gate does not pass: the store has ${desk.gate.god} authoritative generations instead of one.`,
      'Look at them with "desk baseline list".',
    );
  const named = scars.slice(0, NAMED).map(({ id, summary, severity }) => `${id} (${severity}): ${summary}`);
  const more = scars.length > NAMED ? [`and ${scars.length - NAMED} more`] : [];
  return new DeskError(
    'refused',
    `The gate does not pass, so nothing is learned: ${scarsText(scars.length)}. ${[...named, ...more].join('; ')}.`,
    scars.some(({ check }) => check === 'baseline-tampered')
      ? 'Go back to a generation that verifies with "desk baseline restore N", or start from nothing with "desk baseline restore 0".'
      : 'End what each of them names, or accept it with "desk accept ID --why REASON", then learn again.',
  );
}
