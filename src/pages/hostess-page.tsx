/** The hostess page. */
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';

export function HostessPage() {
  const { page } = useDesk();
  return (
    <DeskFrame path="/hostess7.html">
      <h1>Desk {page.status.ok ? 'ok' : 'not ok'}</h1>
    </DeskFrame>
  );
}
