/** A command to copy. */
import { useEffect, useState } from 'preact/hooks';
import { useDesk } from './desk-context.ts';
import './parts.tsx';

/** How long a button says what became of the copy, ms. */
const TOLD_MS = 2_000;

/** A command that runs as printed, with a button that copies it; without scripts it is there to be selected. */
export function Command({ command }: { command: string }) {
  const { actions } = useDesk();
  const [told, tell] = useState('');
  useEffect(() => {
    if (told === '') return;
    const timer = setTimeout(() => tell(''), TOLD_MS);
    return () => clearTimeout(timer);
  }, [told]);
  const copy = (): void => {
    navigator.clipboard.writeText(command).then(
      () => tell('Copied'),
      () => tell('Select it instead'),
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
        {told || 'Copy'}
      </button>
      <span class="sr" role="status">
        {told}
      </span>
    </span>
  );
}
