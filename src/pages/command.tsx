/** A command to copy. */
import { useEffect, useState } from 'preact/hooks';
import { useDesk } from './desk-context.ts';
import './parts.tsx';

/** How long a button says what came of the copy, ms. */
const SAID_MS = 2_000;

/** A command that runs as printed, with a button that copies it; without scripts it can be selected. */
export function Command({ command }: { command: string }) {
  const { actions } = useDesk();
  const [said, say] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => say(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => say('Copied'),
      () => say('Select it instead'),
    );
  };
  return (
    <span class="command">
      <code>{command}</code>
      <button
        type="button"
        class="copy"
        aria-label={`Copy ${command}`}
        title={actions === null ? 'Copying needs scripts: select the command instead' : undefined}
        disabled={actions === null}
        onClick={copy}
      >
        {said || 'Copy'}
      </button>
      <span class="sr" role="status">
        {said}
      </span>
    </span>
  );
}
