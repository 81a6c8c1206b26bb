/** The hostess flyout: questions to her and what she answers, with the values each answer stands on. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Command } from './command.tsx';
import { refusalText, useDesk } from './desk-context.ts';
import { placeOf, valueText } from './grounds.ts';
import { number, plural, Time } from './parts.tsx';
import { type Exchange, keepTalk, keptTalk } from './talk-history.ts';

/** Longest question, characters. */
const LONGEST = 4_000;
/** Where the flyout stands over the whole page. */
const NARROW = '(max-width: 40rem)';
const ADDRESS = '#hostess7';

/** Opens the flyout: a link, so that it does without scripts. */
export const TalkOpener = () => (
  <a class="button primary" id="talk-opener" href={ADDRESS} aria-haspopup="dialog">
    Ask the hostess
  </a>
);

type Answer = NonNullable<Exchange['answer']>;

const Grounds = ({ grounds }: { grounds: Answer['grounds'] }) => (
  <details class="grounds">
    <summary>Stands on {plural(grounds.length, 'measured value')}</summary>
    <ul>
      {grounds.map(({ path, value }, at) => {
        const place = placeOf(path);
        return (
          <li key={at}>
            {place === null ? <code>{path}</code> : <a href={place}>{path}</a>}{' '}
            <span class="ground-value">{valueText(value)}</span>
          </li>
        );
      })}
    </ul>
  </details>
);

function Assistant({ answer }: { answer: Answer }) {
  if (!('assistant' in answer)) return null;
  const { assistant, assistant_note } = answer;
  if (assistant === null) return <p class="soft small">{assistant_note}</p>;
  return (
    <div class="talk-assistant">
      <p class="soft small">
        {assistant.model}, {assistant.role}, {Math.round(assistant.ms)} ms. Not measured by the desk:
      </p>
      <p>{assistant.answer}</p>
    </div>
  );
}

export const Talked = ({ exchange: { question, answer, refusal } }: { exchange: Exchange }) => (
  <article class="talked" data-refused={refusal === '' ? undefined : 'yes'}>
    <h3 class="talk-question">
      <span class="sr">You asked: </span>
      {question}
    </h3>
    {refusal !== '' && <p class="talk-refusal">{refusal}</p>}
    {answer !== null && (
      <>
        <p class="talk-answer">{answer.answer}</p>
        <Assistant answer={answer} />
        {answer.grounds.length > 0 && <Grounds grounds={answer.grounds} />}
        {answer.suggestions.length > 0 && (
          <ul class="suggestions" aria-label="Suggested commands">
            {answer.suggestions.map((command, at) => (
              <li key={at}>
                <Command command={command} />
              </li>
            ))}
          </ul>
        )}
        <p class="soft small">
          {answer.she}, <Time at={answer.ts} />
        </p>
      </>
    )}
  </article>
);

const Scriptless = () => (
  <p class="talk-scriptless">
    Asking her here needs scripts, and they do not run. On a terminal: <code>desk think "…"</code>.{' '}
    <a href="#content">Back to the page</a>
  </p>
);

/** The flyout follows the fragment of the address once it is `ready`; returns how to close it. */
function useFlyout(
  ready: boolean,
  panel: { readonly current: HTMLDialogElement | null },
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
      } else if (dialog.matches(':modal')) dialog.close(); // What the address names now lies beneath it.
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

export function Talk() {
  const { actions, page } = useDesk();
  const panel = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const [scripts, setScripts] = useState(false);
  const [talk, setTalk] = useState<readonly Exchange[]>([]);
  const [asking, setAsking] = useState('');
  const [draft, setDraft] = useState('');
  const [assisted, setAssisted] = useState(false);
  const close = useFlyout(scripts, panel, () => input.current?.focus({ preventScroll: true }));

  useEffect(() => {
    setScripts(true);
    setTalk(keptTalk());
  }, []);
  useEffect(() => {
    const [view, newest] = [log.current, log.current?.lastElementChild];
    if (view && newest instanceof HTMLElement) view.scrollTop = newest.offsetTop - view.offsetTop;
  }, [talk, asking]);

  // Beside what stands there by then: it may have been forgotten while she looked.
  const remember = (exchange: Exchange): void => setTalk((before) => keepTalk([...before, exchange]));
  const ask = async (): Promise<void> => {
    const message = draft.trim();
    if (actions === null || asking !== '' || message === '') return;
    setAsking(message);
    const [path, body] = assisted
      ? ['/h7/consult', { message, with_assistant: true }]
      : ['/h7/think', { message }];
    try {
      const answer = await actions.post<Answer>(path, body);
      remember({ question: message, answer, refusal: '' });
      setDraft('');
    } catch (error) {
      remember({ question: message, answer: null, refusal: refusalText(error) });
    } finally {
      setAsking('');
      input.current?.focus({ preventScroll: true });
    }
  };
  const { assistant_role } = page.status.hostess_charge.system_run;
  return (
    <dialog
      ref={panel}
      class="talk"
      id="hostess7"
      aria-labelledby="talk-title"
      data-scripts={scripts ? 'yes' : 'no'}
    >
      <header class="talk-head">
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
      {/* A region that scrolls is reached by the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <div class="talk-log" role="log" aria-label="Questions and answers" tabIndex={0} ref={log}>
        {talk.length === 0 && asking === '' && (
          <p class="soft">
            Ask how the desk is, what is wrong and what to do. She answers from measured values and changes
            nothing.
          </p>
        )}
        {talk.map((exchange, at) => (
          <Talked key={at} exchange={exchange} />
        ))}
        {asking !== '' && (
          <article class="talked" aria-busy="true">
            <h3 class="talk-question">{asking}</h3>
            <p class="soft">She looks …</p>
          </article>
        )}
      </div>
      {!scripts && <Scriptless />}
      <form
        class="talk-form"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
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
            void ask();
          }}
        />
        <p class="talk-limit soft small" id="talk-limit">
          <span>Enter asks, Shift and Enter begin a line</span>
          <span class="number">
            {draft.length} of {number(LONGEST)}
          </span>
        </p>
        <label class="talk-assisted">
          <input
            type="checkbox"
            checked={assisted}
            disabled={!scripts}
            onChange={(event) => setAssisted(event.currentTarget.checked)}
          />{' '}
          with the assistant <span class="soft small">{assistant_role}</span>
        </label>
        <div class="buttons">
          <button
            type="submit"
            class="button primary"
            disabled={actions === null || asking !== '' || draft.trim() === ''}
            title={actions === null ? 'The link to the service is not up yet' : undefined}
          >
            {asking === '' ? 'Ask' : 'Asking'}
          </button>
          <button
            type="button"
            class="button"
            disabled={talk.length === 0}
            onClick={() => setTalk(keepTalk([]))}
          >
            Forget this talk
          </button>
        </div>
      </form>
    </dialog>
  );
}
