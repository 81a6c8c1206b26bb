/** Questions about the sites that are watched: how much of a time they were up, when they were down, how long they take to answer. Pure. */
import { valueText } from '../../../query/text.ts';
import { type HostAsking, planOf } from './named.ts';
import { clauses, timeWords } from './past.ts';
import type { Plan } from './plan.ts';

const SITE =
  /\b(?:(?:web ?)?sites?|web ?pages?|home ?pages?|domains?|urls?|web ?seiten?|seiten?|paginas?|sitios?(?: web)?|webs?|pages? web)\b/;
const UPTIME =
  /\b(?:uptimes?|availability|available|sla|verfugbar\w*|erreichbarkeit|betriebszeit|disponibilidad|disponibilite|taux de disponibilite|percent(?:age)?|prozent|por ?ciento|pour ?cent)\b/;
const DOWNS =
  /\b(?:down ?times?|outages?|down|offline|unreachable|unavailable|not (?:reachable|available|up|online)|ausfall\w*|ausgefallen|nicht (?:erreichbar|verfugbar|online|da)|(?:mal )?weg|unterbrech\w+|caidas?|cayo|caid[oa]s?|fuera de (?:linea|servicio)|interrupci\w+|inaccesible|no (?:disponible|accesible|respondi\w+)|pannes?|coupures?|interruptions?|hors (?:ligne|service)|indisponib\w+|inaccessible|injoignable|tombee?s?)\b/;
/** Without a word for a site. */
const OUTAGE =
  /^(?:(?!machine|server|box|rechner|maschine|maquina|servidor|equipo|serveur).)*\b(?:down ?times?|outages?)\b/;
const REACHABLE =
  /\b(?:reachable|online|up|erreichbar|verfugbar|accesible|disponible|accessible|joignable|en ligne)\b/;
const WAS =
  /\b(?:was|were|has|have|had|did|been|ever|how (?:often|many|long)|last|any|longest|war|waren|gab|hat|hatte|wurde|wie (?:oft|lange|viele)|letzte\w*|jemals|langste\w*|estuvo|ha|hubo|cayo|fue|cuant[oa]s?|ultim[oa]|alguna vez|se ha|ete|etait|eu|combien|derniere?s?|deja|plus long\w*)\b/;
const SPEED =
  /\b(?:response times?|answers? (?:the )?(?:slow\w*|fast\w*)|slow(?:est|er)?|fast(?:est|er)?|latency|load(?:ing)? times?|how (?:fast|slow|long does it take)|antwortzeit\w*|ladezeit\w*|langsam\w*|schnell\w*|latenz|tiempos? de (?:respuesta|carga)|lent[oa]s?|rapid[oa]s?|latencia|temps de (?:reponse|chargement)|lente?s?|rapides?|latence)\b/;
/** Other matters of sites, and what a desk does when one is down. */
const OTHER =
  /\b(?:alert\w*|alarm\w*|notif\w*|e?mails?|why|warum|wieso|por que|pourquoi|if|wenn|falls|how (?:do|can|to)|wie (?:kann|fuge)|como (?:puedo|anado|hago)|comment|certificate\w*|zertifikat\w*|certifica\w+|magazine|redirect\w*|resolv\w*|auflos\w*|dns|status ?pages?|mean\w*|bedeutet|significa|config\w*|services?|dienste?|servicios?|finding\w*|check\w*|add|hinzu\w*|anadir|ajouter|interval|every)\b/;
/** The span of `sites` that holds a time. */
const SPANS = [
  ['day', 26 * 3_600_000],
  ['week', 8 * 86_400_000],
  ['month', 32 * 86_400_000],
  ['quarter', Number.POSITIVE_INFINITY],
] as const;
export type SiteSpan = (typeof SPANS)[number][0];

const spanOf = ({ reading: { moment } }: HostAsking, nowMs: number): SiteSpan => {
  if (moment === null || moment.how === 'until') return 'quarter';
  return SPANS.find(([, most]) => nowMs - moment.ms <= most)?.[0] ?? 'quarter';
};

const columnsOf = (span: SiteSpan): string => `name, state, since, up_${span}, known_${span}`;

/** `sites`: the names of [[sites]]. Null for another question. */
export function sitePlan(asking: HostAsking, sites: readonly string[], nowMs: number): Plan | null {
  const { plain, reading } = asking;
  const { language, moment } = reading;
  const [name, ...more] = sites.filter((one) => plain.split(/[^\p{L}\d.-]+/u).includes(one.toLowerCase()));
  const isOfSite = SITE.test(plain) || OUTAGE.test(plain) || name !== undefined;
  if (!isOfSite || more.length > 0 || OTHER.test(plain)) return null;
  if (reading.slots.some(({ part }) => part === 'deskport' || part === 'check')) return null;
  const where = name === undefined ? '' : ` where name = ${valueText(name)}`;
  const base = { name: name ?? null, moment, column: spanOf(asking, nowMs) };
  const uptime = planOf(language, {
    ...{ ...base, kind: 'site-uptime', table: 'sites' },
    query: `sites select ${columnsOf(base.column)}${where}`,
  });
  if (SPEED.test(plain))
    return planOf(language, {
      ...{ ...base, kind: 'site-speed', table: 'sites' },
      query: `sites select name, ms, status, probed${where} order by -ms`,
    });
  if (UPTIME.test(plain) && (moment !== null || !REACHABLE.test(plain))) return uptime;
  const isPast = moment !== null || WAS.test(plain);
  if (isPast && (DOWNS.test(plain) || (moment !== null && REACHABLE.test(plain)))) {
    const of = name === undefined ? '' : ` where site = ${valueText(name)}`;
    return planOf(language, {
      ...{ ...base, kind: 'site-downs', table: 'site_downs', second: uptime },
      ...(moment !== null && { conditions: [timeWords(moment)] }),
      query: `site_downs select site, from, to, seconds, reason${of}${moment === null ? '' : clauses(moment)} order by -from`,
    });
  }
  // The public site has an answer of its own.
  return name === undefined ? null : { ...uptime, kind: 'site-state' };
}
