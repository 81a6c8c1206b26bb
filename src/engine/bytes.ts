/** Raw bytes of the kernel as text. Lossy; escaping for a terminal, HTML or JSON happens where it is printed. */

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/**
 * UTF-8 text of raw bytes, invalid sequences as U+FFFD. Takes views over a SharedArrayBuffer, which TextDecoder
 * refuses, by copying them first.
 */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  return decoder.decode(bytes.buffer instanceof SharedArrayBuffer ? bytes.slice() : bytes);
}

/** UTF-8 bytes of text; bytes stay as they are. */
export function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? encoder.encode(text) : text;
}
