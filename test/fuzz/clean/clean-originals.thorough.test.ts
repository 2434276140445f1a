import { randomInt } from 'node:crypto';
import { findsNoSecret } from './finds-no-secret.ts';

findsNoSecret(1_000, Number(process.env.FUZZ_SEED ?? randomInt(2 ** 24)));
