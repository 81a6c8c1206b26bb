/** The dialog that lists what was accepted, and takes it back. */
import { useCallback } from 'preact/hooks';
import type { AcceptedList } from '../records/accepted.ts';
import type { DialogProps } from './act-dialogs.tsx';
import { Confirm, useDeed, useLoaded } from './confirm.tsx';
import type { DeskActions } from './desk-context.ts';
import { Empty, Pairs, Time, words } from './parts.tsx';

type Entry = AcceptedList['entries'][number];

/** Takes an entry back at once: it can be accepted again. */
export function TakeBack({ id }: { id: string }) {
  const deed = useDeed<unknown>();
  if (deed.result !== null) return <p role="status">Taken back: it covers nothing any more.</p>;
  return (
    <>
      <button
        type="button"
        class="button"
        data-undo={id}
        disabled={deed.busy}
        onClick={() => deed.run((actions) => actions.post('/accept/undo', { id }))}
      >
        Take back
      </button>
      {deed.refusal !== '' && <p role="alert">{deed.refusal}</p>}
    </>
  );
}

const AcceptedEntry = ({ id, covers, why, accepted, expires }: Entry) => (
  <li>
    <p>
      <strong>{why}</strong>
    </p>
    <Pairs rows={covers.map(({ key, value }) => [words(key), value] as const)} />
    <p class="soft small">
      {accepted !== null && (
        <>
          accepted <Time at={accepted} />
        </>
      )}
      {expires !== null && (
        <>
          {', until '}
          <Time at={expires} />
        </>
      )}
    </p>
    <TakeBack id={id} />
  </li>
);

export function AcceptedDialog({ onClose }: DialogProps) {
  const list = useLoaded(useCallback((actions: DeskActions) => actions.get('/accepted', {}), []));
  const { value, refusal } = list;
  return (
    <Confirm
      title="What is accepted"
      act=""
      ready={false}
      deed={{ busy: false, result: null, refusal }}
      onAct={() => undefined}
      onClose={onClose}
    >
      {value === null && refusal === '' && (
        <p role="status" class="soft">
          What is accepted is looked up …
        </p>
      )}
      {value?.entries.length === 0 && <Empty>Nothing is accepted.</Empty>}
      {value !== null && value.entries.length > 0 && (
        <ul class="notes">
          {value.entries.map((entry) => (
            <AcceptedEntry key={entry.id} {...entry} />
          ))}
        </ul>
      )}
    </Confirm>
  );
}
