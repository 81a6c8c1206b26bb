/** A dialog that says what will happen before it happens, and what came of it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type DeskActions, refusalText, useDesk } from './desk-context.ts';

interface Loaded<T> {
  /** Null while it is awaited, or when it was refused. */
  readonly value: T | null;
  /** Why it was refused the last time; "" otherwise. */
  readonly refusal: string;
}

/** Asks the service once, as soon as it can be asked, and again when `key` changes; the last answer stays meanwhile. */
export function useLoaded<T>(
  load: (actions: DeskActions, abort: AbortSignal) => Promise<T>,
  key: string | null = null,
): Loaded<T> {
  const { actions } = useDesk();
  const [loaded, set] = useState<Loaded<T>>({ value: null, refusal: '' });
  useEffect(() => {
    if (actions === null) return;
    const ended = new AbortController();
    const { signal } = ended;
    load(actions, signal).then(
      (value) => signal.aborted || set({ value, refusal: '' }),
      (error) => signal.aborted || set(({ value }) => ({ value, refusal: refusalText(error) })),
    );
    return () => ended.abort();
  }, [actions === null, key]);
  return loaded;
}

interface Task<T> {
  readonly busy: boolean;
  readonly result: T | null;
  readonly refusal: string;
  /** Does it, unless it is being done: a second click asks for nothing. */
  run(work: (actions: DeskActions) => Promise<T>): void;
}

/** Something that is done on demand; the page record is read again afterwards. */
export function useTask<T>(): Task<T> {
  const { actions } = useDesk();
  const running = useRef(false);
  const [state, set] = useState<Omit<Task<T>, 'run'>>({ busy: false, result: null, refusal: '' });
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
          // The page itself shows that the service does not answer.
          actions.refresh().catch(() => undefined);
        });
    },
  };
}

export interface DialogProps {
  readonly onClose: () => void;
}

interface ConfirmProps<P, R> extends DialogProps {
  readonly title: string;
  /** What the service says beforehand, and what is shown until it has. */
  readonly plan: Loaded<P>;
  readonly waiting: string;
  readonly before: (plan: P) => ComponentChildren;
  /** What is done, and what came of it; without these the dialog only shows the plan. */
  readonly task?: Task<R>;
  readonly after?: (result: R) => ComponentChildren;
  /** Does it; undefined when there is nothing to do. Named as the title says. */
  readonly onAct?: (() => void) | undefined;
  /** False: it is offered and cannot be done. */
  readonly ready?: boolean;
  readonly danger?: boolean;
  /** What the person has to correct; "" for nothing. */
  readonly wrong?: string;
  /** Above everything, from beginning to end. */
  readonly lead?: ComponentChildren;
  /** Below the plan, until it is done. */
  readonly note?: ComponentChildren;
}

/** Modal and labelled; Escape and Cancel close it, and the focus goes back to where it was. */
export function Confirm<P, R = never>(props: ConfirmProps<P, R>) {
  const { title, plan, task, onAct, onClose, wrong = '' } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const leave = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    leave.current?.focus();
  }, []);
  const { value } = plan;
  const result = task?.result ?? null;
  const busy = task?.busy ?? false;
  const done = result !== null;
  const ready = value !== null && props.ready !== false;
  const refusal = task?.refusal || wrong || plan.refusal;
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
          if (ready && !busy && !done) onAct?.();
        }}
      >
        <h2 id="confirm-title">
          {task === undefined ? title : `${title}: this ${done ? 'has happened' : 'will happen'}`}
        </h2>
        {/* A region that scrolls is reached by the keyboard. */}
        <section
          class="confirm-body"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
          aria-label="What is about to happen, or has happened"
          aria-busy={busy || (value === null && refusal === '')}
        >
          {props.lead}
          {/* It is there from the start, so that what comes into it is announced. */}
          <div role="status">{done && props.after?.(result)}</div>
          {!done && value !== null && props.before(value)}
          {!done && value === null && refusal === '' && (
            <p role="status" class="soft">
              {props.waiting}
            </p>
          )}
          {!done && props.note !== undefined && <p class="soft">{props.note}</p>}
        </section>
        <p class="refusal" role="alert">
          {refusal}
        </p>
        <div class="buttons">
          {onAct !== undefined && !done && (
            <button
              type="submit"
              class={`button ${props.danger ? 'danger' : 'primary'}`}
              disabled={!ready || busy}
            >
              {busy ? 'In progress …' : title}
            </button>
          )}
          <button type="button" class="button" ref={leave} onClick={() => dialog.current?.close()}>
            {onAct === undefined || done ? 'Close' : 'Cancel'}
          </button>
        </div>
      </form>
    </dialog>
  );
}
