/** Programs that have run for some time, as the newest state has them. */
import type { Content } from '../../checks/content.ts';
import { withoutDeleted } from '../../checks/executables.ts';
import { textOf } from '../../engine/bytes.ts';
import { FACT } from '../../engine/native/column-types.ts';
import { livingRows, processSource, startMs } from '../../records/process-columns.ts';
import type { DeskState } from '../../records/state.ts';

const CONTAINER = '@container';

interface Lasting {
  readonly paths: ReadonlySet<string>;
  /** Processes whose program could not be read. */
  readonly hidden: number;
}

/** Paths of what has run for at least `leastMs`, of containers marked so. The columns of the state are read at once. */
export function lastingPrograms(state: DeskState, leastMs: number): Lasting {
  const source = processSource(state);
  const { table } = source;
  const paths = new Set<string>();
  let hidden = 0;
  for (const row of livingRows(table)) {
    if (((table.columns.refused[row] ?? 0) & FACT.exe) !== 0) hidden += 1;
    const path = withoutDeleted(textOf(table.exe(row)));
    if (path === '') continue;
    const startedMs = startMs(source, row);
    if (leastMs > 0 && (startedMs === null || state.snapshot.at.epochMs - startedMs < leastMs)) continue;
    paths.add(table.columns.container[row] === 1 ? `${path}${CONTAINER}` : path);
  }
  return { paths, hidden };
}

/** With the contents of their files. The identity of an interpreter ends in a colon and its name. */
export function withContents(
  programs: ReadonlySet<string>,
  contents: ReadonlyMap<string, readonly Content[]>,
): ReadonlyMap<string, readonly Content[]> {
  const found = new Map<string, Content[]>([...programs].map((path) => [path, []]));
  for (const [identity, of] of contents)
    (found.get(identity) ?? found.get(identity.slice(0, identity.lastIndexOf(':'))))?.push(...of);
  return found;
}
