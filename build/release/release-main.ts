import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { release } from './release.ts';
import { type Repository, repositoryFrom } from './repository.ts';

/**
 * npm run release -- [--out FOLDER] [--image-root FOLDER] [--with-repository]
 *
 * `--with-repository` takes the repository of the packages from RELEASE_REPOSITORY or, on GitHub Actions, from GITHUB_REPOSITORY.
 */

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'release' },
    'image-root': { type: 'string' },
    'with-repository': { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);
const repository = values['with-repository'] ? readRepository() : undefined;
await release(fileURLToPath(new URL('../..', import.meta.url)), out, {
  image: values['image-root'],
  repository,
});
console.log(await readFile(join(out, 'SHA256SUMS'), 'utf8'));

function readRepository(): Repository {
  try {
    return repositoryFrom(env);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
