/** Tables that questions come to by way of others, or that hold the past. */
import type { Asked } from './tables.ts';

const asked = (noun: Asked['noun'], label: string, select: string, orders: Asked['orders'] = {}): Asked => ({
  ...{
    noun,
    label,
    select,
    orders,
    root: null,
    rooted: [],
    facets: {},
    columns: [],
    numbers: [],
    user: null,
    traits: {},
  },
});

export const MORE_TABLES: Readonly<Record<string, Asked>> = {
  finding_events: asked(
    {
      en: ['event of a finding', 'events of findings'],
      de: ['Ereignis eines Befunds', 'Ereignisse von Befunden'],
      es: ['evento de un hallazgo', 'eventos de hallazgos'],
      fr: ['événement d’un constat', 'événements de constats'],
    },
    'summary',
    'at, event, summary, finding',
    { oldest: 'at', newest: '-at' },
  ),
  alerts: asked(
    {
      en: ['alert message', 'alert messages'],
      de: ['Alarmmeldung', 'Alarmmeldungen'],
      es: ['mensaje de alerta', 'mensajes de alerta'],
      fr: ['message d’alerte', 'messages d’alerte'],
    },
    'title',
    'at, severity, title, target, kind',
    { oldest: 'at', newest: '-at' },
  ),
  samples: asked(
    {
      en: ['sample', 'samples'],
      de: ['Messwert', 'Messwerte'],
      es: ['muestra', 'muestras'],
      fr: ['mesure', 'mesures'],
    },
    'at',
    'at, pids, public_listen, bgl, findings',
    { oldest: 'at', newest: '-at' },
  ),
  documentation: asked(
    {
      en: ['entry of the documentation', 'entries of the documentation'],
      de: ['Eintrag der Dokumentation', 'Einträge der Dokumentation'],
      es: ['entrada de la documentación', 'entradas de la documentación'],
      fr: ['entrée de la documentation', 'entrées de la documentation'],
    },
    'name',
    'name, meaning',
  ),
};
