/** Facts of the public site: whether its certificate was renewed, redirects, the web server. */

import { part, plain } from '../answer-builder.ts';
import { plainOf } from '../grammar/read.ts';
import { said } from '../grammar/tables.ts';
import type { Query } from '../intent.ts';
import { quoted } from '../paths.ts';
import { type Fact, unknown } from './fact.ts';

const NO_SITE = said(
  'no site is configured, so none was probed',
  'es ist keine Site konfiguriert, also wurde keine geprüft',
  'no hay ningún sitio configurado, así que no se sondeó ninguno',
  'aucun site n’est configuré, donc aucun n’a été sondé',
);
/** Where the question is about the site, or names nothing else. */
const isOfSite = ({ reading }: Query): boolean =>
  !reading.slots.some(
    ({ part: one, text }) =>
      one === 'number' ||
      ((one === 'program' || one === 'stranger' || one === 'deskport') && !/^https?$/i.test(text)),
  );

const CERTIFICATE = /\b(?:cert\w*|zertifikat\w*|tls|ssl)\b/;
const RENEWED = said(
  'the desk renews no certificate of the site, and does not record when one was renewed or whether something here renews it',
  'der Desk erneuert kein Zertifikat der Site und zeichnet nicht auf, wann eines erneuert wurde oder ob hier etwas es erneuert',
  'el desk no renueva ningún certificado del sitio, ni registra cuándo se renovó uno o si algo aquí lo renueva',
  'le desk ne renouvelle aucun certificat du site, et n’enregistre pas quand l’un l’a été ni si quelque chose ici le renouvelle',
);
const ENDS = said('It ends at', 'Es endet um', 'Termina en', 'Il se termine à');
const OF_CERTIFICATES = /^certificates\b/;

const RENEWAL: Fact = {
  asks: /\b(?:renew\w*|erneuer\w*|renov\w*|renuev\w*|renouvel\w*|(?:last |zuletzt |ultima vez |derniere fois )?(?:issued|ausgestellt|emitid[oa]|emis|delivre|reissued))\b/,
  not: /\b(?:how|wie|como|comment|lease|password|passwort|token|accept\w*|by whom|who|wer|quien|qui a emis|should|have to|has to|soon|bald|pronto|bientot|soll\w*|muss|must|need\w*|debo|dois|faut)\b/,
  where: ({ question, previous }) =>
    CERTIFICATE.test(plainOf(question.text)) || (previous !== null && OF_CERTIFICATES.test(previous)),
  tell(out, told) {
    out.say`${plain(unknown(told, RENEWED))}.`;
    if (out.read('site.certificate.valid_to') !== undefined)
      out.say`${plain(told(ENDS))} ${out.ground('site.certificate.valid_to')} (${out.ground('site.certificate.subject')}).`;
    else out.ground('site.configured');
    out.suggest("desk query 'certificates'", "desk query 'startup where runs contains certbot'");
    return false;
  },
};

const ONLY = said(
  'only {url} is probed, and redirects are not followed: whether another address leads there was not tested',
  'nur {url} wird geprüft, und Umleitungen wird nicht gefolgt: ob eine andere Adresse dorthin führt, wurde nicht versucht',
  'solo se sondea {url}, y no se siguen redirecciones: no se probó si otra dirección lleva allí',
  'seul {url} est sondé, et les redirections ne sont pas suivies : qu’une autre adresse y mène n’a pas été essayé',
);
const POINTS = said('It redirects to', 'Sie leitet um nach', 'Redirige a', 'Il redirige vers');
const NO_REDIRECT = said(
  'It does not redirect and answers',
  'Sie leitet nicht um und antwortet mit',
  'No redirige y responde',
  'Il ne redirige pas et répond',
);

const REDIRECTS: Fact = {
  asks: /\b(?:redirect\w*|umleit\w*|umgeleitet|weiterleit\w*|weitergeleitet|redirec\w*|redirig\w*)\b/,
  not: /\b(?:mails?|output|how|wie|como|comment|stdout|port forward\w*)\b/,
  where: isOfSite,
  tell(out, told) {
    out.suggest('desk public');
    if (out.ground('site.configured').value !== true) {
      out.say`${plain(unknown(told, NO_SITE))}.`;
      return false;
    }
    const { value } = out.ground('site.url');
    out.say`${plain(unknown(told, ONLY).replace('{url}', String(value)))}.`;
    const to = out.ground('site.redirect');
    if (to.value === '') out.say`${plain(told(NO_REDIRECT))} ${out.ground('site.status')}.`;
    else out.say`${plain(told(POINTS))} ${to}.`;
    return false;
  },
};

