/** The conditions of a question, a stage each. Each is false where the table cannot answer it. */
import { aboutQuery, addTime, compared, programCondition, ROOT } from './conditions.ts';
import type { Draft } from './draft.ts';
import type { Slot } from './read.ts';
import { said } from './tables.ts';

/** "The 2 newest" is "the newest 2". */
const turned = (pair: readonly [Slot, Slot] | null): readonly [Slot, Slot] | null =>
  pair === null ? null : [pair[1], pair[0]];

/** "More than 10 threads", "above port 1024", "top 5", "port 22", "with 3 threads". */
export function numbers(draft: Draft): boolean {
  const { parts, table, about, conditions } = draft;
  // "Above port 1024".
  for (const [at, { part }] of parts.slots.entries())
    if (
      part === 'operator' &&
      parts.slots[at + 1]?.part === 'word' &&
      parts.slots[at + 1]?.value === 'port'
    ) {
      if (table !== 'listeners') return false;
      parts.slots.splice(at + 1, 1);
    }
  for (let one = parts.pair('operator', 'number'); one !== null; one = parts.pair('operator', 'number')) {
    const named = parts.slots.find(({ part, value }) => part === 'column' && about.columns.includes(value));
    const by = named?.value ?? (table === 'listeners' ? 'port' : null);
    if (by === null || (by !== 'threads' && by !== 'port')) return false;
    if (named !== undefined) parts.take('column', named.value);
    else parts.takeAll('word', 'port');
    conditions.push(compared(by, one[0].value, Number(one[1].value)));
  }
  const top =
    parts.pair('word', 'number', 'top') ??
    parts.pair('order', 'number') ??
    turned(parts.pair('number', 'order'));
  if (top !== null) {
    draft.limit = Number(top[1].value);
    if (top[0].part === 'order') parts.slots.unshift(top[0]);
  } else if (parts.take('word', 'top') !== null) draft.limit = 5;
  if (table === 'listeners') {
    const held = parts.pair('word', 'number', 'port');
    if (held !== null) conditions.push(compared('port', '=', Number(held[1].value)));
    parts.takeAll('word', 'port');
  } else if (table === 'ports') parts.takeAll('word', 'port');
  const withColumn = parts.pair('number', 'column');
  if (withColumn === null) return true;
  if (withColumn[1].value !== 'threads' || table !== 'processes') return false;
  conditions.push(compared('threads', '=', Number(withColumn[0].value)));
  return true;
}

export function users({ parts, about, conditions }: Draft): boolean {
  if (parts.has('user')) {
    if (about.facets.user === undefined) return false;
    const negated = parts.pair('word', 'user', 'not');
    parts.takeAll('user');
    parts.takeAll('facet', 'user');
    conditions.push(
      negated === null
        ? ROOT
        : {
            query: 'uid != 0',
            words: said('not of root', 'nicht von root', 'que no son de root', 'qui ne sont pas de root'),
            step: null,
          },
    );
  }
  const uid = about.facets.user === undefined ? null : parts.pair('facet', 'number', 'user');
  if (uid === null) return true;
  const { value } = uid[1];
  conditions.push({
    query: `uid = ${value}`,
    words: said(
      `of user ${value}`,
      `von Benutzer ${value}`,
      `del usuario ${value}`,
      `de l’utilisateur ${value}`,
    ),
    step: `[uid=${value}]`,
  });
  return true;
}

export function program(draft: Draft): boolean {
  const { parts, table, asked, conditions, programs } = draft;
  const one =
    parts.take('program') ?? (table === 'listeners' || table === 'processes' ? parts.take('stranger') : null);
  // Whether one program does something is more than whether there are rows.
  if (asked === 'whether' && (one !== null || conditions.some(({ query }) => query.startsWith('port = '))))
    return false;
  if (one === null) return true;
  const isStranger = one.part === 'stranger';
  if (isStranger && table === 'processes' && asked !== 'count' && !one.value.startsWith('/')) return false;
  draft.program = one.value;
  draft.stranger = isStranger ? one.value : null;
  const condition = programCondition(table, one.value, programs);
  if (condition === null) return false;
  conditions.push(condition);
  return true;
}

export function finding(draft: Draft): boolean {
  const { parts, table, conditions } = draft;
  const found = parts.take('about') ?? parts.take('check');
  if (found === null) return true;
  if (table !== 'findings') return false;
  draft.found = found.value;
  conditions.push({
    query: aboutQuery(found),
    words: said(`about ${found.value}`, `zu ${found.value}`, `sobre ${found.value}`, `sur ${found.value}`),
    step: found.part === 'check' ? `[check=${found.value}]` : null,
  });
  return true;
}

export function time(draft: Draft): boolean {
  const { parts, moment, table, asked } = draft;
  return parts.take('time') === null || (moment !== null && addTime(moment, table, parts, asked, draft));
}

export function traits({ parts, about, conditions }: Draft): boolean {
  const worse = parts.take('word', 'andworse') !== null;
  for (const trait of parts.takeAll('trait')) {
    const condition = about.traits[trait.value];
    if (condition === undefined) return false;
    const least = worse && condition.query.startsWith('severity = ');
    conditions.push(
      least
        ? {
            query: condition.query.replace('=', '>='),
            words: said(
              `of severity ${trait.value} or worse`,
              `der Schwere ${trait.value} oder schlimmer`,
              `de gravedad ${trait.value} o peor`,
              `de gravité ${trait.value} ou pire`,
            ),
            step: null,
          }
        : condition,
    );
  }
  return !parts.has('word', 'not');
}
