/** What the hostess answers, for operations. */
import { dim, strong, type Terminal } from '../base/terminal.ts';
import type { DeskState } from '../records/state.ts';
import type { Consult, HostessAnswer, Think, Thought } from '../records/talk.ts';
import type { Call } from './context.ts';
import type { Desk } from './desk.ts';
import { token } from './token.ts';

/** Answers a question; people are named only if the caller may know them. `previous`: the query of the last answer. */
type Answer = (
  message: string,
  asker?: { readonly mayKnowPeople: boolean; readonly previous?: string | null },
) => Promise<HostessAnswer & { readonly state: DeskState }>;

export const THINK = token<Answer>('think');

/** Both tokens open the ledger; without one she says nothing about people. */
export const thoughtOf = async (
  desk: Desk,
  message: string,
  { grant }: Call,
  previous: string | null = null,
): Promise<Thought> => ({
  message,
  ...(await desk.use(THINK)(message, { mayKnowPeople: grant !== null, previous })),
});

export function showThought(out: Terminal, record: Think | Consult): void {
  out.wrapped(strong(`${record.she}: `), record.answer);
  if (record.grounds.length > 0) {
    out.line();
    out.table(
      [
        { title: 'ground', shrink: 'end' },
        { title: 'value', shrink: 'start' },
      ],
      record.grounds.map(({ path, value }) => [
        path,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    );
  }
  for (const choice of record.choices) out.line(dim('  read as  '), choice);
  for (const suggestion of record.suggestions) out.line(dim('  try  '), suggestion);
}
