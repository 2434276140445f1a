import { randomInt } from 'node:crypto';
import { findsNoSecret } from './finds-no-secret.ts';

// npm run fuzz:clean makes longer runs.
findsNoSecret(60, Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24)));
