/** The mail page. */
import { useDesk } from './desk-context.ts';
import { DeskFrame } from './frame.tsx';

export function MailPage() {
  const { page } = useDesk();
  return (
    <DeskFrame path="/email/">
      <h1>Desk {page.status.ok ? 'ok' : 'not ok'}</h1>
    </DeskFrame>
  );
}
