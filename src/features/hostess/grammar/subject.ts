/** Which table a question is about. Pure. */
import type { Parts } from './parts.ts';

/** The table that the parts are about; null when they do not say. */
export function tableOf(parts: Parts, asked: string): string | null {
  const all = parts.slots.filter(({ part }) => part === 'table').map(({ value }) => value);
  const names = new Set(all);
  if (names.has('blind')) return 'blind';
  if (parts.has('trait', 'accepted') && (names.has('findings') || names.size === 0)) return 'accepted';
  if (names.has('findings')) return names.has('processes') ? 'processes' : 'findings';
  if (names.has('listeners')) return 'listeners';
  if (names.has('ports')) return 'ports';
  const port = parts.has('word', 'port');
  if (
    port &&
    (parts.has('trait', 'required') || parts.has('trait', 'down') || parts.has('trait', 'up')) &&
    !parts.has('number')
  )
    return 'ports';
  if (parts.has('verb', 'listen')) return 'listeners';
  if (port && !parts.has('deskport')) return 'listeners';
  for (const one of ['generations', 'gate_runs']) if (names.has(one)) return one;
  if (names.has('processes')) return 'processes';
  if (parts.has('about') || parts.has('check'))
    return asked === 'list' || asked === 'who' ? null : 'findings';
  if (
    parts.has('facet', 'program') ||
    parts.has('program') ||
    parts.has('verb', 'run') ||
    parts.has('column', 'threads')
  )
    return 'processes';
  return null;
}
