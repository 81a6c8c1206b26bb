/** Paths in records, pages and texts are declared ones. Requests by path are checked by the compiler (`features/paths.ts`). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OPERATIONS } from '../../src/features/table.ts';
import { projectRoot } from '../support/require.ts';

const declared = new RegExp(
  `^(?:${OPERATIONS.map(({ path }) => path.replaceAll('.', '\\.').replace(/\{[^}]*\}/g, '[^/]+')).join('|')})$`,
);
/** Folders of the machine. */
const FILES = /^\/(?:bin|boot|dev|etc|home|lib|opt|proc|root|run|sbin|snap|srv|state|sys|tmp|usr|var|x)\b/;

test('every path in a text of records, pages and transports belongs to an operation', () => {
  let seen = 0;
  const wrong = ['records', 'pages', 'operations', 'http', 'cli'].flatMap((folder) =>
    readdirSync(join(projectRoot, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const text = readFileSync(join(projectRoot, 'src', folder, name), 'utf8');
        return [...text.matchAll(/(?<=['"`])\/[a-z0-9][\w./{}$-]*(?=[?#'"`])/g)]
          .map(([path]) => path)
          .filter((path) => !FILES.test(path))
          .filter((path) => {
            seen += 1;
            return !declared.test(path);
          })
          .map((path) => `${folder}/${name}: ${path}`);
      }),
  );
  assert.equal(wrong, []);
  assert.ok(seen > 60, String(seen));
});

test.run();
