/** The dialog that accepts a finding: what it excuses, the reason, until when. */
import { useCallback, useRef, useState } from 'preact/hooks';
import type { FindingDetail } from '../records/finding-detail.ts';
import type { Finding } from '../records/finding-words.ts';
import { TakeBack } from './accepted-dialog.tsx';
import type { DialogProps } from './act-dialogs.tsx';
import { Confirm, useDeed, useLoaded } from './confirm.tsx';
import type { DeskActions } from './desk-context.ts';
import { Pairs, words } from './parts.tsx';

/** As `/accept` takes it. */
const LONGEST_REASON = 500;

/** What accepting would do, in words. */
export const Scope = ({ accept: { effect, covers } }: Pick<FindingDetail, 'accept'>) => {
  if (effect === 'never')
    return (
      <p>
        Nothing excuses a finding of this check: it says that the baseline itself was changed. Do what its
        remedy says.
      </p>
    );
  return (
    <>
      <p>
        {effect === 'spared'
          ? 'The finding stays open and the desk not ok: the listener is only not shut down. That holds for every finding of which all of this is true:'
          : 'From now on every finding of which all of this is true counts as explained, this one and those to come:'}
      </p>
      <Pairs rows={covers.map(({ key, value }) => [words(key), value] as const)} />
    </>
  );
};

/** RFC 3339 of what a field for local time holds; undefined when it is empty. */
export function endOf(local: string): string | undefined {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

export function AcceptDialog({ finding, onClose }: DialogProps & { finding: Finding }) {
  const { id, summary } = finding;
  const detail = useLoaded(
    useCallback((actions: DeskActions) => actions.get('/findings/{id}', { id }), [id]),
  );
  const { value } = detail;
  const deed = useDeed<{ readonly effect: 'explained' | 'spared'; readonly id: string }>();
  const [why, setWhy] = useState('');
  const [until, setUntil] = useState('');
  const [missing, setMissing] = useState('');
  const reason = useRef<HTMLTextAreaElement>(null);
  const end = useRef<HTMLInputElement>(null);
  const accept = () => {
    const text = why.trim();
    const expires = endOf(until);
    if (text === '') {
      setMissing('Write down why it is accepted: the reason is kept beside the excuse.');
      reason.current?.focus();
      return;
    }
    // A time that is half typed reads as none, which would be for ever.
    if (end.current?.validity.badInput || (expires !== undefined && Date.parse(expires) <= Date.now())) {
      setMissing('Write the whole time until when, one that is to come, or leave it empty.');
      end.current?.focus();
      return;
    }
    setMissing('');
    const accepts = value?.accept.id ?? '';
    deed.run((actions) =>
      actions.post('/accept', { finding: id, accepts, why: text, ...(expires !== undefined && { expires }) }),
    );
  };
  const asks = value !== null && value.accept.effect !== 'never' && value.open;
  return (
    <Confirm
      title={deed.result === null ? 'Accept: this will happen' : 'Accept: this has happened'}
      act={value === null || asks ? 'Accept' : ''}
      ready={asks}
      deed={{ ...deed, refusal: deed.refusal || missing || detail.refusal }}
      onAct={accept}
      onClose={onClose}
    >
      <p>
        <strong>{summary}</strong>
      </p>
      {deed.result !== null ? (
        <>
          <p>
            {deed.result.effect === 'spared'
              ? 'Accepted: it stays open and is not shut down.'
              : 'Accepted: findings like it count as explained.'}
          </p>
          <TakeBack id={deed.result.id} />
        </>
      ) : (
        <>
          {value === null && detail.refusal === '' && (
            <p role="status" class="soft">
              What it excuses is looked up …
            </p>
          )}
          {value !== null && !value.open && <p>It is closed by now: there is nothing to accept.</p>}
          {value?.open && <Scope accept={value.accept} />}
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
                Until (without end when left empty)
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
    </Confirm>
  );
}
