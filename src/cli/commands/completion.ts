import type { CliCommand } from '../command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion: CliCommand = {
  name: 'completion',
  summary: 'Prints a script with which a shell completes the words of this command',
  arguments: [{ name: 'shell', meaning: 'the shell', choices: SHELLS }],
  examples: [
    ['desk completion bash', 'put "source <(desk completion bash)" into ~/.bashrc'],
    ['desk completion zsh', 'put "source <(desk completion zsh)" into ~/.zshrc, behind compinit'],
    ['desk completion fish', 'write it to ~/.config/fish/completions/desk.fish'],
  ],
  async run({ answer }, { arguments: { shell = 'bash' } }) {
    const [{ allCommands }, { treeOf }, { bashCompletion }, { zshCompletion }, { fishCompletion }] =
      await Promise.all([
        import('./index.ts'),
        import('../completion/tree.ts'),
        import('../completion/bash.ts'),
        import('../completion/zsh.ts'),
        import('../completion/fish.ts'),
      ]);
    const write = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }[shell as 'bash'];
    const script = write(treeOf(await allCommands()));
    return answer({ shell, script }, (out) => {
      for (const line of script.trimEnd().split('\n')) out.line(line);
    });
  },
};
