/** How something is done, features, advice, orders and refusals; and that polite words around a question leave its answer as it is. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutPoliteness } from '../../../src/features/hostess/grammar/polite.ts';
import { expect } from '../../support/expect.ts';
import { QUESTIONS } from './questions/index.ts';
import { ask } from './score.ts';

/** Questions that none of the answers is right for, with what is wrong. */
async function wrongOf(
  questions: string,
  isWrong: (answer: Awaited<ReturnType<typeof ask>>) => boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const line of questions.trim().split(/\s*[|\n]\s*/)) {
    const answered = await ask('workshop', line);
    if (isWrong(answered))
      wrong.push(`${line} (${answered.intent}, ${answered.understood}): ${answered.answer}`);
  }
  return wrong;
}

const GOALS: Readonly<Record<string, string>> = {
  script: `can I run it in a shell script? | what exit codes does desk return | Kann ich desk in einem Skript verwenden?
    Quel code de sortie ? | ¿Puedo usar desk en un script?`,
  threshold: `how do I set a limit for disk usage | alert me when memory is low | Wie stelle ich eine Schwelle für die Festplatte ein?
    comment mettre un seuil pour le disque | cómo pongo un umbral de disco`,
  'alert-threshold': `is it possible to be warned before the disk is full
    Kann man Warnungen bei vollem Arbeitsspeicher bekommen?`,
  dark: 'is there a dark mode? | Gibt es einen dunklen Modus? | y a-t-il un mode sombre | hay modo oscuro?',
  completion: 'shell completion for bash? | Gibt es eine Vervollständigung für die Shell?',
  rootless:
    'do I need root to run this? | Läuft das auch ohne Rootrechte? | ça marche sans root ? | ¿se puede usar sin root?',
  sites:
    'can it watch several websites? | Kann ich mehrere Webseiten überwachen? | peut-on surveiller plusieurs sites ?',
  period: 'how often does it check | Wie oft prüft der Desk? | ¿cada cuánto comprueba?',
  exclude: 'how do I exempt a process from a check | Comment exclure un processus ?',
  ban: 'how do I forbid a port | comment interdire un port',
  sql: 'can I run sql on it | can I write my own queries',
  'other-port': 'how do I listen on another port than 18772',
};

for (const [goal, wordings] of Object.entries(GOALS))
  test(`${goal} is found by each wording`, async () => {
    expect(
      await wrongOf(wordings, ({ intent, understood }) => intent !== goal || understood !== 'full'),
    ).equals([]);
  });

test('why something is bad is answered from its check, and never by a table', async () => {
  const known = `is it bad that a process runs from a deleted file | why should I not expose 0.0.0.0?
    Warum soll ich keinen Dienst auf 0.0.0.0 lauschen lassen? | pourquoi ne faut-il pas exposer un port
    ¿es malo que un proceso se ejecute desde /tmp? | how bad is a tainted kernel`;
  expect(
    await wrongOf(
      known,
      ({ intent, grounds }) => intent !== 'advice' || grounds.some(({ path }) => !path.startsWith('checks[')),
    ),
  ).equals([]);
  expect(
    await wrongOf(
      'why should I not run everything as root',
      ({ understood, grounds }) => understood !== 'none' || grounds.length > 0,
    ),
  ).equals([]);
});

test('an order gets no command for another object, and no table', async () => {
  const orders = `reinicia el servicio nginx | restart nginx please | please remove user bob | supprime l'utilisateur bob
    kill everything | schalte die Firewall aus`;
  expect(
    await wrongOf(
      orders,
      ({ intent, answer, query }) =>
        intent !== 'order' || query !== null || /The command for it|systemctl restart desk/.test(answer),
    ),
  ).equals([]);
  expect(
    await wrongOf('restart the desk', ({ answer }) => !answer.includes('systemctl restart desk')),
  ).equals([]);
});

test('the finding of an order is the one that is named, or none', async () => {
  const named = await ask('workshop', 'mute the finding for port 48790');
  assert.match(named.answer, 'desk accept a000000000000002');
  for (const other of ['mute the finding for port 2024', 'mute the finding about sshd']) {
    const { answer } = await ask('workshop', other);
    assert.match(answer, /^No open finding is about (?:2024|sshd)\./);
    assert.not.match(answer, /a0{14}\d/);
  }
});

