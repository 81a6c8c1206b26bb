/** The state of the machine itself, as one row. */
import { vitalWords } from '../records/vitals-words.ts';
import { useDesk } from './desk-context.ts';
import { Clip } from './long.tsx';
import { Section, Soft, State, Time } from './parts.tsx';

export function Machine() {
  const { vitals } = useDesk().page;
  if (vitals === null)
    return (
      <Section id="machine" title="Machine" aside={<State tone="calm">not read yet</State>}>
        <p class="soft small">The service reads it every 30 seconds.</p>
      </Section>
    );
  const { concerns, not_known: unknown } = vitals;
  return (
    <Section
      id="machine"
      title="Machine"
      class="machine"
      aside={
        concerns.length > 0 ? (
          <State tone="warn">{`${concerns.length} beyond a limit`}</State>
        ) : unknown.length > 0 ? (
          <State tone="warn">not all known</State>
        ) : (
          <State tone="good">within limits</State>
        )
      }
    >
      <dl>
        {vitalWords(vitals).map(({ name, text }) => (
          <div key={name} data-vital={name} data-known={text === '' ? 'no' : 'yes'}>
            <dt>{name}</dt>
            <dd>{text === '' ? <Soft>not known</Soft> : text}</dd>
          </div>
        ))}
      </dl>
      {[...concerns, ...unknown].length > 0 && (
        <ul class="lined">
          {concerns.map((text) => (
            <li key={text}>
              <Clip text={text} />
            </li>
          ))}
          {unknown.map((text) => (
            <li key={text} class="soft">
              <Clip text={`Not known: ${text}`} />
            </li>
          ))}
        </ul>
      )}
      <p class="soft small">
        Read <Time at={vitals.read} />; all of it, and why a value is not known: <code>desk vitals</code>.
      </p>
    </Section>
  );
}
