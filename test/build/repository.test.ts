import { expect } from 'chai';
import { repositoryFrom } from '../../build/release/repository.ts';

const GITHUB = { type: 'git', url: 'git+https://github.com/owner/name.git' };

describe('The repository of a release', () => {
  it('is the one in which GitHub Actions run', () => {
    expect(repositoryFrom({ GITHUB_REPOSITORY: 'owner/name' })).to.deep.equal(GITHUB);
    expect(
      repositoryFrom({ GITHUB_REPOSITORY: 'owner/name', GITHUB_SERVER_URL: 'https://git.example.com' }),
    ).to.deep.equal({ type: 'git', url: 'git+https://git.example.com/owner/name.git' });
  });

  it('is rather the one that RELEASE_REPOSITORY names', () => {
    for (const address of ['https://github.com/owner/name', 'https://github.com/owner/name.git']) {
      const env = { RELEASE_REPOSITORY: address, GITHUB_REPOSITORY: 'another/fork' };
      expect(repositoryFrom(env)).to.deep.equal(GITHUB);
    }
  });

  it('is never invented', () => {
    for (const env of [
      {},
      { RELEASE_REPOSITORY: '', GITHUB_REPOSITORY: '' },
      { RELEASE_REPOSITORY: 'owner/name' },
      { RELEASE_REPOSITORY: 'http://github.com/owner/name' },
      { RELEASE_REPOSITORY: 'https://token@github.com/owner/name' },
      { RELEASE_REPOSITORY: 'https://github.com/' },
    ]) {
      expect(() => repositoryFrom(env)).to.throw('set RELEASE_REPOSITORY');
    }
  });
});
