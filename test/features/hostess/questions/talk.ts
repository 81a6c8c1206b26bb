/** Small talk, questions about the hostess herself, how-to of the desk, and words of Linux: in four languages, and misspelled. */
import { each, one, type Question } from './question.ts';

const talk = (wordings: string, ...says: readonly RegExp[]): Question[] =>
  each('workshop', wordings, { grounds: [] }, ...says);
const command = (wordings: string, says: RegExp): Question[] =>
  each('workshop', wordings, { grounds: [] }, says);
const meant = (wordings: string, word: string): Question[] =>
  each('workshop', wordings, { grounds: [new RegExp(`^words\\[word="?${word}"?\\]\\.meaning$`)] });

export const TALK_QUESTIONS: readonly Question[] = [
  ...talk('hello there! | hi | good morning hostess', /^Hello/),
  ...talk('Moin! | Guten Tag', /^Hallo/),
  ...talk('buenos días', /^Hola/),
  ...talk('coucou', /^Bonjour/),
  ...talk('thanks, that was helpful | thnaks', /^You are welcome/),
  ...talk('vielen Dank für die Hilfe!', /^Gern geschehen/),
  ...talk('you are useless | that was not what I asked', /^I am sorry/),
  ...talk('das hilft mir nicht weiter | das war falsch', /^Es tut mir leid/),
  ...talk('no me sirve', /^Siento/),
  ...talk('tu ne sers à rien', /^Désolée/),
  ...talk('merci beaucoup, au revoir', /^Au revoir/),
  ...talk('who made you? | who is your creator', /maintainers.*MIT/),
  ...talk('are you an AI? | do you use chatgpt', /^No, .*rules/),
  ...talk('¿eres una IA?', /^No, .*reglas/),
  ...talk('es-tu un robot ?', /^Non, .*règles/),
  ...talk('which languages do you speak | do u speak german?', /^English, German, French and Spanish/),
  ...talk('Sprichst du Deutsch?', /^Deutsch/),
  ...talk('are you sure? | how do you know that?', /lists the values/),
  ...talk('do you save my questions', /^No, the service keeps no questions/),
  ...talk('speicherst du meine Fragen?', /^Nein/),
  ...talk('can you learn?', /^No, I do not learn/),
  one('workshop', 'Hola, ¿qué sabes hacer?', 'charge.she'),
  one('workshop', 'Bonjour, tu vas bien ?', 'status.ok', /^Le desk/),
  one('workshop', '¿qué tal estás?', 'status.ok', /^El desk/),
  // These begin as small talk, but are questions.
  one('workshop', 'good morning, which ports are open?', { says: [/^8 listeners/] }),
  one('workshop', 'how do you know that sshd is listening', /^listeners/),
  one('workshop', 'why not ok?', 'status.issues[0]'),

  ...command('how can i turn off alerts for an hour | mute alerts 1h', /^desk quiet 1h --why/),
  ...command('Wie schalte ich die Benachrichtigungen für eine halbe Stunde stumm?', /^desk quiet 30m/),
  ...command('¿Cómo silencio las alertas? | comment désactiver les alertes ?', /^desk quiet/),
  ...command('how do I test the alerts', /^desk alert test/),
  ...command('how do I turn alerts back on', /^desk quiet end/),
  ...command('where is the config file | wo liegt die Konfigurationsdatei?', /\/etc\/desk\/desk\.toml/),
  ...command('where do you keep your data', /\/var\/lib\/desk/),
  ...command('how do I back up your data | comment sauvegarder les données du desk ?', /baseline\.key/),
  ...command('Comment exporter l’historique en CSV ?', /^desk history --json.*pas de CSV/),
  ...command('Wie quittiere ich einen Befund?', /desk accept a0{14}1 --why/),
  // The finding that is meant need not be the first one.
  one('workshop', 'how do I accept the finding for port 2024', { never: [/a0{14}1/] }),
  ...command('how do I use this with nagios', /^desk check/),
  ...command('can I run it without root?', /^desk install --user/),
  ...command('how do I quarantine a process', /isolates no programs/).map((question) => ({
    ...question,
    refuses: 'either' as const,
  })),
  ...command('can I add my own alert rule? how', /no alert rules of your own/),

  ...command('can you mute the alerts | kannst du die Alarme ausschalten?', /^desk quiet TIME/),
  ...command('how to hook up grafana | Prometheus integration?', /GET \/metrics/),
  { ...one('workshop', 'when did it start', { says: [/^Since .*sshd/] }), after: 'who is using port 22' },
  {
    ...one('workshop', 'when did it start', 'query.total', /nothing listens there/),
    ...{ after: 'who is using port 54843', refuses: true },
  },
  {
    ...one('workshop', 'is it known in the baseline', { says: [/^Yes: .*sshd/] }),
    after: 'what is on port 22',
  },

  ...meant('what is a port | Was ist ein Port?', 'port'),
  one('workshop', "explain inode like I'm five", /^query/, /Each file needs an inode/),
  ...meant('what is a setuid program | what does setuid mean', 'setuid'),
  ...meant('¿Qué es una unidad de systemd?', 'systemd unit'),
  ...meant('erkläre mir seccomp | explain seccomp', 'seccomp'),
  ...meant('what is cron', 'cron'),
  one('workshop', 'Unterschied zwischen Warnung und Befund', 'words[word=finding].meaning', /"Warnung"/),
  one('workshop', "what's the difference between a listener and a port", [
    'words[word=listener].meaning',
    'words[word=port].meaning',
  ]),
];
