/** M1: a Maildir of 100,000 messages into a fresh people ledger, against reading the first 16 KiB of the same files by plain calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FINISH_EVERY_MS } from '../../src/features/mail/ledger/types.ts';
import { corpus, writeMaildir } from '../../test/support/mail-corpus.ts';
import { ownRound } from '../rounds.ts';
import { against, ownSide } from './against.ts';
import { atMost, type Case } from './case.ts';

const MESSAGES = 100_000;
const PEOPLE = 10_000;

const maildirImport: Case = {
  id: 'maildir-import',
  target: 'M1',
  title: 'A Maildir into the people ledger, against reading its files',
  minutes: 4,
  place: 'host',
  grows: [],
  unprivileged: 'never',
  async run(options) {
    const folder = mkdtempSync(join(tmpdir(), 'desk-maildir-'));
    try {
      writeMaildir(folder, corpus({ messages: MESSAGES, people: PEOPLE }));
      // The page cache is the same for both sides.
      ownRound('maildir-import', ['read', folder]);
      const side = ownSide(
        `header to ledger, fresh, put before readers each ${FINISH_EVERY_MS / 1000} s`,
        0,
        () => ownRound('maildir-import', ['import', folder]),
      );
      const plain = {
        does: 'openSync, readSync of 16 KiB, closeSync of the same files',
        warmUp: 0,
        round: () => ownRound('maildir-import', ['read', folder]),
      };
      const comparison = await against(
        {
          name: `import of ${MESSAGES.toLocaleString('en')} messages`,
          unit: 'ms',
          goals: [atMost('ratio', 3)],
        },
        side,
        plain,
        options,
      );
      return { facts: side.facts, comparisons: [comparison] };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export default maildirImport;
