/** Tables of what was found, learned and accepted. */
import { type Asked, both, is, type Said, said, type Trait } from './table.ts';

const severity = (value: string, words: Said): Trait => is('severity', value, words);

export const REPORT_TABLES: Readonly<Record<string, Asked>> = {
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
    numbers: ['port'],
    user: ['user', 'name'],
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
      open: {
        query: 'state = open',
        words: said('open', 'offen', 'abiertos', 'ouverts'),
        step: '',
        opposite: 'closed',
      },
      closed: {
        query: 'state = closed',
        words: said('that are closed', 'die geschlossen sind', 'cerrados', 'fermés'),
        step: null,
        opposite: 'open',
      },
      accepted: {
        query: 'state = closed',
        words: said('accepted', 'angenommen', 'aceptados', 'acceptés'),
        step: null,
        opposite: 'unaccepted',
      },
      // What was accepted is no open finding any more.
      unaccepted: {
        query: 'state = open',
        words: said('not accepted', 'nicht angenommen', 'no aceptados', 'non acceptés'),
        step: '',
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
    numbers: [],
    user: null,
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
    numbers: [],
    user: null,
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
    root: ['generations', 'number'],
    rooted: ['number', 'how'],
    orders: { oldest: 'learned', newest: '-learned' },
    facets: {},
    columns: ['learned'],
    numbers: [],
    user: null,
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
    numbers: [],
    user: null,
    traits: {
      failed: {
        query: 'gate = fail',
        words: said('that failed', 'die scheiterten', 'que fallaron', 'qui ont échoué'),
        step: null,
        opposite: 'passed',
      },
      passed: {
        query: 'gate = pass',
        words: said('that passed', 'die bestanden', 'que pasaron', 'réussis'),
        step: null,
        opposite: 'failed',
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
    numbers: [],
    user: null,
    traits: {
      unlearned: {
        query: 'difference = added and kind = identity',
        words: said(
          'of programs that run and were not learned',
          'von Programmen, die laufen und nicht gelernt wurden',
          'de programas en ejecución no aprendidos',
          'de programmes en cours non appris',
        ),
        step: null,
      },
    },
  },
};
