/** What happened in a span of time, by the time that the table of its noun has; and what keeps no time at all. Pure. */
import { clauses, timeWords } from './past.ts';
import type { Plan } from './plan.ts';
import { plainOf, type Reading, type Slot } from './read.ts';
import { type Condition, said, TABLES } from './tables.ts';

const OPENED =
  /\b(?:(?:re)?open(?:ed|ing|s)?|new(?:ly)?|start(?:ed|s|ing)?|appear\w*|came up|come up|added|bound|began|chang\w*|differ\w*|geoffnet\w*|aufgegangen|aufgemacht|neu\w*|(?:hinzu|dazu)gekommen|aufgetaucht|offnete\w*|gingen auf|geandert|verandert|abri\w+|abiert\w+|nuev\w+|aparec\w+|cambi\w+|empez\w+|ouvert\w*|nouve\w+|nouvel\w*|appar\w+|chang\w+|commenc\w+|ouvr\w+)\b/;
const CREATED =
  /\b(?:creat\w+|added|made|new(?:ly)?|newest|registered|set up|recent(?:ly)?|chang\w*|modif\w*|alter\w*|delet\w*|remov\w*|angelegt\w*|erstellt\w*|hinzugefugt\w*|(?:hinzu|dazu)gekommen|neu\w*|erzeugt\w*|geandert|verandert\w*|geloscht\w*|cre[oa]\w*|anadi\w*|agreg\w+|nuev\w+|cambi\w+|modific\w+|borr\w+|elimin\w+|cree\w*|ajout\w+|nouve\w+|chang\w+|supprim\w+|recientemente|recemment|kurzlich)\b/;
const NOTICED =
  /\b(?:notice\w*|noticing|detect\w*|observ\w*|record\w*|see|saw|seen|find|found|log|logged|register\w*|happen\w*|occur\w*|bemerkt|festgestellt|beobachtet|aufgezeichnet|gesehen|gefunden|entdeckt|aufgefallen|passiert|notado|notaste|observado|observaste|detectado|detectaste|visto|viste|registrado|registraste|encontrado|encontraste|remarque\w*|observe\w*|constate\w*|vu|detecte\w*|enregistre\w*|trouve\w*)\b/;
const WHAT =
  /^(?:[¿¡] ?)?(?:and |und |y |et )?(?:what|anything|was|hast du|ist dir|ist (?:etwas|was)|gab es|que|qu|quoi|algo|as tu|avez vous|did you|have you|has|hay algo|y a t il)\b/;
const LOGINS =
  /\b(?:log ?ins?|logged (?:in|on)|log(?:ged)? on|sign(?:ed)? in|anmeldung\w*|angemeldet|eingeloggt|inicios? de sesion|inici\w+ sesion|sesiones|entr(?:o|aron|ado)|conect\w+|connexions?|connect\w+|sessions?)\b/;
const STARTS =
  /^(?:spawned|created|forked|launched|begun|appeared|came|come|hinzugekommen|dazugekommen|erzeugt|creados|creado|nuevos|lanzados|crees?|apparus|lances?|nouveaux)$/;
const ALERT =
  /^(?:alert|alarm|alarma|alerta|meldung|warnung|benachrichtigung|notification|notificacion|aviso|avertissement)\w*\b/;
const SENT =
  /\b(?:why|warum|wieso|weshalb|pourquoi|got|gotten|receiv\w*|came|come|fire[ds]?|happen\w*|during|over|bekommen|bekam|gekriegt|erhalten|erhielt|kam|kamen|gekommen|ausgelost|wahrend|recib\w+|llego|llegaron|durante|hubo|recue?s?|recois|arriv\w+|eue?s?|pendant|durant|sent|send|delivered|went out|go out|gone out|gesendet|verschickt|versandt|geschickt|rausgegangen|enviad[oa]s?|enviaron|mandad[oa]s?|envoye\w*|parti\w*)\b/;
/** Why one was sent: the last one. */
const WHY_SENT =
  /\b(?:why|warum|wieso|weshalb|por que|pourquoi)\b.*\b(?:got|get|getting|receiv\w*|sent|send|bekomm\w*|bekam|gekriegt|erhalten|erhielt|geschickt|gesendet|verschickt|recib\w+|enviad\w*|enviaste|recue?s?|recois|envoye\w*)\b/;
const HISTORY =
  /\b(?:history|records?|recordings?|log|logs|memory|data|samples?|historie|verlauf|aufzeichnung\w*|geschichte|gedachtnis|daten|historial|registros?|datos|memoria|historique|enregistrements?|donnees|memoire)\b/;
