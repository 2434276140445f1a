import { expect } from 'chai';
import { action, command } from '../../src/infrastructure/commands/command-line/command.ts';
import {
  flag,
  listOption,
  operand,
  option,
  TEXT,
} from '../../src/infrastructure/commands/command-line/option.ts';
import { parseCall } from '../../src/infrastructure/commands/command-line/parse-call.ts';
import { oneOf } from '../../src/infrastructure/config/variable-types.ts';

describe('the parser of command lines', () => {
  let values: unknown;

  beforeEach(() => {
    values = undefined;
  });

  async function run(given: unknown): Promise<number> {
    values = given;
    return 0;
  }

  const COPY = command({
    summary: 'copies',
    operands: { from: operand('FROM', TEXT), to: operand('TO', TEXT) },
    options: {
      dryRun: flag('only shows it'),
      colour: option('red|green', 'of the copy', oneOf('red', 'green').default('red')),
      file: option('FILE', 'where to', TEXT.optional()),
      tag: listOption('TAG', 'a word for it'),
    },
    run,
  });

  const SWITCH = command({
    summary: 'switches',
    options: { file: option('FILE', 'what', TEXT.optional()) },
    run,
    actions: {
      on: action({ options: { at: option('TIME', 'when', TEXT) }, run }),
      off: action({ operands: { name: operand('NAME', TEXT) }, run }),
    },
  });

  it('names values by the table, with defaults for what is not given', async () => {
    await parseCall('copy', COPY, ['a', 'b'])();

    expect(values).to.deep.equal({
      from: 'a',
      to: 'b',
      dryRun: false,
      colour: 'red',
      file: undefined,
      tag: [],
    });
  });

  it('takes options before and behind operands, and the last of a repeated one', async () => {
    const args = ['--dry-run', 'a', '--tag', 'x', '--colour=green', 'b', '--tag', 'y', '--file', '1'];
    await parseCall('copy', COPY, [...args, '--file', '2'])();

    expect(values).to.deep.include({ dryRun: true, colour: 'green', file: '2', tag: ['x', 'y'] });
  });

  it('takes everything behind -- for operands, the empty text included', async () => {
    await parseCall('copy', COPY, ['--', '--dry-run', ''])();

    expect(values).to.deep.include({ from: '--dry-run', to: '', dryRun: false });
  });

  it('takes an action by the first word', async () => {
    await parseCall('switch', SWITCH, ['on', '--at', 'noon'])();
    expect(values).to.deep.equal({ at: 'noon' });

    await parseCall('switch', SWITCH, ['off', '--', '-x'])();
    expect(values).to.deep.equal({ name: '-x' });

    await parseCall('switch', SWITCH, ['--file', 'f'])();
    expect(values).to.deep.equal({ file: 'f' });
  });
});
