/** The thread of thread.ts: its own reader of the ledger, kept open between queries. */
import { DeskError } from '../../../base/desk-error.ts';
import type { LedgerAnswers, LedgerQuestion } from '../../../records/ledger.ts';
import { type LedgerReader, openLedgerReader } from './reader.ts';

export interface Asked {
  /** Path of the ledger's folder. */
  readonly folder: string;
  readonly question: LedgerQuestion;
}

/** An error class is lost between threads: refusals are values here. */
export type Answered =
  | { readonly ok: true; readonly value: LedgerAnswers[LedgerQuestion['what']] }
  | ({ readonly ok: false } & Pick<DeskError, 'code' | 'message' | 'remedy'>);

const readers = new Map<string, LedgerReader>();

function answerOf(reader: LedgerReader, question: LedgerQuestion) {
  switch (question.what) {
    case 'who':
      return reader.who(question.address);
    case 'page':
      return reader.page(question.query);
    case 'totals':
      return reader.totals();
  }
}

export default function answer({ folder, question }: Asked): Answered {
  const reader = readers.get(folder) ?? openLedgerReader(folder);
  readers.set(folder, reader);
  try {
    return { ok: true, value: answerOf(reader, question) };
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    const { code, message, remedy } = error;
    return { ok: false, code, message, remedy };
  }
}
