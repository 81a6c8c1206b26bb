/** A dialog that says what will happen before it happens, and what came of it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DeskActions, refusalText, useDesk } from './desk-context.ts';

export interface Loaded<T> {
  /** Null while it is on its way, or when it was refused. */
  readonly value: T | null;
  /** Why it was refused; "" otherwise. */
  readonly refusal: string;
}

/** What a dialog asks the service for as it opens, once. */
export function useLoaded<T>(load: (actions: DeskActions) => Promise<T>): Loaded<T> {
  const { actions } = useDesk();
  const [loaded, set] = useState<Loaded<T>>({ value: null, refusal: '' });
  const asked = useRef(false);
  useEffect(() => {
    if (actions === null || asked.current) return;
    asked.current = true;
    load(actions).then(
      (value) => set({ value, refusal: '' }),
      (error) => set({ value: null, refusal: refusalText(error) }),
    );
  }, [actions, load]);
  return loaded;
}

export interface Deed<T> {
  readonly busy: boolean;
  readonly result: T | null;
  readonly refusal: string;
  /** Does it, unless it is being done: a second click asks for nothing. */
  run(work: (actions: DeskActions) => Promise<T>): void;
}

/** Something that is done on demand; the page record is read anew afterwards. */
export function useDeed<T>(): Deed<T> {
  const { actions } = useDesk();
  const running = useRef(false);
  const [state, set] = useState<Omit<Deed<T>, 'run'>>({ busy: false, result: null, refusal: '' });
  return {
    ...state,
    run: (work) => {
      if (actions === null || running.current) return;
      running.current = true;
      set({ busy: true, result: null, refusal: '' });
      work(actions)
        .then(
          (result) => set({ busy: false, result, refusal: '' }),
          (error) => set({ busy: false, result: null, refusal: refusalText(error) }),
        )
        .finally(() => {
          running.current = false;
          // That the service does not answer is told by the page.
          actions.refresh().catch(() => undefined);
        });
    },
  };
}

interface ConfirmProps {
  readonly title: string;
  /** Label of the button that does it; "" when there is nothing to confirm. */
  readonly act: string;
  /** All that has to be known is there. */
  readonly ready: boolean;
  readonly deed: Pick<Deed<unknown>, 'busy' | 'result' | 'refusal'>;
  readonly danger?: boolean;
  readonly onAct: () => void;
  readonly onClose: () => void;
  /** What will happen; once it has happened, what came of it. */
  readonly children: ComponentChildren;
}

/** Modal and labelled; Escape and Cancel close it, and the focus goes back to where it was. */
export function Confirm({ title, act, ready, deed, danger, onAct, onClose, children }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  const { busy, result, refusal } = deed;
  useLayoutEffect(() => {
    dialog.current?.showModal();
    leave.current?.focus();
  }, []);
  const done = result !== null;
  useEffect(() => {
    // The button that did it has gone.
    if (done) leave.current?.focus();
  }, [done]);
  return (
    <dialog ref={dialog} class="confirm" aria-labelledby="confirm-title" onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy && !done) onAct();
        }}
      >
        <h2 id="confirm-title">{title}</h2>
        {/* A region that scrolls is reached by the keyboard. */}
        <section
          class="confirm-body"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
          aria-label="What is about to happen, or has happened"
          aria-busy={busy || (!ready && refusal === '')}
        >
          {/* It stands from the start, so that what comes into it is told. */}
          <div role="status">{done && children}</div>
          {!done && children}
        </section>
        <p class="refusal" role="alert">
          {refusal}
        </p>
        <div class="buttons">
          {act !== '' && !done && (
            <button type="submit" class={`button ${danger ? 'danger' : 'primary'}`} disabled={!ready || busy}>
              {busy ? 'Under way …' : act}
            </button>
          )}
          <button type="button" class="button" ref={leave} onClick={() => dialog.current?.close()}>
            {act === '' || done ? 'Close' : 'Cancel'}
          </button>
        </div>
      </form>
    </dialog>
  );
}
