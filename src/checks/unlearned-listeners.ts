/** The common body of public-listener and unknown-local-listener: a listener that is neither learned, allowed by the law nor our own. */
import type { Law } from '../policy/law.ts';
import { allowedByLaw } from './allowed-listeners.ts';
import { LEARN } from './blindness.ts';
import type { CheckContext, FailParts, Known } from './check.ts';
import {
  all,
  any,
  type Expression,
  equals,
  type ListenerColumn,
  member,
  never,
  not,
  port,
  type Rule,
} from './rule.ts';
import { endpointText, holderText, listenerAt, listenerSubject } from './subjects.ts';

/** `which` are the listeners that the check is about; those on banned ports are another check's. */
export function unlearnedRule(
  which: Expression<ListenerColumn>,
  law: Law,
  known: Known | null,
  hash: (text: string) => bigint,
): Rule {
  const vouched = any(equals('own', 1n), allowedByLaw(law, hash));
  const applies = all(which, not(port('port', law.bannedPorts)));
  if (known !== null) {
    const learned = member('key', [...known.listeners].map(hash));
    return { subjects: 'listeners', applies, fails: not(any(vouched, learned)) };
  }
  const reason = 'nothing has been learned yet, so no such listener is known good';
  return {
    subjects: 'listeners',
    applies,
    blind: [{ when: not(vouched), reason, cure: LEARN, hides: false }],
    fails: never,
  };
}

export function explainUnlearned({ snapshot }: CheckContext, row: number): FailParts {
  const listener = listenerAt(snapshot, row);
  const seesHolders = snapshot.probes.some(({ id, works }) => id === 'descriptors' && works);
  return {
    doubtful: seesHolders && listener.owner !== 'ownerless' && listener.executable === '',
    subject: listenerSubject(listener),
    summary: `${endpointText(listener)} is held by ${holderText(listener)} and was never learned`,
    evidence: {
      endpoint: endpointText(listener),
      inode: listener.inode,
      creator_uid: listener.creatorUid,
      holders: listener.holders.map((holder) => holder.pid).join(' '),
      executable: listener.executable,
    },
  };
}
