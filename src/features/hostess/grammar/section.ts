/** A question about the desk that nothing else answers: the section of the documentation that may have it. */
import { AnswerBuilder, plain } from '../answer-builder.ts';
import type { SearchMatch } from '../document-index.ts';
import type { HostessWords } from '../hostess.ts';
import type { Query } from '../intent.ts';
import { quoted } from '../paths.ts';
import { asksOfDesk } from './goals.ts';
import { plainOf } from './read.ts';
import { said } from './tables.ts';

/** A section must explain this share of the question. */
const LEAST = 0.62;
const FEWEST_WORDS = 2;

const MAY_HAVE = said(
  'I have no answer of my own; the documentation may have it:',
  'Eine eigene Antwort habe ich nicht; die Dokumentation hat sie vielleicht (englisch):',
  'No tengo respuesta propia; quizá la tenga la documentación (en inglés):',
  'Je n’ai pas de réponse à moi ; la documentation l’a peut-être (en anglais) :',
);

/** Words of a request that no section has to explain. */
const OF_REQUEST =
  /^(?:desk|hostess|mach\w*|benutz\w*|nutz\w*|verwend\w*|kann\w*|konn\w*|geht|gibt|lauf\w*|hago|hacer|hace|puedo|puede|usar|uso|poner|pongo|fai\w*|mettre|mets|utilis\w*|peut|puis|marche|use|using|used|make|put|get|want|possible|works?|does|instead|support\w*|need\w*|have|want\w*|best|way|tell|explain|info\w*|example\w*|ejemplo\w*|beispiel\w*|exemple\w*)$/;

/** Answers of records as they are now: they say nothing of how something is done, or of what the desk can do. */
export const OF_NOW: ReadonlySet<string> = new Set(
  'findings listeners processes changes well baseline packages clock unwrapped certificate ports law endpoint elsewhere connections'.split(
    ' ',
  ),
);

/** Null where it asks for no way or feature of the desk, or no section explains most of it. */
export function sectionFor({ question, library, reading }: Query): SearchMatch | null {
  if (!asksOfDesk(reading, plainOf(question.text))) return null;
  const found = library.section(question.words.filter((word) => !OF_REQUEST.test(plainOf(word))));
  return found !== null && found.words >= FEWEST_WORDS && found.coverage >= LEAST ? found : null;
}

export function saySection({ context, reading }: Query, { term }: SearchMatch): HostessWords {
  const out = new AnswerBuilder(context, reading.language);
  const get = out.at(`sections[name=${quoted(term.name)}]`);
  out.say`${plain(MAY_HAVE[reading.language])} ${get('name')}.`;
  if (out.read(`sections[name=${quoted(term.name)}].about`) !== '') out.say`${get('about')}.`;
  out.suggest('desk help');
  return { ...out.end('section', false), understood: 'partial', query: null, choices: [] };
}
