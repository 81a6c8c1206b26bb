/** A problem for people: what happened and what to do. */
import type { Problem } from '../records/problem.ts';
import { renderDocument } from './document.tsx';
import { Frame } from './plain-frame.tsx';

export const problemPage = ({ status, title, detail, type, instance }: Problem): string =>
  renderDocument({
    title: `${status} ${title}`,
    body: (
      <Frame path="" nav={[['/', 'Back to the start']]} foot={<code>{instance}</code>}>
        <div class="reading">
          <h1>{title}</h1>
          <section class="card">
            <p>{detail}</p>
            <p class="soft">
              {status}, <code>{type}</code>
            </p>
          </section>
        </div>
      </Frame>
    ),
  });
