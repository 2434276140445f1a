import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../fixtures/temporary-folder.ts';
import { NodeProcess } from '../servers/service-process.ts';
import { mochaHooks } from './crash-hooks.ts';
import { takeCrashes } from './crashed-processes.ts';

describe('A process that a test has started', () => {
  let folder: TemporaryFolder;

  before(async () => {
    folder = await temporaryFolder();
  });

  after(() => folder.remove());

  async function run(program: string, mayCrash = false): Promise<number | null> {
    const { code } = await NodeProcess.start(['-e', program], { cwd: folder.path, mayCrash }).exited;
    return code;
  }

  for (const [how, program] of [
    ['an exception in an event listener', "setImmediate(() => { throw new Error('planted') })"],
    ['an unhandled rejection', "void Promise.reject(new Error('planted'))"],
  ] as const) {
    it(`fails the test if it ends by ${how}`, async () => {
      expect(await run(program)).to.equal(1);
      expect(() => mochaHooks.afterEach()).to.throw(/nothing has caught: -e [^]*planted/);
      expect(takeCrashes()).to.deep.equal([]);
    });
  }

  it('fails nothing if it ends in another way, or if the test expects the crash', async () => {
    await run("console.error('Error: planted'); process.exitCode = 1");
    await run("throw new Error('planted')", true);
    expect(takeCrashes()).to.deep.equal([]);
  });
});