test('a break-in is neither confirmed nor ruled out, and miners are not known', async () => {
  const attacked = `have I been hacked? | am I under attack | is somebody inside my server | y a-t-il des intrus ?
    Ist jemand in meinen Server eingebrochen? | comment savoir si j'ai été piraté`;
  expect(await wrongOf(attacked, ({ intent }) => intent !== 'breach')).equals([]);
  expect((await ask('workshop', 'was my server compromised last night?')).understood).equals('partial');
  expect(
    await wrongOf(
      'is something mining crypto on here? | any cryptominers?',
      ({ intent }) => intent !== 'miner',
    ),
  ).equals([]);
});

test('opinions and the weather are refused', async () => {
  const world =
    'what do you think about systemd | Quel temps fait-il à Lyon ? | regnet es? | do you like linux | ¿qué opinas de linux?';
  expect(await wrongOf(world, ({ intent }) => intent !== 'world')).equals([]);
});

test('where nothing else answers, a section of the documentation is named, in part', async () => {
  const { answer, understood } = await ask('workshop', 'wie mache ich einen SSH-Tunnel');
  assert.match(answer, 'docs/remote.md, SSH tunnel');
  expect(understood).equals('partial');
  expect((await ask('workshop', 'how can I bake a cake')).understood).equals('none');
});

test('a question that is offered would be understood', async () => {
  for (const odd of [
    'what would I frobnicate without root',
    'qué frobnica anoche',
    'which listeners frobnicate',
  ])
    for (const choice of (await ask('workshop', odd)).choices)
      assert.is.not((await ask('workshop', choice)).understood, 'none', choice);
});

test('polite words are taken off a question, and an indirect one becomes direct', () => {
  for (const [polite, asked] of [
    ['Could you please tell me whether there are zombies?', 'are there zombies?'],
    ['would you mind telling me how many listeners there are, thanks', 'how many listeners there are'],
    ['Ich hätte gern gewusst, ob gerade Befunde offen sind.', 'sind gerade Befunde offen.'],
    ["J'aimerais savoir s'il y a des alertes", 'y a-t-il des alertes'],
    ['Me gustaría saber si hay hallazgos, por favor', 'hay hallazgos'],
    ['tell me a joke', 'tell me a joke'],
    ['please', 'please'],
  ] as const)
    expect(withoutPoliteness(polite)).equals(asked);
});

const WRAPS = [
  [
    /^(?:how|which|what|who|is|are) /i,
    ['Could you please tell me {}', 'I would like to know {}', '{}, please'],
  ],
  [/^(?:wie|welche\w*|wer) /i, ['Ich hätte gern gewusst, {}', '{}, bitte']],
  [/^(?:combien|quels?|quelles?|qui) /i, ["J'aimerais savoir {}", '{}, merci']],
  [/^¿?(?:cuánt\w*|quién\w*|cuál\w*) /i, ['Me gustaría saber {}', '{}, por favor']],
] as const;

test('97 % of the questions have the same answer with polite words around them', async () => {
  const other: string[] = [];
  let count = 0;
  for (const [start, wraps] of WRAPS) {
    const asked = QUESTIONS.filter(
      ({ ask: text, after, granted }) =>
        start.test(text) && after === undefined && granted !== true && !/[.;:!{]/.test(text.slice(0, -1)),
    );
    for (const { scene, ask: text } of asked.filter((_, at) => at % 11 === 0)) {
      const plain = await ask(scene, text);
      for (const wrap of wraps) {
        const wrapped = wrap.replace('{}', () => text.replace(/[?!.\s]+$/, '').replace(/^¿/, ''));
        count++;
        if ((await ask(scene, wrapped)).answer !== plain.answer) other.push(wrapped);
      }
    }
  }
  assert.ok(count > 150 && other.length <= 0.03 * count, `${other.length} of ${count}\n${other.join('\n')}`);
});

test.run();
