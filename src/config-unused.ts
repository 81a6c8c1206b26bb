/** Settings that are read and checked, but that nothing acts on as the others stand: whoever sets one is told. */
import { type Config, configSchema } from './config-schema.ts';

/** What is said to an assistant needs one. */
const alone =
  <K extends keyof Config['assistant']>(key: K) =>
  ({ assistant }: Config): unknown =>
    assistant.base_url === '' ? assistant[key] : undefined;

const UNUSED: Readonly<Record<string, (config: Config) => unknown>> = {
  'assistant.model': alone('model'),
  'assistant.api_key_file': alone('api_key_file'),
  'assistant.timeout_sec': alone('timeout_sec'),
  'assistant.send_people': alone('send_people'),
};

/** Keys that differ from their default and have no effect, in the order of the schema. */
export function unusedKeys(config: Config): string[] {
  const defaults = configSchema.parse({});
  return Object.entries(UNUSED)
    .filter(([, of]) => {
      const value = of(config);
      return value !== undefined && JSON.stringify(value) !== JSON.stringify(of(defaults));
    })
    .map(([key]) => key);
}
