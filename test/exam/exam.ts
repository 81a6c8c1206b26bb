/**
 * Asks a running desk the questions of questions.json, whose author had not seen the code: `node --import tsx test/exam/exam.ts FOLDER`.
 *
 * Needs root, and the programs that scene.ts names. The desk (dist) runs in a copy of the root, with processes and network of its own, where
 * scene.ts plants what the questions are about; it takes four minutes. FOLDER then has answers.json, each answer beside its question and
 * what a right one contains, and facts.json, the tables of the desk at that time. A person judges.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inOverlay } from '../support/overlay.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Name a folder for the answers.');
mkdirSync(folder, { recursive: true });
const printed = await inOverlay('scene.ts', import.meta.url, { timeoutMs: 900_000, words: ['enter'] });
for (const [name, content] of Object.entries(JSON.parse(printed) as Record<string, unknown>))
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(content, null, 1)}\n`);
process.stdout.write(`${join(folder, 'answers.json')}\n`);
