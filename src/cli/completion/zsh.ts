import { casesOf } from './cases.ts';
import type { Tree } from './tree.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A word with what it does, as _describe takes it. */
const described = ([word, meaning]: readonly [string, string]): string =>
  quoted(`${word.replaceAll(':', '\\:')}:${meaning}`);
const found = (all: readonly (readonly [string, string])[]): string =>
  `found=(${all.map(described).join(' ')})`;
const plain = (all: readonly string[]): string => `found=(${all.map(quoted).join(' ')})`;

export function zshCompletion(tree: Tree): string {
  const cases = casesOf(tree, { next: found, values: plain });
  return `#compdef desk
# Completion of desk for zsh: put  source <(desk completion zsh)  into ~/.zshrc, behind compinit
_desk() {
  local -a found
  local typed='' before=$words[CURRENT-1] at
  for ((at = 2; at < CURRENT; at++)); do
    [[ $words[at] == -* ]] || typed+="$words[at] "
  done
  case $typed in
${cases}
  esac
  _describe desk found
}
if [[ $funcstack[1] == _desk ]]; then _desk "$@"; else compdef _desk desk; fi
`;
}
