/** What `desk watch` shows of a scene, drawn by a terminal emulator, as a page to be photographed. */
import { Painter } from '../src/cli/watch/painter.ts';
import { Ui } from '../src/cli/watch/ui.ts';
import { detection } from '../src/records/detection.ts';
import { liveView } from '../src/records/live.ts';
import { page } from '../src/records/page.ts';
import { processTable } from '../src/records/tables.ts';
import { SCENE_NOW, sceneOf } from '../test/support/scenes.ts';
import { stateFrom } from '../test/support/state.ts';
import { emulator } from '../test/support/terminal.ts';
import type { TerminalPicture } from './gallery.ts';

const GROUND = '#1e1e1e';
const TEXT = '#d4d4d4';
/** Of SGR 31 to 33. */
const COLOURS: Readonly<Record<number, string>> = { 1: '#f4605c', 2: '#3fc380', 3: '#e5c94f' };

const STYLE = `body { margin: 0 }
pre { display: inline-block; margin: 0; padding: 8px; background: ${GROUND}; font: 14px/18px 'DejaVu Sans Mono', monospace }
pre div { display: flex; height: 18px }
pre span { white-space: pre; overflow: hidden }`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The records that this view is made of, at a fixed time. */
function drawn({ scene, key, columns, rows }: TerminalPicture): string {
  const { parts } = sceneOf(scene, SCENE_NOW);
  const state = stateFrom({ ...parts, snapshot: { ...parts.snapshot, at: { epochMs: SCENE_NOW } } });
  const seen = <T>(value: T) => ({ value, atMs: 0 });
  const known = {
    seen: {
      live: seen(liveView.assemble({ state, ageMs: 0, before: null })),
      page: seen(page.assemble(state)),
      detection: seen(detection.assemble({ state })),
      processes: seen(processTable.assemble(state)),
    },
    trouble: {},
  };
  const ui = new Ui(() => known, 1000);
  ui.handle({ kind: 'text', text: key });
  return new Painter(true).paint(ui.draw({ columns, rows }, 0), columns, rows);
}

export async function terminalHtml(picture: TerminalPicture): Promise<string> {
  const { columns, rows } = picture;
  const { terminal, write } = emulator(columns, rows);
  await write(`\u001b[?7l${drawn(picture)}`);
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = terminal.buffer.active.getLine(row);
    const spans = Array.from({ length: columns }, (__, column) => {
      const cell = line?.getCell(column);
      const width = cell?.getWidth() ?? 0;
      if (cell === undefined || width === 0) return '';
      const colour = cell.isFgDefault() ? TEXT : (COLOURS[cell.getFgColor()] ?? TEXT);
      const inverse = cell.isInverse() !== 0;
      const style = [
        `width: ${width}ch; color: ${inverse ? GROUND : colour}`,
        inverse ? `background: ${colour}` : '',
        cell.isBold() !== 0 ? 'font-weight: bold' : '',
        cell.isDim() !== 0 ? 'opacity: .65' : '',
      ];
      return `<span style="${style.join(';')}">${escaped(cell.getChars() || ' ')}</span>`;
    });
    return `<div>${spans.join('')}</div>`;
  });
  return `<!doctype html><style>${STYLE}</style><pre>${lines.join('')}</pre>`;
}
