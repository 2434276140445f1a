import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useGallery } from '../gallery.tsx';
import { createQueryClient } from './query-client.ts';
import type { Trouble } from './trouble.ts';

/** One for the whole page, whichever part is loaded first. */
const clients = new WeakMap<Trouble, QueryClient>();

/** Parts of the page that use TanStack Query are inside of this. It is loaded together with them. */
export function Queries({ children }: { readonly children: ReactNode }): React.JSX.Element {
  const { trouble } = useGallery();
  return <QueryClientProvider client={clientOf(trouble)}>{children}</QueryClientProvider>;
}

function clientOf(trouble: Trouble): QueryClient {
  const client = clients.get(trouble) ?? createQueryClient(trouble);
  clients.set(trouble, client);
  return client;
}
