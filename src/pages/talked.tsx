/** One question and what came of it: her answer with the values it stands on, and the assistant's words with what is doubted in them. */

import { Fragment } from 'preact';
import { literal } from '../base/literal.ts';
import { Command } from './command.tsx';
import { placeOf, valueText } from './grounds.ts';
import { plural, State, Time } from './parts.tsx';
import type { Exchange } from './talk-history.ts';

type Answer = NonNullable<Exchange['answer']>;
type Spoken = NonNullable<Extract<Answer, { readonly assistant: unknown }>['assistant']>;

/** Lines as they were written; every other control is shown as what it is. */
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

/** A text in pieces: what stands in `doubts`, wherever it stands as a whole word or number, and what is between. */
export function doubted(
  text: string,
  doubts: readonly string[],
): readonly { readonly text: string; readonly doubt: boolean }[] {
  const words = doubts
    .filter((doubt) => doubt !== '')
    .sort((one, other) => other.length - one.length)
    .map(literal);
  if (words.length === 0) return [{ text, doubt: false }];
  const whole = `(?<![\\p{L}\\p{N}_]|\\p{N}[.,:])(${words.join('|')})(?![\\p{L}\\p{N}_]|[.,:]\\p{N})`;
  return text
    .split(new RegExp(whole, 'iu'))
    .map((piece, at) => ({ text: piece, doubt: at % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function Assistant({ spoken: { model, role, ms, answer, flags, truncated } }: { spoken: Spoken }) {
  const pieces = doubted(
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
        {pieces.map(({ text, doubt }, at) =>
          doubt ? <mark key={at}>{text}</mark> : <Lines key={at} text={text} />,
        )}
      </p>
      {flags.length > 0 && (
        <ul class="talk-doubts" aria-label="What does not fit what was measured">
          {flags.map(({ text, reason }, at) => (
            <li key={at}>
              <State tone="warn">doubt</State> <q>{text}</q>: {reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** While it speaks: neither whole nor checked. */
const Speaking = ({ heard }: { heard: string }) => (
  <div class="talk-assistant">
    <p class="soft small">
      {heard === '' ? 'The assistant thinks …' : 'The assistant speaks: not whole and not checked yet.'}
    </p>
    <p class="talk-words">
      <Lines text={heard} />
    </p>
  </div>
);

/** `busy`: more of it comes. */
export const Talked = ({
  exchange: { question, answer, heard, refusal },
  busy = false,
}: {
  exchange: Exchange;
  busy?: boolean;
}) => (
  <article class="talked" aria-busy={busy} data-refused={refusal === '' ? undefined : 'yes'}>
    <h3 class="talk-question">
      <span class="sr">You asked: </span>
      <Lines text={question} />
    </h3>
    {busy && answer === null && <p class="soft">She looks …</p>}
    {answer !== null && (
      <>
        <p class="talk-answer">
          <Lines text={answer.answer} />
        </p>
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
        {busy && heard !== undefined && <Speaking heard={heard} />}
        {'assistant' in answer && answer.assistant !== null && <Assistant spoken={answer.assistant} />}
        {'assistant' in answer && answer.assistant_note !== '' && (
          <p class="talk-note soft small">{answer.assistant_note}</p>
        )}
      </>
    )}
    {refusal !== '' && <p class="talk-refusal">{refusal}</p>}
  </article>
);
