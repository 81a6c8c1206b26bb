/** Lines of profiles that an intruder would write. */
/** Names that ask for a password. */
const ASKS = '(?:sudo|su|doas|ssh|passwd)';
/** Where a command begins; entries are joined by "; ". */
const COMMAND = String.raw`(?:^|[;&|({\x60]\s*|\b(?:then|do|else|exec|nohup|source|eval)\s+|(?:^|\s)\.\s+)`;
/** Shells on the network, libraries for every program, downloads that run, programs of folders that everyone writes, and what takes the place of programs that ask for a password. */
export const HOSTILE_PROFILE = new RegExp(
  [
    '/dev/(?:tcp|udp)/',
    String.raw`\bLD_(?:PRELOAD|AUDIT)=`,
    String.raw`\b(?:LD_LIBRARY_PATH|PATH|PYTHONPATH|PERL5LIB|BASH_ENV|ENV)=[^\s;]{0,200}(?:/tmp|/dev/shm)/`,
    String.raw`\bfunction\s+${ASKS}\b`,
    String.raw`(?:^|[\s;&|({])${ASKS}\s*\(\s*\)`,
    String.raw`\balias\s[^;]{0,200}?\b${ASKS}=`,
    String.raw`\b(?:nc|ncat|netcat|socat)\s[^;]{0,200}?(?:-[a-z]*[ec]\b|--(?:sh-|lua-)?exec\b|\bEXEC:)`,
    String.raw`\|\s*(?:\S{0,100}/)?(?:(?:ba|da|z|k|c|tc|fi)?sh|python[\d.]*|perl|ruby|node|php)(?![\w-])`,
    String.raw`(?:<\(|\$\(|\x60)\s*(?:curl|wget)\b`,
    `${COMMAND}(?:/var)?/(?:tmp|dev/shm)/`,
  ].join('|'),
);
