/** Commands in the words of the assistant: they are flagged, and nothing runs them. */
import type { Flag } from './fill.ts';

/** How commands begin that change something, run what comes from elsewhere or send something away. */
const ACTS: readonly RegExp[] = [
  /sudo\s+\S+/,
  /rm\s+-\S+/,
  /(?:curl|wget)\s+\S+/,
  /kill(?:all)?\s+-?\S*\d\S*/,
  /kill(?:all)?\s+-\S+/,
  /pkill\s+\S+/,
  /systemctl\s+\w+\s+\S+/,
  /ch(?:mod|own)\s+\S+\s+\S+/,
  /dd\s+(?:if|of)=\S+/,
  /mkfs\S*\s+\S+/,
  /(?:ba)?sh\s+-c\b/,
  /\|\s*(?:ba)?sh\b/,
  /desk\s+(?:scar\s+cook\s+cook|av\s+close|field\s+clear|accept|secure\s+learn|baseline\s+restore)\b/,
  /desk\s+(?:quarantine\s+(?:restore|purge)|people\s+(?:forget|export)|mail\s+test)\b/,
];
const COMMANDS = new RegExp(
  `(?<![\\p{L}\\p{N}_-])(?:${ACTS.map(({ source }) => source).join('|')})[^\\n.;]*`,
  'giu',
);

/** `suggested`: by the hostess. */
export const commandFlags = (words: string, suggested: readonly string[]): readonly Flag[] =>
  [...words.matchAll(COMMANDS)]
    .map(([found]) => found.trim())
    .filter((command) => !suggested.some((known) => command.startsWith(known)))
    .map((command) => ({
      text: command,
      reason: 'a command that the hostess did not suggest; nothing runs it',
    }));
