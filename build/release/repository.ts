/** The field of a package.json. The registry compares it with the repository that the provenance names. */
export interface Repository {
  readonly type: 'git';
  readonly url: string;
}

/** @throws {Error} with one sentence if the environment names no repository */
export function repositoryFrom(env: Readonly<Record<string, string | undefined>>): Repository {
  const { RELEASE_REPOSITORY, GITHUB_REPOSITORY, GITHUB_SERVER_URL = 'https://github.com' } = env;
  const address =
    RELEASE_REPOSITORY || (GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined);
  if (address === undefined || !/^https:\/\/[^\s/@]+\/[^\s?#]*[^\s?#/]$/.test(address)) {
    throw new Error(
      'A release with provenance names its repository: set RELEASE_REPOSITORY to an address such as https://github.com/owner/name.',
    );
  }
  return { type: 'git', url: `git+${address.replace(/\.git$/, '')}.git` };
}
