/** The themed page. */
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';

export function ThemedPage() {
  const { page } = useDesk();
  return (
    <DeskFrame path="/">
      <h1>Desk {page.status.ok ? 'ok' : 'not ok'}</h1>
    </DeskFrame>
  );
}
