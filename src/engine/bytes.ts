/** Raw bytes of the kernel as text. Lossy; escaping for a terminal, HTML or JSON happens where it is printed. */

const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true });

/** UTF-8 text of raw bytes, invalid sequences as U+FFFD. Views over a SharedArrayBuffer, which TextDecoder refuses, are copied first. */
export function textOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return '';
  return decoder.decode(bytes.buffer instanceof SharedArrayBuffer ? bytes.slice() : bytes);
}
