/** What is kept beside a learned identity, as the `detail` of its row. */
import { type Content, mergeContents, newContent } from '../../checks/content.ts';
import type { ChangedRow } from '../../records/baseline-diff.ts';
import { type BaselineRow, rowId } from './rows.ts';

export interface Detail {
  /** Path, lossy text; "" when it could not be read. */
  readonly executable: string;
  /** Identity where the executable cannot be read. Bytes as characters up to U+00FF: names that are not text survive. */
  readonly blind: readonly string[];
  /** Contents of its file, newest first; none where it was never recorded, as by earlier versions. */
  readonly contents: readonly Content[];
}

export const detailText = ({ executable, blind, contents }: Detail): string =>
  JSON.stringify({
    executable,
    blind: [...new Set(blind)].sort(),
    ...(contents.length === 0 ? {} : { contents }),
  });

const NO_DETAIL: Detail = { executable: '', blind: [], contents: [] };

/** Of rows of another kind, and of those learned by their name alone: nothing. */
export const detailOf = ({ kind, detail }: Pick<BaselineRow, 'kind' | 'detail'>): Detail =>
  kind === 'identity' && detail !== ''
    ? { ...NO_DETAIL, ...(JSON.parse(detail) as Partial<Detail>) }
    : NO_DETAIL;

export function mergedDetail(older: BaselineRow, newer: BaselineRow): string {
  const [before, after] = [detailOf(older), detailOf(newer)];
  return detailText({
    executable: after.executable || before.executable,
    blind: [...before.blind, ...after.blind],
    contents: mergeContents(before.contents, after.contents),
  });
}

/** What a row adds to the held one; undefined when nothing, or nothing was recorded. */
export const newContentOf = (held: BaselineRow | undefined, row: BaselineRow): Content | undefined =>
  held && newContent(detailOf(held).contents, detailOf(row).contents);

/** Rows of both whose program has other content than was learned. */
export const changedBetween = (
  held: ReadonlyMap<string, BaselineRow>,
  rows: Iterable<BaselineRow>,
): readonly ChangedRow[] =>
  [...rows].flatMap((row) => {
    const before = held.get(rowId(row));
    const running = newContentOf(before, row);
    const [learned] = before === undefined ? [] : detailOf(before).contents;
    return running === undefined || learned === undefined
      ? []
      : [{ kind: row.kind, text: row.text, learned, running }];
  });
