import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeOnPostgres, type TestDatabase } from '../support/servers/postgres-server.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';

const SQL = /\b(?:select|from|relation)\b.*\bimages\b/;

describeOnPostgres('A Postgres database that cannot be used', (server) => {
  let folder: ServiceFolder;
  let database: TestDatabase;

  before(async () => {
    folder = await ServiceFolder.open();
    database = await server().newDatabase();
    await mkdir(join(folder.path, 'in'));
  });

  after(async () => {
    await folder.close();
    await database.drop();
  });

  async function verify(url: string): Promise<string> {
    const { code, stdout, stderr } = await folder.run(['verify'], { DATABASE_URL: url });
    expect([code, stdout]).to.deep.equal([78, '']);
    expect(stderr.trim().split('\n').length, stderr).to.be.at.most(2);
    return stderr;
  }

  const COMMANDS = [
    ['verify'],
    ['spaces'],
    ['spaces', 'set', 'cats', '--max-images', '1'],
    ['spaces', 'assign', 'a', 'b'],
    ['spaces', 'remove', 'a', '--yes'],
    ['backup', 'copy'],
    ['sweep'],
    ['reindex'],
    ['changes'],
    ['webhooks'],
    ['rotate-link-key'],
    ['export', 'out', '--direct'],
    ['transfer', '--to-database', 'sqlite:./other.sqlite'],
  ];
  for (const command of COMMANDS) {
    it(`is refused by ${command.join(' ')} with one sentence while it is empty`, async () => {
      const { code, stdout, stderr } = await folder.run(command, { DATABASE_URL: database.url });

      expect([code, stdout]).to.deep.equal([78, '']);
      expect(stderr).to.match(/^DATABASE_URL cannot be used: there is no catalog in it yet\. .*\n$/);
      expect(stderr).to.not.match(SQL);
    });
  }

  it('is nothing to warn about for doctor while it is empty', async () => {
    const { stdout } = await folder.run(['doctor'], { ...folder.env, DATABASE_URL: database.url });

    expect(stdout).to.match(/ok +There is no catalog yet: the service creates it when it starts\./);
    expect(stdout).to.match(/ok +BLOB_STORE_URL: /);
    expect(stdout).to.not.match(SQL);
  });

  const CHANGES: ReadonlyArray<readonly [what: string, change: (url: URL) => string, words: RegExp]> = [
    ['TLS that the server does not offer', ({ href }) => `${href}?sslmode=require`, /sslmode=disable/],
    ['a wrong password', (url) => changed(url, { password: 'wrong' }), /percent-encode/],
    ['no password', (url) => changed(url, { password: '' }), /asks for a password/],
    ['an unknown database', (url) => changed(url, { pathname: '/cats' }), /has no database cats: create/],
    [
      'an unknown user',
      (url) => changed(url, { username: 'ann' }),
      /refuses the (?:password of the )?user ann/,
    ],
    ['a closed port', (url) => changed(url, { port: '1' }), /no server listens on 127\.0\.0\.1:1: start it/],
    ['an unknown host', (url) => changed(url, { hostname: 'db.invalid' }), /name db\.invalid cannot be res/],
    [
      "Neon's parameters",
      ({ href }) => `${href}?sslmode=require&channel_binding=require`,
      /remove channel_binding$/m,
    ],
    ['a slash in the password', ({ href }) => href.replace(/:\w+@/, ':pa/ss@'), /percent-encode .*%2F/],
    ['several hosts', ({ href }) => href.replace(/@[^/]*/, '@a:5432,b:5432'), /names several hosts: name/],
    ['another sslmode', ({ href }) => `${href}?sslmode=prefer`, /none of verify-full .*disable \(no TLS\)/],
  ];
  for (const [what, change, words] of CHANGES) {
    it(`because of ${what} is explained`, async () => {
      expect(await verify(change(new URL(database.url)))).to.match(words);
    });
  }
});

function changed(
  url: URL,
  parts: Partial<Pick<URL, 'username' | 'password' | 'hostname' | 'port' | 'pathname'>>,
): string {
  return Object.assign(url, parts).href;
}
