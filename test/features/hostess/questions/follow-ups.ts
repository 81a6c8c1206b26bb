/** Questions that follow others, and questions about the past, in the scene of `workshop.ts`: some of each class. */
import { one, type Question } from './question.ts';

type Wanted = Parameters<typeof one>[2];
const ask = (text: string, wanted: Wanted, ...says: readonly RegExp[]): Question =>
  one('workshop', text, wanted, ...says);
const after = (before: string, text: string, wanted: Wanted, ...says: readonly RegExp[]): Question => ({
  ...ask(text, wanted, ...says),
  after: before,
});
const unclear = (text: string, says: RegExp): Question => ask(text, { refuses: true, says: [says] });

const HOLDS = 'who holds port 48790?';
const OPEN = 'which findings are open?';
const ROOT = 'which processes does root run?';
const PUBLIC = 'which listeners are public?';

export const FOLLOW_UPS: readonly Question[] = [
  // Narrowing.
  after(ROOT, 'and how many of those have an open port?', /./, /^2 processes of root with an open port/),
  after('what started in the last hour?', "only root's", /./, /^None \(0\).* of root/),
  after(PUBLIC, "without root's", /./, /^1 listener .*without those of root: .*48790/),
  after('Combien de ports sont ouverts au public ?', "Lesquels n'ont jamais été appris ?", /./, /^1 .*48790/),
  after(OPEN, 'only the high ones', /./, /^1 finding .*720/),
  after(OPEN, 'which of them are accepted already', /./, /^None of them: .*1 accepted finding/),
  after('processes with more than 10 threads', 'and more than 20?', /./, /^1 process .*orderd/),
  after(
    'top 5 processes by number of threads',
    'now without the ones from root',
    /./,
    /^5 processes .*node.*helper/,
  ),
  // Another column.
  after(HOLDS, 'who runs it?', /uid$/, /^\S+ \(uid 1000\): .*python3/),
  after('Quel programme utilise le port 48803 ?', 'Sous quel utilisateur ?', /uid$/, /^root \(uid 0\)/),
  after('Wem gehört Port 48803?', 'Und wie viele Threads hat er?', /threads$/, /^24 Threads: orderd/),
  after('which processes run as user 1000?', 'which ports do they use?', /port/, /18772|48790/),
  after(HOLDS, 'what is its pid?', /pids/, /^700/),
  after('¿Quién escucha en el puerto 48790?', '¿Y desde cuándo?', /first_seen$/, /^2026-11-22T09:55/),
  after(OPEN, 'which check?', /check$/, /ld-preload/),
  // Another value.
  after(HOLDS, 'and 22?', /./, /^1 listener .*sshd/),
  after(HOLDS, 'what about sshd?', /./, /^1 listener .*22/),
  after('is shop-api up?', 'and orders?', 'page.ports[port=48803].up', /^Yes: orders/),
  after(
    'what happened between 14:00 and 15:00',
    'and between 7:00 and 9:00?',
    'query.total',
    /^2 events .*8766/,
  ),
  after('did the gate fail today?', 'and yesterday?', /./, /^None \(0\): .*that failed/),
  // Counts, and the order of rows.
  after(ROOT, 'how many?', /./, /^13 processes of root/),
  after('How many ports are open to the outside world', 'list them', /./, /^3 listeners.*48803.*48790/),
  after(ROOT, 'the first three', /./, /^systemd .*; orderd .*; vault/),
  after('Quel processus a le plus de threads ?', 'Et le deuxième ?', /threads$/, /^node .*16/),
  after('Welcher Prozess läuft am längsten?', 'Und welcher am kürzesten?', /start$/, /^less/),
  after(OPEN, 'the oldest one?', /first_seen$/, /LD_PRELOAD.*09:45/),
  after(PUBLIC, 'and the others?', /./, /^5 listeners beside those/),
  // Judgements and remedies.
  after(HOLDS, 'so should I be worried about it?', /severity$/, /^Yes: medium/),
  after(HOLDS, 'has that ever been learned?', /./, /^No: .*never learned/),
  after('who holds port 22?', 'has that ever been learned?', /allowed$/, /^Yes: .*sshd/),
  after(OPEN, 'how do I fix it?', /remedy$/, /^end process 720/),
  after(
    HOLDS,
    'how do I accept it?',
    { suggests: ['desk accept a000000000000002 --why "why it is fine"'] },
    /^desk accept a0+2/,
  ),
  after('Is nginx running?', 'should it be?', 'query.total', /^No record requires it/),
  after('is shop-api up?', 'should it be?', 'page.ports[port=48800].required', /^Yes: shop-api/),
  after('Is anything listening on 8766 right now?', 'was it ever?', /shut_down/, /^Yes: .*down now/),
  // Without what they are about.
  unclear('why?', /^I do not know what that is about/),
  unclear('only those of root', /^I do not know what that is about/),
  unclear('¿desde cuándo?', /^No sé a qué se refiere/),

  // The past.
  ask('When was port 8766 up the last time?', 'detection.shut_down[port=8766][0].at', /^2026-11-22T07:30:04/),
  ask(
    'Wann war Port 8766 zuletzt offen?',
    'detection.shut_down[port=8766][0].at',
    /^2026-11-22T07:30:04.*zu/,
  ),
  ask('¿Ha estado abierto alguna vez el puerto 8766?', /shut_down/, /^Sí/),
  ask('when was port 4711 last open?', { refuses: true, says: [/^That is not recorded/] }),
  ask('When did port 48790 first show up?', /first_seen$/, /^2026-11-22T09:55/),
  ask('since when is port 22 open', /start$/, /^Since 2026-11-21T22:30/),
  ask(
    'last 2 gate runs and how each of them ended',
    /gate_runs/,
    /^2026-11-22T10:24.* pass .*; 2026-11-22T07:30.* fail/,
  ),
  ask('How many times has the hygiene gate failed this week?', /count\(\)$/, /^1 gate run that failed/),
  ask('Combien de fois le contrôle d’hygiène a-t-il échoué depuis lundi ?', /count\(\)$/, /^1 .*échoué/),
  ask('when did the gate last pass', /^gate_runs/, /^2026-11-22T10:24.* pass/),
  ask('When was the baseline last learned, and which generation is it?', /learned$/, /generation 7/),
  ask(
    'what happened between 7:00 and 9:00',
    ['asked.since', 'asked.until', 'query.total'],
    /^2 events .*8766/,
  ),
  ask('what happened between 2 and 4 last night', {
    refuses: true,
    says: [/^That is not known/, /history begins/],
  }),
  ask('Was ist seit gestern Abend neu hinzugekommen?', 'asked.since', /^2 Ereignisse .*8766/),
  ask('was anything open at noon', { refuses: true, says: [/^That is not known/] }),
  ask('was anything open at 7:30 today', /./, /^Yes, 1 finding .*8766/),
  ask('how many processes were there at 14:00?', { refuses: true, says: [/^That is not known/] }),
  ask('Do we have more open findings today than a week ago?', {
    refuses: true,
    says: [/^That is not known: now 3/],
  }),
  ask(
    'Do we have more open findings now than an hour ago?',
    'detection.findings.length',
    /^More: 3 now, 0 then/,
  ),
  ask('Show how the thread count of orderd developed over the day', {
    refuses: true,
    says: [/not recorded.*24 threads/],
  }),
  ask('what started in the last hour?', /./, /^3 processes .*less/),
  ask('What new findings came in since yesterday noon?', /./, /^4 findings .*LD_PRELOAD/),
];
