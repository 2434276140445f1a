import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { readPublishWorkflow } from './publish-workflow.ts';

const STEP = readPublishWorkflow().jobs.publish.steps.at(-1)?.run ?? '';

describe('The last step of the workflow that publishes', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder.path, 'npm'), '#!/bin/sh\nprintf "%s\\n" "$@" >called\n');
    await chmod(join(folder.path, 'npm'), 0o755);
  });

  afterEach(() => folder.remove());

  /** What npm is called with when a tag is pushed. GitHub runs a step with these options of bash. */
  async function publishTag(tag: string): Promise<readonly string[]> {
    const env = {
      PATH: `${folder.path}:${process.env.PATH}`,
      GITHUB_REF_NAME: tag,
      PACKAGE: 'image-catalog-client',
    };
    await promisify(execFile)('bash', ['-e', '-c', STEP], { cwd: folder.path, env });
    return (await readFile(join(folder.path, 'called'), 'utf8')).trim().split('\n');
  }

  it('publishes a version as the one that an install without a version gets', async () => {
    expect(await publishTag('v1.2.3')).to.deep.equal([
      'publish',
      './release/image-catalog-client-1.2.3.tgz',
      '--provenance',
      '--access',
      'public',
      '--tag',
      'latest',
    ]);
  });

  it('publishes a version before it as "next"', async () => {
    const args = await publishTag('v1.2.3-rc.1');

    expect(args).to.include('./release/image-catalog-client-1.2.3-rc.1.tgz');
    expect(args.slice(-2)).to.deep.equal(['--tag', 'next']);
  });
});
