import type { Command } from './command.ts';
import type { Option } from './option.ts';
import { actionsOf, flagOf, operandsOf } from './parse-call.ts';

const COLUMN = 23;

/** Explains all commands. */
export function usage(commands: Readonly<Record<string, Command>>): string {
  const lines = Object.entries(commands).map(([name, command]) => commandLines(name, command));
  return `Usage: image-catalog [command] [options]

${lines.join('\n')}

  --help                 this text; after a command, that of the command
  --version              the version of the service
  --                     ends the options of a command: what stands behind it may begin with a hyphen

Configuration comes from the environment and from .env.`;
}

export function usageOf(name: string, command: Command): string {
  const options = optionLines(command).length > 0 ? '[options]' : '';
  return `Usage: ${['image-catalog', callOf(name, command).trimEnd(), options].join(' ').trimEnd()}

${commandLines(name, command)}`;
}

function callOf(name: string, command: Command): string {
  const actions = actionsOf(command);
  return `${name} ${actions.length > 0 ? `[${actions.join(' | ')}]` : operandsOf(command)}`;
}

function commandLines(name: string, command: Command): string {
  const call = callOf(name, command);
  const gap = call.length < COLUMN ? '' : `\n${' '.repeat(COLUMN + 2)}`;
  return [`  ${call.padEnd(COLUMN)}${gap}${command.summary}`, ...optionLines(command)].join('\n');
}

function optionLines({ options, actions }: Command): readonly string[] {
  const ofActions = Object.entries(actions).flatMap(([action, call]) =>
    Object.entries(call.options).map(([name, option]) => optionLine(name, option, `of ${action}: `)),
  );
  return [...ofActions, ...Object.entries(options).map(([name, option]) => optionLine(name, option))];
}

function optionLine(name: string, { value, help, excludes = [], needs }: Option<unknown>, of = ''): string {
  const option = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`;
  const rules = [
    ...(needs === undefined ? [] : [`; with ${flagOf(needs)} only`]),
    ...(excludes.length === 0 ? [] : [`; not with ${excludes.map(flagOf).join(', ')}`]),
  ];
  return `      ${option.padEnd(COLUMN - 4)}  ${of}${help}${rules.join('')}`;
}
