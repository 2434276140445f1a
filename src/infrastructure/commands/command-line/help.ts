import { COMMANDS, type CommandEntry } from '../command-table.ts';

const COLUMN = 23;

/** Lists all commands. */
export function usage(): string {
  const commands = Object.entries(COMMANDS).map(([name, entry]) => commandLines(name, entry));
  return `Usage: image-catalog [command] [options]

${commands.join('\n')}

  --help                 this text; after a command, that of the command
  --version              the version of the service
  --                     ends the options of a command: what stands behind it may begin with a hyphen

Configuration comes from the environment and from .env.`;
}

export function usageOf(name: string, entry: CommandEntry): string {
  return `Usage: image-catalog ${[name, entry.operands, entry.options && '[options]'].filter(Boolean).join(' ')}

${commandLines(name, entry)}`;
}

function commandLines(name: string, { operands = '', summary, options = [] }: CommandEntry): string {
  const call = `${name} ${operands}`;
  const gap = call.length < COLUMN ? '' : `\n${' '.repeat(COLUMN + 2)}`;
  const lines = [
    `  ${call.padEnd(COLUMN)}${gap}${summary}`,
    ...options.map(([option, explanation]) => `      ${option.padEnd(COLUMN - 4)}  ${explanation}`),
  ];
  return lines.join('\n');
}
