/** Tokens that only some calls of an endpoint need (security rules 4 and 7). */
import { assistantPlace } from '../features/assistant/index.ts';
import type { TokenRule } from './endpoint.ts';

/** Looking is free, doing is not. */
export const realCook: TokenRule = {
  grant: 'control',
  when: 'mode is "cook"',
  needed: ({ body }) => (body as { mode?: string }).mode === 'cook',
};

/** What is asked of an assistant on another machine leaves this one. */
export const assistantElsewhere: TokenRule = {
  grant: 'control',
  when: 'with_assistant is true and the configured assistant is not on loopback; without one nothing is said about people',
  needed: ({ body, config }) =>
    (body as { with_assistant?: boolean }).with_assistant === true &&
    assistantPlace(config).at === 'elsewhere',
};

/** She answers everybody, and about people says that a token is needed: so no call is refused. */
export const peopleAsked: TokenRule = {
  grant: 'people',
  when: 'asked about people; without one the answer says so',
  needed: () => false,
};

/** The list may be opened to everyone on the public listener; looking an address up never is. */
export const peopleHidden: TokenRule = {
  grant: 'people',
  when: 'asked on the public listener with [mail] public_people = false, or on any other listener',
  needed: ({ role, config }) => role !== 'public' || !config.mail.public_people,
};
