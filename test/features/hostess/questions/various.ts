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
  ...each(
    'workshop',
    `is 8080 allowed | may port 8080 listen | can I use port 8080
    ist port 8080 erlaubt | ¿está permitido el puerto 8080? | le port 8080 est-il autorisé ?`,
    ['law.listen.length', 'listeners[port=8080].length'],
    /^(?:No|Nein|Non): .*\[\[listen\]\]/,
  ),
  ...each(
    'workshop',
    'is 8443 allowed | ist 8443 erlaubt | ¿puede algo escuchar en el puerto 8443?',
    'law.listen[1].ports',
    /^(?:Yes|Ja|Sí): .*443, 8443/,
  ),
  ...each('workshop', 'is 8766 banned | ist Port 8766 verboten?', 'law.banned[0]', /^(?:Yes|Ja)\b/),
  ...each('workshop', 'is port 8766 allowed | is 8766 allowed', 'law.banned[0]', /^No\b/),
  ...each('workshop', 'is port 23 banned | le port 23 est-il interdit ?', 'law.banned', /^Non?: /),
  ...each(
    'workshop',
    `how do I add port 8080 to the allowed list | wie erlaube ich Port 8080
    ¿cómo añado el puerto 8080 a la lista de permitidos? | comment autoriser le port 8080`,
    { says: [/\[\[listen\]\] .*8080.*law\.toml/], never: [/\[\[ports\]\]/] },
  ),
  ...each(
    'workshop',
    'allow port 8080 | add 8080 to allowed ports | erlaube Port 8080 | autorise le port 8080',
    { refuses: true, says: [/\[\[listen\]\] .*8080/] },
  ),
  ...each(
    'workshop',
    'how do I ban port 23 | comment interdire le port 23 | ¿cómo prohíbo el puerto 23?',
    /^keys/,
    /also = \[23\]/,
  ),
  one('workshop', 'how do I stop you from complaining about port 48790', /^detection/, /desk accept a0+2 /),
  ...each(
    'workshop',
    'which ports are allowed? | Welche Ports sind erlaubt?',
    'law.listen[1].ports',
    /443, 8443/,
  ),
  {
    ...one('workshop', 'und welche gesperrt?', 'law.banned[0]', /8766/),
    after: 'Welche Ports sind erlaubt?',
  },
  { ...one('workshop', 'and which are banned?', 'law.banned[0]', /8766/), after: 'which ports are allowed?' },
  ...each(
    'workshop',
    'which config file are you using | wo liegt deine konfiguration | qué archivo de configuración usas | quel fichier de configuration utilises-tu',
    ['config.law.file', /^words/],
    /\/etc\/desk\/desk\.toml/,
    /law\.toml/,
  ),
  ...each(
    'workshop',
    "is anna's home encrypted | ist die festplatte verschlüsselt | ¿está cifrado el directorio de anna? | is swap encrypted",
    { refuses: true, says: [/lsblk/], never: [/[Cc]ertifi|Zertifikat/] },
  ),
  ...each(
    'workshop',
    'Wie setze ich die Baseline neu? | how do I rebuild the baseline | como reinicio la linea base | clear the baseline',
    /^words/,
    /desk baseline restore 0/,
  ),
  ...each(
    'workshop',
    'what does it mean that the baseline is unapproved | is the baseline approved | que veut dire baseline non approuvée',
    'page.baseline.to_review',
    /desk baseline review --done/,
  ),
  ...each(
    'workshop',
    'is node running as root | läuft node als root',
    /^(?:query|processes)\b/,
    /^(?:No|Nein) \(0\).*node (?:runs as|läuft als) anna/,
  ),
  ...each('workshop', 'are you running as root | läuft der desk als root', {
    refuses: true,
    never: [/systemd/],
  }),
  ...each(
    'workshop',
    'can I unban 8766 | how do I allow port 8766 | wie entsperre ich Port 8766',
    'law.banned',
    /banned-listener/,
  ),
  ...each(
    'workshop',
    'what happens when a banned port is opened | was passiert, wenn ein verbotener Port geöffnet wird',
    ['config.banned.shut_down', 'keys[key=banned.shut_down].meaning'],
    /banned-listener/,
  ),
  ...each('workshop', 'is the config valid | ist deine Konfiguration gültig', {
    refuses: 'either',
    says: [/desk config check/],
  }),
  ...each('workshop', 'what does %sudo ALL=(ALL:ALL) ALL mean', /^words/, /sudoers.*group/),
  ...each('workshop', 'wie viele Ausnahmen gibt es | how many exceptions are there', 'law.except.length'),
  one('workshop', 'may nginx listen on 631', 'law.listen[0].executable', /^No: .*cupsd/),
  ...each(
    'workshop',
    'may cupsd listen on 631 | darf cupsd auf 631 lauschen',
    /^law/,
    /^(?:Yes|Ja): .*cupsd/,
  ),
  ...each(
    'workshop',
    'what happens if the config is broken | was passiert wenn die konfiguration fehler hat',
    /^commands/,
    /desk config check/,
  ),
  ...each(
    'workshop',
    'which keys can I set | welche einstellungen gibt es',
    'keys.length',
    /configuration\.md/,
  ),
  one('workshop', 'what does banned.also do', /^keys/, /stay down/),
  ...each(
    'workshop',
    'welche ports überwachst du | which ports do you monitor',
    /^query|^page/,
    /^3 .*control .*orders/,
  ),
  ...each(
    'workshop',
    'are all open ports allowed | sind alle offenen ports erlaubt',
    /^(?:query|listeners)\b/,
    /^(?:No|Nein), 4 /,
  ),
  ...each('workshop', 'is 22 banned | ist 22 gesperrt', 'law.banned', /^(?:No|Nein): .*22/),
  ...each(
    'workshop',
    'may port 18772 be open | darf Port 18772 offen sein',
    /^(?:query|listeners)\b/,
    /^(?:No|Nein): /,
  ),
  ...each('workshop', 'stop allowing port 22 | how do I stop allowing port 22', {
    refuses: 'either',
    says: [/\[\[listen\]\]/],
    never: [/also =/],
  }),
  ...each(
    'workshop',
    'was the baseline tampered with | ist die baseline gültig',
    'detection.findings[check=baseline-tampered].length',
    /baseline-tampered: 0/,
  ),
  ...each('workshop', 'what was learned in generation 7 | was wurde in generation 7 gelernt', {
    refuses: true,
    never: [/port 7|Port 7/],
  }),
  ...each(
    'workshop',
    'how do I approve the baseline | wie bestätige ich die baseline | ¿cómo apruebo la línea base?',
    'page.baseline.to_review',
    /desk baseline review --done/,
  ),
  ...each('workshop', 'lernt der desk von selbst | is auto learning on', /^words/, /auto: system/),
];
