/** The dialogs that accept a finding (what that covers, the reason, until when), and that list what was accepted and take it back. */
import { useRef, useState } from 'preact/hooks';
import type { AcceptedList } from '../records/accepted.ts';
import type { FindingDetail } from '../records/finding-detail.ts';
import type { Finding } from '../records/finding-words.ts';
import { Confirm, type DialogProps, useLoaded, useTask } from './confirm.tsx';
import { Empty, Pairs, Time, words } from './parts.tsx';

/** The longest reason that `/accept` takes. */
const LONGEST_REASON = 500;

const Covers = ({ covers }: { covers: FindingDetail['accept']['covers'] }) => (
  <Pairs rows={covers.map(({ key, value }) => [words(key), value] as const)} />
);

/** What accepting would do, in words. */
export const Scope = ({ accept: { effect, covers } }: Pick<FindingDetail, 'accept'>) =>
  effect === 'never' ? (
    <p>
      A finding of this check cannot be accepted: it says that the baseline itself was changed. Follow its
      remedy.
    </p>
  ) : (
    <>
      <p>
        {effect === 'spared'
          ? 'The finding stays open and the desk not ok: the listener is only not shut down. This applies to every finding that matches all of these:'
          : 'From now on every finding that matches all of these counts as explained, this one and later ones:'}
      </p>
      <Covers covers={covers} />
    </>
  );

/** RFC 3339 of what a field for local time holds; undefined when it is empty. */
export function endOf(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

export function AcceptDialog({ finding: { id, summary }, onClose }: DialogProps & { finding: Finding }) {
  const plan = useLoaded((actions) => actions.get('/findings/{id}', { id }));
  const { value } = plan;
  const task = useTask<{ readonly effect: 'explained' | 'spared'; readonly id: string }>();
  const [why, setWhy] = useState('');
  const [until, setUntil] = useState('');
  const [wrong, setWrong] = useState('');
  const reason = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLInputElement>(null);
  const accept = () => {
    const text = why.trim();
    const expires = endOf(until);
    if (text === '') {
      setWrong('Write down why you accept it: the reason is stored with the entry.');
      reason.current?.focus();
      return;
    }
    // A half-typed time reads as empty, which would mean without end.
    if (end.current?.validity.badInput || (expires !== undefined && Date.parse(expires) <= Date.now())) {
      setWrong('Enter a complete time in the future, or leave it empty.');
      end.current?.focus();
      return;
    }
    setWrong('');
    const accepts = value?.accept.id ?? '';
    task.run((actions) =>
      actions.post('/accept', { finding: id, accepts, why: text, ...(expires !== undefined && { expires }) }),
    );
  };
  const asks = value?.open && value.accept.effect !== 'never';
  return (
    <Confirm
      title="Accept"
      plan={plan}
      waiting="Reading what this would cover …"
      lead={
        <p>
          <strong>{summary}</strong>
        </p>
      }
      before={({ open, accept }) => (
        <>
          {open ? <Scope accept={accept} /> : <p>This finding is closed: there is nothing to accept.</p>}
          {asks && (
            <>
              <label class="asked">
                Reason
                <textarea
                  ref={reason}
                  class="field"
                  rows={3}
                  required
                  maxLength={LONGEST_REASON}
                  value={why}
                  onInput={(event) => setWhy(event.currentTarget.value)}
                />
              </label>
              <label class="asked">
                Until (no end when left empty)
                <input
                  ref={end}
                  class="field"
                  type="datetime-local"
                  value={until}
                  onInput={(event) => setUntil(event.currentTarget.value)}
                />
              </label>
            </>
          )}
        </>
      )}
      task={task}
      after={(done) => (
        <>
          <p>
            {done.effect === 'spared'
              ? 'Accepted: it stays open and is not shut down.'
              : 'Accepted: findings like it count as explained.'}
          </p>
          <TakeBack id={done.id} />
        </>
      )}
      wrong={wrong}
      onAct={value === null || asks ? accept : undefined}
      onClose={onClose}
    />
  );
}

/** Takes an entry back at once: it can be accepted again. */
function TakeBack({ id }: { id: string }) {
  const task = useTask<unknown>();
  if (task.result !== null) return <p role="status">Taken back: it covers nothing any more.</p>;
  return (
    <>
      <button
        type="button"
        class="button"
        data-undo={id}
        disabled={task.busy}
        onClick={() => task.run((actions) => actions.post('/accept/undo', { id }))}
      >
        Take back
      </button>
      {task.refusal !== '' && <p role="alert">{task.refusal}</p>}
    </>
  );
}

const Entry = ({ id, covers, why, accepted, expires }: AcceptedList['entries'][number]) => (
  <li>
    <p>
      <strong>{why}</strong>
    </p>
    <Covers covers={covers} />
    <p class="soft small">
      {accepted !== null && ['accepted ', <Time key="accepted" at={accepted} />]}
      {expires !== null && [', until ', <Time key="expires" at={expires} />]}
    </p>
    <TakeBack id={id} />
  </li>
);

export const AcceptedDialog = ({ onClose }: DialogProps) => (
  <Confirm
    title="What is accepted"
    plan={useLoaded((actions) => actions.get('/accepted', {}))}
    waiting="Reading what is accepted …"
    before={({ entries }) =>
      entries.length === 0 ? (
        <Empty>Nothing is accepted.</Empty>
      ) : (
        <ul class="lined notes">
          {entries.map((entry) => (
            <Entry key={entry.id} {...entry} />
          ))}
        </ul>
      )
    }
    onClose={onClose}
  />
);
