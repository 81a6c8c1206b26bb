/** The tables that questions are about: their nouns in each language, what they can be grouped and ordered by, and how conditions read. */
import { MORE_TABLES } from './more-tables.ts';
import type { Language } from './vocabulary.ts';

export type Said = Readonly<Record<Language, string>>;
export const said = (en: string, de: string, es: string, fr: string): Said => ({ en, de, es, fr });

/** A condition of a query: its text, how a person reads it, and the step of a path that chooses the same rows, where there is one. */
export interface Condition {
  readonly query: string;
  readonly words: Said;
  readonly step: string | null;
}

export interface Asked {
  readonly noun: Readonly<Record<Language, readonly [one: string, many: string]>>;
  /** The column that names a row. */
  readonly label: string;
  /** What a row of an answer has: nothing that names people or their command lines. */
  readonly select: string;
  /** The record that has the rows too, for paths: its root, and the column that chooses a row there. */
  readonly root: readonly [root: string, key: string] | null;
  /** Columns of that record. */
  readonly rooted: readonly string[];
  /** What `oldest`, `newest` and `worst` are ordered by. */
  readonly orders: Readonly<Partial<Record<string, string>>>;
  readonly facets: Readonly<Partial<Record<string, string>>>;
  readonly columns: readonly string[];
  readonly traits: Readonly<Partial<Record<string, Condition>>>;
}

const both = (
  en: readonly [string, string],
  de: readonly [string, string],
  es: readonly [string, string],
  fr: readonly [string, string],
): Asked['noun'] => ({ en, de, es, fr });

const is = (column: string, value: string, words: Said): Condition => ({
  query: `${column} = "${value}"`,
  words,
  step: `[${column}=${value}]`,
});

const severity = (value: string, words: Said): Condition => is('severity', value, words);

