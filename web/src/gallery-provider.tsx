import { type Changes, ChangesProvider } from './contexts/changes.ts';
import { type Page, PageProvider } from './contexts/page.ts';
import { type Service, ServiceProvider } from './contexts/service.ts';
import { type View, ViewProvider } from './contexts/view.ts';

/** What the components share. Made once, in `main.tsx`. */
export interface Gallery {
  readonly service: Service;
  readonly view: View;
  readonly changes: Changes;
  readonly page: Page;
}

interface GalleryProviderProps {
  readonly gallery: Gallery;
  readonly children: React.ReactNode;
}

export function GalleryProvider({ gallery, children }: GalleryProviderProps): React.JSX.Element {
  const { service, view, changes, page } = gallery;
  return (
    <ServiceProvider value={service}>
      <PageProvider value={page}>
        <ViewProvider value={view}>
          <ChangesProvider value={changes}>{children}</ChangesProvider>
        </ViewProvider>
      </PageProvider>
    </ServiceProvider>
  );
}
