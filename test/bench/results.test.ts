import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NoResults, readResults, readSomeResults, writeResults } from '../../bench/results.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { measured, row } from './rows.ts';

const folder = tempFolder('desk-results-');
const place = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const refused = (path: string, expected: RegExp) =>
  assert.throws(
    () => readSomeResults(path),
    (error: Error) =>
      error instanceof NoResults && error.message.includes(path) && expected.test(error.message),
  );

test('results that were written are read back, from the folder and from the file', () => {
  const written = join(folder, 'written');
  const rows = [row([measured()])];
  writeResults(written, rows);
  assert.equal(readResults(written), rows);
  assert.equal(readResults(join(written, `${rows[0]?.case}.json`)), rows);
});

test('a path without results is reported by name', () => {
  refused(join(folder, 'absent'), /no results at/);
  refused(place('cut.json', '[{"case":'), /JSON/);
  refused(place('other.json', 'null'), /expected array/);
  refused(place('plain', 'no JSON'), /JSON/);
  refused(place('none.json', '[]'), /no results at/);
  mkdirSync(join(folder, 'empty.json'));
  refused(join(folder, 'empty.json'), /no results at/);
});

test.run();
