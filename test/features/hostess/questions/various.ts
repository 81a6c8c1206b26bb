/** Questions that were once answered with another matter, or not at all: paths, names of accounts, sums, what starts with the server. */
import { each, one, type Question } from './question.ts';

const QUERY = /^(?:query|processes|listeners|computed|detection|findings)\b/;

export const VARIOUS: readonly Question[] = [
  one('workshop', 'how full is /var', QUERY, /\/var; above it \/ is/),
  ...each(
    'workshop',
    'what starts automatically when this server boots | quels services démarrent avec le serveur | was startet mit dem Server?',
    QUERY,
    /^1 .*nginx\.service/,
  ),
  ...each(
    'workshop',
    'list executables running from /home or /tmp | list programs running from /tmp or /home',
    QUERY,
    /^1 .*helper/,
  ),
  one('workshop', 'wich user uses the most cpu', QUERY, /^root \(uid 0\)/),
  one('workshop', 'how much memory do all the node processes use together', QUERY, /2 processes/),
  ...each(
    'workshop',
    'que puertos estan escuchando en todas las interfaces | which ports listen on every interface | welche Ports lauschen auf allen Schnittstellen',
    QUERY,
    /^3 /,
  ),
  ...each(
    'workshop',
    'zeig mir alle offenen befunde mit hoher schwere | findings with severity high | Befunde mit Schwere hoch',
    QUERY,
    /^1 .*720/,
  ),
  ...each(
    'workshop',
    'show me the authorized keys for admin | processes of user admin',
    QUERY,
    /called "admin"/,
  ),
  one('workshop', 'open findings older than two days', QUERY, /^None \(0\)/),
  ...each(
    'workshop',
    'what was the uptime of the website over the past 7 days | disponibilité du site cette semaine | Verfügbarkeit der Website diese Woche | disponibilidad del sitio esta semana',
    QUERY,
    /99\.9 %/,
  ),
  ...each(
    'workshop',
    'was there any downtime this week? | war die Website diese Woche mal weg? | se cayó la página esta semana? | le site est-il tombé cette semaine ?',
    QUERY,
    /^1 .*600 s.*503/,
  ),
  ...each('workshop', 'which of my sites answers slowest | temps de réponse du site', QUERY, /41\.27 ms/),
];
