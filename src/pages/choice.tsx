/** One of a few, chosen by radio buttons that look like a switch of several positions. */
import type { ComponentChildren } from 'preact';
import './parts.tsx';

interface ChoiceProps<T extends string> {
  /** What is chosen; read out before the options. */
  readonly legend: string;
  /** Unique on the page. */
  readonly name: string;
  readonly options: readonly (readonly [value: T, label: ComponentChildren])[];
  readonly value: T;
  readonly disabled: boolean;
  readonly choose: (value: T) => void;
}

export const Choice = <T extends string>(props: ChoiceProps<T>) => (
  <fieldset class="choice" disabled={props.disabled}>
    <legend class="sr">{props.legend}</legend>
    {props.options.map(([value, label]) => (
      <label key={value}>
        <input
          type="radio"
          name={props.name}
          value={value}
          checked={value === props.value}
          onChange={() => props.choose(value)}
        />
        <span>{label}</span>
      </label>
    ))}
  </fieldset>
);
