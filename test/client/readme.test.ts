import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TestService } from '../support/http/test-service.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('the example of the README of the client', () => {
  it('runs as it is printed', async () => {
    const service = await TestService.start({ maxFileBytes: 1_000_000 });
    const folder = await temporaryFolder();
    const readme = await readFile(join(ROOT, 'client/README.md'), 'utf8');
    const [, example = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
    await writeFile(join(folder.path, 'example.mjs'), example);
    await copyFile(join(ROOT, 'demo/cat-chelsea.png'), join(folder.path, 'cat.png'));
    await mkdir(join(folder.path, 'node_modules/@image-catalog'), { recursive: true });
    await symlink(join(ROOT, 'client'), join(folder.path, 'node_modules/@image-catalog/client'));

    const { stdout } = await promisify(execFile)(process.execPath, ['example.mjs'], {
      cwd: folder.path,
      env: { CATALOG_URL: service.url, CATALOG_TOKEN: service.token() },
    });

    expect(example.trim().split('\n').length).to.be.at.most(12);
    expect(stdout).to.include('240512 240512');
    expect(stdout).to.include('file?width=480&format=webp 451w');
    expect(stdout).to.include('1 cat.png');
    expect(stdout).to.include('image/webp');
    expect(stdout).to.include('true image_not_found');
    await folder.remove();
    await service.stop();
  });
});
