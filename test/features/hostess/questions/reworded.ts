/** Questions in other words than the grammar has, times that have passed, and what may listen where nothing does. */
import { each, one, type Question } from './question.ts';

const QUERY = /^(?:query|vitals|listeners|computed|detection|findings|asked|finding_events)\b/;
const ANY = /./;

const after = (before: string, ask: string, ...says: readonly RegExp[]): Question => ({
  ...one('workshop', ask, ANY, ...says),
  after: before,
});

export const REWORDED: readonly Question[] = [
  ...each(
    'workshop',
    'any problems last night? | were there problems last night | problemas de anoche | y a-t-il eu des problèmes hier ? | issues during the weekend',
    'asked.since',
  ),
  ...each(
    'workshop',
    'give me a summary of the week | short summary for my boss this week | Zusammenfassung der letzten Woche | resumen de esta semana | résumé de la semaine',
    'asked.since',
  ),
  one('workshop', 'what happened while I was away for two weeks', QUERY, /^2 events/),
  ...each(
    'workshop',
    'how many findings were opened in november | wie viele Befunde im November',
    QUERY,
    /^5 /,
  ),
  one('workshop', 'show findings in december 2025', { says: [/^That is not known/], refuses: 'either' }),
  one('workshop', 'how many alerts were sent in the last 24h?', QUERY, /^None \(0\).*24 hours/),
  ...each(
    'workshop',
    'why did you wake me up | warum hast du mich geweckt? | por qué me despertaste | pourquoi m’as-tu réveillé ?',
    QUERY,
    /high: a finding/,
  ),
  ...each('workshop', 'What was the CPU usage around 3 a.m.? | cpu um 3 Uhr nachts', QUERY, /12\.5 %/),
  ...each(
    'workshop',
    'did the oom killer kill anything this week | was anything killed because of out of memory',
    QUERY,
    /^No: .* 0 processes/,
  ),
  one('workshop', 'how much swap is in use and who is using it', QUERY, /1\.0 GiB swap.*not measured/),
  ...each(
    'workshop',
    'is anything listening on all interfaces that should only be on localhost | which services are exposed but should be local | welche Dienste lauschen auf allen Schnittstellen und sollten es nicht',
    QUERY,
    /1 .*48790/,
  ),
  ...each('workshop', 'why is an open port 25 a problem? | Warum ist ein offener Port 25 ein Problem?', {
    says: [/"25".* beyond loopback/],
    never: [/48790/],
    mayRefuse: true,
  }),
  after('what is the worst finding', 'why is it high', /less.*harmless/),
  after('was ist der schlimmste Befund', 'warum ist der hoch?', /less.*harmlos/),
  ...each(
    'workshop',
    'which services are running | welche Dienste laufen | qué servicios están activos | quels services tournent',
    QUERY,
    /systemctl list-units/,
  ),
  ...each('workshop', 'is the disk encrypted | is anna’s home encrypted | ist die Festplatte verschlüsselt', {
    refuses: true,
  }),
  ...each(
    'workshop',
    'is 8080 allowed | may something listen on 8080 | darf auf Port 8080 etwas lauschen? | ¿está permitido el puerto 8080? | le port 8080 est-il autorisé ?',
    /^listeners/,
    /^(?:No|Nein|Non): .*8080.* 0\./,
  ),
  one(
    'workshop',
    'is port 8766 allowed',
    ['listeners[port=8766].length', ['law.banned[0]', 8766]],
    /bans port 8766/,
  ),
  ...each(
    'workshop',
    'list your commands | What commands can I use on the command line? | quelles commandes existent ?',
    ANY,
    /46 commands/,
  ),
  ...each('workshop', 'list all users who can use sudo | wer darf sudo benutzen', QUERY, /^1 .*sudo.*anna/),
  ...each(
    'workshop',
    'is there a second uid 0 account | which accounts have uid 0',
    QUERY,
    /^(?:2|Yes, 1) .*backup2/,
  ),
  one('workshop', 'what starts at boot that no package owns', QUERY, /^4 startup entries/),
  one('workshop', 'are any installed files modified', ANY, /^1 file differs/),
  one('workshop', 'explain the python3 finding', QUERY, /48790 is held by python3.*What to do/),
  one('workshop', 'what did I accept and why', QUERY, /^1 accepted.*compiles while it runs/),
  one('workshop', 'what is my uptime percentage', QUERY, /99\.9 %/),
  one('workshop', 'when is the daily summary sent', ANY, /08:00/),
  one('workshop', 'which config file are you using', ANY, /desk\.toml/),
  one('workshop', 'how do I turn on debug logging', ANY, /DESK_LOG_LEVEL=debug/),
  ...each('workshop', 'cómo lo arreglo | wie behebe ich das', { refuses: true }),
];