export const TABLES: Readonly<Record<string, Asked>> = {
  ...MORE_TABLES,
  processes: {
    noun: both(
      ['process', 'processes'],
      ['Prozess', 'Prozesse'],
      ['proceso', 'procesos'],
      ['processus', 'processus'],
    ),
    label: 'comm',
    select: 'comm, pid, uid, threads, start, findings',
    root: ['processes', 'pid'],
    rooted: [
      'comm',
      'pid',
      'uid',
      'start',
      'threads',
      'executable',
      'wrap',
      'kind',
      'findings',
      'ppid',
      'state',
    ],
    orders: { oldest: 'start', newest: '-start' },
    facets: { user: 'uid', program: 'comm' },
    columns: ['threads', 'start', 'findings'],
    traits: {
      wrapped: is('wrap', 'wrapped', said('that are wrapped', 'mit Confinement', 'confinados', 'confinés')),
      free: is(
        'wrap',
        'free',
        said('that are not wrapped', 'ohne Confinement', 'sin confinar', 'sans confinement'),
      ),
      zombie: is('kind', 'fried', said('that are zombies or dead', 'als Zombie', 'zombis', 'zombies')),
      kernel: is('kind', 'kernel', said('of the kernel', 'des Kernels', 'del kernel', 'du noyau')),
      'user-space': is(
        'kind',
        'process',
        said('of user space', 'im User Space', 'del espacio de usuario', 'en espace utilisateur'),
      ),
      own: { query: 'own', words: said('of the desk', 'des Desks', 'del desk', 'du desk'), step: '[own=1]' },
    },
  },
  listeners: {
    noun: both(
      ['listener', 'listeners'],
      ['Listener', 'Listener'],
      ['socket a la escucha', 'sockets a la escucha'],
      ['socket en écoute', 'sockets en écoute'],
    ),
    label: 'executable',
    select: 'executable, protocol, port, pids, inode, scope, allowed',
    root: ['listeners', 'inode'],
    rooted: ['executable', 'protocol', 'port', 'address', 'scope', 'allowed', 'uid', 'owner', 'pids'],
    orders: {},
    facets: { user: 'uid', program: 'executable', protocol: 'protocol' },
    columns: ['port'],
    traits: {
      public: is(
        'scope',
        'public',
        said(
          'reachable from outside',
          'von außen erreichbar',
          'accesibles desde fuera',
          'accessibles de l’extérieur',
        ),
      ),
      loopback: is(
        'scope',
        'loopback',
        said('on loopback only', 'nur auf Loopback', 'solo en loopback', 'en loopback seulement'),
      ),
      tcp: is('protocol', 'tcp', said('of TCP', 'mit TCP', 'de TCP', 'en TCP')),
      udp: is('protocol', 'udp', said('of UDP', 'mit UDP', 'de UDP', 'en UDP')),
      unlearned: {
        query: 'allowed is none',
        words: said('that nothing allows', 'durch nichts erlaubt', 'que nada permite', 'que rien n’autorise'),
        step: '[allowed=""]',
      },
      allowed: {
        query: 'allowed is not none',
        words: said('that something allows', 'die erlaubt sind', 'permitidos', 'autorisés'),
        step: null,
      },
    },
  },
  ports: {
    noun: both(
      ['desk port', 'desk ports'],
      ['Desk-Port', 'Desk-Ports'],
      ['puerto del desk', 'puertos del desk'],
      ['port du desk', 'ports du desk'],
    ),
    label: 'name',
    select: 'name, port, required, up',
    root: ['page.ports', 'port'],
    rooted: ['name', 'port', 'required', 'up'],
    orders: {},
    facets: {},
    columns: ['port'],
    traits: {
      required: {
        query: 'required',
        words: said('that are required', 'die erforderlich sind', 'obligatorios', 'obligatoires'),
        step: '[required=true]',
      },
      up: {
        query: 'up',
        words: said('that are up', 'die oben sind', 'activos', 'actifs'),
        step: '[up=true]',
      },
      down: {
        query: 'not up',
        words: said('that are down', 'die unten sind', 'caídos', 'arrêtés'),
        step: null,
      },
    },
  },
  findings: {
    noun: both(
      ['finding', 'findings'],
      ['Befund', 'Befunde'],
      ['hallazgo', 'hallazgos'],
      ['constat', 'constats'],
    ),
    label: 'summary',
    select: 'id, severity, check, state, summary, first_seen, last_seen, remedy, benign',
    root: ['detection.findings', 'id'],
    rooted: ['id', 'check', 'avenue', 'severity', 'summary', 'first_seen', 'last_seen', 'remedy', 'benign'],
    orders: { oldest: 'first_seen', newest: '-first_seen', worst: '-severity' },
    facets: { check: 'check', avenue: 'avenue', severity: 'severity' },
    columns: ['first_seen', 'last_seen'],
    traits: {
      critical: severity(
        'critical',
        said('of critical severity', 'der Schwere critical', 'de gravedad critical', 'de gravité critical'),
      ),
      high: severity(
        'high',
        said('of high severity', 'der Schwere high', 'de gravedad high', 'de gravité high'),
      ),
      medium: severity(
        'medium',
        said('of medium severity', 'der Schwere medium', 'de gravedad medium', 'de gravité medium'),
      ),
      low: severity('low', said('of low severity', 'der Schwere low', 'de gravedad low', 'de gravité low')),
      open: { query: 'state = open', words: said('open', 'offen', 'abiertos', 'ouverts'), step: '' },
      closed: {
        query: 'state = closed',
        words: said('that are closed', 'die geschlossen sind', 'cerrados', 'fermés'),
        step: null,
      },
    },
  },
  accepted: {
    noun: both(
      ['accepted finding', 'accepted findings'],
      ['angenommener Befund', 'angenommene Befunde'],
      ['hallazgo aceptado', 'hallazgos aceptados'],
      ['constat accepté', 'constats acceptés'],
    ),
    label: 'covers',
    select: 'covers, why, accepted, id',
    root: null,
    rooted: [],
    orders: { oldest: 'accepted', newest: '-accepted' },
    facets: {},
    columns: ['accepted'],
    traits: {},
  },
  blind: {
    noun: both(
      ['check that could not judge everything', 'checks that could not judge everything'],
      ['Prüfung, die nicht alles beurteilen konnte', 'Prüfungen, die nicht alles beurteilen konnten'],
      ['comprobación que no pudo juzgarlo todo', 'comprobaciones que no pudieron juzgarlo todo'],
      ['contrôle qui n’a pas pu tout juger', 'contrôles qui n’ont pas pu tout juger'],
    ),
    label: 'check',
    select: 'check, reason, cure',
    root: null,
    rooted: [],
    orders: {},
    facets: { avenue: 'avenue' },
    columns: [],
    traits: {},
  },
  generations: {
    noun: both(
      ['generation', 'generations'],
      ['Generation', 'Generationen'],
      ['generación', 'generaciones'],
      ['génération', 'générations'],
    ),
    label: 'number',
    select: 'number, how, learned, held',
    root: null,
    rooted: [],
    orders: { oldest: 'learned', newest: '-learned' },
    facets: {},
    columns: ['learned'],
    traits: {
      held: { query: 'held', words: said('that is held', 'die gilt', 'vigente', 'en vigueur'), step: null },
    },
  },
  gate_runs: {
    noun: both(
      ['gate run', 'gate runs'],
      ['Lauf des Gates', 'Läufe des Gates'],
      ['ejecución del gate', 'ejecuciones del gate'],
      ['passage de la porte', 'passages de la porte'],
    ),
    label: 'at',
    select: 'at, gate, scar_count',
    root: ['gate_runs', 'at'],
    rooted: ['at', 'gate', 'scar_count'],
    orders: { oldest: 'at', newest: '-at' },
    facets: {},
    columns: ['at'],
    traits: {
      failed: {
        query: 'gate = fail',
        words: said('that failed', 'die scheiterten', 'que fallaron', 'qui ont échoué'),
        step: null,
      },
    },
  },
  baseline_differences: {
    noun: both(
      ['difference', 'differences'],
      ['Unterschied', 'Unterschiede'],
      ['diferencia', 'diferencias'],
      ['différence', 'différences'],
    ),
    label: 'text',
    select: 'text, difference, kind',
    root: null,
    rooted: [],
    orders: {},
    facets: {},
    columns: [],
    traits: {},
  },
};
