/** The page of the remote listener as the server sends it: it knows nothing of the machine, and asks for a token. */
import { renderDocument } from './document.tsx';
import { Frame } from './plain-frame.tsx';

export const remotePage = (): string =>
  renderDocument({
    title: 'Hostess Desk',
    page: { name: 'remote', json: '{}' },
    body: (
      <Frame path="/" nav={[['/', 'Desk']]} foot="Hostess Desk, read-only.">
        <div class="reading">
          <noscript>
            <p class="card">This page needs JavaScript: the token is sent by a script, and nowhere else.</p>
          </noscript>
        </div>
      </Frame>
    ),
  });
