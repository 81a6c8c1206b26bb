/** Composes a query from the parts of a question. It answers null unless every number, name, time and word of the question has its place. Pure. */
import { aboutQuery, addTime, type Building, compared, programCondition, ROOT } from './conditions.ts';
import { ofOneThing } from './one-thing.ts';
import { Parts } from './parts.ts';
import type { Plan, PlanKind, Programs } from './plan.ts';
import type { Reading, Slot } from './read.ts';
import { said, TABLES } from './tables.ts';

/** The table that the parts are about; null when they do not say. */
function tableOf(parts: Parts, asked: string): string | null {
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

/** "The 2 newest" is "the newest 2". */
const turned = (pair: readonly [Slot, Slot] | null): readonly [Slot, Slot] | null =>
  pair === null ? null : [pair[1], pair[0]];

/** Rows that are read where one is asked for: several may be equally far in front. */
const TIES = 5;

export function compose({ slots, moment, language }: Reading, programs: Programs): Plan | null {
  const parts = new Parts(slots);
  if (parts.has('unread')) return null;
  const kindSlot = parts.take('kind');
  const asked = kindSlot?.value ?? 'list';
  const base = {
    language,
    moment,
    stranger: null,
    name: null,
    unmeasured: [],
    simple: false,
    limit: null,
    column: null,
    conditions: [],
  };
  const unmeasured = parts.takeAll('unmeasured').map(({ value }) => value);
  parts.takeAll('word', 'still');
  parts.takeAll('word', 'only');
  // A name beside a machine may be that of another one.
  if (parts.takeAll('word', 'machine').length > 0 && parts.has('stranger')) return null;

  const special = ofOneThing(parts, asked, { ...base, unmeasured });
  if (special !== undefined) return special;

  const table = tableOf(parts, asked);
  if (table === null) return null;
  const about = TABLES[table];
  if (about === undefined) return null;
  const tables = parts.takeAll('table').map(({ value }) => value);
  parts.takeAll('verb', 'listen');
  const runs = parts.takeAll('verb', 'run').length > 0;
  parts.takeAll('verb', 'hold');
  parts.takeAll('trait', 'accepted');
  if (table === 'blind') parts.takeAll('facet', 'check');
  const building: Building = { conditions: [], clauses: [] };
  const { conditions, clauses } = building;
  let column: string | null = null;
  let limit: number | null = null;

  // "Above port 1024".
  for (const [at, { part }] of parts.slots.entries())
    if (
      part === 'operator' &&
      parts.slots[at + 1]?.part === 'word' &&
      parts.slots[at + 1]?.value === 'port'
    ) {
      if (table !== 'listeners') return null;
      parts.slots.splice(at + 1, 1);
    }
  // Numbers.
  for (let one = parts.pair('operator', 'number'); one !== null; one = parts.pair('operator', 'number')) {
    const named = parts.slots.find(({ part, value }) => part === 'column' && about.columns.includes(value));
    const by = named?.value ?? (table === 'listeners' ? 'port' : null);
    if (by === null || (by !== 'threads' && by !== 'port')) return null;
    if (named !== undefined) parts.take('column', named.value);
    else parts.takeAll('word', 'port');
    conditions.push(compared(by, one[0].value, Number(one[1].value)));
  }
  const top =
    parts.pair('word', 'number', 'top') ??
    parts.pair('order', 'number') ??
    turned(parts.pair('number', 'order'));
  if (top !== null) {
    limit = Number(top[1].value);
    if (top[0].part === 'order') parts.slots.unshift(top[0]);
  } else if (parts.take('word', 'top') !== null) limit = 5;
  if (table === 'listeners') {
    const held = parts.pair('word', 'number', 'port');
    if (held !== null)
      conditions.push({
        query: `port = ${held[1].value}`,
        words: said(
          `on port ${held[1].value}`,
          `auf Port ${held[1].value}`,
          `en el puerto ${held[1].value}`,
          `sur le port ${held[1].value}`,
        ),
        step: `[port=${held[1].value}]`,
      });
    parts.takeAll('word', 'port');
  } else if (table === 'ports') parts.takeAll('word', 'port');
  const withColumn = parts.pair('number', 'column');
  if (withColumn !== null) {
    if (withColumn[1].value !== 'threads' || table !== 'processes') return null;
    conditions.push(compared('threads', '=', Number(withColumn[0].value)));
  }

  // Users and programs.
  if (parts.has('user')) {
    if (about.facets.user === undefined) return null;
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
  if (uid !== null)
    conditions.push({
      query: `uid = ${uid[1].value}`,
      words: said(
        `of user ${uid[1].value}`,
        `von Benutzer ${uid[1].value}`,
        `del usuario ${uid[1].value}`,
        `de l’utilisateur ${uid[1].value}`,
      ),
      step: `[uid=${uid[1].value}]`,
    });
  const program =
    parts.take('program') ?? (table === 'listeners' || table === 'processes' ? parts.take('stranger') : null);
  // Whether one program does something is more than whether there are rows.
  if (
    asked === 'whether' &&
    (program !== null || conditions.some(({ query }) => query.startsWith('port = ')))
  )
    return null;
  if (
    program?.part === 'stranger' &&
    table === 'processes' &&
    asked !== 'count' &&
    !program.value.startsWith('/')
  )
    return null;
  const stranger = program?.part === 'stranger' ? program.value : null;
  if (program !== null) {
    const condition = programCondition(table, program.value, programs);
    if (condition === null) return null;
    conditions.push(condition);
  }
  const found = parts.take('about') ?? parts.take('check');
  if (found !== null) {
    if (table !== 'findings') return null;
    conditions.push({
      query: aboutQuery(found),
      words: said(`about ${found.value}`, `zu ${found.value}`, `sobre ${found.value}`, `sur ${found.value}`),
      step: found.part === 'check' ? `[check=${found.value}]` : null,
    });
  }

  // Time.
  if (parts.take('time') !== null && (moment === null || !addTime(moment, table, parts, asked, building)))
    return null;

  // Conditions by a word.
  const worse = parts.take('word', 'andworse') !== null;
  for (const trait of parts.takeAll('trait')) {
    const condition = about.traits[trait.value];
    if (condition === undefined) return null;
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
  if (parts.has('word', 'not')) return null;

  // Order.
  const order = parts.take('order');
  const columns = parts.takeAll('column').map(({ value }) => value);
  const facets = parts.takeAll('facet').map(({ value }) => value);
  const per = parts.takeAll('word', 'per').length > 0;
  const name = found?.value ?? program?.value ?? null;
  if (parts.slots.length > 0) return null;
  const known = columns.find((one) => about.columns.includes(one)) ?? null;
  if (columns.some((one) => one !== known)) return null;
  const where = (): string => {
    const texts = conditions.map(({ query }) => query).filter((query) => query !== '');
    return texts.length === 0 ? '' : ` where ${texts.join(' and ')}`;
  };
  const query = (select: string, more = ''): string =>
    [
      `${table}${select === '' && !more.startsWith('group') ? ` select ${about.select}` : select}${where()}`,
      more,
      ...clauses,
    ]
      .filter((one) => one !== '')
      .join(' ');
  const made = (kind: PlanKind, text: string, more: Partial<Plan> = {}): Plan => ({
    ...base,
    ...{ kind, table, query: text, conditions, column, limit, stranger, name, unmeasured },
    ...more,
  });

  // What is not measured is not ordered by something else.
  if (unmeasured.length > 0 && known === null && asked !== 'since')
    return made('unmeasured', query(' select count()'));
  if (order !== null && order.value !== 'most' && order.value !== 'least') {
    const by = about.orders[order.value] ?? null;
    if (by === null || facets.some((one) => one !== 'program')) return null;
    // The scar has its own record of the last run.
    if (table === 'gate_runs' && asked === 'when') return null;
    column = by.replace('-', '');
    limit ??= 1;
    return made('first', query('', `order by ${by} limit ${limit > 1 ? limit : TIES}`), { column, limit });
  }
  const group = facets.map((one) => about.facets[one]).find((one) => one !== undefined) ?? null;
  if (order !== null || (limit !== null && (known !== null || tables.includes('findings')))) {
    const sign = order?.value === 'least' ? '' : '-';
    const by = known ?? (table === 'processes' && tables.includes('findings') ? 'findings' : null);
    limit ??= 1;
    if (by !== null && facets.every((one) => one === 'program'))
      return made('first', query('', `order by ${sign}${by} limit ${limit > 1 ? limit : TIES}`), {
        column: by,
        limit,
      });
    const grouped = group ?? (table === 'listeners' && tables.includes('processes') ? 'executable' : null);
    if (by !== null || grouped === null || facets.length > 1) return null;
    return made(
      'groups',
      query('', `group by ${grouped} order by ${sign}count() limit ${limit > 1 ? limit : TIES}`),
      { column: grouped, limit },
    );
  }
  if (per && group !== null && known === null && limit === null)
    return made('groups', query('', `group by ${group} order by -count()`), { column: group, limit: null });
  if (facets.some((one) => one !== 'program')) return null;
  if (limit !== null) return null;
  if (asked === 'when' || asked === 'since') {
    const by =
      known ??
      (table === 'processes' && name !== null
        ? 'start'
        : table === 'findings' && found !== null
          ? 'first_seen'
          : null);
    if (by === null || (found === null && program === null)) return null;
    if (runs && by !== 'start') return null;
    return made('when', query('', `order by ${by} limit 1`), { column: by });
  }
  if (asked === 'count' && known === 'threads' && program !== null && stranger === null)
    return made('first', query('', `order by -threads limit ${TIES}`), { column: known, limit: TIES });
  if (known !== null && !(known === 'start' && clauses.length > 0)) return null;
  const traits = new Set(Object.values(about.traits));
  const simple =
    conditions.every(
      (one) => traits.has(one) || /^(?:port|uid|check|comm|executable) (?:=|starts|ends) /.test(one.query),
    ) &&
    conditions.length < (asked === 'count' && program !== null ? 1 : 2) &&
    clauses.length === 0 &&
    table !== 'accepted' &&
    table !== 'blind';
  if (asked === 'count') return made('count', query(' select count()'), { simple });
  if (asked === 'whether') return made('whether', query(''), { simple });
  return asked === 'list' || asked === 'who' ? made('list', query(''), { simple }) : null;
}
