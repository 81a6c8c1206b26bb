/**
 * Questions that she once answered wrongly at first asking, in a scene of their own (`workshop.ts`). Expected is what a person must be
 * told, and not by which entry.
 */
import { one, type Question } from './question.ts';

const ask = (text: string, wanted: Parameters<typeof one>[2], ...says: readonly RegExp[]): Question =>
  one('workshop', text, wanted, ...says);
const after = (
  before: string,
  text: string,
  wanted: Parameters<typeof one>[2],
  ...says: readonly RegExp[]
) => ({
  ...ask(text, wanted, ...says),
  after: before,
});
const granted = (text: string, wanted: Parameters<typeof one>[2], ...says: readonly RegExp[]) => ({
  ...ask(text, wanted, ...says),
  granted: true as const,
});

const HOLDS = 'who holds port 48790?';

export const FAILURES: readonly Question[] = [
  ask('was port 8766 ever up', 'detection.shut_down[port=8766][0].at', /^Yes\b/, /SIGTERM/, /T07:30:04/),
  ask(
    'when did shop-api go down',
    ['page.ports[port=48800].up'],
    /^shop-api \(48800\) is down/,
    /not recorded/,
  ),
  ask('how many listeners does nginx have', /./, /^None/, /"nginx" runs/),
  ask('Wie viele Prozesse laufen unter root?', ['processes[uid=0].length'], /^13 Prozesse/),
  ask('how many processes have more than 10 threads', ['processes[threads>=11].length'], /^3 processes/),
  ask('which user runs the most processes', 'processes[uid=0].length', /^root: 13/),
  ask('top 3 processes by number of threads', /threads$/, /^orderd .*24; node .*16; node .*13\.$/),
  ask('which process uses the most memory', 'query.rows[0].resident_bytes', /^sleep \(pid 811\) 811 MiB/),
  ask('Welches Programm hat die meisten offenen Ports?', /count|length/, /orderd: 3 .*node: 3/),
  ask(
    "I just installed a new service on purpose, how do I tell you it's fine",
    { grounds: ['commands[name=secure learn].summary'], suggests: ['desk secure learn once'] },
    /desk secure learn once.*desk accept/,
  ),
  ask(
    '¿Cómo apruebo un programa nuevo?',
    { grounds: ['commands[name=secure learn].summary'], suggests: ['desk secure learn once'] },
    /^Para todo .* desk secure learn once/,
  ),
  ask(
    'undo the last thing you learned',
    { grounds: ['generations[1].number'], suggests: ['desk baseline restore 6'] },
    /^desk baseline restore 6/,
  ),
  ask(
    'Wie nehme ich einen Befund an',
    'commands[name=accept].summary',
    /^Für einen Befund: desk accept .*--why/,
  ),
  ask(
    "are there checks that couldn't run, and what do I have to do",
    ['query.rows[0].check', 'query.rows[0].cure'],
    /^Yes, 1 .*hidden-port.*run the service as root/,
  ),
  ask(
    "anything listening on the outside that shouldn't be?",
    'listeners[scope=public][allowed=""].length',
    /^Yes, 1 .*48790/,
  ),
  ask('the LD_PRELOAD thing, is that bad?', {
    grounds: [/severity$/, /benign$/, /remedy$/],
    says: [/^Yes: its severity is high/, /may be harmless/, /end process 720/],
  }),
  ask('when did the LD_PRELOAD thing first show up', /first_seen$/, /^2026-11-22T09:45:00/),
  granted(
    'did bob keller ever write to me first?',
    'people.people[0].first_contact',
    /No: the first message was yours/,
  ),
  ask('is orderd something you know', 'query.total', /^Yes: orderd/),
  ask(
    'Seit wann läuft orderd und wie viel Speicher',
    /start$/,
    /^Seit 2026-11-21T22:31:30/,
    /Speicher ist nur bekannt, wie es jetzt ist/,
  ),
  ask('which finding is the oldest one still open', /first_seen$/, /LD_PRELOAD.*first seen 2026-11-22T09:45/),
  ask(
    'which findings were closed today',
    /^findings\/a0{14}4|finding_events/,
    /^1 finding that closed.*8766/,
  ),
  ask('how many findings did we have an hour ago', /count\(\)$/, /^None \(0\)/),
  ask("wat do you meen by 'blnid'", /^words\[word=blind\]/, /could not be read/),
  ask('waht is teh statsu', 'status.ok', /^The desk is not well/),
  ask('why is avenu inject_clpi opne', /findings/, /inject_clip/),
  after(HOLDS, 'is that normal?', /allowed|48790/, /^No: nothing allows .*48790/),
  after(HOLDS, 'and why?', /summary$/, /never learned/),
  after(HOLDS, 'since when?', /first_seen$/, /^2026-11-22T09:55:00/),
  ask('is shop-api up?', 'page.ports[port=48800].up', /^No: shop-api .*required/),
  ask('which findings did I accept', /covers$/, /^1 accepted finding: .*node/),
  granted('Kennst du eine Marie Dubois?', /warnings/, /Warning: look-alike/),
  ask('which services failed?', 'query.rows[0].failed_units', /^Failed units of systemd: 0/),
  ask(
    'is the machine hacked?',
    ['detection.findings.length', 'detection.notes.length'],
    /cannot rule it out: 3 findings/,
    /not measured/,
  ),
];
