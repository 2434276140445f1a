import { expect } from 'chai';
import { stopOnSignal } from '../../src/infrastructure/commands/command-line/until-signal.ts';
import { settled } from '../support/time/gate.ts';

describe('The signal of a command that stops', () => {
  it('takes many listeners without a warning of Node.js', async () => {
    const before = new Map((['SIGTERM', 'SIGINT'] as const).map((name) => [name, process.listeners(name)]));
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', onWarning);

    const { signal } = stopOnSignal();
    for (let count = 0; count < 20; count += 1) signal.addEventListener('abort', () => undefined);
    await settled();

    process.off('warning', onWarning);
    for (const [name, listeners] of before) {
      for (const one of process.listeners(name)) if (!listeners.includes(one)) process.off(name, one);
    }
    expect(warnings).to.deep.equal([]);
  });
});
