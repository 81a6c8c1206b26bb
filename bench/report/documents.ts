/** The generated documents of the bench, for docs/generate.ts. */
import { existsSync } from 'node:fs';
import { PUBLISHED, type Row, readResults } from '../results.ts';
import { charts } from './charts.ts';
import { benchmarksPage } from './page.ts';

const published = (): Row[] => (existsSync(PUBLISHED) ? readResults(PUBLISHED) : []);

export function benchDocuments(): { readonly path: string; render(): string }[] {
  const rows = published();
  const drawn = charts(rows);
  return [
    { path: 'docs/benchmarks.md', render: () => benchmarksPage(rows, drawn) },
    ...drawn.map(({ path, svg }) => ({ path: `docs/${path}`, render: () => svg })),
  ];
}
