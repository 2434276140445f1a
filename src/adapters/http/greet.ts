import type { Handler } from './openapi/operation.ts';
import type { Operations } from './openapi/operations.ts';

const GREETING = 'Image Catalog Service\n';

export const greet: Handler<Operations['greet']> = async () => ({ status: 200, body: GREETING });
