import { expect } from 'chai';
import { action, command } from '../../src/infrastructure/commands/command-line/command.ts';
import { flag, operand, option, TEXT } from '../../src/infrastructure/commands/command-line/option.ts';
import { usage, usageOf } from '../../src/infrastructure/commands/command-line/usage.ts';

const run = async (): Promise<number> => 0;

const SHORT = command({ summary: 'does little', run });

const LONG = command({
  summary: 'does much',
  options: { outFile: option('FILE', 'where to', TEXT, { excludes: ['dryRun'] }), dryRun: flag('shows it') },
  run,
  actions: {
    copy: action({
      operands: { from: operand('FROM', TEXT), to: operand('TO', TEXT) },
      options: { force: flag('overwrites', { needs: 'dryRun' }) },
      run,
    }),
    end: action({ run }),
  },
});

describe('the help of a command', () => {
  it('explains its calls and options, with what they exclude and need', () => {
    expect(usageOf('long', LONG)).to.equal(`Usage: image-catalog long [copy FROM TO | end] [options]

  long [copy FROM TO | end]
                         does much
      --force              of copy: overwrites; with --dry-run only
      --out-file FILE      where to; not with --dry-run
      --dry-run            shows it`);
    expect(usageOf('short', SHORT)).to.equal(`Usage: image-catalog short

  short                  does little`);
  });

  it('is in the list of all commands', () => {
    expect(usage({ short: SHORT, long: LONG }))
      .to.match(/^ {2}short {18}does little$/m)
      .and.match(/^ {2}long \[copy FROM TO \| end\]$\n {25}does much$/m);
  });
});
