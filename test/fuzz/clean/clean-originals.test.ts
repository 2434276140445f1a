import { randomInt } from 'node:crypto';
import { FULL_STORMS } from '../../support/full-storms.ts';
import { findsNoSecret } from './finds-no-secret.ts';

// npm run fuzz:clean makes longer runs.
findsNoSecret(FULL_STORMS ? 10_000 : 60, Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24)));
