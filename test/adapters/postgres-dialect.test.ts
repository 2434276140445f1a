import { expect } from 'chai';
import { POSTGRES_DIALECT } from '../../src/adapters/sql/postgres-dialect.ts';

function coded(code: string): Error {
  return Object.assign(new Error('Failed'), { code });
}

/** As Objection hands it on. */
function wrapped(code: string): Error {
  return Object.assign(new Error('Failed'), { nativeError: coded(code) });
}

describe('The Postgres dialect', () => {
  const UNAVAILABLE_CODES = [
    ['a lost connection', '08006'],
    ['a connection that the server refuses', '08004'],
    ['a password that is not right any more', '28P01'],
    ['a database that is gone', '3D000'],
    ['a read-only standby', '25006'],
    ['a session that stood still', '25P03'],
    ['a serialization failure', '40001'],
    ['a deadlock', '40P01'],
    ['a missing privilege', '42501'],
    ['a full disk', '53100'],
    ['memory used up', '53200'],
    ['connections used up', '53300'],
    ['a lock that is not to be had', '55P03'],
    ['a statement that took too long', '57014'],
    ['a server that shuts down', '57P01'],
    ['a server that crashed', '57P02'],
    ['a server that starts up', '57P03'],
    ['an error of the disk', '58030'],
    ['damaged data', 'XX001'],
    ['a server that does not listen', 'ECONNREFUSED'],
    ['a connection that is reset', 'ECONNRESET'],
    ['a connection that is closed', 'EPIPE'],
    ['a network without an answer', 'ETIMEDOUT'],
    ['a name that is not known', 'ENOTFOUND'],
    ['a name server that does not answer', 'EAI_AGAIN'],
    ['a socket that is not there', 'ENOENT'],
    ['a certificate of nobody', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['a certificate of an unknown authority', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
    ['a certificate whose signature cannot be checked', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ['a certificate that is too old', 'CERT_HAS_EXPIRED'],
    ['a certificate for another host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ] as const;
  for (const [what, code] of UNAVAILABLE_CODES) {
    it(`takes ${what} (${code}) for unavailable`, () => {
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
    it(`takes "${message}" for unavailable`, () => {
      expect(POSTGRES_DIALECT.isUnavailable(new Error(message))).to.equal(true);
    });
  }

  const FAULTS = [
    ['a syntax error', coded('42601')],
    ['a missing table', coded('42P01')],
    ['a violated constraint', coded('23505')],
    ['text that is no UUID', coded('22P02')],
    ['a transaction that has failed already', coded('25P02')],
    ['a plan that does not fit any more', coded('0A000')],
    ['a wrong argument', coded('ERR_INVALID_ARG_TYPE')],
    ['a mistake of our own', new TypeError('Connection is not a function')],
    ['a name that sounds like one', new Error('insert "Connection terminated unexpectedly.jpg" - syntax')],
  ] as const;
  for (const [what, error] of FAULTS) {
    it(`does not take ${what} for unavailable`, () => {
      expect(POSTGRES_DIALECT.isUnavailable(error)).to.equal(false);
    });
  }
});
