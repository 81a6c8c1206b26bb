/** What this machine starts by itself. */
import { feature } from '../../desk/feature.ts';
import { STARTUP } from './api.ts';

export * from './operations.ts';

export const FEATURE = feature({
  id: 'startup',
  commands: {
    startup: async () => (await import('./startup-command.ts')).startup,
  },
  async make({ provide }) {
    let running: ReturnType<typeof scanNow> | null = null;
    const scanNow = async () => {
      const [{ scanStartup }, { PLACES }] = await Promise.all([
        import('./scan.ts'),
        import('./places/index.ts'),
      ]);
      return scanStartup({ places: PLACES });
    };
    provide(STARTUP, {
      scan() {
        running ??= scanNow().finally(() => {
          running = null;
        });
        return running;
      },
    });
    return { stop: async () => void (await running?.catch(() => undefined)) };
  },
});
