/** The form for what gives a tab its rights: a script of the page sends it, so it is in no address, no form data and no history. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { State } from './parts.tsx';

interface SignInProps {
  readonly label: string;
  readonly action: string;
  /** A browser may offer to store a token, but not a code that works once. */
  readonly autocomplete: 'current-password' | 'off';
  /** Why the last one was refused; "" when none was. */
  readonly refusal: string;
  /** Gets what was typed; null where no script runs. */
  readonly enter: ((text: string) => void) | null;
  /** The words above the field. */
  readonly children: ComponentChildren;
}

export function SignIn({ label, action, autocomplete, refusal, enter, children }: SignInProps) {
  const [typed, type] = useState('');
  return (
    <form
      class="card"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        enter?.(typed.trim());
      }}
    >
      {children}
      <p class="sign-in">
        <label for="token">{label}</label>
        <input
          id="token"
          class="field"
          type="password"
          autocomplete={autocomplete}
          required
          disabled={enter === null}
          value={typed}
          onInput={({ currentTarget }) => type(currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={enter === null}>
          {action}
        </button>
      </p>
      <noscript>
        <p class="soft">
          This field needs JavaScript: a script sends what you enter, and nothing else keeps it.
        </p>
      </noscript>
      {refusal !== '' && (
        <p class="bad" role="alert">
          <State tone="bad">refused</State> {refusal}
        </p>
      )}
    </form>
  );
}
