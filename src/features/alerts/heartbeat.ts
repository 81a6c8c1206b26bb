/** Tells services that wait for it that the desk still rechecks. Nothing is sent unless a recheck has ended: a frozen desk is silent. */
import { codeText } from '../../base/error-code.ts';
import type { Config } from '../../config/schema.ts';
import type { Egress } from '../../egress/egress.ts';
import { sendWeb } from '../../egress/send-web.ts';
import type { HeartbeatState } from '../../records/alerts.ts';
import { secretText } from './secret-file.ts';

type Configured = Config['heartbeat'][number];

/** Timers of a second may fire this much early. */
const SLACK_MS = 100;

export class Heartbeat {
  readonly #config: Configured;
  readonly #egress: Egress;
  readonly #abort = new AbortController();
  #nextMs = 0;
  #sending = false;
  #sentMs: number | null = null;
  #reason = '';

  constructor(config: Configured, egress: Egress) {
    this.#config = config;
    this.#egress = egress;
  }

  /** Why it does not arrive, "" while it does. */
  get trouble(): string {
    return this.#reason === '' ? '' : `the heartbeat "${this.#config.name}" does not arrive: ${this.#reason}`;
  }

  get shown(): HeartbeatState {
    return {
      name: this.#config.name,
      everySec: this.#config.every_sec,
      sent: this.#sentMs === null ? null : new Date(this.#sentMs).toISOString(),
      reason: this.#reason,
    };
  }

  /** A recheck has ended. */
  beat(monoMs: number): void {
    if (this.#sending || monoMs + SLACK_MS < this.#nextMs) return;
    this.#sending = true;
    this.#nextMs = monoMs + 1000 * this.#config.every_sec;
    void this.send().finally(() => {
      this.#sending = false;
    });
  }

  /** Sends one now; the reason why it did not arrive, else "". */
  async send(): Promise<string> {
    this.#reason = await this.#send().catch((error) => `it could not be sent (${codeText(error)})`);
    if (this.#reason === '') this.#sentMs = Date.now();
    return this.#reason;
  }

  stop(): void {
    this.#abort.abort();
  }

  async #send(): Promise<string> {
    const { method, url, url_file, token_file } = this.#config;
    const address = secretText(url, url_file, 'address');
    if (!address.ok) return address.reason;
    const token = secretText('', token_file, 'token');
    if (!token.ok) return token.reason;
    const answer = await sendWeb(this.#egress, {
      ...{ method, url: address.text, signal: this.#abort.signal },
      headers: token.text === '' ? {} : { authorization: `Bearer ${token.text}` },
      ...(method === 'POST' && { body: '' }),
    });
    if (!answer.ok) return answer.reason;
    return answer.status >= 200 && answer.status < 300
      ? ''
      : `it answers ${answer.status}, check its address`;
  }
}
