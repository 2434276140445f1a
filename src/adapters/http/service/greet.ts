import type { Operation } from '../route/operation.ts';
import { route } from '../route/route.ts';

const GREETING = 'Image Catalog Service\n';

const operation = {
  method: 'get',
  path: '/',
  access: 'public',
  tag: 'Service',
  summary: 'A greeting',
  description:
    'Shows that the service is reachable. Needs no token, and touches neither database nor provider.',
  responses: { 200: { description: 'The greeting.', text: true, example: GREETING } },
} as const satisfies Operation;

export const greet = route(operation, async () => ({ status: 200, body: GREETING }));
