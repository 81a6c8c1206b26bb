import { branchesOf, type Leaf, type Tree } from './tree.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
/** A word with what it does, as _describe takes it. */
const described = ([word, meaning]: readonly [string, string]): string =>
  quoted(`${word.replaceAll(':', '\\:')}:${meaning}`);
const found = (all: readonly (readonly [string, string])[]): string =>
  `found=(${all.map(described).join(' ')})`;
const plain = (all: readonly string[]): string => `found=(${all.map(quoted).join(' ')})`;

function behind({ flags, choices }: Leaf): string {
  const cases = flags
    .filter(({ takesValue }) => takesValue)
    .map(({ name, choices: known }) => `      ${name}) ${plain(known)} ;;`);
  const rest = found([
    ...choices.map((choice): [string, string] => [choice, '']),
    ...flags.map(({ name, meaning }): [string, string] => [name, meaning]),
  ]);
  return cases.length === 0
    ? `      ${rest}`
    : ['      case $before in', ...cases, `      *) ${rest} ;;`, '      esac'].join('\n');
}

export function zshCompletion(tree: Tree): string {
  const cases = branchesOf(tree).map(({ path, next, leaf }) => {
    const pattern = path === '' ? "''" : `'${path} '${leaf === null ? '' : '*'}`;
    return `    ${pattern})\n${leaf === null ? `      ${found(next)}` : behind(leaf)}\n      ;;`;
  });
  return `#compdef desk
# Completion of desk for zsh: put  source <(desk completion zsh)  into ~/.zshrc, behind compinit
_desk() {
  local -a found
  local typed='' before=$words[CURRENT-1] at
  for ((at = 2; at < CURRENT; at++)); do
    [[ $words[at] == -* ]] || typed+="$words[at] "
  done
  case $typed in
${cases.join('\n')}
  esac
  _describe desk found
}
if [[ $funcstack[1] == _desk ]]; then _desk "$@"; else compdef _desk desk; fi
`;
}
