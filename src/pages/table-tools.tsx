/** What narrows the rows of a table. */

/** A choice of one among those that occur, or any. */
export const Select = (props: {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  disabled: boolean;
  choose: (value: string) => void;
}) => (
  <label>
    <span class="sr">{props.label}</span>
    <select
      class="field"
      disabled={props.disabled}
      value={props.value}
      onChange={(event) => props.choose(event.currentTarget.value)}
    >
      {props.options.map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  </label>
);

/** Filters by words, in any order and case. */
export const Search = (props: {
  label: string;
  hint: string;
  value: string;
  disabled: boolean;
  search: (text: string) => void;
}) => (
  <label class="table-filter">
    <span class="sr">{props.label}</span>
    <input
      type="search"
      class="field"
      autocomplete="off"
      spellcheck={false}
      maxLength={200}
      placeholder={props.hint}
      value={props.value}
      disabled={props.disabled}
      onInput={(event) => props.search(event.currentTarget.value)}
    />
  </label>
);