const REACH =
  /\bhow far back\b|\bhow (?:many (?:days|weeks|hours)|much) (?:of )?(?:history|data|records?) (?:do|does|is|are|have)|\bwie viele tage (?:verlauf|historie|geschichte)|\bcuantos dias de (?:historial|datos|registros)|\bcombien de jours d (?:historique|enregistrement)|\bhow long (?:do|does|did) (?:you|your|it|the desk)\b.{0,30}\b(?:keep|remember|store|go back|reach)|\b(?:since when|how long) (?:do|does|have|has|are|is) (?:you|the desk|your)\b.{0,40}\b(?:record\w*|keep\w*|watch\w*|go|reach\w*|history|monitor\w*|measur\w*)|\bwie weit (?:reicht|geht|zuruck)\b|\bwie weit zuruck\b|\bseit wann (?:zeichnest|zeichnet|beobachtest|beobachtet|speicherst|gibt es|reicht|hast du)\b|\bhasta (?:donde|cuando|que fecha) (?:llega|alcanza|se remonta)|\bdesde cuando (?:guardas|registras|grabas|hay|tienes|observas|vigilas)|\bcuanto tiempo (?:guardas|conservas)|\bjusqu (?:ou|a quand) (?:remonte|va)|\bremonte\b|\bdepuis quand (?:enregistre\w*|gardes?|conserves?|observes?|surveille\w*)|\b(?:oldest|earliest|first) (?:record|entry|event|sample|data)\b/;
const OWN_MEMORY = /\b(?:ram|swap|free|used|frei\w*|libre)\b/;
const ENDED =
  /\b(?:ended|stopped|died|crashed|exited|terminated|killed|beendet|abgesturzt|gestorben|gestoppt|terminaron|terminado|murieron|cayeron|acabaron|arretes?|termines?|plantes?|morts)\b/;

interface Spanned {
  readonly reading: Reading;
  readonly plain: string;
}

type More = Partial<Plan> & Pick<Plan, 'kind' | 'table' | 'query'>;

/** A plan, or the same question with other slots. */
export interface Spans {
  readonly plan: Plan | null;
  readonly reading: Reading;
}

const listFor = (kind: string | null): 'count' | 'whether' | 'list' =>
  kind === 'count' ? 'count' : kind === 'whether' ? 'whether' : 'list';

/** Parts that a span of a table leaves no place for. */
const PLACED: ReadonlySet<Slot['part']> = new Set([
  'kind',
  'table',
  'filler',
  'time',
  'verb',
  'column',
  'word',
]);

export function spansOf({ reading, plain }: Spanned): Spans {
  const { slots, moment, language } = reading;
  const has = (part: Slot['part'], value?: string): boolean =>
    slots.some((one) => one.part === part && (value === undefined || one.value === value));
  const plan = (more: More): Spans => ({
    reading,
    plan: {
      ...{ language, conditions: [], column: null, limit: null, moment, stranger: null, name: null },
      unmeasured: [],
      ...more,
    },
  });
  const none: Spans = { reading, plan: null };
  if (moment === null && REACH.test(plain) && HISTORY.test(plain) && !OWN_MEMORY.test(plain))
    return plan(reachPlan(language));
  const kind = slots.find(({ part }) => part === 'kind')?.value ?? null;
  const table = slots.find(({ part }) => part === 'table')?.value ?? null;
  const isNamed = slots.some(
    ({ part, text }) =>
      part === 'program' ||
      (part === 'stranger' && !CREATED.test(plainOf(text))) ||
      part === 'user' ||
      part === 'deskport',
  );
  // No table has its own time.
  const span = moment === null || moment.how === 'ago' ? null : clauses(moment);

  const isOfAccounts =
    table === 'accounts' ||
    (has('facet', 'user') && table === null && !has('verb') && !has('facet', 'program'));
  const isNewest =
    has('order', 'newest') ||
    /\b(?:most recent|recently|new|zuletzt|neue?[rns]?|recien\w*|nuev[oa]s?|dernier\w*|recemment|nouve\w+)\b/.test(
      plain,
    );
  if (
    isOfAccounts &&
    !isNamed &&
    CREATED.test(plain) &&
    (span !== null || isNewest || kind === 'when') &&
    !LOGINS.test(plain)
  )
    return plan({
      ...{ kind: 'account-files', table: 'startup', limit: 1 },
      query: `startup select path, place, changed where ${ACCOUNT_FILES} order by -changed limit 50`,
    });
  const alerts = slots.find(
    ({ part, value, text }) => part === 'table' && value === 'findings' && ALERT.test(plainOf(text)),
  );
  const isPlain = slots.every(
    ({ part, value, text }) =>
      (PLACED.has(part) && value !== 'not') ||
      (part === 'trait' && (value === 'opened' || value === 'unlearned')) ||
      (part === 'unread' && SENT.test(plainOf(text))),
  );
  // The newest message, whenever it was.
  const isLast =
    moment === null &&
    (has('order', 'newest') || /\b(?:last|latest)\b/.test(plain) || WHY_SENT.test(plain)) &&
    (kind === 'when' || kind === 'list' || kind === null);
  const isOfLast = slots.every(
    ({ part, text }) =>
      part === 'order' || PLACED.has(part) || (part === 'unread' && SENT.test(plainOf(text))),
  );
  if (alerts !== undefined && isLast && isOfLast)
    return plan({
      ...{ kind: 'first', table: 'alerts', column: 'at', limit: 1 },
      query: `alerts select ${TABLES.alerts?.select} order by -at limit 1`,
    });
  const isCounted = alerts !== undefined && moment === null && kind === 'count' && SENT.test(plain);
  if (isCounted && isPlain)
    return plan({ ...{ kind: 'count', table: 'alerts' }, query: 'alerts select count()' });
  if (moment === null || span === null) return none;
  if (alerts !== undefined && isPlain) {
    const isCount = kind === 'count';
    return plan({
      ...{ kind: listFor(kind), table: 'alerts', conditions: [timeWords(moment)] },
      query: `alerts select ${isCount ? 'count()' : TABLES.alerts?.select}${span}${isCount ? '' : ' order by -at'}`,
    });
  }

  const isOfListeners = table === 'listeners' || has('word', 'port') || has('verb', 'listen');
  if (isOfListeners && OPENED.test(plain) && !isNamed && table !== 'findings' && kind !== 'when') {
    const numbers = slots.flatMap(({ part, value }) => (part === 'number' ? [value] : []));
    const of = numbers.length === 0 ? 'port is not none' : `port in (${numbers.join(', ')})`;
    return plan({
      ...{ kind: 'since-events', table: 'findings', name: 'listeners', conditions: [timeWords(moment)] },
      query: `findings select ${TABLES.findings?.select} where ${of}${span} ever order by -first_seen`,
    });
  }
  if (table === 'processes' && ENDED.test(plain) && !isNamed)
    return plan({
      ...{ kind: 'unkept', table: 'processes', name: 'ended' },
      query: 'processes select count()',
    });

  const isWhat = table === null && !isNamed && WHAT.test(plain) && NOTICED.test(plain);
  if (isWhat && !isOfListeners && !has('number') && !has('unmeasured') && isNoticed(slots))
    return plan({
      ...{ kind: 'happened', table: 'finding_events', conditions: [timeWords(moment)] },
      query: `finding_events select at, event, summary, finding${span} order by at`,
    });

  return { plan: null, reading: { ...reading, slots: withColumns(slots, plain, table) } };
}

