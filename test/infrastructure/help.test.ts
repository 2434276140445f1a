import { expect } from 'chai';
import { usage } from '../../src/infrastructure/commands/command-line/help.ts';

describe('The list of all commands', () => {
  it('has a gap between a command and what it does, however long its operands are', () => {
    expect(usage()).to.match(/^ {2}spaces \[.*\]$\n {25}lists the spaces;/m);
    expect(usage()).to.match(/^ {2}migrate {16}brings the database schema up to date/m);
  });
});
