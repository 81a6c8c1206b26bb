/** What is asked of processes that the question describes: "the parent of X", "pid of X", "where is the executable of X". Pure. */
import type { Move } from './follow-words.ts';
import type { Language } from './vocabulary.ts';

export interface AskedOf {
  /** As a question that follows one about these processes. */
  readonly move: string;
  /** A question for these processes. */
  readonly rest: string;
  readonly language: Language;
  /** The number of a process, where it is one. */
  readonly pid: number | null;
}

interface Wording {
  readonly language: Language;
  readonly of: Readonly<Partial<Record<Move, RegExp>>>;
  /** How processes are asked for. */
  readonly list: string;
}

const START = '^[¿\\s]*(?:and |und |y |et )?';
const TAIL = '(?: gestartet)?[?!.\\s]*$';
const wording = (language: Language, list: string, parent: string, path: string, tail: string): Wording => ({
  language,
  list,
  of: {
    parent: new RegExp(`${START}(?:${parent})(?<of>.+?)${TAIL}|^(?<before>.+?)(?:${tail})${TAIL}`, 'iu'),
    path: new RegExp(`${START}(?:${path})(?<of>.+?)${TAIL}`, 'iu'),
  },
});

const WORDINGS: readonly Wording[] = [
  wording(
    'en',
    'list processes of',
    "(?:(?:what|which|who)(?:['’]s| is| are|s)? |show (?:me )?|give me |tell me |find |list )?(?:the )?(?:parent(?:s| process(?:es)?| pids?)?|ppids?) (?:of|for) (?:all |that |this |the |those )*|(?:which|what) process (?:has )?(?:started|spawned|launched|forked|created) (?:the )?",
    "(?:where(?:['’]s| is| are) |(?:what|which)(?:['’]s| is| are|s)? |show (?:me )?|give me )?(?:the )?(?:full )?(?:executables?|binar(?:y|ies)|executable paths?|paths? (?:of|to) the (?:executable|binary)|paths?) (?:of|for|behind|to) (?:all |that |this |the |those )*",
    ",? (?:and|und) (?:who|what|which)(?:['’]s| is| are|s)? (?:is )?(?:their|its|the) parent(?:s| process(?:es)?| pid)?|['’]s? parent(?: process| pid)?",
  ),
  wording(
    'de',
    'zeige Prozesse von',
    '(?:(?:wer|was|welche[rs]?|wie)(?: ist| sind| lautet| heißt)? |zeig(?:e)?(?: mir)? )?(?:der |die |den |das )?(?:eltern-?prozess(?:e|es)?|eltern-?pid|parent(?:-?prozess| pid)?|vater-?prozess(?:es)?|übergeordnete[nr]? prozess) (?:von |vom |der |des |zu )(?:allen |der |den |dem |diesem |diesen )*|welcher prozess hat (?:den |die |das )?|(?:von |durch )welche[mn] prozess (?:wurde|wird|ist) (?:der |die |das )?',
    '(?:wo (?:liegt|ist|liegen) |(?:was|wie|welches?) (?:ist|lautet) )(?:der |die |das )?(?:pfad|programmdatei|executable|binary|binärdatei) (?:von |vom |der |des |zu )(?:allen |der |den |dem |diesem |diesen )*',
    ',? und (?:wer|was|welches)(?: ist| sind) (?:ihr|sein|deren|dessen|der)e? (?:eltern-?prozess(?:e)?|parent(?:-?prozess)?)',
  ),
  wording(
    'es',
    'lista procesos de',
    '(?:(?:cu[aá]l|qui[eé]n|qu[eé])(?: es| son)? |muestra(?:me)? |dime )?(?:el |los )?(?:(?:proceso |pid )?padres?|ppid)(?: es| son)? (?:del |de )(?:todos |los |las |la |el |ese |esos )*|qu[eé] proceso (?:inici[oó]|lanz[oó]|arranc[oó]|cre[oó]|ha (?:iniciado|lanzado))(?: a| al)? |de qu[eé] proceso (?:depende|cuelga|viene) ',
    '(?:d[oó]nde est[aá]n? |cu[aá]l es |muestra(?:me)? )(?:el |la )?(?:ejecutable|binario|ruta(?: del ejecutable)?) (?:del |de )(?:todos |los |las |la |el |ese |esos )*',
    ',? y (?:qui[eé]n|cu[aá]l|qu[eé])(?: es| son) (?:su|el|sus) (?:proceso )?padre',
  ),
  wording(
    'fr',
    'liste processus de',
    "(?:(?:quel|qui|quelle)(?: est| sont)? |montre(?:-moi)? |donne(?:-moi)? )?(?:le |les )?(?:processus )?(?:parents?|p[eè]res?)(?: est)? (?:du |de |des |d['’])(?:tous |les |la |le |l['’]|ce |ces )*|quel processus a (?:lanc[eé]|d[eé]marr[eé]|cr[eé][eé]) (?:le |la |l['’])?",
    "(?:o[uù] (?:est|se trouve) |quel est |montre(?:-moi)? )(?:le |la |l['’])?(?:ex[eé]cutable|binaire|chemin(?: de l['’]ex[eé]cutable)?) (?:du |de |des |d['’])(?:tous |les |la |le |l['’]|ce |ces )*",
    ',? et (?:qui|quel)(?: est| sont) (?:leur|son|le) (?:processus )?(?:parent|p[eè]re)',
  ),
];

const NUMBER =
  /^(?:the )?(?:pid|process(?:es)?|prozess(?:es)?|proceso|processus|id|nr|number|nummer|con|mit|avec|with|\s)*#?(\d{1,7})$/i;

/** Null where it asks for none of these. */
export function askedOf(message: string): AskedOf | null {
  for (const { language, of, list } of WORDINGS)
    for (const [move, asks] of Object.entries(of)) {
      const { groups } = asks.exec(message.trim()) ?? {};
      const described = groups?.of;
      const rest = described === undefined ? groups?.before : `${list} ${described}`;
      if (rest === undefined) continue;
      const pid = NUMBER.exec(described ?? '')?.[1];
      return { move: MOVES[move] ?? move, rest, language, pid: pid === undefined ? null : Number(pid) };
    }
  return null;
}

const MOVES: Readonly<Record<string, string>> = { parent: 'parent', path: 'what is its path' };

/** A question, and one that follows it: "is sshd running, and since when". */
const TWO =
  /^(?<first>.+?)(?:,? (?:and|und|y|et) |[?;.]+ (?:and |und |y |et )?)(?<second>[^?;.,]+)[?!.\s]*$/iu;
const MOST_WORDS = 6;

/** Null where it is one question. */
export function twoIn(message: string): readonly [first: string, second: string] | null {
  const { first, second } = TWO.exec(message.trim())?.groups ?? {};
  const isShort = second !== undefined && second.trim().split(/\s+/).length <= MOST_WORDS;
  return first !== undefined && second !== undefined && isShort ? [first, second] : null;
}
