/** What was asked in this tab, kept for as long as the tab lives: a link to a ground leads away and back. */
import type { Consult, Think } from '../records/talk.ts';

export interface Exchange {
  readonly question: string;
  /** Null when it was refused, and until she has answered. */
  readonly answer: Think | Consult | null;
  /** What the assistant has said so far, while it speaks: neither whole nor checked. */
  readonly heard?: string;
  /** Why there is no answer, or none of the assistant; "" when nothing is missing. */
  readonly refusal: string;
}

const KEY = 'desk.talk';
const MOST = 20;

/** The exchanges of this tab, oldest first; none where the storage cannot be used. */
export function keptTalk(): readonly Exchange[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as Exchange[]) : [];
  } catch {
    return [];
  }
}

/** Keeps the newest and returns them. */
export function keepTalk(all: readonly Exchange[]): readonly Exchange[] {
  const kept = all.slice(-MOST);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // A storage that is full or closed costs the memory over a reload, nothing else.
  }
  return kept;
}
