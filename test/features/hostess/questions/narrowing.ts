/** Words that narrow, order and group: each is in the query, or the answer says that it was not used; in four languages. */
import { each, one, type Question } from './question.ts';

export const NARROWING: readonly Question[] = [
  ...each(
    'workshop',
    `
    what's started at boot? | which programs are enabled at boot? | how many things start at boot?
    Welche Programme starten automatisch beim Hochfahren? | Qu'est-ce qui démarre au boot ? | ¿qué programas se inician al encender?`,
    /^(?:query|processes|listeners)\b/,
    /^1 /,
  ),
  one('workshop', 'does sshd start at boot?', /^(?:query|processes|listeners)\b/, /^No \(0\)/),
  ...each(
    'workshop',
    'which systemd services are enabled? | welche Dienste sind aktiviert? | ¿qué servicios están habilitados? | quels services sont activés ?',
    /^(?:query|processes|listeners)\b/,
    /^1 .*wants\/nginx\.service/,
  ),
  ...each(
    'workshop',
    'count listeners per process | Listener pro Prozess | listeners par processus',
    /^(?:query|processes|listeners)\b/,
    /orderd: 3 .*sshd: 1 /,
  ),
  ...each(
    'workshop',
    `
    show me processes sorted by start time | processes by start time | Prozesse nach Startzeit sortiert
    procesos ordenados por hora de inicio | processus triés par heure de démarrage`,
    /^(?:query|processes|listeners)\b/,
    /^20 .*: systemd \(pid 1\), vault/,
  ),
  one(
    'workshop',
    'listeners sorted by port',
    /^(?:query|processes|listeners)\b/,
    /^8 listeners: \/usr\/sbin\/sshd/,
  ),
  one(
    'workshop',
    'accounts sorted by name',
    /^(?:query|processes|listeners)\b/,
    /^6 accounts: anna .* backup2/,
  ),
  ...each(
    'workshop',
    `
    list processes whose name contains 'part' | processes starting with part | Prozesse, deren Name part enthält
    procesos cuyo nombre empieza por part | processus dont le nom contient part`,
    /^(?:query|processes|listeners)\b/,
    /^9 .*"part"/,
  ),
  ...each(
    'workshop',
    'how many listeners do we have on ipv6? | is anything listening on IPv6?',
    /^(?:query|processes|listeners)\b/,
    /\(0\).* IPv6/,
  ),
  ...each(
    'workshop',
    `
    list the child processes of pid 1 | show children of systemd | Kindprozesse von systemd
    procesos hijos de systemd | processus fils de systemd`,
    /^(?:query|processes|listeners)\b/,
    /^19 /,
  ),
  ...each(
    'workshop',
    "what's the median rss of processes?",
    /^(?:query|processes|listeners)\b/,
    /did not use "median"/,
  ),
  ...each(
    'workshop',
    'which disk fills fastest? | which filesystem grows fastest',
    /^(?:query|processes|listeners)\b/,
    /did not use .*"fastest"/,
  ),
  ...each(
    'workshop',
    'how is the load on server db02? | how is host mail01 doing',
    { refuses: true },
    /this machine alone/,
  ),
  ...each(
    'workshop',
    'how full is /boot | how full is /var/log? | wie voll ist /home',
    /^query\./,
    /\/(?:boot|var\/log|home).* \/ (?:is|ist)/,
  ),
  ...each(
    'workshop',
    'Wer darf sich per SSH anmelden? | qui peut se connecter en ssh ? | ¿quién puede entrar por ssh? | who can log in via ssh',
    'query.total',
    /^3 /,
  ),
  ...each(
    'workshop',
    'depuis quand tourne la machine ? | seit wann läuft der Server',
    /^query\./,
    /^La machine tourne|^Die Maschine läuft/,
  ),
  one('workshop', 'any process without executable on disk', 'query.total', /^No \(0\)/),
  ...each(
    'workshop',
    'what runs at login | was startet bei der Anmeldung?',
    'query.total',
    /\(0\).*(?:at login|bei der Anmeldung)/,
  ),
  ...each(
    'workshop',
    'wie viel RAM hat mein NAS frei | combien de mémoire sur le serveur db02 ?',
    { refuses: true },
    /diese Maschine|cette machine/,
  ),
  one('workshop', 'solo los tres procesos con más memoria', /^query\./, /^sleep.*"solo"/),
  one('workshop', 'how much purple memory is free', /^query\./, /did not use "purple"/),
  ...each(
    'workshop',
    'when was the last alert sent | Quelle est la dernière alerte envoyée ?',
    'query.rows[0].at',
    /^2026-01-02T/,
  ),
];
