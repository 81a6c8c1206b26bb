/** Answers small talk and questions about the hostess herself. */
import { AnswerBuilder, plain } from '../answer-builder.ts';
import type { HostessWords } from '../hostess.ts';
import type { Query } from '../intent.ts';
import { help } from '../intents/about.ts';
import { well } from '../intents/state.ts';
import type { Talk } from './small-talk.ts';
import { CAN, NEXT, REPLIES } from './small-talk-texts.ts';

/** Where each value of a text is read from. */
const VALUES: Readonly<Record<string, string>> = {
  name: 'charge.she',
  at: 'live.ts',
  software: 'version.name',
  version: 'version.version',
};

/** Topics that are answered as a question about the desk. */
const TOLD = { can: help, well } as const;

/** The next question can go on with what the one before was about. */
export function sayTalk(asked: Query, { id, language }: Talk): HostessWords {
  const out = new AnswerBuilder(asked.context, language);
  const told = id === 'can' || id === 'well' ? TOLD[id] : null;
  if (told !== null) told.answer(out, asked);
  else {
    const text = REPLIES[id]?.[language] ?? '';
    const said = text.replace(/\{(\w+)\}/g, (_all, name: string) =>
      String(out.ground(VALUES[name] as string).value),
    );
    out.say`${plain(said)}`;
    if (/desk query --tables/.test(text)) out.suggest('desk query --tables');
    out.suggest(NEXT[language], CAN[language]);
  }
  return {
    ...out.end(told?.id ?? `talk-${id}`, false),
    understood: 'full',
    query: id === 'well' ? null : asked.previous,
    choices: [],
  };
}
