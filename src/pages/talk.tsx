/** The hostess flyout: questions and answers, with the values that each answer is based on. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Page } from '../records/page.ts';
import { useDesk } from './desk-context.ts';
import { number } from './parts.tsx';
import { Talked } from './talked.tsx';
import { useTalk } from './use-talk.ts';

/** Longest question that the service takes, UTF-16 units as an input counts them. */
const LONGEST = 4_096;
/** Where the flyout covers the whole page. */
const NARROW = '(max-width: 40rem)';
const ADDRESS = '#hostess7';

/** Opens the flyout: a link, so that it does without scripts. */
export const TalkOpener = () => (
  <a class="button primary" id="talk-opener" href={ADDRESS} aria-haspopup="dialog">
    Ask the hostess
  </a>
);

/** The flyout follows the fragment of the address once it is `ready`; returns how to close it. */
function useFlyout(
  ready: boolean,
  panel: RefObject<HTMLDialogElement | null>,
  begin: () => void,
): () => void {
  const close = (): void => {
    if (location.hash === ADDRESS) history.replaceState(null, '', location.pathname + location.search);
    panel.current?.close();
    document.getElementById('talk-opener')?.focus({ preventScroll: true });
  };
  useEffect(() => {
    if (!ready) return;
    const follow = (): void => {
      const dialog = panel.current;
      if (dialog === null) return;
      if (location.hash === ADDRESS) {
        if (!dialog.open) {
          if (matchMedia(NARROW).matches) dialog.showModal();
          else dialog.show();
        }
        begin();
      } else if (dialog.matches(':modal')) dialog.close(); // It would cover what the address names now.
    };
    const leave = (event: KeyboardEvent): void => {
      const within = panel.current?.contains(event.target as Node) || event.target === document.body;
      if (event.key === 'Escape' && !event.isComposing && panel.current?.open && within) close();
    };
    follow();
    addEventListener('hashchange', follow);
    addEventListener('keydown', leave);
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('keydown', leave);
    };
  }, [ready]);
  return close;
}

/** Why the assistant cannot be asked from this tab, and what to do; "" when it can. */
const lackOf = (place: Page['assistant']['place'], signedIn: boolean): string => {
  if (place === 'none') return 'none is configured, see [assistant]';
  return place === 'here' || signedIn ? '' : 'on another machine, which needs a session: run "desk open"';
};

export function Talk() {
  const { actions, page } = useDesk();
  const panel = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const [scripts, setScripts] = useState(false);
  const [draft, setDraft] = useState('');
  const [choice, choose] = useState(true);
  const { talk, now, ask, stop, forget } = useTalk();
  const close = useFlyout(scripts, panel, () => input.current?.focus({ preventScroll: true }));
  const lacking = lackOf(page.assistant.place, actions?.signedIn === true);
  const assisted = lacking === '' && choice;

  useEffect(() => setScripts(true), []);
  // The newest question is at the top of the view; scrolling while the assistant speaks is not undone.
  const answered = now?.answer !== null;
  useEffect(() => {
    const [view, newest] = [log.current, log.current?.lastElementChild];
    if (view && newest instanceof HTMLElement) view.scrollTop = newest.offsetTop - view.offsetTop;
  }, [talk.length, now?.question, answered]);

  const submit = async (): Promise<void> => {
    const message = draft.trim();
    if (actions === null || now !== null || message === '') return;
    if (await ask(message, assisted)) setDraft((draft) => (draft.trim() === message ? '' : draft));
    input.current?.focus({ preventScroll: true });
  };
  return (
    <dialog
      ref={panel}
      class="talk"
      id="hostess7"
      aria-labelledby="talk-title"
      data-scripts={scripts ? 'yes' : 'no'}
    >
      <header class="row apart">
        <h2 id="talk-title">{page.status.hostess_charge.she}</h2>
        <button
          type="button"
          class="button"
          aria-label="Close the hostess"
          disabled={!scripts}
          onClick={close}
        >
          Close
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <div class="talk-log" role="log" aria-label="Questions and answers" tabIndex={0} ref={log}>
        {talk.length === 0 && now === null && (
          <p class="soft">
            Ask how the desk is, what is wrong and what to do. The hostess answers from measured values and
            changes nothing.
          </p>
        )}
        {talk.map((exchange, at) => (
          <Talked key={at} exchange={exchange} />
        ))}
        {now !== null && <Talked exchange={now} busy />}
      </div>
      {!scripts && (
        <p class="talk-scriptless">
          Asking here needs scripts, and they do not run. In a terminal: <code>desk think "…"</code>.{' '}
          <a href="#content">Back to the page</a>
        </p>
      )}
      <form
        class="talk-form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <label for="talk-message">Your question</label>
        <textarea
          id="talk-message"
          class="field"
          ref={input}
          rows={3}
          maxLength={LONGEST}
          value={draft}
          disabled={!scripts}
          aria-describedby="talk-limit"
          onInput={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            void submit();
          }}
        />
        <p class="row apart soft small" id="talk-limit">
          <span>Enter asks, Shift+Enter begins a new line</span>
          <span class="number">
            {draft.length} of {number(LONGEST)}
          </span>
        </p>
        <label class="talk-assisted">
          <input
            type="checkbox"
            checked={assisted}
            disabled={!scripts || lacking !== ''}
            aria-describedby="talk-lacking"
            onChange={(event) => choose(event.currentTarget.checked)}
          />{' '}
          with the assistant{' '}
          <span class="soft small" id="talk-lacking">
            {lacking || page.assistant.model}
          </span>
        </label>
        <div class="buttons">
          <button
            type="submit"
            class="button primary"
            disabled={actions === null || now !== null || draft.trim() === ''}
            title={actions === null ? 'Not connected to the service yet' : undefined}
          >
            {now === null ? 'Ask' : 'Asking'}
          </button>
          {now?.asking && (
            <button type="button" class="button" onClick={stop}>
              Stop waiting
            </button>
          )}
          <button type="button" class="button" disabled={talk.length === 0} onClick={forget}>
            Clear this conversation
          </button>
        </div>
      </form>
    </dialog>
  );
}