interface Kind {
  readonly asks: RegExp;
  readonly names: readonly string[];
  /** What the site answers belongs to it. */
  readonly ofSite?: true;
}
const KINDS: readonly Kind[] = [
  {
    asks: /\b(?:web ?servers?|http ?servers?|servidor(?:es)? (?:web|http)|serveurs? (?:web|http)|(?:is|does|lauft|geht|funktioniert|funciona|marche|fonctionne)\b.*\bhttps?)\b/,
    names: ['nginx', 'apache2', 'httpd', 'caddy', 'lighttpd', 'haproxy', 'traefik'],
    ofSite: true,
  },
  {
    asks: /\b(?:databases?|database servers?|datenbanken?|datenbankserver|bases? de datos|bases? de donnees)\b/,
    names: ['postgres', 'mysqld', 'mariadbd', 'mongod', 'redis-server', 'influxd', 'memcached'],
  },
  {
    asks: /\b(?:(?:web ?)?browsers?|navegador(?:es)?|navigateurs?)\b/,
    names: ['chromium', 'chrome', 'firefox', 'firefox-esr', 'brave', 'opera', 'epiphany'],
  },
];
const RUNS = said('Running', 'Es laufen', 'Se ejecutan', 'Tournent');
const NONE_RUNS = said(
  'No program of that kind that I know runs',
  'Kein Programm dieser Art läuft, das ich kenne',
  'No se ejecuta ningún programa de ese tipo que yo conozca',
  'Aucun programme de ce genre que je connais ne tourne',
);
const ANSWERS = said('The site answers', 'Die Site antwortet mit', 'El sitio responde', 'Le site répond');
const RUNNING =
  /\b(?:run\w*|up|on|alive|working|which|what|is there|are there|any|lauf\w*|aktiv|welche\w*|gibt es|geht|funktioniert|corr\w*|ejecut\w*|hay|activ\w*|funciona\w*|que|tourn\w*|quels?|y a t il|marche|fonctionne)\b/;

/** "Is the web server running", "which databases run here": by names of programs. */
const KIND_OF_PROGRAM: Fact = {
  asks: new RegExp(KINDS.map(({ asks }) => asks.source).join('|')),
  not: /\b(?:why|warum|how|wie|como|comment|slow|langsam|lent\w*|version|installed|installiert|instalad\w*|installe\w*|users?|ports?|puertos?|memory|cpu|ram|when|wann|cuando|quand|since|seit|desde|depuis|restart\w*|start\w*|which machine|findings?|history|desk|hostess|state|package\w*|redirect\w*|mcp|key|listen\w*|expose\w*|public|size|history|visit\w*)\b/,
  where: (asked) =>
    isOfSite(asked) && asked.reading.moment === null && RUNNING.test(plainOf(asked.question.text)),
  tell(out, told, { context, question }) {
    const plainText = plainOf(question.text);
    const { names, ofSite } = KINDS.find(({ asks }) => asks.test(plainText)) as Kind;
    const found = names.flatMap((name) => context.processes.named([name]).slice(0, 1));
    const list = found.map(([column, name]) => {
      const rows = `processes[${column}=${quoted(name)}]`;
      return part`${out.ground(`${rows}.comm`)} (pid ${out.ground(`${rows}.pid`)})`;
    });
    if (list.length > 0) out.say`${plain(told(RUNS))}: ${plain(list.map(({ text }) => text).join(', '))}.`;
    else out.say`${plain(told(NONE_RUNS))} (${out.ground('processes.length')}).`;
    if (ofSite && out.ground('site.configured').value === true)
      out.say`${plain(told(ANSWERS))} ${out.ground('site.status')}.`;
    out.suggest('desk public', 'desk query listeners');
    return true;
  },
};

export const SITE_FACTS: readonly Fact[] = [RENEWAL, REDIRECTS, KIND_OF_PROGRAM];
