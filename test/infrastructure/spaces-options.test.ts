import { expect } from 'chai';
import { parseSpaces } from '../../src/infrastructure/commands/spaces/spaces-options.ts';

describe('the command line of spaces', () => {
  it('takes a limit as a number, 0 included, or as the default', () => {
    expect(parseSpaces(['set', 'cats', '--max-bytes', '0', '--max-images', 'default'])).to.deep.equal({
      action: 'set',
      space: 'cats',
      limits: { bytes: 0, images: 'default' },
    });
  });

  it('leaves a limit alone that is not named', () => {
    expect(parseSpaces(['set', 'cats', '--max-images', '9007199254740991'])).to.deep.include({
      limits: { bytes: undefined, images: Number.MAX_SAFE_INTEGER },
    });
  });

  it('takes the empty name for a space', () => {
    const assign = { action: 'assign', from: '', to: 'cats' };
    expect(parseSpaces(['assign', '', 'cats'])).to.deep.equal({ ...assign, wait: false });
    expect(parseSpaces(['assign', '', 'cats', '--wait'])).to.deep.equal({ ...assign, wait: true });
  });

  it('takes everything behind -- for a name', () => {
    expect(parseSpaces(['remove', '--yes', '--', '--help'])).to.deep.equal({
      action: 'remove',
      space: '--help',
    });
  });
});
