/** What could be configured and is not, in one place: what each would give, and its setting. */
import type { ComponentChildren } from 'preact';
import { SET_UP } from '../records/setup.ts';
import { useDesk } from './desk-context.ts';

/** Of a list, what is not configured. */
export const Unset = (props: { count: number; names?: string; children: ComponentChildren }) =>
  props.count === 0 ? null : (
    <details>
      <summary>
        Not set up ({props.count}){props.names && `: ${props.names}`}
      </summary>
      {props.children}
    </details>
  );

export function NotSetUp() {
  const { not_set_up: ids } = useDesk().page;
  if (ids.length === 0) return null;
  return (
    <details class="card not-set-up">
      <summary>
        <h2>Not set up</h2> {ids.map((id) => SET_UP[id].title).join(', ')}
      </summary>
      <dl>
        {ids.map((id) => (
          <div key={id} id={`set-up-${id}`}>
            <dt>{SET_UP[id].title}</dt>
            <dd>
              {SET_UP[id].gives} <code>{SET_UP[id].setting}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p class="soft small">
        Each is a setting of the configuration, which <code>desk config check</code> names and checks.
      </p>
    </details>
  );
}
