import { expect } from 'chai';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres/postgres-dialect.ts';

function coded(code: string): Error {
  return Object.assign(new Error('Failed'), { code });
}

/** As Objection rethrows it. */
function wrapped(code: string): Error {
  return Object.assign(new Error('Failed'), { nativeError: coded(code) });
}

describe('The Postgres dialect', () => {
  const UNAVAILABLE_CODES = [
    ['a lost connection', '08006'],
    ['a password that is no longer valid', '28P01'],
    ['a database that does not exist', '3D000'],
    ['a read-only standby', '25006'],
    ['an idle session that was ended', '25P03'],
    ['a serialization failure', '40001'],
    ['a missing privilege', '42501'],
    ['a full disk', '53100'],
    ['a lock that is not available', '55P03'],
    ['a statement that exceeded its timeout', '57014'],
    ['an error of the disk', '58030'],
    ['damaged data', 'XX001'],
    ['a server that does not listen', 'ECONNREFUSED'],
    ['a connection that is closed', 'EPIPE'],
    ['a name server that does not respond', 'EAI_AGAIN'],
    ['a self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['a certificate of an unknown authority', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ['a certificate whose signature cannot be checked', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['an expired certificate', 'CERT_HAS_EXPIRED'],
    ['a certificate for another host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const;
  for (const [what, code] of UNAVAILABLE_CODES) {
    it(`classifies ${what} (${code}) as unavailable`, () => {
      expect(POSTGRES_DIALECT.isUnavailable(coded(code))).to.equal(true);
      expect(POSTGRES_DIALECT.isUnavailable(wrapped(code))).to.equal(true);
    });
  }

  const MESSAGES = [
    'Connection terminated unexpectedly',
    'COMMIT; - Connection terminated unexpectedly',
    'Connection terminated',
    'timeout expired',
    'select 1 - Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'The server does not support SSL connections',
  ];
  for (const message of MESSAGES) {
    it(`classifies "${message}" as unavailable`, () => {
      expect(POSTGRES_DIALECT.isUnavailable(new Error(message))).to.equal(true);
    });
  }

  const FAULTS = [
    ['a syntax error', coded('42601')],
    ['a missing table', coded('42P01')],
    ['a violated constraint', coded('23505')],
    ['text that is not a UUID', coded('22P02')],
    ['a transaction that has already failed', coded('25P02')],
    ['a cached plan that is no longer valid', coded('0A000')],
    ['a wrong argument', coded('ERR_INVALID_ARG_TYPE')],
    ['a programming error', new TypeError('Connection is not a function')],
    [
      'a file name with the text of such a message',
      new Error('insert "Connection terminated unexpectedly.jpg" - syntax'),
    ],
  ] as const;
  for (const [what, error] of FAULTS) {
    it(`does not classify ${what} as unavailable`, () => {
      expect(POSTGRES_DIALECT.isUnavailable(error)).to.equal(false);
    });
  }
});
