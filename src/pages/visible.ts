/** Preact escapes, this hook makes invisible characters visible: modules with elements import it through `parts.tsx`. */
import { options, type VNode } from 'preact';
import { INVISIBLE } from '../base/visible-text.ts';

const HIDDEN = new RegExp(`[${INVISIBLE}]`, 'gu');

/** Makes invisible characters visible: C0 as control pictures (␛), everything else as its code point (⟨U+202E⟩). */
export function visible(text: string): string {
  return text.replace(HIDDEN, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
  });
}

const shown = (value: unknown): unknown =>
  typeof value === 'string' ? visible(value) : Array.isArray(value) ? value.map(shown) : value;

/** Attributes that people read or hear; a `value` is what they typed themselves. */
const READ = ['title', 'dateTime', 'aria-label', 'aria-description', 'alt', 'data-head'];

const before = options.vnode;
options.vnode = (vnode: VNode) => {
  const props = vnode.props as Record<string, unknown>;
  if (props.children !== undefined && vnode.type !== 'textarea') props.children = shown(props.children);
  if (typeof vnode.type === 'string')
    for (const name of READ) if (typeof props[name] === 'string') props[name] = visible(props[name]);
  before?.(vnode);
};
