/** Who somebody is, and whom one writes with. Told to those alone who have shown the token; to others not even whether an address is known. */

import { shellWord } from '../../../shell-word.ts';
import { plain, plural, type Speech } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { asksForPeople, nameAsked } from '../people.ts';
import { asksForEndpoint, servesPurpose } from './sought.ts';

const TOLD = 5;

function askForToken(speech: Speech): boolean {
  speech.say`What is about people needs a token, whoever they are: send the control token or the mail token as "Authorization: Bearer", open the page with desk open, or ask with desk think, which reads the token by itself.`;
  speech.suggest('desk open', 'desk people');
  return false;
}

export const who: Intent = {
  id: 'who',
  score: ({ question }) => (question.entities.address === null ? 0 : 90),
  answer(speech, { question, mayKnowPeople, ledger }) {
    if (!mayKnowPeople) return askForToken(speech);
    const address = question.entities.address as string;
    const record = ledger?.who ?? null;
    if (record === null) {
      speech.say`${plain(address)} is not a mail address, so the ledger cannot know it.`;
      return false;
    }
    speech.put('who', record);
    speech.suggest(`desk who ${shellWord(record.email)}`);
    const email = speech.ground('who.email');
    if (speech.value('who.found') === false) {
      speech.say`The ledger does not know ${email}.`;
      return true;
    }
    const get = (key: string) => speech.ground(`who.person.${key}`);
    const name = get('name');
    speech.say`${email} is ${name.value === '' ? plain('somebody without a name') : name}.`;
    speech.say`${get('received')} messages from them, ${get('sent')} from you to them; first seen ${get('first_seen')}, last seen ${get('last_seen')}.`;
    for (const row of speech.rows('who.person.warnings', TOLD))
      speech.say`Warning: ${speech.ground(`${row}.kind`)}, ${speech.ground(`${row}.about`)}.`;
    for (const row of speech.rows('who.person.flags', TOLD))
      speech.say`It is marked as ${speech.ground(row)}.`;
    return true;
  },
};

export const people: Intent = {
  id: 'people',
  score: (asked) => {
    const { question } = asked;
    if (question.entities.address !== null || !asksForPeople(question)) return 0;
    const name = nameAsked(question);
    // How one is forgotten anybody may know.
    if (name === '')
      return (servesPurpose(asked, 0.6) || asksForEndpoint(question)) && !question.has('count') ? 0 : 70;
    // A process may go by that name.
    return asked.world.processes.named(question.names).length > 0 ? 0 : 70;
  },
  answer(speech, { question, mayKnowPeople, ledger }) {
    if (!mayKnowPeople) return askForToken(speech);
    const name = nameAsked(question);
    speech.put('people', ledger?.people ?? { total: 0, people: [] });
    const total = speech.ground('people.total');
    speech.suggest(name === '' ? 'desk people' : `desk people --query ${shellWord(name)}`);
    if (total.value === 0) {
      speech.say`The ledger knows no one${plain(name === '' ? '' : ` whose name or address has "${name}" in it`)} (${total}).`;
      return name === '';
    }
    speech.say`The ledger knows ${total} ${plural(total, 'person', 'people')}${plain(name === '' ? '' : ` by "${name}"`)}.`;
    for (const row of speech.rows('people.people', TOLD)) {
      const called = speech.ground(`${row}.name`);
      speech.say`${called.value === '' ? plain('Without a name') : called}, ${speech.ground(`${row}.email`)}: ${speech.ground(`${row}.received`)} received, ${speech.ground(`${row}.sent`)} sent.`;
    }
    return true;
  },
};
