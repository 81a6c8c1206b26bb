/** One question and what came of it: the answer with its measured values, and what the assistant asked and said. */

import { Fragment } from 'preact';
import { plural } from '../base/plural.ts';
import { Command } from './command.tsx';
import { placeOf, valueText } from './grounds.ts';
import { State, Time } from './parts.tsx';
import type { Exchange } from './use-talk.ts';

type Answer = NonNullable<Exchange['answer']>;
type Spoken = NonNullable<Extract<Answer, { readonly assistant: unknown }>['assistant']>;

/** Line breaks as they were written; other control characters become visible. */
const Lines = ({ text }: { text: string }) => (
  <>
    {text.split('\n').map((line, at) => (
      <Fragment key={at}>
        {at > 0 && <br />}
        {line}
      </Fragment>
    ))}
  </>
);

const Grounds = ({ grounds }: { grounds: Answer['grounds'] }) => (
  <details class="grounds">
    <summary>Based on {plural(grounds.length, 'measured value')}</summary>
    <ul class="small">
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

/** Its queries with what the desk answers, which is measured; then its words, in which the values are marked. */
function Assistant({ spoken: { model, role, ms, queries, parts, flags, truncated } }: { spoken: Spoken }) {
  return (
    <section class="talk-assistant" aria-label="What the assistant asks and says">
      {queries.length > 0 && (
        <ul class="talk-queries" aria-label="What it asked the desk">
          {queries.map(({ query, answer, error }, at) => (
            <li key={at}>
              <code>{query}</code>
              <p>{error === '' ? answer : <State tone="warn">not run: {error}</State>}</p>
            </li>
          ))}
        </ul>
      )}
      <p class="soft small">
        Opinion of the assistant {model}, {role}, {(ms / 1000).toFixed(1)} s{truncated && ', cut'}. Marked
        values were read by the desk; nothing acts on the rest.
      </p>
      <p class="talk-words">
        {parts.map(({ text, path }, at) =>
          path === null ? (
            <Lines key={at} text={text} />
          ) : (
            <data key={at} value={path} title={path}>
              {text}
            </data>
          ),
        )}
      </p>
      {flags.length > 0 && (
        <ul class="small talk-suspects" aria-label="What was removed from its words, or is doubtful">
          {flags.map(({ text, reason }, at) => (
            <li key={at}>
              <State tone="warn">doubtful</State> <q>{text}</q>: {reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const Answered = ({ answer }: { answer: Answer }) => (
  <>
    <p class="talk-answer">
      <Lines text={answer.answer} />
    </p>
    {answer.grounds.length > 0 && <Grounds grounds={answer.grounds} />}
    {answer.suggestions.length > 0 && (
      <ul class="small suggestions" aria-label="Suggested commands">
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
    {'assistant' in answer && answer.assistant !== null && <Assistant spoken={answer.assistant} />}
    {'assistant' in answer && answer.assistant_note !== '' && (
      <p class="talk-note soft small">{answer.assistant_note}</p>
    )}
  </>
);

/** `busy`: more of it comes. */
export function Talked({ exchange, busy = false }: { exchange: Exchange; busy?: boolean }) {
  const { question, answer, asking, refusal } = exchange;
  return (
    <article class="talked" aria-busy={busy} data-refused={refusal === '' ? undefined : 'yes'}>
      <h3 class="talk-question">
        <span class="sr">You asked: </span>
        <Lines text={question} />
      </h3>
      {answer !== null ? (
        <Answered answer={answer} />
      ) : (
        busy && <p class="soft">Reading what was measured …</p>
      )}
      {busy && asking && <p class="talk-assistant soft small">The assistant is asked …</p>}
      {refusal !== '' && <p class="talk-refusal">{refusal}</p>}
    </article>
  );
}
