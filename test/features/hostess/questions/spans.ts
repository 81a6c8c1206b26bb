/** Events in a span of time, words of tables and conditions, what is installed, what is out of reach; in four languages. */
import { each, one, type Question } from './question.ts';

const NOT_RECORDED = /is not recorded|nicht aufgezeichnet|no está registrado|n’est pas enregistré/;
const ALERTS = /alert messages|Alarmmeldungen|mensajes de alerta|messages d’alerte/;

export const SPANS: readonly Question[] = [
  ...each(
    'workshop',
    `
    processes started in the last hour | which processes were spawned in the last 60 minutes | proceses startd in teh last 60 minuts
    Welche Prozesse wurden in der letzten Stunde gestartet? | procesos iniciados en la ultma hora
    processus lancés depuis une heure`,
    [/^processes\[pid=\d+\]\.comm$|^query\.rows/],
    /^3 .*less \(pid 720\).*helper.*python3/,
  ),
  ...each(
    'workshop',
    `
    ports opened since yesterday | show me al ports opend sinse yesterday | did anything new start listening since yesterday
    Welche Ports wurden seit gestern geöffnet? | ¿Qué puertos se abrieron desde ayer? | quels ports ont été ouverts depuis hier ?`,
    ['query.total'],
    NOT_RECORDED,
    /48790/,
  ),
  ...each(
    'workshop',
    'any alerts today | Gab es heute Alarme? | ¿hubo alertas hoy? | des alertes aujourd’hui ? | any alerts in the last 30 minutes',
    ['query.total', 'detection.findings.length'],
    ALERTS,
  ),
  one('workshop', 'when was the last alert', 'query.rows[0].at', /^2026-01-02T/),
  ...each(
    'workshop',
    'logins last night | Wer hat sich heute angemeldet? | ¿quién ha entrado hoy? | qui s’est connecté aujourd’hui ?',
    'query.total',
    /only the last login|nur die letzte Anmeldung|solo se conoce la última|seule la dernière/,
  ),
  ...each(
    'workshop',
    'which account was created last | wurde seit gestern ein Konto angelegt? | ¿Qué cuenta se creó más recientemente? | quels comptes ont été créés cette semaine ?',
    'query.rows[0].changed',
    NOT_RECORDED,
  ),
  ...each(
    'workshop',
    'how far back does your history go | wie weit reicht deine Aufzeichnung zurück? | ¿desde cuándo guardas registros? | jusqu’où remonte ton historique ?',
    'query.reach.from',
    /2026-11-22T07:30/,
  ),
  ...each(
    'workshop',
    'what did you notice last night between 2 and 4 | Was hast du letzte Nacht bemerkt? | ¿qué detectaste anoche? | qu’as-tu remarqué cette nuit ?',
    { grounds: ['query.reach.from'], refuses: 'either' },
  ),
  one('workshop', 'what changed since noon', [/^finding_events\[\d+\]\.at$/], /The history begins at/),
  one('workshop', 'processes older than two days', 'query.total', /^1 process .*systemd/),
  ...each(
    'workshop',
    `
    which processes does user 1000 run | welche Prozesse gehören Benutzer 1000 | Montre-moi les processus lancés par l'utilisateur 1000
    muestra los procesos lanzados por el usuario 1000`,
    {},
    /^5 /,
  ),
  ...each(
    'workshop',
    `
    which ports does pid 600 have open | Auf welchen Ports lauscht Prozess 600? | ¿qué puertos tiene abiertos el proceso 600?
    quels ports utilise le processus 600 ?`,
    'query.total',
    /^3 .*18772/,
  ),
  ...each(
    'workshop',
    `
    what is started by cron | was wird von cron gestartet? | ¿qué se inicia por cron? | qu’est-ce qui est lancé par cron ?`,
    'query.total',
    /^4 .*maint/,
  ),
  ...each(
    'workshop',
    `
    quels programmes se lancent automatiquement ?`,
    'query.total',
    /^9 /,
  ),
  ...each(
    'workshop',
    'Welche Benutzer haben eine Login-Shell? | ¿qué usuarios tienen una shell válida?',
    'query.total',
    /^4 /,
  ),
  ...each(
    'workshop',
    '¿Cuántos usuarios hay en el sistema? | how many users are there | wie viele Benutzer gibt es?',
    {},
    /^6 /,
  ),
  ...each(
    'workshop',
    'how many findings are acknowledged | Wie viele Befunde sind quittiert? | ¿cuántos hallazgos están reconocidos? | combien de constats sont acquittés ?',
    {},
    /^1 /,
  ),
  one('workshop', 'how many findings are acknowledged and by whom', {}, /^1 accepted finding\..*"by whom"/),
  ...each(
    'workshop',
    'is there anything executing out of a deleted file | läuft etwas aus einer gelöschten Datei? | ¿hay procesos de un archivo borrado?',
    'query.total',
    /\(0\)/,
  ),
  ...each(
    'workshop',
    'is gcc installed | Ist gcc installiert? | Est-ce que gcc est installé ? | ¿Está instalado gcc?',
    'installed.found[0].version',
    /gcc 4:12/,
  ),
  ...each(
    'workshop',
    'do I have docker | habe ich docker? | ¿tengo docker? | j’ai docker ?',
    'installed.found[0].name',
    /docker\.io 20/,
  ),
  ...each('workshop', 'is git installed | Ist nginx installiert?', 'installed.total', /^(?:No|Kein)\b/),
  one(
    'workshop',
    'is node installed',
    [/^processes\[.*\.executable$/],
    /^Not as a package: .*\/usr\/bin\/node/,
  ),
  ...each(
    'workshop',
    'which packages were removed today | Welche Pakete wurden heute installiert? | ¿qué paquetes se instalaron ayer? | quels paquets ont été installés cette semaine ?',
    { refuses: true, says: [NOT_RECORDED] },
  ),
  ...each(
    'workshop',
    `
    what is my public IP address | Wie lautet meine öffentliche IP? | ¿cuál es mi IP pública? | quelle est mon adresse IP publique ?
    who is sitting at the keyboard | Wer sitzt gerade am Rechner? | what did my colleague eat for lunch | ¿qué hace mi jefe?
    ¿Cómo está el servidor de correo de la otra oficina? | how is the other server doing | was kostet ein Bier`,
    { refuses: true, never: [/clipboard|token|configur/i] },
  ),
  one('workshop', 'who owns pid 600', 'processes[pid=600].uid', /Process 600 is node/),
  one('workshop', 'is node listening on more than one port?', {}, /^Yes, 3 /),
  one('workshop', 'Combien de processus tournent en ce moment ?', {}, /^20 processus/),
  one('workshop', 'is port 22 reachable from another machine', /^listeners/, /22/),
];

/** A word has no place in the table: it is not answered as if it were not there. */
export const UNPLACED: readonly (readonly [ask: string, word: string])[] = [
  ['any orange findings', 'orange'],
  ['zeige mir alle eingefrorenen Prozesse', 'eingefrorenen'],
  ['liste les processus gelés', 'gelés'],
];
