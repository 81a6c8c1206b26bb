/**
 * Questions that combine: users by name, sums and shares, comparisons, ranges, "not", several conditions, accounts and what starts by
 * itself, in the scene `workshop.ts`. A class of questions each, in the language of the question.
 */
import { one, type Question } from './question.ts';

const ask = (text: string, wanted: Parameters<typeof one>[2], ...says: readonly RegExp[]): Question =>
  one('workshop', text, wanted, ...says);

const COUNT = 'query.rows[0].count()';

export const COMBINED: readonly Question[] = [
  // Users by their names.
  ask('how many processes does www-data have', 'processes[uid=33].length', /^2 processes of www-data/),
  ask('Wie viele Prozesse laufen unter www-data?', 'processes[uid=33].length', /^2 Prozesse von www-data/),
  ask('processes of user 1000 from /tmp', 'query.total', /^1 process .*helper \(pid 710\)/),
  ask('processes of anna or www-data with more than 4 threads', 'query.total', /^3 .*node.*node.*webd/),
  ask('Welches Programm hat der Benutzer karlheinz zuletzt gestartet?', 'query.total', /^Keine .*karlheinz/),
  ask("what's the newest process not owned by root", /\.comm$/, /^less \(pid 720\)/),
  ask('which user has the most processes', 'processes[uid=0].length', /^root: 13 processes/),
  ask('Name the two users with the most processes', 'users[uid=1000].name', /^root: 13 .*; anna: 5 /),
  // Sums, means, shares.
  ask('total number of threads across everything www-data runs', 'query.rows[0].sum(threads)', /^6 threads/),
  ask('¿Cuántos hilos suman entre todos los procesos de root?', 'query.rows[0].sum(threads)', /^37 hilos/),
  ask('average threads per process', 'computed.figure', /^3\.75 threads on average/),
  ask('Wie viele Threads hat ein Prozess im Durchschnitt?', 'computed.figure', /^3\.75 Threads im Durch/),
  ask('what share of the listeners is public, in percent', 'computed.figure', /^37\.5 %: 3 of 8/),
  ask('Break the open findings down by severity', /./, /medium: 2 .*high: 1 /),
  // Comparisons.
  ask('Does root run more processes than www-data?', COUNT, /^Yes: 13 .*root, 2 of www-data/),
  ask('Hat anna mehr Prozesse als root?', COUNT, /^Nein: 5 .*anna, 13 von root/),
  ask('Are there more TCP or UDP listeners?', COUNT, /^More of TCP: 8 .*, 0 of UDP/),
  ask('Which one started first, orderd or sshd?', /start$/, /^sshd .*; orderd /),
  // Ranges, several numbers, "not".
  ask('ports between 18000 and 19000', 'query.total', /^3 listeners/),
  ask('listeners that are not public', 'listeners[scope=loopback].length', /^5 listeners on loopback/),
  ask('Which required ports are not up?', 'query.total', /^1 .*shop-api/),
  ask('¿Qué hallazgos todavía no están aceptados?', /summary$/, /^3 hallazgos no aceptados/),
  ask('Welche Konten dürfen sich nicht anmelden?', 'query.total', /^3 Konten .*root.*www-data.*daemon/),
  ask('python processes of root that listen publicly', /./, /^None \(0\): .*python/),
  ask('Öffentliche TCP-Ports über 40000, die nicht root gehören', 'query.total', /^1 .*48790/),
  // Accounts, what starts by itself, the certificate.
  ask('accounts without sudo that can still log in', 'query.total', /^1 account .*bert/),
  ask('Does anna have sudo?', 'query.rows[0].rights', /^Yes.*anna/),
  ask('can backup2 become root', 'query.rows[0].rights', /^Yes.*backup2 .*uid 0/),
  ask('does bert have sudo', 'query.total', /^No\b/),
  ask('which shell does bert get', 'query.rows[0].shell', /^\/bin\/zsh: bert/),
  ask('¿Cuántas cuentas tienen uid 0?', COUNT, /^2 cuentas/),
  ask("Quelles tâches cron n'ont aucun garant ?", 'query.total', /^3 .*\/etc\/cron\.d\/maint/),
  ask("Qu'est-ce qui démarre tout seul sans être une unité systemd ?", 'query.total', /hors systemd/),
  ask('Who issued the certificate of our site?', 'site.certificate.issuer', /^Example Trust/),
  ask('Is our certificate going to expire within the next 30 days?', 'site.certificate.days', /^No, .*61/),
  // Names that nothing has, and misspelled words.
  ask('is ngnix runing??', /./, /^No \(0\): .*"ngnix"/),
  ask('hwo many procceses does root hav', 'processes[uid=0].length', /^13 processes/),
  ask('shopapi donw?', 'page.ports[port=48800].up', /^Yes: shop-api/),
  ask('whos got suod on this thing', 'query.total', /^1 account .*anna/),
  ask('orderd thredas', /threads$/, /^24 threads: orderd/),
];
