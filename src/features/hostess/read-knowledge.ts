import { readFileSync } from 'node:fs';
import type { Knowledge } from './knowledge.ts';

/** The generated `docs/knowledge.json`; the same path from src and from dist. */
export const readKnowledge = (): Knowledge =>
  JSON.parse(readFileSync(new URL('../../../docs/knowledge.json', import.meta.url), 'utf8'));
