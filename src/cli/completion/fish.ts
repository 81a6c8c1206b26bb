import { branchesOf, type Tree } from './tree.ts';

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export function fishCompletion(tree: Tree): string {
  const lines = branchesOf(tree).flatMap(({ path, next, leaf }) => {
    const at = `complete -c desk -n "__desk_at '${path}'"`;
    if (leaf === null) return next.map(([word, meaning]) => `${at} -a ${word} -d ${quoted(meaning)}`);
    const choices = leaf.choices.length === 0 ? [] : [`${at} -a ${quoted(leaf.choices.join(' '))}`];
    const flags = leaf.flags.map(({ name, meaning, takesValue, choices: known }) => {
      const value = takesValue ? ` -x${known.length === 0 ? '' : ` -a ${quoted(known.join(' '))}`}` : '';
      return `complete -c desk -n "__desk_in '${path}'" -l ${name.slice(2)}${value} -d ${quoted(meaning)}`;
    });
    return [...choices, ...flags];
  });
  return `# Completion of desk for fish: desk completion fish > ~/.config/fish/completions/desk.fish
function __desk_path
    set -l typed (commandline -opc)
    string match -v -- '-*' $typed[2..-1] | string join ' '
end
function __desk_at
    test "$(__desk_path)" = $argv[1]
end
function __desk_in
    string match -q -- "$argv[1] *" "$(__desk_path) "
end
complete -c desk -f
${lines.join('\n')}
`;
}
