/** What is said to a question that follows another one, where it is not known what that was about. */
import { AnswerBuilder } from '../answer-builder.ts';
import type { HostessWords } from '../hostess.ts';
import type { Query } from '../intent.ts';
import type { Language } from './vocabulary.ts';

const MISSING: Readonly<Record<Language, string>> = {
  en: 'I do not know what that is about: name the process, port, finding or account.',
  de: 'Ich weiß nicht, worum es geht: Nenne den Prozess, den Port, den Befund oder das Konto.',
  es: 'No sé a qué se refiere: nombra el proceso, el puerto, el hallazgo o la cuenta.',
  fr: 'Je ne sais pas de quoi il s’agit : nomme le processus, le port, le constat ou le compte.',
};
const CHOICES: Readonly<Record<Language, readonly string[]>> = {
  en: ['which findings are open?', 'which processes does root run?', 'which listeners are public?'],
  de: [
    'welche Befunde sind offen?',
    'welche Prozesse laufen unter root?',
    'welche Listener sind öffentlich?',
  ],
  es: ['¿qué hallazgos están abiertos?', '¿qué procesos ejecuta root?', '¿qué puertos están abiertos?'],
  fr: ['quels constats sont ouverts ?', 'quels processus tournent sous root ?', 'quels ports sont ouverts ?'],
};

export function sayUnclear({ context, reading: { language } }: Query): HostessWords {
  const out = new AnswerBuilder(context);
  return {
    ...out.end('lost', true),
    answer: MISSING[language],
    understood: 'none',
    query: null,
    choices: CHOICES[language],
  };
}
