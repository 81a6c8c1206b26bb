/** Which executables the system itself installed: what may be learned without asking (`autoLearn`). */
import { lstatSync } from 'node:fs';
import type { DeskState } from '../../records/state.ts';
import { detailText } from './identity-detail.ts';
import { type Rows, type RunningContents, rowsBy } from './observation.ts';
import type { BaselineRow } from './rows.ts';

/** Only root can mount or link below these, so that a lookup there cannot block and a path there cannot be made by others. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib32|lib64|libx32)\//;

/** The file and every folder above it are root's and writable only by root. False for what is not there. */
export function isSystemOwned(executable: string, stat: typeof lstatSync = lstatSync): boolean {
  if (!SYSTEM.test(executable) || executable.includes('/../')) return false;
  const parts = executable.split('/');
  const paths = parts.map((_, at) => parts.slice(0, at + 1).join('/') || '/');
  try {
    return paths.every((path, at) => {
      const info = stat(path);
      const rightKind = at === paths.length - 1 ? info.isFile() : info.isDirectory();
      return rightKind && info.uid === 0 && (info.mode & 0o022) === 0;
    });
  } catch {
    return false;
  }
}

/** How long a program must have run without a scar before it is learned automatically. */
const AUTO_CLEAN_MS = 86_400_000;

/** Unlearned programs of the system that have run for a day while nothing else was found about them. */
export function systemIdentities({ judgement, snapshot }: DeskState, contents: RunningContents): Rows {
  const nowMs = snapshot.at.epochMs;
  const suspects = new Set(
    judgement.findings.flatMap(({ subject, check }) =>
      subject.kind === 'process' && check !== 'unlearned-process' ? [subject.identity] : [],
    ),
  );
  const rows = judgement.findings.flatMap(({ check, subject, firstSeen }): BaselineRow[] => {
    if (check !== 'unlearned-process' || subject.kind !== 'process') return [];
    const { identity, executable } = subject;
    // Of an interpreter the system's executable says nothing about what it runs; in a container the path is another's.
    const plain = identity === executable && !suspects.has(identity);
    if (!plain || nowMs - Date.parse(firstSeen) < AUTO_CLEAN_MS || !isSystemOwned(executable)) return [];
    const key = Buffer.from(identity, 'utf8');
    return [
      {
        kind: 'identity',
        key,
        text: identity,
        detail: detailText({ executable, blind: [], contents: contents.get(identity) ?? [] }),
        review: false,
      },
    ];
  });
  return rowsBy(rows);
}