const FUNCTION =
  /^(?:unusual|strange|else|important|interesting|tu|dir|du|as|avez|vous|hast|has|have|did|d|special|besonderes|raro|especial|special|qu|particulier)$/;
/** Nothing but that something was noticed. */
const isNoticed = (slots: readonly Slot[]): boolean =>
  slots.every(
    ({ part, text }) => part !== 'unread' || NOTICED.test(plainOf(text)) || FUNCTION.test(plainOf(text)),
  );

/** The files that say which accounts there are. */
const ACCOUNT_FILES = 'place in ("passwd", "shadow", "group", "user-record", "sudoers")';

const reachPlan = (language: Plan['language']): More => ({
  ...{ kind: 'reach', table: 'finding_events', moment: null },
  query: 'finding_events select at, event, summary, finding order by at limit 1',
  second: {
    ...{ kind: 'count', table: 'samples', language, conditions: [], column: null, limit: null, moment: null },
    ...{ stranger: null, name: null, unmeasured: [] },
    query: `samples select count() since 7d`,
  },
});

/** Words for an event as the column that has its time. */
function withColumns(slots: readonly Slot[], plain: string, table: string | null): readonly Slot[] {
  const isLogin = LOGINS.test(plain) && (table === null || table === 'accounts');
  return slots.map((slot) => {
    const { part, value, text } = slot;
    if (isLogin && part === 'trait' && value === 'can-log-in')
      return { ...slot, part: 'column', value: 'last_login' };
    if (
      table === 'processes' &&
      (part === 'unread' || (part === 'trait' && (value === 'unlearned' || value === 'opened')))
    )
      return STARTS.test(plainOf(text)) || part === 'trait'
        ? { ...slot, part: 'column', value: 'start' }
        : slot;
    if (table === 'generations' && part === 'trait' && value === 'allowed')
      return { ...slot, part: 'filler' };
    if (table === 'startup' && part === 'unread' && CREATED.test(plainOf(text)))
      return { ...slot, part: 'column', value: 'changed' };
    if (table === 'startup' && part === 'trait' && (value === 'unlearned' || value === 'opened'))
      return { ...slot, part: 'column', value: 'changed' };
    return slot;
  });
}

/** Beside a time of logins. */
export const LAST_ONLY: Condition['words'] = said(
  'Of each account only the last login is known',
  'Von jedem Konto ist nur die letzte Anmeldung bekannt',
  'De cada cuenta solo se conoce la última entrada',
  'De chaque compte, seule la dernière connexion est connue',
);
