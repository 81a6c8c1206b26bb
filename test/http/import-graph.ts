/** Which files a module imports. */
import { readFileSync } from 'node:fs';

/** Files that `entry` imports for their values, recursively. Type imports vanish at compile time. */
export function graphOf(entry: URL, seen = new Set<string>()): Set<string> {
  if (seen.has(entry.href)) return seen;
  seen.add(entry.href);
  const text = readFileSync(entry, 'utf8');
  for (const [, clause = '', target = ''] of text.matchAll(
    /^(?:import|export)\s([^;]*?)from\s+'(\.[^']+)'/gms,
  )) {
    const names = clause
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (!clause.startsWith('type ') && !names.every((name) => name.startsWith('type ')))
      graphOf(new URL(target, entry), seen);
  }
  return seen;
}
