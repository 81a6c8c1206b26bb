/** Who comes first in the ledger: those you wrote to, then the others, programs and lists last; among them the recent and frequent. */

interface Counted {
  readonly received: number;
  readonly sent: number;
  readonly copied: number;
  /** Milliseconds since the epoch; null when no message had a believable time. */
  readonly lastMs: number | null;
  readonly list: boolean;
  readonly automated: boolean;
}

/** Half a year: so much longer ago weighs as much as half as many messages. */
const HALF_LIFE_MS = 182.5 * 86_400_000;
/** Above every time of a message with its messages. */
const TOP = 2 ** 43;

/**
 * A number, the smaller the further ahead; below 2^45. Weight decays by the half-life: messages × 2^((last - now) / half-life).
 * Its logarithm orders people in the same way whatever the time is, so that ranks need not be told anew as time goes by.
 */
export function rankOf({ received, sent, copied, lastMs, list, automated }: Counted): number {
  const tier = automated ? 2 : sent > 0 ? 0 : list ? 2 : 1;
  const messages = 1 + 4 * sent + 2 * received + copied;
  return tier * TOP + TOP - Math.round((lastMs ?? 0) + HALF_LIFE_MS * Math.log2(messages));
}
