/** The links page. */
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';

export function LinksPage() {
  const { page } = useDesk();
  return (
    <DeskFrame path="/links.html">
      <h1>Desk {page.status.ok ? 'ok' : 'not ok'}</h1>
    </DeskFrame>
  );
}
