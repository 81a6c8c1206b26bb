/** People of the ledger: answered only with a token; without one, not even whether an address is known. */
import { shellWord } from '../../../base/shell-word.ts';
import { type AnswerBuilder, counted, plain } from '../answer-builder.ts';
import type { Intent } from '../intent.ts';
import { asksForPeople, nameAsked } from '../people.ts';
import { asksForEndpoint, servesPurpose } from './by-meaning.ts';

const MOST_SHOWN = 5;
const FIRST = /\bfirst\b|\bzuerst\b|\bals erste\w*\b|\bprimero\b|\ben premier\b/;
const FIRST_CONTACT: Readonly<Record<string, string>> = {
  in: 'Yes: the first message was theirs to you',
  out: 'No: the first message was yours to them',
  beside: 'No: the first message named both of you',
};

function askForToken(out: AnswerBuilder): boolean {
  out.say`Questions about people need a token: send the control token or the mail token as "Authorization: Bearer", open the page with desk open, or ask with desk think, which reads the token by itself.`;
  out.suggest('desk open', 'desk people');
  return false;
}

export const who: Intent = {
  id: 'who',
  score: ({ question }) => (question.entities.address === null ? 0 : 90),
  answer(out, { question, mayKnowPeople, ledger }) {
    if (!mayKnowPeople) return askForToken(out);
    const address = question.entities.address as string;
    const record = ledger?.who ?? null;
    if (record === null) {
      out.say`${plain(address)} is not a mail address, so the ledger cannot know it.`;
      return false;
    }
    out.put('who', record);
    out.suggest(`desk who ${shellWord(record.email)}`);
    const email = out.ground('who.email');
    if (out.value('who.found') === false) {
      out.say`The ledger does not know ${email}.`;
      return true;
    }
    const get = out.at('who.person');
    const name = get('name');
    out.say`${email} is ${name.value === '' ? plain('somebody without a name') : name}.`;
    out.say`${get('received')} messages from them, ${get('sent')} from you to them; first seen ${get('first_seen')}, last seen ${get('last_seen')}.`;
    for (const get of out.items('who.person.warnings', MOST_SHOWN))
      out.say`Warning: ${get('kind')}, ${get('about')}.`;
    for (const row of out.rows('who.person.flags', MOST_SHOWN)) out.say`It is marked as ${out.ground(row)}.`;
    return true;
  },
};

export const people: Intent = {
  id: 'people',
  score: (asked) => {
    const { question } = asked;
    if (question.entities.address !== null || !asksForPeople(question)) return 0;
    const name = nameAsked(question);
    // How to remove a person is not secret.
    if (name === '')
      return (servesPurpose(asked, 0.6) || asksForEndpoint(question)) && !question.has('count') ? 0 : 70;
    // A process can have that name.
    return asked.context.processes.named(question.names).length > 0 ? 0 : 70;
  },
  answer(out, { question, mayKnowPeople, ledger }) {
    if (!mayKnowPeople) return askForToken(out);
    const name = nameAsked(question);
    out.put('people', ledger?.people ?? { total: 0, people: [] });
    const total = out.ground('people.total');
    out.suggest(name === '' ? 'desk people' : `desk people --query ${shellWord(name)}`);
    if (total.value === 0) {
      out.say`The ledger knows no one${plain(name === '' ? '' : ` whose name or address has "${name}" in it`)} (${total}).`;
      return name === '';
    }
    out.say`The ledger knows ${counted(total, 'person', 'people')}${plain(name === '' ? '' : ` by "${name}"`)}.`;
    // "Did ann write to me first?"
    if (name !== '' && total.value === 1 && question.says(FIRST)) {
      const first = out.ground('people.people[0].first_contact');
      out.say`${plain(FIRST_CONTACT[String(first.value)] ?? 'That is not known')} (${first}).`;
    }
    for (const [at, get] of out.items('people.people', MOST_SHOWN).entries()) {
      const called = get('name');
      for (const warning of out.items(`people.people[${at}].warnings`, MOST_SHOWN))
        out.say`Warning: ${warning('kind')}, ${warning('about')}.`;
      out.say`${called.value === '' ? plain('Without a name') : called}, ${get('email')}: ${get('received')} received, ${get('sent')} sent.`;
    }
    return true;
  },
};
