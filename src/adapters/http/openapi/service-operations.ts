import type { Operation } from './operation.ts';

export const greet = {
  method: 'get',
  path: '/',
  access: 'public',
  tag: 'Service',
  summary: 'A greeting',
  description:
    'Shows that the service is reachable. Needs no token, and touches neither database nor provider.',
  responses: { 200: { description: 'The greeting.', text: true, example: 'Image Catalog Service\n' } },
  errors: [],
} as const satisfies Operation;
