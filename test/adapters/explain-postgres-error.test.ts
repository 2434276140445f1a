import { expect } from 'chai';
import { explainPostgresError } from '../../src/adapters/sql/postgres/explain-postgres-error.ts';

const SERVER = { host: 'db.example.com', port: 5432, user: 'cat', database: 'images' };

function explained(message: string, code?: string): string {
  const error = Object.assign(new Error(message), code === undefined ? {} : { code });
  return (explainPostgresError(error, SERVER) as Error).message;
}

describe('The explanation of an error of Postgres', () => {
  const CASES: ReadonlyArray<readonly [message: string, code: string | undefined, words: RegExp]> = [
    ['The server does not support SSL connections', undefined, /^db\.example\.com:5432 .*sslmode=disable/],
    ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', undefined, /PGPASSWORD$/],
    ['no pg_hba.conf entry for host "::1", user "cat", no encryption', '28000', /remove sslmode=disable/],
    ['password authentication failed', '28P01', /user cat: .* percent-encode .*%40.*\(28P01\)$/],
    ['role "cat" does not exist', '28000', /refuses the user cat: role "cat" does not exist/],
    ['database "images" does not exist', '3D000', /has no database images: create it/],
    [
      'create table x - permission denied for schema public',
      '42501',
      /^permission denied for schema public: g/,
    ],
    ['sorry, too many clients already', '53300', /DATABASE_POOL_MAX/],
    ['the database system is starting up', '57P03', /try again/],
    ['', 'ECONNREFUSED', /^no server listens on db\.example\.com:5432: .*\(ECONNREFUSED\)$/],
    ['getaddrinfo EAI_AGAIN db', 'EAI_AGAIN', /name db\.example\.com cannot be resolved.*percent-encode/],
    ['timeout expired', undefined, /does not respond: .*firewall$/],
    ['Connection terminated unexpectedly', undefined, /has ended the connection/],
    ['self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', /^self-signed certificate$/],
  ];
  for (const [message, code, words] of CASES) {
    it(`of ${code ?? message} says what is wrong and what to do`, () => {
      expect(explained(message, code)).to.match(words);
    });
  }

  it('names the folder of a socket without a port', () => {
    const error = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' });

    const { message } = explainPostgresError(error, { ...SERVER, host: '/run/postgresql' }) as Error;

    expect(message).to.match(/^no server listens on \/run\/postgresql: /);
  });
});
