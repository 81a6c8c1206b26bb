/** One question and what came of it: the answer with its measured values, and the assistant's words with what is suspect in them. */
import { Fragment } from 'preact';
import { literal } from '../base/literal.ts';
import { Command } from './command.tsx';
import { placeOf, valueText } from './grounds.ts';
import { plural, State, Time } from './parts.tsx';
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

/** A text in pieces: each whole word or number that is in `suspects`, and what is between. */
export function splitAtSuspects(
  text: string,
  suspects: readonly string[],
): readonly { readonly text: string; readonly suspect: boolean }[] {
  const words = suspects
    .filter((word) => word !== '')
    .sort((one, other) => other.length - one.length)
    .map(literal);
  if (words.length === 0) return [{ text, suspect: false }];
  const whole = `(?<![\\p{L}\\p{N}_]|\\p{N}[.,:])(${words.join('|')})(?![\\p{L}\\p{N}_]|[.,:]\\p{N})`;
  return text
    .split(new RegExp(whole, 'iu'))
    .map((piece, at) => ({ text: piece, suspect: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function Assistant({ spoken: { model, role, ms, answer, flags, truncated } }: { spoken: Spoken }) {
  const pieces = splitAtSuspects(
    answer,
    flags.map(({ text }) => text),
  );
  return (
    <section class="talk-assistant" aria-label="What the assistant says">
      <p class="soft small">
        Assistant {model}, {role}, {(ms / 1000).toFixed(1)} s{truncated && ', cut'}. Not measured by the desk;
        nothing acts on it.
      </p>
      <p class="talk-words">
        {pieces.map(({ text, suspect }, at) =>
          suspect ? <mark key={at}>{text}</mark> : <Lines key={at} text={text} />,
        )}
      </p>
      {flags.length > 0 && (
        <ul class="small talk-suspects" aria-label="What does not fit what was measured">
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

const Speaking = ({ heard }: { heard: string }) => (
  <div class="talk-assistant">
    <p class="soft small">
      {heard === '' ? 'The assistant thinks …' : 'The assistant speaks: not complete and not checked yet.'}
    </p>
    <p class="talk-words">
      <Lines text={heard} />
    </p>
  </div>
);

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
  const { question, answer, heard, refusal } = exchange;
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
      {busy && answer !== null && heard !== undefined && <Speaking heard={heard} />}
      {refusal !== '' && <p class="talk-refusal">{refusal}</p>}
    </article>
  );
}
